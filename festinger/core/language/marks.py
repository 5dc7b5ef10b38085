"""Classify sentences by their words alone: a question, a request, a change, …"""

from __future__ import annotations

import re
from enum import IntFlag
from functools import lru_cache
from typing import Final


class SentenceMark(IntFlag):
    """Properties of a sentence, as combinable flags."""

    QUESTION = 1
    """It is a question."""
    REQUEST = 2
    """It requests a single action."""
    CHANGE = 4
    """It states that something has changed."""
    NEGATION = 8
    KNOWLEDGE = 16
    """It has a word that often occurs in statements: never, because, owns, …"""
    NUMBER = 32
    INSTRUCTION = 64
    """It instructs agents permanently."""
    HEDGE = 128
    """The speaker is unsure, or only supposes it."""
    CONFIRMATION = 256
    """It confirms the preceding message of another speaker."""
    GAP = 512
    """A sentence before it is not kept."""
    UNSTATED = 1024
    """A model has read it and found no statement."""
    STANDING = 2048
    """It says how answers should be, all or those of its scope, and not one alone."""


_LEAD: Final = (  # "ok so", "btw, please"
    r"(?:(?:and|also|ok|okay|so|then|now|next|but|oh|btw|well|right|great|good|perfect|cool|nice|thanks|thx|hi|hey"
    r"|hiya|hello|please|pls|plz|just|maybe|yes|no|one more|last thing|first|second)\b[\s,.:!)]*)*"
)
_ASKED: Final = re.compile(
    _LEAD
    + r"(?:whos?|whom|whose|whats?|which|wheres?|whens?|whys?|hows?|is|are|was|were|do|does|did|has|have|had|should"
    r"|shall|may|am|(?:can|could|would|will) (?:i|we|he|she|it|they|this|that|there|any\w*)|want (?:me|us) to"
    r"|any (?:idea|news|word|chance|thoughts|tips|luck)(?! (?:goes|go|is|comes)\b)"
    r"|any(?:one|body) (?:free|know|here|up for|got|seen|have|need|want|going|coming|around|tried|heard))\b"
    r"(?!\s+(?:i|we|you)\s+(?:ve|'ve))",
)
_AUXILIARY: Final = (
    r"(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must|isn.?t|aren.?t"
    r"|wasn.?t|don.?t|doesn.?t|didn.?t)\b"
)
_PRONOUN: Final = (
    r"(?:i|you|we|he|she|it|they|any\w*|some\w+|every\w+|this|that|these|those|there)\b"
)
# Without a question mark the same words begin statements: "was at the dentist", "have two cats",
# "when jo is away bo signs", "what I like is tea", "who's in: Ana, Bo", "May 4 is free".
_NOT_ASKED: Final = re.compile(
    _LEAD
    + r"(?:may \d|which (?:means (?!of)|is why|is how)|(?:do|does|did|should|shall|may) (?:(?:not|be|have|also)\b|\d)|am (?!i\b)"
    # Who leaves out the subject goes on with where, how or what it is.
    r"|(?:is|are|was|were) (?:not|at|in|on|with|from|for|to|by|of|near|behind|under|off|about|around|between|after|before|\d\w*"
    r"|now|still|also|always|usually|never|really|quite|very|too|pretty|already|almost|just|only|fine|back|away|sick|ill|late|due"
    r"|ready|called|named|booked|planned|based|located|married|supposed|told|born|moved|signed|sold|paid|owned)\b"
    r"|(?:are|was|were) \w+ing\b|is (?:coming|going|staying|working|moving|getting|living|leaving|starting|learning|training)\b"
    r"|(?:is|are|was|were) (?:allergic|intolerant|vegan|vegetarian|veggie|diabetic|coeliac|pregnant|engaged|divorced|retired"
    r"|(?:left|right)[- ]handed)\b"
    rf"|(?:was|were) (?!{_PRONOUN})\S+ (?:before|originally|at first|back then)$"
    # "Does nights", "did yoga for years": a thing, and no verb behind it.
    rf"|(?:does|did|do) (?!{_PRONOUN}|(?:the|my|our|your|his|her|their|an?)\b)[\w'’-]+(?:$| (?:on|at|in|with|for|from|till|until"
    r"|every|only|twice|once)\b)"
    # "Has ana been there" has somebody and a participle; "has been there" has nobody.
    rf"|(?:has|have|had) (?!{_PRONOUN})"
    r"(?:(?:an?|one|two|three|to|no|not|never|always|already|just|also|been|got|\d\w*)\b"
    r"|(?!(?:[\w'’-]+ ){1,4}(?:been|got|gone|done|made|seen|had|said|told|left|come|paid|sent|taken|given|\w{2,}ed)\b))"
    rf"|(?:when|where) (?!to\b|else\b|exactly\b|about\b|{_AUXILIARY})(?:\S+ ){{3}}"
    rf"|what (?:i|we|you|he|she|they|matters|counts)\b[^?]{{1,40}} (?:is|are|was) "
    r"|(?:who|what|where|when|why|how|which)[\w'’ ]{0,40}: )",
)
# Verbs of what people ask an assistant to do: "fix the readme", "let me see".
_VERBS: Final = (
    r"(?:write|draft|make|give|show|tell|explain|add|fix|put|list|check|find|remind|send|create|draw|translate|rename"
    r"|revert|look|remove|delete|change|update|merge|book|order|plan|set|move|read|cut|try|let me|do(?! (?:i|we|you|they|any\w*)\b[^?]*$)(?!.*\?$)|run|open|close"
    r"|print|post|reply|answer|prepare|compose|suggest|sort|format|copy|paste|search|compare|call|text|mail|email"
    r"|(?:see|figure out|work out) (?=(?:if|whether|who|what|why|how|when|where|which)\b)"
    r"|note(?= (?:down|the|an?|my|our|it|this|that)\b|$)|keep|save|remember|finish|start|stop|ask|use|take|bring|help|schedule|invite|attach|include|rewrite"
    r"|restart|reboot|reload|rerun|retry|relaunch|launch|install|reinstall|upgrade|configure|enable|disable"
    r"|debug|investigate|analy[sz]e|refactor|implement|generate|reset"
    r"|convert|calculate|compute|define|proofread|rephrase|reword|paraphrase|spell"
    r"|shorten|summari[sz]e|turn|pull|push|deploy|build|test|review|clean|drop|go on|carry on|continue|proceed)\b"
)
# The same words at the head of what is stated: "test server is orca", "order from the farm
# came late", "text from Jo: …", "update: …". An object of the verb has a determiner.
_NOUNS: Final = (
    r"(?:answer|ask|book|bring|build|call|change|check|clean|close|copy|cut|debug|deploy|draft|draw|drop|email|export|finish"
    r"|fix|format|help|install|invite|launch|list|mail|merge|move|note|open|order|plan|post|print|pull|push|read|release|reply"
    r"|reset|restart|retry|review|run|save|schedule|search|set|show|sort|start|stop|test|text|try|turn|update|upgrade|use)"
)
_IN_NOUN: Final = (
    r"(?:[ -](?:(?:of|from|with|for|by|to|at|in|on) (?:(?:the|an?|my|our|his|her|their) )?)?"
    r"(?!(?:the|an?|my|our|your|his|her|their|its?|me|us|them|him|this|that|these|those|all|any|some|every|each|if|whether|what"
    r"|who|whom|which|how|when|where|why|and|or|sure|out|over)\b)[\w'’.]+)"
)
FINITE: Final = (  # verbs behind their subject
    r"(?:is|are|was|were|isn['’]?t|aren['’]?t|wasn['’]?t|weren['’]?t|has|had|hasn['’]?t|will|won['’]?t|must|can|can['’]?t|cannot|may"
    r"|shall|should|does|doesn['’]?t|did|didn['’]?t|costs|runs|goes|go|closes|opens|starts|ends|meets|comes|came|went|takes|took|lives"
    r"|stays|moved|belongs|arrives|arrived|needs|uses|sits|listens|expires|finishes|begins|began|became|becomes|contains|says|said|gets"
    r"|got|works|fails|failed|passed|returns|happens|follows|stands|points|lasts|means|likes|loves|hates|prefers|wants|owns|plays|speaks"
    r"|leaves|left|holds|keeps|kept|wears|eats|drinks|pays|sends|makes|knows)"
)
_STATES: Final = (
    rf"(?!{_NOUNS}(?:{_IN_NOUN}{{0,3}} {FINITE}\b"
    r"|(?<=text|mail|call|note) from [^,:.]{1,40}[,:]|(?<=note|date|plan|mail):))"
)
# "Can you fix it", "I need a draft", "fix the readme".
_REQUESTED: Final = re.compile(
    _LEAD
    + r"(?:(?:can|could|would|will|cld)\s+(?:you|u|ya|one|somebody|someone)\b|(?:i(?:'d| would)? (?:need|want|like)|we need) (?:you|that you|a|an)\b"
    rf"|would you\b|might you\b|{_STATES}{_VERBS})",
)
# Wide, since a sentence of change that is missed leaves a stale line: "now", "no longer", "moved",
# "turned out", "is off" (but not "is off sick").
_CHANGED: Final = re.compile(
    r"\b(?:now|nowadays|these days|from (?:now|next|today|tomorrow|this|monday|tuesday|wednesday|thursday|friday"
    r"|saturday|sunday|mon|tue|wed|thu|fri|sat|sun|\d|the \d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*"
    r"|as of|since (?:this|yesterday|today|last|mon|tue|wed|thu|fri|sat|sun)\w*|instead|rather than|no longer"
    r"|any ?more|mov(?:e|es|ed|ing)|chang(?:e|es|ed|ing)|switch\w*|swap\w*|migrat\w*|renam\w*|replac\w*"
    r"|tak(?:e|es|ing) over|took over|hand\w* over|turns? out|turned out|correct(?:ion|ed)|actually|again|back|after all"
    r"|new|isn.?t|wasn.?t|aren.?t|not \w+ (?:but|it)|used to|old|gone|retired|cancel\w*|called off|forget|scrap"
    r"|(?:scratch|ditch|skip|drop|strike|bin) (?:the|that|those|our|my)|quit|sold|postpon\w*|delay\w*|extend\w*|rais\w*|up to|down to|goes up|went up|went down|bumped|wrong|i meant|nope"
    r"|slip(?:s|ped)|reschedul\w*|end(?:s|ed) up with|(?:went|going) with|step(?:s|ped) (?:down|in)|resign\w*"
    r"|(?:is|are|.s) off(?! (?:sick|work|today|by|to))|updat\w*|gave up|done with|left|dropped|the other way|earlier|later|brought forward|until further"
    r"|jetzt|nicht mehr|ab (?:sofort|heute)|maintenant|plus de)\b",
)
_NEGATED: Final = re.compile(
    r"\b(?:not|no|never|without|none|nobody|nothing|neither|nor|cannot|cant|dont|doesnt|isnt|arent|wont|didnt|wasnt"
    r"|cancel\w*|gone|ended|stop\w*|forget|scrap|nicht|kein\w*|nie)\b|n['’]t\b",
)
# Words of facts, rules and reasons: "Tom owns it", "never on fridays", "because of the tax".
_KNOWN: Final = re.compile(
    r"\b(?:never|always|because|cause|since|until|till|only|must|except|unless|agreed|decided|rule|default|called"
    r"|means?|needs?|costs?|allerg\w*|lives?|belongs?|runs?|starts?|opens?|closes?|deadline|due|owns?|owner|owned"
    r"|moved|instead|can.?t|cannot|every|each|works?|hates?|loves?|likes?|prefers?|wants?|has|have|is|are|was|were"
    r"|will|in charge|responsible|from now on|no longer|not)\b",
)
# "Always answer in Dutch", "from now on use tabs", "don't ever deploy on friday", "use tabs from
# now on"; but "always been" and "from now on the price is 9" are statements.
_INSTRUCTED: Final = re.compile(
    _LEAD
    + r"(?:(?:always|never)\s+(?!(?:been|had|was|is|again|mind|ever|a|an|the|any|on|in|at|before|after|more|less|to)\b)[a-z][a-z-]+"
    r"(?<!ed)(?<!ing)\b"
    r"|from now on[, ]+(?!(?:i|we|he|she|it|they|the|a|an|our|my|his|her|their|there|this|that)\b)[a-z]+"
    r"|(?:answer|reply|respond|speak|talk|write|use|call|keep|format|explain)\b(?=.*\bfrom now on\W*$)"
    r"|(?:do not|don.?t|dont)\s+(?:ever|you ever)\s+[a-z]+)",
)
_HEDGED: Final = re.compile(  # "I think", "maybe", "what if"
    r"\b(?:maybe|perhaps|i think|i guess|i suppose|probably|might|not sure|i wonder|if i|if we|would be|could be"
    r"|was thinking|what if|vielleicht|peut-être)\b",
)
_CONFIRMED: Final = re.compile(  # "yes", "that was it", "you're right"
    r"(?:yes|yep|yeah|yup|ja|jep|oui|correct|exactly|right|indeed|confirmed|quite right|that(?:'s| is|s| was) (?:it|right|correct|the one)"
    r"|you(?:'re| are|re) right|agreed|spot on|do that|please do)\b",
)
_CLOSING: Final = "\"')”’ *_"


