"""Features of a prompt's wording that tell general questions from those about one's own.

Any model answers some kinds of prompts alone: general knowledge, rewording, arithmetic,
code without a context. Their wording shows it, and so do the articles before the words
that the memory knows: "a fridge" is any, "the fridge" is ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from festinger.core.language.clausewords import LANGUAGES
from festinger.core.language.terms import words_with_terms
from festinger.core.recollection.query import READ_CHARACTERS, Query

FORM_CHARACTERS: Final = 300
"""Number of characters at the end of a prompt that are matched for its forms."""
WORDS_BETWEEN: Final = 2
"""Maximum number of words between an article and its noun: `the red delivery van`."""

_LANGUAGES: Final = "|".join(sorted(LANGUAGES))
_FORMS: Final = {
    # How the world, a language or a tool works.
    "world": r"\bwhat(?:'?s| is| are| does| do| did|s)\b.{0,40}\b(?:actually|really|exactly|mean|stand for|do|called)\b"
    r"|\bwhat(?:'?s| is| are) an?\b|\b(?:explain|define|meaning of|in (?:general|theory)|generally|typical(?:ly)?|usually"
    r"|like i'?m|eli5|cheat ?sheet|best practices?|history of|capital of|who (?:invented|wrote|discovered))\b"
    r"|\bwhy (?:is|are|do|does|did|can|would)\b|\bhow (?:does|do|is|are|did|can) (?!i\b|we\b|my\b|our\b)"
    r"|\bhow (?:many|much|long|far|old|big|fast|heavy|tall|hot|often)\b"
    r"|\bis (?:it|there) (?:an?|any|ok|okay|true|possible|correct|normal|bad|safe|better)\b",
    # One of two, by general knowledge.
    "choice": r"^\W*(?:so |hey )?(?:is|are|was|do|does|did|should)\b.{1,80}\bor\b|\bvs\.?(?= )|\bversus\b"
    r"|\bdifferen\w+ between\b|\bwhich is (?:better|right|correct)\b",
    "how_to": r"\bhow (?:do|can|should|would|could) (?:i|one|you|u)\b|\bhow to\b",
    "arithmetic": r"\b(?:times|divided by|plus|minus|per ?cent(?:age)?|sum|averages?|square|convert|fahrenheit|celsius|ounces?"
    r"|grams?|miles?|km|inch(?:es)?|gallons?|round(?:ed)?|calculate|compound interest)\b|\d\s*[-+*/\u00d7x^]\s*\d|\d ?%",
    "code": r"\b(?:css|html|sql|regex|bash|zsh|awk|sed|jq|grep|vim|tmux|latex|bibtex|excel|formula|python|javascript|typescript"
    r"|rust|golang|one-?liner|snippet|syntax|function|variable|loop|shortcut|command|algorithm)\b|`[^`]+`|[{}\\;]",
    "fiction": r"\b(?:poems?|haikus?|limericks?|jokes?|puns?|riddles?|songs?|lyrics|quiz(?:zes)?|stor(?:y|ies)|fun fact|recipes?"
    r"|playlist|film|movie|novel|toast|slogan|captions?|names? for|title for|ideas? for|gifts?)\b",
    "wording": rf"\b(?:in|into|to|from) (?:{_LANGUAGES})\b|\bhow (?:do|does|would|should|to|you|u)\b.{{0,12}}\b(?:say|spell|pronounce|write it)\b"
    r"|\b(?:spell|pronounce|plural of|synonyms?|rhym\w+|translat\w+|grammar|proof-?read|re-?phrase|re-?word|typos?)\b"
    r"|\b(?:short(?:er|en)|summari[sz]e|tl;?dr|(?:more|less|too|very) (?:formal|friendly|casual|stiff|bossy|rude|direct|professional)"
    r"|(?:im)?polite(?:ly)?|(?:another|better|nicer|good|decent) (?:word|way|name|title|wording)s?"
    r"|in (?:one|two|three|five|\d) (?:lines?|sentences?|words?|bullets?|paragraphs?))\b|[\"“][^\"”]{8,}[\"”]",
    # Something is to be done, which seldom needs nothing.
    "task": r"\b(?:write|draft|prepare|plan|book|order|make|create|set up|send|remind|update|fix|add|list|put|schedule|tell|call|invite"
    r"|reserve|pack|answer|reply|fill|assign|deploy|ship|open|check|compose|arrange|text|mail|email|build|move|run|start|change|cancel|pay)\b",
    # The speaker's own affairs and dates.
    "ours": r"\b(?:we|our|ours|us|my|mine|today|tonight|tomorrow|tmrw|(?:this|next) (?:week|month|year)|mondays?|tuesdays?|wednesdays?|thursdays?"
    r"|fridays?|saturdays?|sundays?|still|again|now|who|whom|whose|when|where)\b",
}
"""Patterns for the prompt in lower case: ignoring case takes four times as long."""
_PATTERNS: Final = [re.compile(form) for form in _FORMS.values()]
FORM_FEATURES: Final = (*_FORMS, "definite", "indefinite")
"""Names of the features, in the order of their values."""
_DEFINITE: Final = frozenset(
    ["the", "my", "our", "this", "that", "these", "those", "his", "her", "their", "your", "its"]
)  # fmt: skip
# "A fridge" is any fridge, which no memory needs to know.
_INDEFINITE: Final = frozenset(["a", "an", "any", "some", "one"])
_ARTICLES: Final = _DEFINITE | _INDEFINITE


def values_of_wording(query: Query, known: int) -> tuple[float, ...]:
    """Return the features of a prompt's wording (`FORM_FEATURES`).

    Args:
        known: Bit mask of the query's terms that lines of the memory have.
    """
    # What is asked stands at the end; pasted text before it has forms of its own.
    end = query.prompt[-FORM_CHARACTERS:].lower()
    forms = [float(it.search(end) is not None) for it in _PATTERNS]
    return (*forms, *_shares_with_articles(query, known))


def _shares_with_articles(query: Query, known: int) -> Sequence[float]:
    """Return the shares of a prompt that are known words behind the, and behind a."""
    worth = {
        term: weight * idf
        for term, weight, idf in zip(query.terms, query.weights, query.idf, strict=True)
    }
    whole = sum(worth.values()) or 1.0
    wanted = {term for at, term in enumerate(query.terms) if known >> at & 1}
    shares = [0.0, 0.0]
    before: list[str] = []
    for word, found in words_with_terms(query.prompt[-READ_CHARACTERS:]):
        first = wanted.intersection(found)
        if first and (kind := _article(before)) is not None:
            shares[kind] += sum(worth[it] for it in first) / whole
        # Only the first mention counts: "a van … the van" is any van.
        wanted -= first
        # "A quote for the client": other words without terms end the reach of an article.
        is_near = found or word in _ARTICLES
        before = [*before[-WORDS_BETWEEN:], word] if is_near else []
    return shares


def _article(before: Sequence[str]) -> int | None:
    """Return 0 for the nearest definite article, 1 for an indefinite one, else None."""
    for word in reversed(before):
        if word in _DEFINITE:
            return 0
        if word in _INDEFINITE:
            return 1
    return None
