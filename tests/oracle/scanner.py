"""Splitting of text into tokens.

The text's characters are replaced by their classes (`alphabet.classify`), so that the
rules are two small regexes over a string of class letters; the text itself is read only
for the literal endings. Regexes and loops only ever move forward.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, overload

from festinger._fast.alphabet import ADDRESS, PATH_MARKS, classify, compose, lower
from festinger._fast.values import CAPITAL, CLOSED, COMPOUND, CONCEPT, CUE
from festinger._fast.words import CLOSED_CLASS, CUE_WORDS, OPENERS

#: Longer tokens are not concepts, and longer runs are headlines.
TOKEN_CHARACTERS_MAX: Final = 64
COMPOUND_WORDS_MAX: Final = 5
HEX_DIGITS_MIN: Final = 16
BASE64_CHARACTERS_MIN: Final = 24

# A word: runs of word characters, held together by single joiners. Or a CJK run.
_CONTINUED: Final = r"[ULD_M]*(?:[.\-'][ULD_][ULD_M]*)*"
_START: Final = re.compile(rf"[ULD_]{_CONTINUED}|(?:CM*)+")
_CONTINUE: Final = re.compile(rf"_{_CONTINUED}")
_CJK_UNIT: Final = re.compile("CM*")
_SEPARATORS: Final = frozenset([" ", "\n", "\r\n"])
_PATH_MARKS: Final = frozenset(PATH_MARKS)
_BREAKING: Final = CLOSED_CLASS | OPENERS
_HEX: Final = re.compile("[0-9a-f-]+")
_BASE64: Final = re.compile("[0-9A-Za-z_-]+")


class _Classes(dict[int, str]):
    """Cache of the class letter of each code point, for `str.translate`."""

    def __missing__(self, point: int) -> str:
        letter = self[point] = classify(chr(point))
        return letter


_CLASSES: Final = _Classes()


class _Token(NamedTuple):
    text: str
    start: int
    end: int
    flags: int


class Scan(Sequence[str]):
    """The tokens of one text, in order. Immutable; made by `scan`.

    `mask_bits` and `portable` belong to the compiled build, where tests use them to
    force hash collisions and to disable processor-specific code; here they do nothing.
    """

    __slots__ = ("_cues", "_steps", "_text", "_tokens")

    def __init__(
        self, text: str, *, mask_bits: int = 64, portable: bool = False
    ) -> None:
        """Scan a text."""
        if not 0 <= mask_bits <= 64:
            raise ValueError(f"mask_bits {mask_bits} is not between 0 and 64")
        reader = _TextReader(compose(text))
        self._text = reader.text
        self._tokens = reader.read()
        self._steps = reader.steps
        self._cues = [i for i, token in enumerate(self._tokens) if token.flags & CUE]

    @property
    def text(self) -> str:
        """The text in NFC, to which the spans refer."""
        return self._text

    @property
    def steps(self) -> int:
        """The number of elementary steps of the scan; linear in the text's length."""
        return self._steps

    @property
    def underscored(self) -> bool:
        """True if there may be a `_` in the text."""
        return "_" in self._text

    @property
    def fenced(self) -> bool:
        """True if the text may hold a character at which a fence or tag begins."""
        return any(mark in self._text for mark in "`~<")

    def span(self, position: int) -> tuple[int, int]:
        """Return the half-open character offsets of a token in `text`."""
        token = self._tokens[position]
        return token.start, token.end

    def start(self, position: int) -> int:
        """Return the offset in `text` of a token's first character."""
        return self._tokens[position].start

    def end(self, position: int) -> int:
        """Return the offset behind a token's last character."""
        return self._tokens[position].end

    def flags(self, position: int) -> int:
        """Return a token's flags: CONCEPT, CAPITAL, COMPOUND, CLOSED, CUE."""
        return self._tokens[position].flags

    def cues(self) -> list[int]:
        """Return the positions of the cue words, in order."""
        return list(self._cues)

    def stands_plainly(self, token: str) -> bool:
        """Return whether a token occurs outside paths, addresses and variables."""
        return any(
            other.text == token and not self._in_path(other) for other in self._tokens
        )

    def _in_path(self, token: _Token) -> bool:
        before = self._text[max(0, token.start - 1) : token.start]
        behind = self._text[token.end : token.end + len(ADDRESS)]
        return before in _PATH_MARKS or behind[:1] in _PATH_MARKS or behind == ADDRESS

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self._tokens)

    @overload
    def __getitem__(self, position: int) -> str: ...
    @overload
    def __getitem__(self, position: slice) -> list[str]: ...
    def __getitem__(self, position: int | slice) -> str | list[str]:
        """Return one token, or the list of tokens of a slice."""
        if isinstance(position, slice):
            return [token.text for token in self._tokens[position]]
        return self._tokens[position].text

    def __iter__(self) -> Iterator[str]:
        """Iterate over the tokens."""
        return (token.text for token in self._tokens)

    def __repr__(self) -> str:
        """Show the tokens."""
        return f"Scan({list(self)!r})"


def scan(text: str) -> Scan:
    """Split a text into tokens.

    Args:
        text: Any string: NUL and lone surrogates are characters like other
            punctuation.
    """
    return Scan(text)