# "Remember that the key is with Jo", "don't forget: …" and "make a note, …" state the rest.
_MEMO: Final = re.compile(
    _LEAD + r"(?:(?:can|could|will|would) (?:you|u) (?:please )?)?"
    r"(?:(?:remember|keep in mind|bear in mind|memori[sz]e|don.?t forget|do not forget)(?: this| it)?(?: for \w+(?: \w+)?)?(?: that\b|[:,])? "
    r"(?!(?:to|when|how|what|who|where|why|which|if|me|us|this|that|it)\b)"
    r"|(?:note|make a note|take a note|save|store|write)(?: this| it)?(?: down)?(?: that\b|[:,]) )"
)


UNMARKED: Final = SentenceMark(0)


@lru_cache(maxsize=2_000)
def marks_of(sentence: str) -> SentenceMark:
    """Return the marks of a sentence."""
    # The patterns are in lower case: ignoring case takes four times as long.
    text = sentence.rstrip(_CLOSING).lower()
    if memo := _MEMO.match(text):
        text = text[memo.end() :].rstrip("?")
    found = []
    if text.endswith("?"):
        found.append(SentenceMark.QUESTION)
    elif (
        not text.endswith((".", "!"))
        and _ASKED.match(text)
        and not _NOT_ASKED.match(text)
    ):
        # Question marks are often omitted.
        found.append(SentenceMark.QUESTION)
    found += [mark for mark, pattern in _SEARCHED if pattern.search(text)]
    found += [mark for mark, pattern in _MATCHED if pattern.match(text)]
    if any(map(str.isdigit, text)):
        found.append(SentenceMark.NUMBER)
    # Flags are slow to combine.
    return SentenceMark(sum(map(int, found)))


def changing_marks_of(text: str) -> SentenceMark:
    """Return only the marks CHANGE and NEGATION of a text."""
    # A fifth of the time of `marks_of`, for texts that are tested for nothing else.
    text = text.lower()
    marks = SentenceMark(0)
    if _CHANGED.search(text):
        marks |= SentenceMark.CHANGE
    if _NEGATED.search(text):
        marks |= SentenceMark.NEGATION
    return marks


_SEARCHED: Final = (
    (SentenceMark.CHANGE, _CHANGED),
    (SentenceMark.NEGATION, _NEGATED),
    (SentenceMark.KNOWLEDGE, _KNOWN),
    (SentenceMark.HEDGE, _HEDGED),
)
_MATCHED: Final = (
    (SentenceMark.REQUEST, _REQUESTED),
    (SentenceMark.INSTRUCTION, _INSTRUCTED),
    (SentenceMark.CONFIRMATION, _CONFIRMED),
)
