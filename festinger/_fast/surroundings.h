/* What a byte between two words does to them: seen from the word behind it, and from the
 * word before it. A quoted or a ticked word stands in its sentence or is opaque, so what
 * opens there hides no word from who comes from the left; only a tag and a link's target
 * do. Where the same marks may close, nobody knows what they have hidden.
 */
#ifndef FESTINGER_SURROUNDINGS_H
#define FESTINGER_SURROUNDINGS_H

#define MARK_ANYTHING 0 /* it may hide words, or do anything else */
#define MARK_BLANK 1
#define MARK_PARTS 2 /* no phrase reaches across it */

static const unsigned char marks_before[256] = {
    [' '] = MARK_BLANK,  ['\t'] = MARK_BLANK, ['\n'] = MARK_BLANK,
    ['\r'] = MARK_BLANK, ['.'] = MARK_PARTS,  [';'] = MARK_PARTS,
    [':'] = MARK_PARTS,  ['?'] = MARK_PARTS,  ['/'] = MARK_PARTS,
    ['&'] = MARK_PARTS,  ['='] = MARK_PARTS,  ['+'] = MARK_PARTS,
    ['#'] = MARK_PARTS,  ['%'] = MARK_PARTS,  ['@'] = MARK_PARTS,
    ['$'] = MARK_PARTS,  ['^'] = MARK_PARTS,  ['{'] = MARK_PARTS,
    ['}'] = MARK_PARTS,  ['|'] = MARK_PARTS,  ['\\'] = MARK_PARTS};

static const unsigned char marks_ahead[256] = {
    [' '] = MARK_BLANK,  ['\t'] = MARK_BLANK, ['\n'] = MARK_BLANK,
    ['\r'] = MARK_BLANK, ['*'] = MARK_BLANK,  ['['] = MARK_BLANK,
    ['\''] = MARK_BLANK, ['`'] = MARK_BLANK,  ['.'] = MARK_PARTS,
    [';'] = MARK_PARTS,  [':'] = MARK_PARTS,  ['?'] = MARK_PARTS,
    ['/'] = MARK_PARTS,  ['&'] = MARK_PARTS,  ['='] = MARK_PARTS,
    ['+'] = MARK_PARTS,  ['#'] = MARK_PARTS,  ['%'] = MARK_PARTS,
    ['@'] = MARK_PARTS,  ['$'] = MARK_PARTS,  ['^'] = MARK_PARTS,
    ['{'] = MARK_PARTS,  ['}'] = MARK_PARTS,  ['|'] = MARK_PARTS,
    ['\\'] = MARK_PARTS, [','] = MARK_PARTS,  ['('] = MARK_PARTS,
    [')'] = MARK_PARTS,  ['-'] = MARK_PARTS,  ['!'] = MARK_PARTS,
    ['~'] = MARK_PARTS,  ['"'] = MARK_PARTS,  ['>'] = MARK_PARTS};

#endif
