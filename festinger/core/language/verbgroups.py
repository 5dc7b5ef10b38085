"""Read auxiliaries and adverbs (`is no longer`, `used to`), and the agents of verbs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from festinger.core.language.clauses import ClauseWord, small_text
from festinger.core.language.clausewords import (
    ADVERBS,
    ANY_ADVERBS,
    CHANGE_ADVERBS,
    FUNCTION_WORDS,
    NO_NAMES,
    NO_PLACES,
    TITLES,
)
from festinger.core.language.literals import AMOUNTS, TIMES, LiteralKind, literal_kind
from festinger.core.language.phrases import ClauseReading, SubjectPhrase, subject_phrase
from festinger.core.language.verbforms import (
    BE,
    DO,
    FORMS,
    HAVE,
    STATUSES,
    STAY,
    VERBS,
    WAS,
    VerbForm,
)
from festinger.core.system.wordsets import word_set

_AGENTS: Final = frozenset(["i", "we", "they", "he", "she", "you"])
# Orders and numbers: "fix moved links", "three cancelled nights".
_ORDERS: Final = word_set("""
    fix check see note list find show add remove delete read write test review clean
    update ask mention mark document describe explain try keep leave get three two
    several
""")
"""Words before a participle that are no agent: "fix moved links"."""
MOVE_ADVERBS: Final = ANY_ADVERBS | frozenset(["all", "both"])
"""Adverbs between an auxiliary and a verb of change."""
PERFECT: Final = MOVE_ADVERBS | HAVE
"""Auxiliaries and adverbs between an agent and a verb of change."""
AUXILIARY: Final = PERFECT | BE
"""Those, and the forms of `be`."""
PASSIVE: Final = BE | WAS | frozenset(["been"])
"""Auxiliaries of which a passive has one."""
_NO_AGENTS: Final = FUNCTION_WORDS | _ORDERS


def subject_before(
    words: Sequence[ClauseWord], speaker: str, *, passive: bool = False
) -> SubjectPhrase | None:
    """Return the subject of a verb, without its auxiliaries; None if it is unclear."""
    is_be = False
    while words:
        last = words[-1].small
        if last in PASSIVE:
            is_be = True
        # "Billing has finally been moved": what is left is "billing".
        elif last not in PERFECT:
            break
        words = words[:-1]
    # A passive has a form of "be": "the standup cancelled" says nothing of the kind.
    if not words or (passive and not is_be):
        return None
    return subject_phrase(words, speaker)


def is_agent(words: Sequence[ClauseWord]) -> bool:
    """Return whether words name an agent, or are empty but for auxiliaries."""
    small = [it.small for it in words if it.small not in AUXILIARY]
    if len(small) == 2 and small[0] in TITLES:
        return True  # "Dr Moss moved the appointment"
    # Chats leave out the agent: "just moved billing to kubernetes".
    return not small or (
        len(small) == 1
        and (small[0] in _AGENTS or small[0] not in _NO_AGENTS)
        and small[0].isalpha()
    )


def agent_of(words: Sequence[ClauseWord], speaker: str) -> SubjectPhrase | None:
    """Return the agent that words name; `we` if none is named."""
    bare = [it for it in words if it.small not in PERFECT]
    # Whoever names nobody speaks for the group: "moved off sage to xero".
    if not bare or small_text(bare) == "we":
        return SubjectPhrase("we")
    return subject_phrase(bare, speaker)


# They take a verb without -s although they have none either: "people use sage".
_PLURALS: Final = word_set("""
    i we they you people children kids staff data team police media
