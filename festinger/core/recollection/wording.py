"""Features of a prompt's wording that tell general questions from those about one's own.

Any model answers some kinds of prompts alone: general knowledge, rewording, arithmetic,
code without a context. Their wording shows it, and so do pronouns and articles: "how do
you boil an egg" is about any, "is the lift sorted" about ours.
"""

from __future__ import annotations

import re
from array import array
from functools import lru_cache
from math import hypot
from typing import Final

from festinger.core.language.clausewords import LANGUAGES
from festinger.core.lines.wordvectors import WIDTH, vector_of
from festinger.core.system.wordsets import word_list

FORM_CHARACTERS: Final = 300
"""Number of characters at the end of a prompt that are matched for its forms."""

_LANGUAGES: Final = "|".join(sorted(LANGUAGES))
_FORMS: Final = {
    # How the world, a language or a tool works.
    "world": r"\bwhat(?:'?s| is| are| does| do| did|s)\b.{0,40}\b(?:actually|really|exactly|mean|stand for|do|called)\b"
    r"|\bwhat(?:'?s| is| are) an?\b|\b(?:explain|define|meaning of|in (?:general|theory)|generally|typical(?:ly)?|usually"
    r"|like i'?m|eli5|cheat ?sheet|best practices?|history of|capital of|who (?:invented|wrote|discovered|won|painted|composed|sang|directed"
    r"|founded|played|ruled|said|was|were))\b"
    r"|\bwhy (?:is|are|do|does|did|can|would)\b|\bhow (?:does|do|is|are|did|can) (?!i\b|we\b|my\b|our\b)"
    r"|\bhow (?:many|much|long|far|old|big|fast|heavy|tall|hot|often)\b"
    r"|\bis (?:it|there) (?:an?|any|ok|okay|true|possible|correct|normal|bad|safe|better)\b"
    r"|\b1[5-9]\d\d\b|\bin 20[01]\d\b"
    r"|\b(?:came up with|(?:in|of) the world|on earth|of all time|in history|the (?:big|larg|deep|high|long|old|tall|fast|small|near)est)\b",
    # One of two, by general knowledge.
    "choice": r"^\W*(?:so |hey )?(?:is|are|was|do|does|did|should)\b.{1,80}\bor\b|\bvs\.?(?= )|\bversus\b"
    r"|\bdifferen\w+ between\b|\bwhich is (?:better|right|correct)\b|\bsame(?: thing)? as\b"
    r"|\b(?:compared (?:to|with)|pros and cons|worth (?:it|buying|paying|the)|better than)\b"
    r"|^\W*(?:an? |the )?[\w-]+(?: [\w-]+)? or (?:an? |the )?[\w-]+\b",
    "how_to": r"\bhow (?:do|can|should|would|could) (?:i|one|you|u)\b|\bhow to\b",
    "arithmetic": r"\b(?:times|divided by|plus|minus|per ?cent(?:age)?|sum|averages?|square|convert|fahrenheit|celsius|ounces?"
    r"|grams?|miles?|km|inch(?:es)?|gallons?|round(?:ed)?|calculate|compound interest)\b|\d\s*[-+*/\u00d7x^]\s*\d|\d ?%",
    "code": r"\b(?:css|html|sql|regex|bash|zsh|awk|sed|jq|grep|vim|tmux|latex|bibtex|excel|formula|python|javascript|typescript"
    r"|rust|golang|one-?liner|snippet|syntax|function|variable|loop|shortcut|command|algorithm)\b|`[^`]+`|[{}\\;]",
    "fiction": r"\b(?:poems?|haikus?|limericks?|jokes?|puns?|riddles?|songs?|lyrics|quiz(?:zes)?|stor(?:y|ies)|fun facts?|recipes?"
    r"|playlists?|films?|movies?|novels?|toasts?|slogans?|captions?|names? for|titles? for|ideas? for|gifts?|cards?|greetings?|mock|fake|funny"
    r"|monologue|horoscope|interview with|in the (?:style|voice) of|(?:20|twenty) questions|hangman|role ?play|pretend|imagine|you are an?)\b",
    "wording": rf"\b(?:in|into|to|from) (?:(?:simple|plain|formal|good) )?(?:{_LANGUAGES})\b|\b(?:{_LANGUAGES}|word|term|expression|phrase) for\b|\bhow (?:do|does|would|should|to|you|u)\b.{{0,12}}\b(?:say|spell|pronounce|write it)\b"
    r"|\b(?:spell\w*|pronounce|plural|synonyms?|rhym\w+|translat\w+|grammar|proof-?read|re-?phrase|re-?word|re-?write|typos?|commas?|apostrophes?"
    r"|conjugat\w+|etymolog\w+|(?:past|present) tense|title case)\b"
    r"|\bmake (?:this|that|it|these|them) (?:sound |a (?:bit|little|touch) )?(?:\w+er|more|less)\b"
    r"|\b(?:short(?:er|en)|summari[sz]e|tl;?dr|(?:more|less|too|very) (?:formal|friendly|casual|stiff|bossy|rude|direct|professional)"
    r"|(?:im)?polite(?:ly)?|(?:another|better|nicer|good|decent) (?:word|way|name|title|wording)s?"
    r"|in (?:one|two|three|five|\d) (?:lines?|sentences?|words?|bullets?|paragraphs?))\b|[\"“][^\"”]{8,}[\"”]",
    # Text is handed over to be worked on: "make it formal: …".
    "given": r"^\W*(?:can you |could you |please |pls )?(?:\w+ ){0,3}\b(?:fix|correct|change|turn|make|put|shorten|shorter|cut|simplif\w+|rewrite|rephrase|improve"
    r"|polish|convert|expand|check|explain|summari[sz]e|translate|title|version|continue|finish|my sentence)\b[^:\n]{0,60}: ?\S",
    # What to do in general: "what do I check first", "can we see Mars tonight".
    "advice": r"\b(?:what|which|how|where|when|who)\b[^.?!]{0,40}\b(?:do|should|can|could|would) (?:i|we|you)\b(?: (?:first|then|best|even|actually))?"
    r" (?:check|watch|turn|adjust|pack|serve|drink|put|install|wear|look|start|choose|pick|buy|say|set|clean|remove|find|see|fix|cook|plant|wash|store|call|count|avoid"
    r"|get rid|know if|tell (?:if|whether)|do (?:if|when|about))\b|(?:^|[,.;] )(?:can|could|should|may|must|would) (?:i|we|you|it|one)\b",
    # Something is to be done, which seldom needs nothing.
    "task": r"\b(?:write|draft|prepare|plan|book|order|make|create|set up|send|remind|update|fix|add|list|put|schedule|tell|call|invite"
    r"|reserve|pack|answer|reply|fill|assign|deploy|ship|open|check|compose|arrange|text|mail|email|build|move|run|start|change|cancel|pay)\b",
    # The speaker's own affairs and dates.
    "ours": r"\b(?:we|our|ours|us|my|mine|today|tonight|tomorrow|tmrw|(?:this|next) (?:week|month|year)|mondays?|tuesdays?|wednesdays?|thursdays?"
    r"|fridays?|saturdays?|sundays?|still|again|now)\b",
    # What is so with the speaker: "which city do I live in", "are we insured".
    "own_fact": r"\b(?:(?:who|whom|whose|when|where|which|what|how (?:many|much|long|old|often|far|big))\b[^.?!]{0,50}"
    r"\b(?:do|did|does|am|are|is|was|were|have|had|has)(?:n'?t)? (?:i|we|my|our)|(?:what|who|where|when)(?:'?s|'?re) (?:my|our))\b"
    r"|^\W*(?:do|did|does|am|are|is|was|were|have|had|has) (?:i|we|my|our)\b",
    # What was said is asked for in so many words.
    "recalling": r"\b(?:remind me|(?:do|did|can) you (?:know|remember|recall)|did (?:i|we) (?:tell|say|mention|agree|decide|settle)|(?:i|we) (?:told|said"
    r"|mentioned|agreed|decided)|remember)\b",
    # "Api port?" asks for what was said of it.
    "fragment": r"^(?!.*\b(?:is|are|was|were|do|does|did|can|could|should|would|will|have|has|had|wh\w+|how|to)\b)[^\s?:]+(?: [^\s?:]+){0,4} ?\?+$",
    "courtesy": r"^\W*(?:thanks?|thank you|thx|ty|cheers|ok(?:ay)?|lol|ha(?:ha)+|bye|(?:good ?)?night|perfect|great|cool|nice|hi|hello|hey|morning|good morning)\b[^?]{0,40}$",
    # Somebody who was spoken of before.
    "third_person": r"\b(?:he|she|they|him|her|his|hers|them|their|theirs)\b",
    "relative": r"\b(?:mum|mom|mummy|dad|daddy|grandma|granny|grandpa|nan|aunt|uncle|sister|brother|wife|husband|boss|landlord|kids?)\b",
    # How far something is, that was begun before.
    "state": r"\b(?:sorted|ready|booked|paid|done|left|got|need|bring|allowed|still|yet|again|so far)\b",
}
"""Patterns for the prompt in lower case: ignoring case takes four times as long."""
_PATTERNS: Final = [re.compile(form) for form in _FORMS.values()]
FORM_FEATURES: Final = tuple(_FORMS)
"""Names of the features, in the order of their values."""


