"""The sentences that hold cues, as words and the marks between them.

A token never contains punctuation, so all that structures a text stands in the gaps
between tokens: a gap is read once and becomes a few bits. Only sentences with a cue
are built. No gap is read more than a fixed number of times whatever the text, so the
work is linear in its length.
"""

# ruff: noqa: RUF001 - typographic marks are the subject of this file
from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from festinger._fast import Scan
from festinger.core.cues.words import ABBREVIATIONS, OPEN_ENDS

#: Longer sentences are lists or logs; what stands behind the limit is not read.
SENTENCE_CHARACTERS_MAX: Final = 400
#: No editor wraps narrower: a line onto which the next word would still have fitted
#: was ended by its author.
WRAP_COLUMN_MIN: Final = 60

# What a gap holds. None of them is a plain blank.
COMMA: Final = 1
COLON: Final = 2
DASH: Final = 4
OPEN: Final = 8  #: opening parenthesis
CLOSE: Final = 16  #: closing parenthesis
END: Final = 32  #: end of the sentence
ODD: Final = 64  #: anything that no phrase reaches across: / @ = emoji, code
QUOTED: Final = 128  #: a quotation mark of a single quoted word
POSSESSIVE: Final = 256
WRAP: Final = 512  #: a line break within the sentence

#: Gaps that a phrase may reach across.
PLAIN: Final = WRAP

#: What `readable` writes over what is not prose: nothing there, or something opaque.
HIDDEN: Final = "\x01"
OPAQUE: Final = "\x00"

_BLOTS: Final = HIDDEN + OPAQUE
_BLANKS: Final = frozenset(" \t\r\n\v\f\u00a0\u2009\u202f\u3000*[]_'’`" + HIDDEN)
_ENDS: Final = frozenset(".!?;|…。！？；")
_QUOTES: Final = frozenset('"“”„«»‹›‘')
_MARKS: Final = {
    ",": COMMA, "，": COMMA, "、": COMMA, ":": COLON, "：": COLON,
    "—": DASH, "–": DASH, "(": OPEN, "（": OPEN, ")": CLOSE, "）": CLOSE,
}  # fmt: skip
_SIGILS: Final = frozenset("$%&/={\\")
_LIST_MARKERS: Final = ("- ", "* ", "+ ", "• ", "· ", "– ", "◦ ", "‣ ")


@dataclass(slots=True)
class Sentence:
    """One sentence: its words, and what stands between them.

    Attributes:
        words: The tokens that are prose.
        flags: The scan's flags of each.
        gaps: The marks before each, and behind the last: one more than words.
        starts: Character offsets of each in the text.
        ends: The offsets behind each.
        cues: Which of the words are cue words.
        asked: Whether it ends in a question mark.
        quoted: Whether it stands in a quoted line (`> …`).
        text: The whole text, with everything that is not prose blotted out.
    """

    words: list[str]
    flags: list[int]
    gaps: list[int]
    starts: list[int]
    ends: list[int]
    cues: list[int]
    asked: bool
    quoted: bool
    text: str

    def follows(self, at: int, word: str) -> bool:
        """Whether a word stands at a position with nothing but a blank before it."""
        return (
            at < len(self.words)
            and self.words[at] == word
            and self.gaps[at] & ~PLAIN == 0
        )

    def is_wrapped_at(self, at: int) -> bool:
        """Whether a line begins at a word without a mark that says why."""
        return self.gaps[at] == WRAP


