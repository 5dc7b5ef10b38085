"""Checks for claims that a memory type does not accept, one for each kind of breach.

The checks look at words and their order only: they recognise the usual phrasings in
English. Breaches that they miss are left to the confidence threshold and to people.
"""

# ruff: noqa: RUF001 - typographic marks, as people write them
from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from festinger._fast.words import CLOSED_CLASS
from festinger.core.language.grounding import StemmedSentence
from festinger.core.language.terms import stem
from festinger.core.memories.support import OBSERVED_MIN, MentionKind, Support


class TypeViolation(StrEnum):
    """Kind of claim that a memory type does not accept."""

    HYPOTHETICAL = "hypothetical"
    VAGUE_PREFERENCE = "vague_preference"
    OPINION_AS_FACT = "opinion_as_fact"
    ONE_TIME_ACTION = "one_time_action"
    TRANSIENT_MOOD = "transient_mood"
    UNGROUNDED_SPECULATION = "ungrounded_speculation"
    FACTUAL_CLAIM = "factual_claim_in_narrative"
    AUTHORITY_ASSERTION = "authority_assertion"
    BINDING_FUTURE = "binding_future_behaviour"
    OTHERS_DUTY = "duty_of_others"


Check = Callable[[str, Sequence[Support]], bool]
"""Predicate that is True if a claim, with its supports, is a breach."""


def words(pattern: str) -> re.Pattern[str]:
    """Compile a pattern that matches its alternatives as whole words, in any case."""
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)


ATTITUDES = r"(?:lik|lov|enjoy|prefer|hat|dislik|want|favou?r|ador|appreciat|fond|keen|into\b)\w*"
"""Verbs of liking and disliking, in any form."""

# "could you" and "would you" are polite; May is a month.
_HYPOTHETICAL = words(
    r"would(?! (?:you|never|not|rather))|could(?! you)|might|maybe|perhaps|possibly"
    r"|probably|(?<!in )(?<!of )(?<!since )(?-i:may)(?! \d)"
    r"|if(?! you (?:can|could|would))|some ?day|one day"
    r"|wish(?:es|ed)?|hop(?:es?|ing) to|dreams? of|like to try|wants? to try"
    r"|think(?:s|ing) (?:of|about)|consider(?:s|ing)|hypothetically|imagin(?:es?|ing)"
)
_INTENT = words(
    r"(?:want|plan|intend|mean|need|tr(?:y|ie)|hop|wish|learn|going|about)"
    r"(?:s|ed|d|ing|ning)? to|\w+['’]d (?:love|like|prefer|rather|want|be)|let['’]s|let us"
)
"""Intentions: an intended act is not done, unless the claim itself is the intention."""
QUESTION = re.compile(r"[?？][\"'”’)\]]*$")
"""The end of a question, which states nothing."""
# "Kind of likes jazz", but not "likes every kind of music"
_VAGUE = words(
    rf"(?:kind|sort) of (?:an? )?{ATTITUDES}|^(?:kind|sort) of|kinda|sorta|somewhat"
    rf"|(?:a bit|a little|mildly|slightly|vaguely|moderately) (?:interested|{ATTITUDES})"
    r"|(?:a bit|a little)$|more or less|not sure|unsure|ok(?:ay)? with|so-so"
    r"|does ?n['’]t mind|does not mind|(?:kind|sort) of interested"
)
# "Fettuccini is the best pasta", but not "best friend is Bob"
_JUDGEMENT = words(
    r"best(?! (?:friend|man|buy|known))|worst|greatest|finest|better than|worse than"
    r"|superior|inferior|overrated|underrated|amazing|awesome|awful|terrible|horrible"
    r"|wonderful|perfect|delicious|boring|beautiful|ugly|stupid|unbeatable"
    r"|most \w+(?:ful|ing|ous|ive|able|ent|ant)"
)
_ATTITUDE_FIRST = re.compile(rf"^(?:\w+ly )?{ATTITUDES}\b", re.IGNORECASE)