_OWN: Final = tuple(
    _PATTERNS[FORM_FEATURES.index(it)] for it in ("own_fact", "recalling", "fragment")
)
SMALL_WORDS: Final = word_list("""
    the a an any some this that these those it its i m me my we us our you your he
    she they his her their them one what which who whom whose when where why how is
    are was were be been do does did can could should would will ll may must have
    has had am s not t no if or and but so as than then too also just only more most
    best first last next new for to of in on at by with from into about after before
    between without up out off over down back all each every other many much few
    need want get make write give tell explain name use find keep take put look say
    think know help show start work go come see let please there here now still
    again today whats dont cant im id
""")
"""Small words, and what stands behind an apostrophe."""
WORD_FEATURES: Final = (
    *(f"word_{it}" for it in SMALL_WORDS),
    *(f"meaning_{at}" for at in range(WIDTH)),
)
"""Names of the features, in the order of their values."""
_WORD: Final = re.compile(r"[a-z]+")


def asks_for_own(prompt: str) -> bool:
    """Return whether a prompt asks for what only a memory of its speaker can know."""
    end = end_of(prompt)
    return any(it.search(end) for it in _OWN)


def end_of(prompt: str) -> str:
    """Return the end of a prompt in lower case, of which the forms are features."""
    # What is asked stands at the end; pasted text before it has forms of its own.
    return prompt[-FORM_CHARACTERS:].lower()


# A prompt is asked about by the gate, and before its words are kept.
@lru_cache(maxsize=64)
def values_of_wording(prompt: str) -> tuple[float, ...]:
    """Return the features of a prompt's wording (`FORM_FEATURES`)."""
    end = end_of(prompt)
    return tuple(float(it.search(end) is not None) for it in _PATTERNS)


def values_of_words(text: str) -> list[float]:
    """Return the features of the words of a text in lower case (`WORD_FEATURES`)."""
    there = set(_WORD.findall(text))
    vector = array("b", vector_of(text)) or array("b", bytes(WIDTH))
    # Long texts have long vectors: only the direction counts.
    length = hypot(*vector) or 1.0
    return [
        *(1.0 if it in there else 0.0 for it in SMALL_WORDS),
        *(it / length for it in vector),
    ]
