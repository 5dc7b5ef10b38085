"""Splitting of text into sentences, as words and the marks between them.

A token never contains punctuation, so the whole structure of a text is in the gaps
between tokens: a gap is read once and becomes a few bits. Only sentences with a cue
are built. No gap is read more than a fixed number of times whatever the text, so the
work is linear in its length.
"""

from __future__ import annotations

from typing import Final

from festinger._fast.values import (
    BREAK,
    CLOSE,
    COLON,
    COMMA,
    DASH,
    END,
    ODD,
    OPEN,
    OPEN_END,
    OPEN_START,
    PLAIN,
    POSSESSIVE,
    QUOTED,
    SENTENCE_CHARACTERS_MAX,
    SHORT,
    STOP,
    WRAP,
)
from tests.oracle.around import surroundings_of
from tests.oracle.lists import Lists
from tests.oracle.scanner import Scan

#: No editor wraps narrower: a line onto which the next word would still have fitted
#: was ended by its author.
WRAP_COLUMN_MIN: Final = 60
#: Characters behind the last word within which a question mark is looked for.
TAIL_CHARACTERS: Final = 12

_SIGILS: Final = "$%&/={\\"


class Sentence:
    """A sentence, as its words and the marks between them.

    The place behind the last word belongs to no word; its gap holds the mark that ends
    the sentence.

    Attributes:
        count: The number of words.
        asked: Whether it ends in a question mark.
        quoted: Whether it stands in a quoted line (`> …`).
        text: The whole text, with everything that is not prose masked.
    """

    def __init__(self, text: str) -> None:
        """Create an empty sentence of a text."""
        self.count = 0
        self.asked = False
        self.quoted = False
        self.text = text
        self._words: list[str] = []
        self._lists: list[int] = []
        self._flags: list[int] = []
        self._gaps: list[int] = []
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, scan: Scan, at: int, gap: int, lists: Lists) -> None:
        """Add a token as the next word."""
        self.count += 1
        self._words.append(scan[at])
        self._lists.append(lists.of(scan[at]))
        self._flags.append(scan.flags(at))
        self._gaps.append(gap)
        self._starts.append(scan.start(at))
        self._ends.append(scan.end(at))

    def close(self, gap: int) -> None:
        """Add the gap behind the last word."""
        self._gaps.append(gap)
        self._lists.append(0)
        self._flags.append(0)

    def word(self, at: int) -> str:
        """Return the token at a place."""
        return self._words[at]

    def lists(self, at: int) -> int:
        """Return the bits of a word's lists and spelling; 0 for none."""
        return self._lists[at]

    def flags(self, at: int) -> int:
        """Return the scan's flags of a word; 0 for none."""
        return self._flags[at]

    def gap(self, at: int) -> int:
        """Return the marks before a word, or behind the last."""
        return self._gaps[at]

    def start(self, at: int) -> int:
        """Return the offset in the text of a word's first character."""
        return self._starts[at]

    def end(self, at: int) -> int:
        """Return the offset behind a word's last character."""
        return self._ends[at]

    def among(self, first: int, end: int) -> int:
        """Return the union of the lists of the words in a range."""
        found = 0
        for lists in self._lists[first:end]:
            found |= lists
        return found

    def follows(self, at: int, lists: int) -> bool:
        """Return whether a word of these lists is at a place, behind only a blank."""
        return (
            at < self.count
            and self._lists[at] & lists != 0
            and self._gaps[at] & ~PLAIN == 0
        )

    def reads(self, at: int, word: str) -> bool:
        """Return whether a given word is at a place."""
        return at < self.count and self._words[at] == word

    def is_wrapped_at(self, at: int) -> bool:
        """Return whether a line wrap is the only mark before a word."""
        return self._gaps[at] == WRAP

    def surroundings(self) -> int:
        """Return the marks around the sentence that may retract it; mostly 0."""
        return surroundings_of(self.text, self._starts[0], self._ends[-1])


