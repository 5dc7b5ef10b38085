"""Read endings: `the standup was cancelled`, `we stopped using redis`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.core.language.clauses import ClauseWord
from festinger.core.language.clausewords import DETERMINERS
from festinger.core.language.literals import AMOUNTS, literal_kind
from festinger.core.language.phrases import (
    ClauseReading,
    SubjectPhrase,
    subject_phrase,
    value_phrase,
)
from festinger.core.language.verbforms import ENDED, ValueShape
from festinger.core.language.verbgroups import AUXILIARY, is_agent, subject_before
from festinger.core.system.wordsets import phrase_list, phrase_set

_ENDED_BY: Final = phrase_set("""
    cancelled, canceled, retired, scrapped, decommissioned, discontinued,
    deprecated, abandoned, called off, shut down, phased out, taken down
""")
"""Transitive verbs whose object ends."""


def _ends_by(agent: Sequence[ClauseWord], behind: Sequence[ClauseWord]) -> bool:
    """Return whether an agent ended something, unlike "three cancelled nights"."""
    if not is_agent(agent):
        return False
    # A pronoun is an agent by itself; without one an article must follow: "cancelled the trip".
    if any(it.small in ("we", "i", "they", "he", "she") for it in agent):
        return True
    return behind[0].small in DETERMINERS


def read_ended(
    words: Sequence[ClauseWord], small: list[str], speaker: str, dated: bool
) -> ClauseReading | None:
    """Read "we cancelled the standup", "the standup has been cancelled"."""
    for size in (2, 1):  # "called off" and "shut down" first
        for at in range(len(small) - size + 1):
            if small[at] not in _ENDED_FIRST:
                continue
            verb = " ".join(small[at : at + size])
            if verb not in ENDED:
                continue
            behind = words[at + size :]
            subject = None
            # "The standup was cancelled" ends with its verb, "we cancelled the standup" does not.
            if not behind:
                subject = subject_before(words[:at], speaker, passive=True)
            elif verb in _ENDED_BY and _ends_by(words[:at], behind):
                subject = subject_phrase(behind, speaker)
            if subject and _may_end(subject, speaker):
                return ClauseReading(subject, "status", ENDED[verb])
    # "There is no milk" is so for now; "there is no swimming anymore" is an end.
    if dated and small[:3] == ["there", "is", "no"]:
        subject = subject_phrase(words[3:], speaker)
        if subject and _may_end(subject, speaker):
            return ClauseReading(subject, "status", "gone")
    # "Any more" was cut from the clause: without it, it may never have existed.
    denied = dated and small[-3:] in (["does", "not", "exist"], ["do", "not", "exist"])
    if denied or small[-3:] in (["no", "longer", "exists"], ["no", "longer", "exist"]):
        subject = subject_phrase(words[:-3], speaker)
        if subject and subject.text:
            return ClauseReading(subject, "status", "gone")
    return None


def _may_end(subject: SubjectPhrase, speaker: str) -> bool:
    """Return whether the end of a subject is worth knowing."""
    # "My battery is dead" passes by itself.
    own = subject.text.startswith(f"{speaker}'s ")
    return bool(subject.text) and subject.text not in ("I", "we") and not own


# In the order of the search: "moved off" must be found before its part "off".
_STOPPED: Final = tuple(
    tuple(it.split())
    for it in phrase_list("""
    stopped using, done with, quit, got rid of, moved away from, moved off of, moved
    off, migrated away from, migrated off, switched away from, switched off of,
    dropped, off, left, ditched, threw out, removed, uninstalled
""")
)
_OF_WE: Final = phrase_set("""
    off, dropped, left, ditched, done with, got rid of, threw out, removed,
    uninstalled
""")
"""Phrases that count only for a group: "anna left berlin" has another meaning."""


_THROWN: Final = (("threw", "out"), ("removed",), ("uninstalled",), ("quit",))
"""Phrases that need a proper name: "we removed duplicates" ends no use."""
_BY_US: Final = frozenset(["stopped using", "got rid of", "moved off", "ditched"])
"""Phrases that state it of the group if nobody is named: "ditched redis"."""


_ENDED_FIRST: Final = frozenset(phrase.split()[0] for phrase in ENDED)
ENDINGS: Final = (
    _ENDED_FIRST
    | {phrase[0] for phrase in _STOPPED}
    | {"there", "exists", "exist", "nobody", "used"}
)
"""Words of which each clause that is read here has one."""


def read_stopped(
    words: Sequence[ClauseWord], small: list[str], speaker: str, dated: bool
) -> ClauseReading | None:
    """Read "we stopped using redis", "we are off redis", "billing moved off podman"."""
    # "Sage isn't used" may be so for a while; with "any more" it is an end.
    if unused := _unused(words, small) if dated else None:
        return unused
    for phrase in _STOPPED:
        if phrase[0] not in small:
            continue
        for at in range(len(small) - len(phrase)):
            if tuple(small[at : at + len(phrase)]) != phrase:
                continue
            # Auxiliaries are no subject: "we have finally dropped sage".
            before = [it for it in words[:at] if it.small not in AUXILIARY]
            if not before and " ".join(phrase) not in _BY_US:
                continue
            subject = subject_phrase(before, speaker) if before else SubjectPhrase("we")
            shape = ValueShape.STRICT if phrase in _THROWN else ValueShape.PROPER
            value = value_phrase(words[at + len(phrase) :], shape)
            if subject is None or not subject.text or subject.text == "I":
                return None
            # "We dropped two songs" says neither which, nor that any was used.
            if value is None or literal_kind(value.text.split()[0]) in AMOUNTS:
                return None
            is_we = subject.text == "we"
            # "Anna left Berlin" and "the price dropped 5" end no use.
            if not is_we and " ".join(phrase) in _OF_WE:
                return None
            # A group used what it leaves; "billing moved off podman" says where billing ran.
            uses = is_we or phrase == ("stopped", "using")
            predicate = "uses" if uses else "runs on"
            if phrase == ("quit",) and not is_we:
                predicate, uses = "works at", True  # "Nora quit Siemens"
            return ClauseReading(
                subject,
                predicate,
                value.text,
                single=not uses,
                negated=True,
                old_value=value.text,
            )
    return None


def _unused(words: Sequence[ClauseWord], small: list[str]) -> ClauseReading | None:
    """Read "sage isn't used any more" and "nobody uses sage any more"."""
    if small[:2] in (["nobody", "uses"], ["nobody", "runs"]):
        thing = words[2:]
    elif small[-3:] in (["is", "not", "used"], ["are", "not", "used"]):
        thing = words[:-3]
    else:
        return None
    value = value_phrase(thing, ValueShape.NAME)
    if value is None:
        return None
    return ClauseReading(
        SubjectPhrase("we"),
        "uses",
        value.text,
        single=False,
        negated=True,
        old_value=value.text,
    )