class SentenceReader:
    """Builds the sentence around one cue after the other, moving forward only.

    Attributes:
        steps: Gaps and words visited so far; what the linearity test counts.
    """

    def __init__(self, scan: Scan, text: str) -> None:
        """Read a scan whose prose is `text`: as long, with the rest blotted out."""
        self.scan = scan
        self.text = text
        self.steps = 0
        # Up to which token it is known that no sentence begins.
        self._searched = 0
        self._begin = 0

    def around(self, cue: int, flag: int) -> tuple[Sentence | None, int]:
        """Return the sentence of the cue at a token, and the token behind it.

        Args:
            cue: A token's position, behind the sentence returned before.
            flag: The bit that marks cue words.

        Returns:
            None for a cue that stands in code or quotes, or too far from its
            sentence's beginning.
        """
        if self._is_blotted(cue):
            return None, cue + 1
        first = self._beginning(cue)
        start = self._span(first)[0]
        if self._span(cue)[1] - start > SENTENCE_CHARACTERS_MAX:
            return None, cue + 1
        return self._build(first, start, flag)

    def _beginning(self, cue: int) -> int:
        """Walk left to the sentence's first word, never over the same gap twice."""
        at = cue
        while at > self._searched:
            self.steps += 1
            if self._ends_before(at):
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

    def _build(self, first: int, start: int, flag: int) -> tuple[Sentence, int]:
        scan, text = self.scan, self.text
        sentence = Sentence([], [], [], [], [], [], False, False, text)
        sentence.quoted = self._is_quoted_line(start)
        # "$HOME is", "%s is": what is named begins before its first word.
        gap = ODD if text[max(0, start - 1) : start] in _SIGILS else 0
        at, end, cut = first, start, False
        words, count = sentence.words, len(scan)
        while at < count:
            self.steps += 1
            token_start, token_end = scan.span(at)
            if token_end - start > SENTENCE_CHARACTERS_MAX:
                cut = True
                break
            if text[token_start] in _BLOTS:
                at += 1
                continue
            if words:
                gap = self._gap(end, token_start, words[-1])
                if gap & END:
                    break
            flags = scan.flags(at)
            if flags & flag:
                sentence.cues.append(len(words))
            words.append(scan[at])
            sentence.flags.append(flags)
            sentence.gaps.append(gap)
            sentence.starts.append(token_start)
            sentence.ends.append(token_end)
            end, at = token_end, at + 1
        tail = text[end : end + 12].split("\n", 1)[0]
        sentence.asked = "?" in _closing(tail) or "？" in _closing(tail)
        sentence.gaps.append(gap | END)
        self._searched = max(at, first + 1)
        # What is cut off is no sentence of its own: its cues are too far from `first`.
        self._begin = first if cut else self._searched
        return sentence, self._searched

    def _ends_before(self, at: int) -> bool:
        end = self._span(at - 1)[1]
        return bool(self._gap(end, self._span(at)[0], self.scan[at - 1]) & END)

    def _gap(self, end: int, start: int, word: str) -> int:
        """Read the gap between two offsets, behind a word."""
        length = start - end
        if length == 1 and self.text[end] == " ":
            return 0
        if length <= 0:
            return ODD
        if length > SENTENCE_CHARACTERS_MAX:
            return END
        gap = self.text[end:start]
        self.steps += length
        marks = _marks(gap)
        if marks & END and gap[0] == "." and _is_abbreviated(gap, word):
            marks = marks & ~END | COMMA
        if "\n" in gap or "\r" in gap:
            marks |= self._line_break(gap, end, start, word, marks)
        return marks

    def _line_break(self, gap: str, end: int, start: int, word: str, marks: int) -> int:
        """Say whether a line break within a gap ends the sentence."""
        lines = gap.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if len(lines) > 2:
            return END
        tail = lines[1].lstrip(" \t")
        if tail.startswith(_LIST_MARKERS) or tail[:1] in ("#", ">", "|", "=", "`"):
            return END
        if marks & COLON:
            return END
        low = max(0, end - SENTENCE_CHARACTERS_MAX)
        begin = max(self.text.rfind("\n", low, end), self.text.rfind("\r", low, end))
        line = self.text[max(begin + 1, low) : end].lstrip(" \t")
        if line[:1] == "#":
            return END
        if marks & (COMMA | DASH | OPEN) or word in OPEN_ENDS:
            return WRAP
        following = self.text[start : start + WRAP_COLUMN_MIN].split(None, 1)[0]
        fits = len(line) + 1 + len(following) <= WRAP_COLUMN_MIN
        return END if fits else WRAP

    def _is_quoted_line(self, start: int) -> bool:
        low = max(0, start - 12)
        line = max(self.text.rfind("\n", low, start), self.text.rfind("\r", low, start))
        return ">" in self.text[line + 1 if line >= 0 else low : start]

    def _is_blotted(self, at: int) -> bool:
        return self.text[self._span(at)[0]] in _BLOTS

    def _span(self, at: int) -> tuple[int, int]:
        return self.scan.span(at)


@lru_cache(maxsize=4096)
def _marks(gap: str) -> int:
    """Read the characters of a gap; few different ones make up most of a text."""
    if gap[:2] in ("'s", "’s", "'S", "’S"):
        return POSSESSIVE | (_marks(gap[2:]) if gap[2:] else 0)
    marks = 0
    for i, character in enumerate(gap):
        if character in _BLANKS:
            continue
        if character in _ENDS:
            # " .gitignore" and "..": a full stop that ends nothing is no end.
            if character == "." and gap[i - 1 : i] == " " and gap[i + 1 :] == "":
                marks |= ODD
            else:
                marks |= END
        elif character in _MARKS:
            marks |= _MARKS[character]
        elif character in _QUOTES:
            marks |= QUOTED
        elif character == "-":
            marks |= DASH if _is_dash(gap, i) else ODD
        else:
            marks |= ODD
    return marks


def _is_dash(gap: str, i: int) -> bool:
    return "--" in gap[max(0, i - 1) : i + 2] or gap[i - 1 : i + 2] == " - "


def _is_abbreviated(gap: str, word: str) -> bool:
    return word in ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word != "i")


def _closing(tail: str) -> str:
    """Return what closes a sentence: marks up to the next word."""
    for i, character in enumerate(tail):
        if character.isalnum():
            return tail[:i]
    return tail
