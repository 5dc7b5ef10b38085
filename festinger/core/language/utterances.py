"""Decide which sentences of a turn are kept as utterances, and in what form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from festinger.core.language.afterthoughts import is_withdrawal, joined
from festinger.core.language.answerstyle import (
    are_answer_rules,
    is_answer_rule,
    is_standing,
    scope_of,
)
from festinger.core.language.audience import EVERYBODY, LineAudience, audience_of
from festinger.core.language.marks import SentenceMark, marks_of
from festinger.core.language.offering import last_question, offers_more
from festinger.core.language.prose import lines_of_text, prose_lines
from festinger.core.language.sentences import ProseSentence, split
from festinger.core.language.terms import sentence_terms
from festinger.core.system.injection import addresses_assistants

SENTENCES_MAX: Final = 200
"""Maximum number of kept sentences of a turn."""
ANSWERED_WORDS_MAX: Final = 28
"""Maximum number of words kept from the end of a turn that is confirmed."""
CONFIRMATION_WORDS_MAX: Final = 12
"""Maximum number of words of a confirmation that needs the confirmed text."""


class Utterance(NamedTuple):
    """A kept sentence.

    Attributes:
        text: The sentence on one line.
        heading: Introduction of the list that contains it; empty for other sentences.
        answers: Text of another speaker's turn that it confirms; empty for none.
    """

    text: str
    heading: str = ""
    marks: SentenceMark = SentenceMark(0)
    answers: str = ""


class KeptTurn(NamedTuple):
    """The kept sentences of a turn.

    Attributes:
        utterances: Sentences in the order of the turn.
        audience: People who may be told of it.
    """

    utterances: Sequence[Utterance]
    audience: LineAudience = EVERYBODY


class _JudgedSentence(NamedTuple):
    """A sentence of a turn, with its kept form or the reason why it is not kept."""

    sentence: ProseSentence
    utterance: Utterance | None = None
    reason: str = ""


@lru_cache(maxsize=32)
def read_turn(text: str, answered: str = "") -> KeptTurn:
    """Return the kept sentences of a typed turn, and its audience.

    Args:
        text: The turn, without secrets.
        answered: Preceding turn of the assistant; empty if there is none.
    """
    # Cached for as many turns as a new conversation may bring: all are kept, then all are
    # prepared for a model.
    kept = tuple(utterances_of(text, answered))
    return KeptTurn(kept, audience_of(text) if kept else EVERYBODY)


def utterances_of(text: str, answered: str = "") -> list[Utterance]:
    """Return the sentences of a turn that are worth keeping; see `read_turn`."""
    kept: list[Utterance] = []
    gap = False
    for _, utterance, _ in _judged(text, answered):
        if utterance is None:
            gap = True
            continue
        # "It" behind a gap may refer to what was left out.
        if gap:
            utterance = utterance._replace(marks=utterance.marks | SentenceMark.GAP)
        kept.append(utterance)
        gap = False
        if len(kept) == SENTENCES_MAX:
            break
    # "Always answer in JSON" behind a task belongs to that task.
    are_rules = are_answer_rules([(each.text, each.marks) for each in kept])
    alone = are_rules and not left_out(text, answered)
    return [
        each._replace(marks=each.marks | SentenceMark.STANDING)
        if alone or _is_standing_rule(each)
        else each
        for each in kept
    ]


def _is_standing_rule(kept: Utterance) -> bool:
    """Return whether a sentence is a rule about answers beyond the task beside it."""
    return bool(scope_of(kept.text)) or (
        is_standing(kept.text) and is_answer_rule(kept.text, kept.marks)
    )


def left_out(text: str, answered: str = "") -> list[tuple[str, str]]:
    """Return the sentences and lines of a turn that are not kept, with reasons."""
    found: list[tuple[str, str]] = []
    kept = 0
    for sentence, utterance, reason in _judged(text, answered):
        if utterance is None:
            found.append((sentence.text, reason))
        elif kept == SENTENCES_MAX:
            found.append((sentence.text, "too many sentences in one turn"))
        else:
            kept += 1
    pasted = [
        (line.strip(), "code, output, a table or pasted text")
        for line, prose in zip(lines_of_text(text), prose_lines(text), strict=True)
        if prose is None and line.strip()
    ]
    stayed = [each.text for each in joined(split(text))]
    withdrawn = [
        (each.text, "taken back at once")
        for each in split(text)
        if not any(each.text in it for it in stayed)
    ]
    return found + withdrawn + pasted


def is_worth_keeping(sentence: ProseSentence) -> bool:
    """Return whether a sentence is kept of a turn that answers none."""
    return _judge(sentence, "").utterance is not None


def _judged(text: str, answered: str) -> Iterator[_JudgedSentence]:
    """Yield the sentences of a turn in order, including those that are not kept."""
    supposed = False
    for sentence in joined(split(text)):
        # "What if we moved to the cloud? Then billing would run on Azure."
        if supposed and _WOULD.search(sentence.text):
            yield _JudgedSentence(sentence, None, "a supposition")
            continue
        supposed = _SUPPOSED.match(sentence.text) is not None
        yield _judge(sentence, answered)


def _judge(sentence: ProseSentence, answered: str) -> _JudgedSentence:
    """Return a sentence in its kept form, or with the reason why it is not kept."""
    text, heading = sentence
    if addresses_assistants(text):
        return _JudgedSentence(sentence, None, "speaks to machines")
    marks = marks_of(text)
    # "Yes, that was it" says nothing without the turn that it answers.
    if (
        answered
        and SentenceMark.CONFIRMATION in marks
        and len(text.split()) <= CONFIRMATION_WORDS_MAX
        # "Yes please" behind "Would you like some examples?" confirms no fact.
        and not offers_more(last_question(answered))
        and (said := _last_words(answered))
    ):
        return _JudgedSentence(sentence, Utterance(text, heading, marks, said))
    if reason := _why_not(text, heading, marks):
        return _JudgedSentence(sentence, None, reason)
    return _JudgedSentence(sentence, Utterance(text, heading, marks))


def _why_not(text: str, heading: str, marks: SentenceMark) -> str:
    """Return why a sentence is not worth keeping; empty if it is."""
    # An item of a list may be a single word: "our hosts: - capella".
    if not (_WORD if heading else _TWO_WORDS).search(text):
        return "a single word"
    if is_answer_rule(text, marks):
        return ""
    small_talk = _SMALL_TALK.fullmatch(text.rstrip("!.…,😄🙂😅👍) "))
    # "Haha, just kidding" ends what the message before it has stated.
    if small_talk and not is_withdrawal(text):
        return "a greeting or a thank-you"
    if not sentence_terms(text):  # stop words only
        return "says nothing by itself"
    if _SUPPOSED.match(text):
        return "a supposition"
    if SentenceMark.QUESTION in marks and SentenceMark.REQUEST not in marks:
        # "Why is the indexer, which runs at 04:25, slow?" tells when it runs.
        return "" if presupposes(text) else "a question"
    if SentenceMark.REQUEST in marks and SentenceMark.INSTRUCTION not in marks:
        # "Send it by friday" tells a day, "fix the readme" nothing. What is to be translated
        # or converted is no fact, whatever its words.
        stated = _REASONED if _ANSWERED.match(text) else _STATED
        return "" if stated.search(text) else "a request"
    return ""


def presupposes(question: str) -> bool:
    """Return whether a question states a presupposition in a clause of its own."""
    return _PRESUPPOSED.search(question) is not None


def _last_words(turn: str) -> str:
    """Return the end of an assistant's turn, which a confirmation refers to."""
    said = " ".join(" ".join(each.text for each in split(turn)).split())
    words = said.split()
    cut = words[-ANSWERED_WORDS_MAX:]
    return ("… " if len(words) > len(cut) else "") + " ".join(cut)