class SentenceReader:
    """Reader of the sentences around one cue after the other, moving forward only.

    Attributes:
        done: Position of the token behind the text that was read last.
        steps: The number of gaps and words visited, for the test of linearity.
    """

    def __init__(self, scan: Scan, text: str, lists: Lists) -> None:
        """Create a reader of a scan.

        Args:
            text: The text of the scan, with everything that is not prose masked.
            lists: The word lists.
        """
        self.scan = scan
        self.lists = lists
        self.text = text
        self.count = len(scan)
        self.done = 0
        self.steps = 0
        # The position up to which no sentence is known to begin.
        self._searched = 0
        self._begin = 0
        self._cut = False

    def around(self, cue: int) -> int:
        """Return the position of the first word of a cue's sentence.

        Args:
            cue: A token's position, behind the sentence returned before.

        Returns:
            The position; -1 if the cue stands in code or quotes or too far from its
            sentence's beginning.
        """
        self.done = cue + 1
        if self._is_blotted(cue):
            return -1
        first = self._beginning(cue)
        if self.scan.end(cue) - self.scan.start(first) > SENTENCE_CHARACTERS_MAX:
            return -1
        at = self._walk(first, None)
        self.done = self._searched = max(at, first + 1)
        # The text behind a cut is no sentence of its own: its cues are too far from
        # `first`.
        self._begin = first if self._cut else self._searched
        return first

    def sentence(self, first: int) -> Sentence:
        """Build the sentence that `around` has just found to begin at a token."""
        sentence = Sentence(self.text)
        sentence.quoted = self._is_quoted_line(self.scan.start(first))
        self._walk(first, sentence)
        end = sentence.end(sentence.count - 1)
        tail = self.text[end : end + TAIL_CHARACTERS].split("\n", 1)[0]
        sentence.asked = _is_asked(tail)
        return sentence

    def _beginning(self, cue: int) -> int:
        """Return the sentence's first word, without visiting a gap twice."""
        at = cue
        while at > self._searched:
            self.steps += 1
            if self._gap(at - 1, at) & END:
                self._begin = at
                break
            at -= 1
        else:
            at = self._begin
        self._searched = cue
        while self._is_blotted(at) and at < cue:
            at += 1
            self.steps += 1
        return at

    def _walk(self, first: int, sentence: Sentence | None) -> int:
        """Return the token behind a sentence; add its words to `sentence` if given."""
        scan, text = self.scan, self.text
        start = scan.start(first)
        # "$HOME is", "%s is": the name begins before its first word.
        gap = ODD if start and text[start - 1] in _SIGILS else 0
        at, last = first, -1
        self._cut = False
        while at < self.count:
            self.steps += 1
            if scan.end(at) - start > SENTENCE_CHARACTERS_MAX:
                self._cut = True
                break
            if self._is_blotted(at):
                at += 1
                continue
            if last >= 0:
                gap = self._gap(last, at)
                if gap & END:
                    break
            if sentence is not None:
                sentence.add(scan, at, gap, self.lists)
            last = at
            at += 1
        if sentence is not None:
            sentence.close(gap | END)
        return at

    def _gap(self, before: int, behind: int) -> int:
        """Return the marks of the gap between two tokens."""
        end, start = self.scan.end(before), self.scan.start(behind)
        length = start - end
        if length == 1 and self.text[end] == " ":
            return 0
        if length <= 0:
            return ODD
        if length > SENTENCE_CHARACTERS_MAX:
            return END
        self.steps += length
        marks = _marks(self.text, end, start)
        if marks & STOP:
            marks &= ~STOP
            if self._is_abbreviated(self.scan[before]):
                marks = marks & ~END | COMMA
        if marks & BREAK:
            marks &= ~BREAK
            marks |= self._line_break(before, behind, marks)
        return marks

    def _line_break(self, before: int, behind: int, marks: int) -> int:
        """Return END if a line break within a gap ends the sentence, else WRAP."""
        text = self.text
        end, start = self.scan.end(before), self.scan.start(behind)
        at = end
        while text[at] not in "\r\n":
            at += 1
        at += 2 if text[at] == "\r" and text[at + 1] == "\n" else 1
        if _begins_block(text, at, start) or marks & COLON:
            return END
        low = max(0, end - SENTENCE_CHARACTERS_MAX)
        line = end
        while line > low and text[line - 1] not in "\r\n":
            line -= 1
        while line < end and text[line] in " \t":
            line += 1
        if line < end and text[line] == "#":
            return END
        if marks & (COMMA | DASH | OPEN | POSSESSIVE) or self._goes_on(before, behind):
            return WRAP
        high = min(start + WRAP_COLUMN_MIN, len(text))
        at = start
        while at < high and not text[at].isspace():
            at += 1
        fits = end - line + 1 + at - start <= WRAP_COLUMN_MIN
        return END if fits else WRAP

    def _goes_on(self, before: int, behind: int) -> bool:
        """Return whether the words around a line break force one sentence."""
        if self.lists.of(self.scan[before]) & OPEN_END:
            return True
        opens = self.lists.of(self.scan[behind]) & OPEN_START
        return opens != 0 and self.text[self.scan.start(behind)].islower()

    def _is_abbreviated(self, word: str) -> bool:
        if self.lists.of(word) & SHORT:
            return True
        return len(word) == 1 and word.isalpha() and word != "i"

    def _is_quoted_line(self, start: int) -> bool:
        low = max(0, start - 12)
        line = max(self.text.rfind("\n", low, start), self.text.rfind("\r", low, start))
        return ">" in self.text[line + 1 if line >= 0 else low : start]

    def _is_blotted(self, at: int) -> bool:
        return self.text[self.scan.start(at)] in "\x00\x01"


