"""Tokens, their ids and their counters."""

from __future__ import annotations

import math
import sys
from collections.abc import Container, Iterable, Iterator, Sequence

from festinger._fast.values import (
    CONCEPT,
    INT64_MAX,
    SEED,
    VocabularyEntry,
    VocabularyLookup,
)
from tests.oracle.copy import CopyStream, Value
from tests.oracle.scanner import Scan

_COLUMNS = ("int8", "text", "int8", "float8", "float8", "bool")
_LAST_SEEN = 3
_TOKEN_BYTES_MAX = 65535


class _Record:
    __slots__ = (
        "delta",
        "dictionary",
        "encounters",
        "id",
        "last_seen",
        "novelty",
        "token",
    )

    def __init__(self, token: str, id: int) -> None:
        self.token = token
        self.id = id
        self.encounters = 0
        self.delta = 0
        self.last_seen = 0.0
        self.novelty = 0.0
        self.dictionary = False

    @property
    def saliency(self) -> float:
        if self.dictionary or self.encounters < 1:
            return 0.0
        return math.log10(self.encounters)


class Vocabulary:
    """Every token that has been met, with its id and its counters.

    `seed` and `mask_bits` belong to the compiled build's hash tables, where tests use
    them to force collisions; here they do nothing.
    """

    def __init__(self, *, seed: int = SEED, mask_bits: int = 64) -> None:
        """Make an empty vocabulary."""
        if not 0 <= seed < 2**64:
            raise ValueError(f"seed {seed} is not a 64-bit unsigned integer")
        if not 0 <= mask_bits <= 64:
            raise ValueError(f"mask_bits {mask_bits} is not between 0 and 64")
        self._by_token: dict[str, _Record] = {}
        self._by_id: dict[int, _Record] = {}
        self._moves: list[tuple[int, int]] = []

    def add(
        self,
        token: str,
        id: int,
        *,
        encounters: int = 0,
        last_seen: float = 0.0,
        novelty: float = 0.0,
        dictionary: bool = False,
    ) -> None:
        """Add a stored token; its encounters do not count as new.

        Raises:
            ValueError: The token or the id is there already, or out of range.
        """
        self._check(token, id, encounters)
        record = self._by_token[token] = self._by_id[id] = _Record(token, id)
        record.encounters = encounters
        record.last_seen = float(last_seen)
        record.novelty = float(novelty)
        record.dictionary = dictionary

    def meet(
        self,
        tokens: Sequence[str],
        ids: Sequence[int],
        *,
        now: float,
        dictionary: Container[str] = (),
    ) -> None:
        """Add new tokens at their first encounter, which is counted.

        Args:
            tokens: The new tokens.
            ids: An id for each token.
            now: The time of the encounter, in epoch seconds.
            dictionary: The words of the dictionary, at least those among the tokens.

        Raises:
            ValueError: A token or an id is there already, or out of range; the tokens
                before it are added.
        """
        if len(tokens) != len(ids):
            raise ValueError(f"{len(ids)} ids for {len(tokens)} tokens")
        for token, id in zip(tokens, ids, strict=True):
            everyday = token in dictionary
            self.add(token, id, encounters=1, last_seen=now, dictionary=everyday)
            self._by_id[id].delta = 1

    def id(self, token: str) -> int | None:
        """Return a token's id, or None if it is not held."""
        record = self._by_token.get(token)
        return None if record is None else record.id

    def is_placed(self, token: str) -> bool:
        """Return whether a fact placed a token, so that its novelty is not 0."""
        record = self._by_token.get(token)
        return record is not None and record.novelty != 0

    def token(self, id: int) -> str:
        """Return the token of an id.

        Raises:
            KeyError: No token has it.
        """
        return self._by_id[id].token

    def row(self, id: int) -> VocabularyEntry:
        """Return the entry of an id's token.

        Raises:
            KeyError: No token has it.
        """
        record = self._by_id[id]
        return VocabularyEntry(
            record.id,
            record.token,
            record.encounters,
            record.last_seen,
            record.saliency,
            record.novelty,
            record.dictionary,
        )

    def read(
        self, scan: Scan, *, now: float, threshold: float, count: bool
    ) -> VocabularyLookup:
        """Look up the concepts of a scan, each distinct one once.

        Args:
            scan: The tokens.
            now: Epoch seconds, for `last_seen`.
            threshold: Saliency or novelty from which a concept is salient.
            count: Whether this is an encounter; it is counted before the test.
        """
        tokens = dict.fromkeys(
            token for i, token in enumerate(scan) if scan.flags(i) & CONCEPT
        )
        salient: list[int] = []
        unknown_tokens: list[str] = []
        for token in tokens:
            record = self._by_token.get(token)
            if record is None:
                unknown_tokens.append(token)
                continue
            if count:
                record.encounters += 1
                record.delta += 1
                record.last_seen = float(now)
            if max(record.saliency, record.novelty) >= threshold:
                salient.append(record.id)
        return VocabularyLookup(salient, unknown_tokens)

    def set_novelty(self, id: int, value: float) -> None:
        """Set the novelty of a token.

        Raises:
            KeyError: No token has the id.
        """
        self._by_id[id].novelty = float(value)

    def remap(self, old_id: int, new_id: int) -> None:
        """Give a token another id; its counters move with it.

        Raises:
            KeyError: No token has the old id.
            ValueError: The new id is taken or out of range.
        """
        record = self._by_id[old_id]
        if new_id == old_id:
            return
        self._check_id(new_id)
        record.id = new_id
        self._by_id[new_id] = self._by_id.pop(old_id)
        self._moves.append((old_id, new_id))

    def forget(self, id: int) -> None:
        """Remove a token and its undrained encounters.

        Raises:
            KeyError: No token has the id.
        """
        del self._by_token[self._by_id.pop(id).token]

    def count(self, id: int, encounters: int, last_seen: float) -> None:
        """Count encounters of a token that happened elsewhere.

        Raises:
            KeyError: No token has the id.
            ValueError: Their number is not positive, or the counter would overflow.
        """
        record = self._by_id[id]
        if not 0 < encounters <= INT64_MAX - record.encounters:
            raise ValueError(f"{encounters} encounters cannot be counted")
        record.encounters += encounters
        record.delta += encounters
        record.last_seen = max(record.last_seen, last_seen)

    def pending(self, id: int) -> int:
        """Return the number of encounters of a token that were not drained yet.

        Raises:
            KeyError: No token has the id.
        """
        return self._by_id[id].delta

    def drain(
        self, *, least: int = 0, everyday: bool = True
    ) -> list[tuple[int, int, float]]:
        """Return and reset the encounters counted since the last drain.

        Args:
            least: Total encounters from which a token is drained.
            everyday: Whether tokens of the dictionary are drained, too.

        Returns:
            `(id, encounters, last_seen)` in order of id.
        """
        drained = []
        for record in self._by_id.values():
            stays = record.encounters < least or (record.dictionary and not everyday)
            if record.delta and not stays:
                drained.append((record.id, record.delta, record.last_seen))
                record.delta = 0
        self._moves.clear()
        return sorted(drained)

    def restore(self, deltas: Iterable[tuple[int, int, float]]) -> None:
        """Restore the encounters of the last drain, after they could not be stored.

        Ids that were remapped in between are followed; those of removed tokens are
        dropped.
        """
        moved: dict[int, int] = {}
        for old_id, new_id in reversed(self._moves):
            moved[old_id] = moved.get(new_id, new_id)
        for id, delta, _ in deltas:
            record = self._by_id.get(moved.get(id, id))
            if record is not None:
                record.delta += delta

    def load_copy(self, data: bytes) -> int:
        """Add the rows of a binary COPY stream.

        Its columns are id int8, token text, encounters int8, last_seen float8 (epoch
        seconds; NULL for never), novelty float8 and dictionary bool.

        Returns:
            How many tokens were added.

        Raises:
            ValueError: The stream is corrupt, or holds a token or id twice or one that
                is held already. No token is added then.
        """
        stream = CopyStream(_COLUMNS, nullable=[_LAST_SEEN])
        added: list[int] = []
        try:
            for number, row in enumerate(stream.feed(data), 1):
                added.append(self._add_row(number, row))
            stream.close()
        except ValueError:
            for id in added:
                self.forget(id)
            raise
        return len(added)

    def _add_row(self, number: int, row: tuple[Value, ...]) -> int:
        id, token, encounters, last_seen, novelty, dictionary = row
        assert isinstance(id, int)
        assert isinstance(token, str)
        try:
            self.add(
                token,
                id,
                encounters=encounters,  # type: ignore[arg-type]
                last_seen=last_seen or 0.0,  # type: ignore[arg-type]
                novelty=novelty,  # type: ignore[arg-type]
                dictionary=dictionary,  # type: ignore[arg-type]
            )
        except ValueError as error:
            raise ValueError(f"row {number}: {error}") from None
        return id

    def _count_row(self, number: int, row: tuple[Value, ...]) -> None:
        """Set the counters of a token, if it is held."""
        id, encounters, last_seen = row
        if encounters < 0:  # type: ignore[operator]
            raise ValueError(f"row {number}: encounters {encounters} is not a count")
        record = self._by_id.get(id)  # type: ignore[arg-type]
        if record is not None:
            record.encounters = encounters  # type: ignore[assignment]
            record.last_seen = last_seen  # type: ignore[assignment]

    @property
    def nbytes(self) -> int:
        """The approximate memory use, in bytes."""
        records = len(self._by_id) * (sys.getsizeof(_Record("", 0)) + 3 * 24)
        return (
            sys.getsizeof(self._by_token)
            + sys.getsizeof(self._by_id)
            + records
            + sum(map(sys.getsizeof, self._by_token))
        )

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self._by_id)

    def __contains__(self, token: object) -> bool:
        """Return whether a token is held."""
        return token in self._by_token

    def __iter__(self) -> Iterator[int]:
        """Iterate over the ids, in no particular order."""
        return iter(list(self._by_id))

    def _check(self, token: str, id: int, encounters: int) -> None:
        self._check_id(id)
        if token in self._by_token:
            raise ValueError(f"token {token!r} is there already")
        try:
            length = len(token.encode())
        except UnicodeEncodeError:
            raise ValueError(f"token {token!r} is not Unicode text") from None
        if not 0 < length <= _TOKEN_BYTES_MAX:
            raise ValueError(f"token of {length} bytes; 1 to {_TOKEN_BYTES_MAX} fit")
        if not 0 <= encounters <= INT64_MAX:
            raise ValueError(f"encounters {encounters} is not a count")

    def _check_id(self, id: int) -> None:
        if not 0 < id <= INT64_MAX:
            raise ValueError(f"id {id} is not a positive 64-bit integer")
        if id in self._by_id:
            raise ValueError(f"id {id} is there already")