_WORD: Final = re.compile(r"[^\W_]")
_TWO_WORDS: Final = re.compile(r"[^\W_][\W_]+[^\W_]")
# "Hi", "thanks a lot", "looks good", "never mind". A longer phrase stands before its beginning.
_GREETED: Final = (
    r"hi|hey|hiya|hello|good (?:morning|evening|afternoon|night)|(?:no )?thanks?(?: you)?(?: so much| very much| a lot"
    r"| again| for that)?|thx|cheers|danke|merci|bye(?: for now)?|(?:best|kind) regards|best wishes|regards"
)
_POLITE: Final = (
    r"(?:very )?(?:great|good|nice|lovely|brilliant|excellent) (?:job|work|one|idea|stuff|catch|try|thing|luck|point|question|answer|to (?:know|hear))"
    r"|(?:sounds?|looks?) (?:great|good|fine|right|perfect)(?: to me)?|that.?s (?:all|great|good|fine|perfect|nice|lovely)|that is all"
    r"|no (?:hurry|rush|worries|worry|problem|probs|need|way|that.?s wrong)|well done|love it|got it|go on|go ahead|carry on"
    r"|never ?mind|nvm|sure thing|right on|cool beans|fair enough|makes sense|let.?s (?:see|go)|here we go|one (?:sec|second|moment)|see you(?: (?:all|both|there|then|later|soon|tomorrow))*"
    r"|morning|evening|ok(?:ay)?|great|perfect|good|nice|lovely|wonderful|haha+|lol|understood|cool|super|yes|no|yep|nope|sure|right|done|sorry"
    r"|please|pls|hm+|whatever|best|yours|fine|ah|oh|wow|exactly|agreed|brilliant|works"
)
_GAP: Final = r"[\s,.!:)…-]*"
_ADDRESSED: Final = r"(?:all|team|everyone|again|then|both|dear|my|so|you|there|mate|man|dude|guys|folks)"
# Only behind a greeting any word is a name: "hi bob", unlike "no sugar" and "right handed".
# Atomic, so that a long line of greetings is read once.
_SMALL_TALK: Final = re.compile(
    rf"(?>(?:{_GREETED})\b{_GAP}(?:{_ADDRESSED}\b{_GAP}){{0,2}}(?:(?:(?-i:[A-ZÀ-Þ])[\w'’-]*{_GAP}){{1,2}}|[^\W\d_][\w'’-]*$)?"
    rf"|(?:{_POLITE})\b{_GAP})++(?:{_ADDRESSED}\b{_GAP}){{0,2}}",
    re.IGNORECASE,
)
# A question with a presupposition in a clause of its own, or in a preceding sentence.
_PRESUPPOSED: Final = re.compile(
    r",\s*(?:which|who|where)\b.*,|\b(?:now that|since|because|given that|as)\s+(?:the|my|our|he|she|we|i|they|it|[A-Z])"
    r"|[.;:!—–-]\s+\w+.*\?|,\s*(?:right|correct|no|yes|ok|is it|isn.?t it|aren.?t we|don.?t we|or)\s*\?*$"
    # Not "is the boiler ok?".
    r"|^(?!(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|am)\b).*\s(?:right|correct|no|yes|ok|is it|isn.?t it|aren.?t we|don.?t we|or)\s*\?*$"
    r"|\b(?:is|are|was|has|have|had|got)\b.+,\s*(?:so|and|but|should|can|could|do|does|what|how|who|which|when|where|why|is|are|did)\b",
    re.IGNORECASE,
)
# A request that contains a fact: a state, a time, a reason, a beneficiary, an amount.
_STATED: Final = re.compile(
    r"\b(?:from now on|always|never|every|ever|by default|must|only|no more|any ?more|not|\w+n['’]t|without|when(?:ever)? (?:you|i|we)|because|since|cause"
    r"|until|till|by|before|after|it.?s|he.?s|she.?s|they.?re|that.?s|is|are|was|were|has|have|had|we|our|goes|runs|will|due|on behalf"
    r"|instead|except|unless|(?:remember|forget) to|prefers?|wants?|likes?|needs?)\b|\d|[\"“”]|:\s",
    re.IGNORECASE,
)
# Requests for an answer alone: "explain what a quaternion is", "convert 85 km to miles",
# "remind me what the rent is", "give me 5 ideas".
_ANSWERED: Final = re.compile(
    r"(?:(?:please|pls|ok|now|and|can|could|would|will|you|me|just)\b[\s,]*)*"
    r"(?:(?:explain|translate|rephrase|reword|paraphrase|convert|calculate|compute|define|summari[sz]e|proofread|spell)\b"
    r"|(?:remind|tell|show|ask|check|see|verify|(?:find|figure|work) out|look up)(?: (?:me|us|him|her|them))?"
    r" (?:if|whether|who|whom|whose|what|which|when|where|why|how)\b"
    r"|(?:give me|list|suggest|name|write|show me) (?:\d+|some|a few)\b)",
    re.IGNORECASE,
)
# Of these only what gives a rule or a reason is kept.
_REASONED: Final = re.compile(
    r"\b(?:from now on|always|never|every|because|since|until|instead|except|unless|we|our|my|must|only)\b",
    re.IGNORECASE,
)
# "Imagine our office was in Rome": told as said, it would answer where the office is.
_SUPPOSED: Final = re.compile(
    r"\W*(?:(?:ok(?:ay)?|so|now|and|but|just|well|please|hm+)\b\W*)*(?:what if|imagine|suppose|supposing|pretend(?:ing)?"
    r"|hypothetically|let(?:.?s| us) (?:say|pretend|assume|imagine|suppose)|for the sake of (?:the )?argument"
    r"|once upon a time|if only|if (?:i|we|he|she|they)(?:['’]?d| had))\b",
    re.IGNORECASE,
)
_WOULD: Final = re.compile(r"^then\b|\b(?:would|could|might)\b|['’]d\b", re.IGNORECASE)