def _marks(text: str, start: int, end: int) -> int:
    """Return the marks of the characters of a gap, STOP and BREAK among them."""
    marks = 0
    if text[start] == ".":
        marks |= STOP
    i = start
    while end - i > 1 and text[i] in "'’" and text[i + 1] in "sS":
        marks |= POSSESSIVE
        i += 2
    begin = i
    while i < end:
        character = text[i]
        mark = _mark(character)
        if character == "-":
            mark = DASH if _is_dash(text, begin, i, end) else ODD
        elif character == ".":
            # " .gitignore" and "..": such a full stop ends no sentence.
            alone = i > begin and text[i - 1] == " " and i + 1 == end
            mark = ODD if alone else END
        elif character == "\n" or character == "\r":
            mark = BREAK
        marks |= mark
        i += 1
    return marks


def _begins_block(text: str, at: int, end: int) -> bool:
    """Return whether a gap's rest begins a paragraph, a list item or a table row."""
    line = at
    while at < end:
        if text[at] in "\r\n":
            return True
        at += 1
    at = line
    while at < end and text[at] in " \t":
        at += 1
    if at == end:
        return False
    if text[at] in "#>|=`":
        return True
    return text[at] in "-*+•·–◦‣" and at + 1 < end and text[at + 1] == " "


def _mark(character: str) -> int:
    """Return the mark of a character; for `-`, `.` and line breaks see `_marks`."""
    if character in " \t\r\n\v\f\u00a0\u2009\u202f\u3000*[]_'’`\x01":
        return 0
    if character in ",，、":
        return COMMA
    if character in "!?;|…。！？；":
        return END
    if character in ":：":
        return COLON
    if character in "(（":
        return OPEN
    if character in ")）":
        return CLOSE
    if character in '"“”„«»‹›‘':
        return QUOTED
    return DASH if character in "—–" else ODD


def _is_dash(text: str, begin: int, at: int, end: int) -> bool:
    before = text[at - 1] if at > begin else ""
    behind = text[at + 1] if at + 1 < end else ""
    return before == "-" or behind == "-" or (before == " " and behind == " ")


def _is_asked(tail: str) -> bool:
    """Return whether a question mark is among the characters behind a sentence."""
    for character in tail:
        if character.isalnum():
            return False
        if character in "?？":
            return True
    return False