class _TextReader:
    """A single pass over a text, with the current run of capitalised words."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.classes = text.translate(_CLASSES)
        self.steps = len(text)
        self.tokens: list[_Token] = []
        self.run: list[_Token] = []

    def read(self) -> list[_Token]:
        at = 0
        while match := _START.search(self.classes, at):
            if self.classes[match.start()] == "C":
                self.close_run()
                self.read_cjk(match)
                at = match.end()
            else:
                at = self.read_word(match.start(), match.end())
        self.close_run()
        return self.tokens

    def read_cjk(self, match: re.Match[str]) -> None:
        """Split a run into overlapping pairs; a single character is a token."""
        spans = [m.span() for m in _CJK_UNIT.finditer(self.classes, *match.span())]
        self.steps += len(spans)
        pairs = list(pairwise(spans)) or [(spans[0], spans[0])]
        for (start, _), (_, end) in pairs:
            text = lower(self.text[start:end])
            flags = CONCEPT if len(text) <= TOKEN_CHARACTERS_MAX else 0
            self.tokens.append(_Token(text, start, end, flags))

    def read_word(self, start: int, end: int) -> int:
        """Read the word at `start`; return where to continue."""
        end, stop, possessive = self.end_of_word(start, end)
        token = self.token(start, end)
        self.steps += end - start
        # Compounds consist of concepts only: a key behind "Bearer" is still a key.
        named = token.flags & CAPITAL and token.flags & CONCEPT
        if not named or token.text in _BREAKING:
            self.close_run()
            self.tokens.append(token)
            return stop
        if self.run and not self.continues_run(start):
            self.close_run()
        self.run.append(token)
        if possessive:
            self.close_run()
        return stop

    def end_of_word(self, start: int, end: int) -> tuple[int, int, bool]:
        """Return a word's end, where to continue, and whether a possessive was cut."""
        while ending := self.ending(start, end):
            end += ending
            # What follows an ending by `_` still belongs to the word, so that
            # `visual_c++_compiler` is the same token when it is read again.
            more = _CONTINUE.match(self.classes, end)
            if more is None:
                return self.end_before_possessives(end)
            end = more.end()
        stop = end
        while (
            end - start > 2
            and self.text[end - 1] in "sS"
            and self.classes[end - 2] == "'"
        ):
            end -= 2
            self.steps += 1
        return end, stop, end < stop

    def ending(self, start: int, end: int) -> int:
        """Return the length of a literal ending at `end`: of c++, c# or f#."""
        if end - 2 >= start and self.text[end - 2] not in "_-":
            return 0
        for name, ending in (("cC", "++"), ("cC", "#"), ("fF", "#")):
            if self.text[end - 1] in name and self.text.startswith(ending, end):
                return len(ending)
        return 0

    def end_before_possessives(self, end: int) -> tuple[int, int, bool]:
        stop = end
        while (
            self.classes[stop : stop + 1] == "'"
            and self.text[stop + 1 : stop + 2] in ("s", "S")
            and not self.word_goes_on(stop + 2)
        ):
            stop += 2
            self.steps += 1
        return end, stop, end < stop

    def word_goes_on(self, at: int) -> bool:
        return at < len(self.classes) and self.classes[at] in "ULD_M"

    def token(self, start: int, end: int) -> _Token:
        word, classes = self.text[start:end], self.classes[start:end]
        text = lower(word)
        flags = CAPITAL if classes[0] == "U" else 0
        if text in CUE_WORDS:
            flags |= CUE
        if text in CLOSED_CLASS:
            flags |= CLOSED
        elif _may_be_concept(text, word, classes):
            flags |= CONCEPT
        return _Token(text, start, end, flags)

    def continues_run(self, start: int) -> bool:
        """Return whether only a space or a line wrap separates a word from the run.

        The line break behind a heading is no line wrap.
        """
        end = self.run[-1].end
        if start - end > 2:
            return False
        between = self.classes[end:start]
        if between not in _SEPARATORS:
            return False
        return between == " " or not self.in_heading(end)

    def in_heading(self, at: int) -> bool:
        # At most once a line, since a line has one wrap: linear over the text.
        line = self.text.rfind("\n", 0, at) + 1
        self.steps += at - line
        while line < at and self.text[line] in " \t":
            line += 1
        return self.text[line] == "#"

    def close_run(self) -> None:
        """Add the run to the tokens, as one compound or as single words."""
        if not self.run:
            return
        run, self.run = self.run, []
        self.steps += len(run)
        if 2 <= len(run) <= COMPOUND_WORDS_MAX:
            text = "_".join(token.text for token in run)
            if len(text) <= TOKEN_CHARACTERS_MAX:
                flags = CONCEPT | CAPITAL | COMPOUND
                self.tokens.append(_Token(text, run[0].start, run[-1].end, flags))
                return
        self.tokens += run


def _may_be_concept(text: str, word: str, classes: str) -> bool:
    """Return whether a word may be a concept: it is no number, hash or key."""
    if len(text) > TOKEN_CHARACTERS_MAX:
        return False
    if "L" not in classes and "U" not in classes:
        return False
    digits = [c for c in text if c in "0123456789"]
    if not digits:
        return True
    if _HEX.fullmatch(text) and len(text) - text.count("-") >= HEX_DIGITS_MIN:
        return False
    return not (
        len(word) >= BASE64_CHARACTERS_MIN
        and _BASE64.fullmatch(word)
        and any(c.isupper() for c in word)
        and any(c.islower() for c in word)
    )
