"""Read changes written as arrows: `retries 3 -> 5`, `billing: podman -> kubernetes`."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.language.clausereading import ClauseReading
from festinger.core.language.clauses import ClauseWord
from festinger.core.language.literals import LiteralKind, is_like
from festinger.core.language.moves import placed_at
from festinger.core.language.phrases import subject_phrase
from festinger.core.language.replacing import any_value


def read_arrow(
    label: Sequence[ClauseWord],
    before: Sequence[ClauseWord],
    behind: Sequence[ClauseWord],
    speaker: str,
) -> list[ClauseReading]:
    """Return the changes that an arrow states.

    Args:
        label: Words before a preceding colon; may be empty.
        before: Clause before the arrow: the old value, behind its subject if there is
            no label.
        behind: Clause behind the arrow.
    """
    new = any_value(behind)
    if new is None:
        return []
    if label:
        named, old = label, any_value(before)
    else:
        named, old = (), None
        # Without a label the old value ends the words: "pool 10 users -> 20 users". A name
        # may belong to the subject: "orders service -> kafka" is a flow of something.
        for size in (2, 1) if new.kind is not LiteralKind.NONE else ():
            value = any_value(before[-size:])
            if len(before) > size and value and is_like(value.kind, new.kind):
                named, old = before[:-size], value
                break
    # "Retries 3 -> friday" is a flow of something, and changes no value.
    if old is None or not is_like(old.kind, new.kind):
        return []
    subject = subject_phrase(named, speaker)
    if subject is None or not subject.text or subject.text in ("I", "we"):
        return []
    reading = placed_at(subject, new, "moved", speaker)
    return [reading._replace(changes=True, old_value=old.text)] if reading else []