""")

# Not "up to", which is a limit: "pays up to 120".
_LEVELS: Final = frozenset([("back", "to"), ("back", "at"), ("down", "to")])
_REPLACING: Final = frozenset(["not", "instead", "rather"])
"""Words before a replaced value."""
_LASTING: Final = BE | STAY


GROUP_FIRST: Final = (
    _LASTING | HAVE | DO | FORMS.finite.keys()
    | {"was", "were", "stopped", "quit", "no", "used", "on", "at"}
    | {"should", "will", "now", "back", "up", "down", "turned", "turns"}
)  # fmt: skip
"""First words of verb groups."""


class VerbGroup(NamedTuple):
    """Auxiliaries and adverbs before a verb or a value.

    Attributes:
        table: Table for the lookup of the verb behind them.
        is_be: Whether it is a form of `be`, so that a value may follow it.
        changed: Whether it says that it was otherwise before.
    """

    table: dict[str, list[VerbForm]]
    size: int
    is_be: bool = False
    negated: bool = False
    changed: bool = False
    past: bool = False


def verb_group(
    small: Sequence[str], at: int, *, changed: bool = False
) -> VerbGroup | None:
    """Return the verb group that begins at a word; None if there is none.

    Args:
        small: Words of a clause in lower case.
        changed: Whether the clause says that it was otherwise before.
    """
    return _with_verb(small, at) or _verbless(small, at, changed=changed)


def _with_verb(small: Sequence[str], at: int) -> VerbGroup | None:
    word = small[at]
    if word in _LASTING:
        return _after(small, at, FORMS.behind_be, is_be=True)
    if small[at : at + 2] == ["will", "be"]:
        group = _after(small, at + 1, FORMS.behind_be, is_be=True)
        return None if group.negated else group._replace(size=group.size + 1)
    if word in ("was", "were"):
        group = _after(small, at, FORMS.behind_be, is_be=True)
        # "Wasn't on podman" says nothing about now.
        return None if group.negated else group._replace(past=True)
    if word in ("stopped", "quit"):
        return VerbGroup(FORMS.gerund, 1, negated=True, changed=True)
    if small[at : at + 2] == ["should", "be"] and _REPLACING & {*small[at + 3 :]}:
        # "Should be 20, not 30" corrects what is; without the old value it is a wish.
        return VerbGroup(FORMS.behind_be, 2, is_be=True)
    if word in ("turned", "turns") and small[at + 1 : at + 4] == ["out", "to", "be"]:
        return VerbGroup(FORMS.behind_be, 4, is_be=True, changed=True)
    if word in HAVE:
        return _perfect(small, at)
    # "Does" without "not" asks or insists.
    if word in DO and small[at + 1 : at + 2] == ["not"]:
        return _after(small, at, FORMS.base)
    if word == "no" and small[at + 1 : at + 2] == ["longer"]:
        table = FORMS.finite
        return VerbGroup(table, 2, negated=True, changed=True)
    if word == "used" and small[at + 1 : at + 2] == ["to"]:
        # "used to run on podman" implies that it no longer does.
        is_be = small[at + 2 : at + 3] == ["be"]
        table = FORMS.behind_be if is_be else FORMS.base
        return VerbGroup(table, 3 if is_be else 2, is_be, negated=True, changed=True)
    if word == "like":
        return None  # "trucks like these"
    if word in FORMS.finite and (word.endswith("s") or _is_plural(small[:at])):
        return VerbGroup(FORMS.finite, 0)
    return None


def _verbless(small: Sequence[str], at: int, *, changed: bool) -> VerbGroup | None:
    """Return an empty verb group for "billing on kubernetes now"; None otherwise."""
    level = small[at] == "now" or tuple(small[at : at + 2]) in _LEVELS
    if level and at + 1 < len(small) and not any(word in VERBS for word in small):
        # "Pool size now 50", "pool size back to 10"
        amount = " ".join(small[at + (1 if small[at] == "now" else 2) :])
        kind = literal_kind(amount)
        # "Standup now 10:15", but "Jo back at 10:15" is somebody.
        is_time = small[at] == "now" and kind in TIMES - {LiteralKind.RELATIVE_DAY}
        if kind in AMOUNTS or (is_time and not _is_state(small[:at])):
            size = 1 if small[at] == "now" else 0
            return VerbGroup(FORMS.behind_be, size, is_be=True, changed=True)
    # "Billing on podman" is a heading; "billing on podman now" states it.
    if small[at] not in ("on", "at") or not (changed or small[at - 1] == "now"):
        return None
    if any(word in VERBS for word in small):
        return None
    return VerbGroup(FORMS.behind_be, 0, is_be=True, changed=True)


def _is_state(small: Sequence[str]) -> bool:
    """Return whether a single word says how something is: "closed now mondays"."""
    word = " ".join(small)
    return word in NO_NAMES or word in NO_PLACES or word in STATUSES


def _is_plural(small: Sequence[str]) -> bool:
    """Return whether a verb without -s can follow: "force push to main" has no verb."""
    last = small[-1]
    if last in ANY_ADVERBS and len(small) > 1:
        return _is_plural(small[:-1])
    plural = last.endswith("s") and not last.endswith(("ss", "us", "'s"))
    return plural or "and" in small or last in _PLURALS


def _perfect(small: Sequence[str], at: int) -> VerbGroup | None:
    """Return "has been" or "has stopped"; None for any other perfect."""
    # Not "has moved to": changes are read before states.
    after = _after(small, at, FORMS.behind_be)
    follower = small[at + after.size : at + after.size + 1]
    if follower == ["been"]:
        return after._replace(size=after.size + 1, is_be=True)
    if follower and follower[0] in ("stopped", "quit"):
        return VerbGroup(FORMS.gerund, after.size + 1, negated=True, changed=True)
    return None


def _after(
    small: Sequence[str],
    at: int,
    table: dict[str, list[VerbForm]],
    *,
    is_be: bool = False,
) -> VerbGroup:
    """Return an auxiliary with the adverbs and the negation behind it."""
    # "Is not", "is no longer", "is now", "is still", in any order.
    negated = changed = False
    end = at + 1
    while end < len(small):
        if small[end] == "not":
            negated = True
        elif small[end : end + 2] == ["no", "longer"]:
            negated = changed = True
            end += 1
        elif small[end] in CHANGE_ADVERBS:
            changed = True
        elif small[end] not in ADVERBS:
            break
        end += 1
    return VerbGroup(table, end - at, is_be, negated, changed)


def with_group(reading: ClauseReading, group: VerbGroup, old: str) -> ClauseReading:
    """Return a reading with the negation and change of its verb group applied."""
    return reading._replace(
        negated=group.negated,
        changes=group.changed or bool(old),
        old_value=old or (reading.value if group.negated and group.changed else ""),
    )
