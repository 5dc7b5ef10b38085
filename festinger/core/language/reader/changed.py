"""Find which statements of one answer change another, by the words of their turns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from festinger.core.graph.origins import KnownStatement, ReadStatement
from festinger.core.language.marks import SentenceMark, marks_of
from festinger.core.language.reader.answers import AnsweredStatement
from festinger.core.system.principals import plain

CHANGED: Final = re.compile(
    r"\b(?:no longer|any ?more|not anymore|moved|moving|switched|migrated|renamed|replaced|changed to"
    r"|instead(?: of)?|as of|from (?:now|then) on|goes to|is (?:off|out)|since (?:today|yesterday|this|last|mon|tue|wed|thu|fri|sat|sun)\w*"
    r"|correction|turned out|turns out|took over|taking over|takes over|used to|not \S+ but|is gone|retired"
    r"|ended up|scratch that|never ?mind|nvm|change of plans?|changed (?:my|our|his|her|their) minds?"
    r"|slip(?:s|ped) to|rescheduled|went with|going with|stepped down|steps in|handed (?:over )?to"
    r"|swapped|bumped|raised|lowered|postponed|pushed (?:back )?to|(?:down|back) (?:to|at)"
    # "For now", "until now" and "as it does now" state no change.
    r"|(?<=\w )(?<!\bby )(?<!\bfor )(?<!til )(?<!till )(?<!does )(?<!is as )now)\b",
    re.IGNORECASE,
)
"""Words that express a change by themselves."""
_CORRECTED: Final = re.compile(
    r"(?:^|[.!?\n])\W{0,4}(?:(?:oh|eh|ah|hm+|ok|well|and|but|yes|yeah)\b\W{0,4}){0,3}"
    r"(?:no(?! (?:idea|problem|worries|need|rush|one|doubt|way|matter|more)\b)|nope|nah|wait|sorry|(?:wh)?oops|wrong|typo|hang on|hold on|my (?:bad|mistake)"
    r"|make (?:it|that)|i mis(?:read|typed|heard|counted)|i meant?)\b",
    re.IGNORECASE,
)
"""Words with which people begin to correct what they said themselves."""


class StatementPlace(NamedTuple):
    """Subject, predicate and speaker of a statement in plain words."""

    subject: str
    predicate: str
    speaker: str

    @classmethod
    def of(
        cls, each: AnsweredStatement | ReadStatement | KnownStatement, speaker: str = ""
    ) -> StatementPlace:
        """Return the place of a statement, of any speaker or of one."""
        # A model repeats `owned-by` as it was shown.
        predicate = re.sub(r"[_-]", " ", each.predicate)
        return cls(plain(each.subject), plain(predicate), plain(speaker))


def with_changes(
    statements: Sequence[ReadStatement], said: Mapping[bytes, str]
) -> list[ReadStatement]:
    """Return statements, marking changes of those that are read in the same answer.

    Args:
        statements: Statements in the order of the answer.
        said: Text of each turn by its digest.
    """
    # A model has no number for what it only reads now.
    latest: dict[StatementPlace, ReadStatement] = {}
    found = []
    for each in statements:
        origin = each.origin
        is_plain = each.single and not (each.negated or each.doubt)
        place = StatementPlace.of(each, origin.speaker if is_plain else "")
        before = latest.get(place)
        # Only the same speaker's single value changes, in a later turn with words of change.
        if (
            is_plain
            and before is not None
            and origin.said > before.origin.said
            and not each.replaces
            and plain(before.value) != plain(each.value)
            and _corrects_or_changes(said[origin.turn_digest])
        ):
            each = replace(each, changes=True, old_value=before.value)
        if is_plain:
            latest[place] = each
        found.append(each)
    return found


def _corrects_or_changes(text: str) -> bool:
    return _CORRECTED.search(text) is not None or expresses_change(text)


def expresses_change(text: str) -> bool:
    """Return whether words say that something is not as it was."""
    return SentenceMark.CHANGE in marks_of(text) or CHANGED.search(text) is not None