# "Asked for examples once", but not "reviews the code once a week"
_ONCE = words(
    r"once(?! (?:a|an|per|every|in a while|they|he|she|it|the))|one[- ]time|a single time"
    r"|this time|just now|on one occasion|the other day|yesterday|earlier today"
    r"|last (?:week|night|time|month)"
)
# "Asked for a diagram": the past tense of one act.
_DID = re.compile(
    r"(?:has )?(?:just )?(?:asked|requested|wanted|needed|said|mentioned|tried|sent"
    r"|shared|inquired|clicked|opened)\b",
    re.IGNORECASE,
)
_MOODS = (
    r"(?:tired|exhausted|sad|happy|angry|upset|frustrated|annoyed|irritated|bored|stressed"
    r"|anxious|nervous|worried|excited|grumpy|cheerful|depressed|lonely|confused"
    r"|overwhelmed|sleepy|sick|hungry|moody|impatient|relaxed|tense|disappointed"
    r"|enthusiastic|hurried|busy|distracted|in a (?:\w+ )?(?:hurry|mood))"
)
# Adverbs that \w+ly matches are not listed: a sequence must match in one way only.
_FEELING = (
    r"(?:is|are|was|were|am|been|being|seem(?:s|ed)?|feels?|feeling|felt|looks?|looked"
    r"|sounds?|sounded|appears?|appeared|gets?|got|['’](?:s|m|re))"
    rf"(?: (?:to be|very|so|quite|rather|pretty|a bit|a little|\w+ly))* {_MOODS}"
)
_NOW = r"right now|at the moment|for now|(?:just|only) (?:for )?today|this time"
# "Seems tired today"
_MOOD = words(
    rf"{_FEELING}|mood|today|tonight|{_NOW}|this (?:morning|afternoon|evening|week)"
)
_MOOD_FIRST = re.compile(rf"{_MOODS}\b", re.IGNORECASE)
# For sentences in which a claim stands, where "today" alone is no mood.
_FOR_NOW = words(rf"{_NOW}|{_FEELING}")
# "Seems to prefer tables"
_SPECULATION = words(
    r"probably|likely|maybe|perhaps|possibly|presumably|apparently|supposedly|seems?"
    r"|appears? to|might|(?-i:may)|could|must be|must have|i (?:think|guess|suppose)"
    r"|suspect(?:s|ed)?|suggests?|assum(?:e|es|ed|ing)"
)

_TOLD = (
    r"(?:told|tells?|said|says?|explain(?:s|ed)?|confirm(?:s|ed)?|establish(?:es|ed)?"
    r"|agreed?|agrees|prov(?:es?|ed|en)|stated?|states|claim(?:s|ed)?|taught|show(?:s|ed)"
    r"|inform(?:s|ed)?|assur(?:es|ed)|decided|concluded)"
)
# "We established that formal letters work"
_CLAIMED = words(
    rf"{_TOLD}(?: (?:me|us|you|him|her|them|the user|each other))? that"
    rf"|{_TOLD}\b.*? (?:is|are|was|were|equals|has|have)"
    r"|(?:is|are|was) (?:true|false|correct|a fact|proven|known to)"
    r"|the (?:fact|truth) (?:is|that)"
)
# "You're an expert", "the assistant knows best"
_AUTHORITATIVE = words(
    r"(?:is|are|am|was|were|be|as)(?: not)?(?: (?:an?|the|my|our|your|their|\w+ly))*"
    r"(?: \w+){0,2}? (?:experts?|authorit(?:y|ies)|boss|admin|administrator|owner|leader"
    r"|master|specialist|professional|doctor|lawyer|genius|guru|god|superior|supervisor"
    r"|manager|in charge|infallible|always right|never wrong|trusted|qualified|entitled)"
    r"|(?:you|i|we|they|he|she|it)['’](?:re|m|s)(?: \w+){0,4}? (?:experts?|authority|boss"
    r"|admin|owner|leader|master|specialist|professional|doctor|lawyer|genius|guru"
    r"|in charge|right|infallible)"
    r"|knows? best|final say|has (?:the )?(?:authority|permission|right) to|in charge of"
    r"|authori[sz]ed|defers? to|always right|never wrong|the authority"
)
# "You will always answer in French"; a name such as Will has a capital.
_BINDING = words(
    r"promis\w*|swore|sworn|vow\w*|pledg\w*|guarant\w*|commits? to|committed to"
    r"|agreed (?:to|never|not)|obliged|obligated|owes?|must|shall|ha(?:s|ve) to"
    r"|(?-i:will)|won['’]t|you['’]ll|we['’]ll|i['’]ll|from now on|going forward|in future"
    r"|in the future|never again|compl(?:y|ies)|bound to|supposed to|needs? to|should"
    r"|expected to"
)
_DUTY = words(
    r"(?P<who>[^\W\d]\w*) (?:must|shall|should|ought to|(?:have|has|needs?|(?:are|is) required) to)"
)
"""A duty with its bearer; without one, "must take insulin", it is the person's own."""


