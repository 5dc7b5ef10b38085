/* What a byte between two words does to them: seen from the word behind it, and from the
 * word before it. A quoted or a ticked word stands in its sentence or is opaque, so what
 * opens there hides no word from who comes from the left; only a tag and a link's target
 * do. Where the same marks may close, nobody knows what they have hidden.
 */
#ifndef FESTINGER_LEADS_H
#define FESTINGER_LEADS_H

#define LEADS_ANYTHING 0 /* it may hide words, or do anything else */
#define LEADS_BLANK 1
#define LEADS_PARTS 2 /* no phrase reaches across it */

static const unsigned char leads_marks[256] = {
    [' '] = LEADS_BLANK,  ['\t'] = LEADS_BLANK, ['\n'] = LEADS_BLANK,
    ['\r'] = LEADS_BLANK, ['.'] = LEADS_PARTS,  [';'] = LEADS_PARTS,
    [':'] = LEADS_PARTS,  ['?'] = LEADS_PARTS,  ['/'] = LEADS_PARTS,
    ['&'] = LEADS_PARTS,  ['='] = LEADS_PARTS,  ['+'] = LEADS_PARTS,
    ['#'] = LEADS_PARTS,  ['%'] = LEADS_PARTS,  ['@'] = LEADS_PARTS,
    ['$'] = LEADS_PARTS,  ['^'] = LEADS_PARTS,  ['{'] = LEADS_PARTS,
    ['}'] = LEADS_PARTS,  ['|'] = LEADS_PARTS,  ['\\'] = LEADS_PARTS};

static const unsigned char leads_marks_ahead[256] = {
    [' '] = LEADS_BLANK,  ['\t'] = LEADS_BLANK, ['\n'] = LEADS_BLANK,
    ['\r'] = LEADS_BLANK, ['*'] = LEADS_BLANK,  ['['] = LEADS_BLANK,
    ['\''] = LEADS_BLANK, ['`'] = LEADS_BLANK,  ['.'] = LEADS_PARTS,
    [';'] = LEADS_PARTS,  [':'] = LEADS_PARTS,  ['?'] = LEADS_PARTS,
    ['/'] = LEADS_PARTS,  ['&'] = LEADS_PARTS,  ['='] = LEADS_PARTS,
    ['+'] = LEADS_PARTS,  ['#'] = LEADS_PARTS,  ['%'] = LEADS_PARTS,
    ['@'] = LEADS_PARTS,  ['$'] = LEADS_PARTS,  ['^'] = LEADS_PARTS,
    ['{'] = LEADS_PARTS,  ['}'] = LEADS_PARTS,  ['|'] = LEADS_PARTS,
    ['\\'] = LEADS_PARTS, [','] = LEADS_PARTS,  ['('] = LEADS_PARTS,
    [')'] = LEADS_PARTS,  ['-'] = LEADS_PARTS,  ['!'] = LEADS_PARTS,
    ['~'] = LEADS_PARTS,  ['"'] = LEADS_PARTS,  ['>'] = LEADS_PARTS};

#endif
