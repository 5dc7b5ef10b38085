"""Tell the words that sentences are about from those that any sentence may have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from typing import Final

from festinger.core.language.terms import stem, terms
from festinger.core.system.wordsets import word_set

_CHANGE_WORDS: Final = word_set("""
    add again back cancel change drop instead leave left migrate move new old quit
    rename replace sold stop swap switch update actual extend delay postpone
""")
"""Words that say that something changes, and not what."""
_TIME_WORDS: Final = word_set("""
    monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat
    sun january february march april may june july august september october november
    december today tomorrow yesterday tonight morning afternoon evening night day week
    month year hour minute time date until till since last next first late early soon
    weekend start end begin
""")
"""Words that say when: two things on one monday have nothing else in common."""
_COMMON_WORDS: Final = word_set("""
    ask bring come feel find get give go hope keep know like live look make mean
    need person people put say said see send stay take talk tell thing think thought try
    use want wish work done do way bit lot name number second third
""")
"""Words that go with any topic: what people do, say and think of."""
_STEMS: Final = frozenset(map(stem, _CHANGE_WORDS | _TIME_WORDS | _COMMON_WORDS))

# "We might move", "if they raise it again", "Tom wants to switch": nothing has changed yet.
_SUPPOSED: Final = re.compile(
    r"^\W*(?:(?:and|but|so|ok|well)\s+)?(?:if|suppose|supposing|what if)\b"
    r"|\b(?:(?:might|may|could)\s+(?:\w+\s+)?(?:move|switch|change|cancel|leave|quit|sell|drop|replace)"
    r"|thinking\s+(?:of|about)|wants?\s+to|would|maybe)\b"
)
# "Ines quit", "we sold the van", "Otto is on parental leave": news that ends what was so.
_ENDING: Final = re.compile(
    r"\b(?:quit|quits|resign\w*|retir\w*|fired|left|leaves|leaving|sold|died|dead|dies"
    r"|gone|mov(?:ed|ing) (?:out|away|on)|broke|broken|lost|cancel\w*|called off"
    r"|no longer|any ?more|stop\w*|end(?:s|ed)|replac\w*|swap\w*|renam\w*"
    r"|step\w* (?:down|in)|t(?:akes?|aking|ook) over|hand\w* over|instead|former|used to"
    r"|on (?:\w+ )?leave|not|never)\b|n\Wt\b",
    re.IGNORECASE,
)

# "Ines quit", "Otto has left us", but not "Otto left the keys" and "Ines quit smoking".
_NAME: Final = r"(?P<name>[A-ZÀ-Þ][\w-]*(?:\s[A-ZÀ-Þ][\w-]*)?|[a-z]+-[\w-]+)"
_GONE: Final = tuple(
    re.compile(form)
    for form in (
        rf"\b{_NAME}\s+(?:(?:has|have|had|just|also|sadly|finally)\s+)*"
        r"(?:quit(?!\s\w+ing)|resigned|retired|died|passed away|moved out"
        r"|left(?=\W*$|[,.;!]|\s(?:us|yesterday|last|on|in)\b|\s[A-Z]|\sthe (?:company|team|club|group|band|firm)\b))\b",
        rf"\b{_NAME}(?:\W?s|\s+(?:is|was|has been|got))\s+(?:now\s+|just\s+|been\s+)*"
        r"(?:dead|gone|sold|stolen|fired|cancelled|canceled|retired|leaving|moving out)\b",
        # "We sold the Volvo", "they cancelled Foghorn".
        r"\b(?:sold|cancelled|canceled|ditched|scrapped|dropped|fired|got rid of|gave away)\s+"
        rf"(?:(?:the|our|my|his|her|their)\s+)?(?:old\s+)?{_NAME}",
    )
)


def topics(words: Iterable[str]) -> Set[str]:
    """Return the terms that name something a sentence is about, among its terms.

    "We should move to podman" and "moved it to friday" share only what happens, and "25
    people" and "at 04:25" only a number.
    """
    return {it for it in words if not it.isdigit() and it not in _STEMS}


def is_code(term: str) -> bool:
    """Return whether a term names a thing and nobody: `c8`, `rack-2`."""
    return any(map(str.isdigit, term))


def is_supposed(text: str) -> bool:
    """Return whether a sentence only supposes or plans a change."""
    # Ignoring case takes several times as long.
    return _SUPPOSED.search(text.lower()) is not None


def ends(text: str) -> bool:
    """Return whether a sentence says that somebody or something is there no longer."""
    return _ENDING.search(text) is not None


@lru_cache(maxsize=2_000)
def gone_names(text: str) -> Sequence[Set[str]]:
    """Return the names of whom and what a sentence says that they are gone, as terms."""
    names = (match["name"] for form in _GONE for match in form.finditer(text))
    # Of "rack-b" the whole only: the rest of the rack is still there.
    found = [
        frozenset(terms(name)[:1] if "-" in name else terms(name)) for name in names
    ]
    return tuple(filter(None, found))