def _hypothetical(claim: str, supports: Sequence[Support]) -> bool:
    # "Wants to play guitar" is an intention, which is true as such.
    if _says(_HYPOTHETICAL, claim, supports) or comes_after(_INTENT, claim, supports):
        return True
    return any(
        # "Do you love it?"
        each.mention is MentionKind.EXACT
        and all(QUESTION.search(source.text) for source in each.sources)
        for each in supports
    )


def _vague(claim: str, supports: Sequence[Support]) -> bool:
    return _says(_VAGUE, claim, supports)


def _opinion(claim: str, supports: Sequence[Support]) -> bool:
    # "Loves the best pasta" is a person's attitude; "the best pasta" is a judgement.
    return bool(_JUDGEMENT.search(claim)) and not _ATTITUDE_FIRST.match(claim)


def _once(claim: str, supports: Sequence[Support]) -> bool:
    if _ONCE.search(claim):
        return True
    # What was mentioned often is no single act, however one sentence puts it.
    return _all_say(_ONCE, _seldom(supports)) or (
        bool(_DID.match(claim)) and len(_seldom(supports)) == len(supports)
    )


def _mood(claim: str, supports: Sequence[Support]) -> bool:
    if _MOOD.search(claim) or _MOOD_FIRST.match(claim):
        return True
    return _all_say(_FOR_NOW, _seldom(supports))


def _speculation(claim: str, supports: Sequence[Support]) -> bool:
    return bool(_SPECULATION.search(claim))


def _factual(claim: str, supports: Sequence[Support]) -> bool:
    return bool(_CLAIMED.search(claim))


def _authority(claim: str, supports: Sequence[Support]) -> bool:
    return bool(_AUTHORITATIVE.search(claim))


def _binding(claim: str, supports: Sequence[Support]) -> bool:
    return bool(_BINDING.search(claim))


def _duty(claim: str, supports: Sequence[Support]) -> bool:
    found = _DUTY.search(claim)
    # A pronoun names no other bearer.
    return found is not None and found["who"].lower() not in CLOSED_CLASS


def _says(pattern: re.Pattern[str], claim: str, supports: Sequence[Support]) -> bool:
    """Return True if a claim, or its clause in all sources of a text, matches.

    The clause counts up to the claim's last word.
    """
    if pattern.search(claim):
        return True
    stems = {stem(word.lower()) for word in StemmedSentence(claim).words}
    return any(
        each.sources
        # A doubt in another clause is none of this one: "I could, but I play guitar".
        and all(pattern.search(_before(source, stems)) for source in each.sources)
        for each in supports
    )


def _seldom(supports: Sequence[Support]) -> list[Support]:
    """Return the supports with fewer mentions than a pattern needs."""
    return [each for each in supports if each.mentions < OBSERVED_MIN]


def comes_after(
    pattern: re.Pattern[str], claim: str, supports: Sequence[Support]
) -> bool:
    """Return True if the pattern precedes the claim in all sources but is not in it."""
    return not pattern.search(claim) and _says(pattern, claim, supports)


def _all_say(pattern: re.Pattern[str], supports: Sequence[Support]) -> bool:
    """Return True if all sources of one of the texts match the pattern."""
    return any(
        each.sources and all(pattern.search(source.text) for source in each.sources)
        for each in supports
    )


_NEW_CLAUSE = frozenset(["and", "but", "because", "so", "while", "although"])


def _before(source: StemmedSentence, stems: set[str]) -> str:
    """Return a sentence's clause with a claim, up to the last word of the claim."""
    clause: list[str] = []
    end = 0
    for word in source.spoken:
        if not word[0].isalnum() or word in _NEW_CLAUSE:
            # The clause is complete: what follows is about something else.
            if end:
                break
            clause = []
            continue
        clause.append(word)
        if stem(word) in stems:
            end = len(clause)
    return " ".join(clause[:end])


FACT: Mapping[TypeViolation, Check] = {
    TypeViolation.HYPOTHETICAL: _hypothetical,
    TypeViolation.VAGUE_PREFERENCE: _vague,
    TypeViolation.OPINION_AS_FACT: _opinion,
    TypeViolation.OTHERS_DUTY: _duty,
}
PATTERN: Mapping[TypeViolation, Check] = {
    TypeViolation.ONE_TIME_ACTION: _once,
    TypeViolation.TRANSIENT_MOOD: _mood,
    TypeViolation.UNGROUNDED_SPECULATION: _speculation,
    TypeViolation.OTHERS_DUTY: _duty,
}
NARRATIVE: Mapping[TypeViolation, Check] = {
    TypeViolation.BINDING_FUTURE: _binding,
    TypeViolation.FACTUAL_CLAIM: _factual,
    TypeViolation.AUTHORITY_ASSERTION: _authority,
}
