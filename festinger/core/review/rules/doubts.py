"""Checks that a sentence is a statement: no question, condition, placeholder …"""

from __future__ import annotations

import re

from festinger.core.review.prose import OPAQUE, PlainSentence

CONTENT_CHARACTERS_MIN = 3
"""A shorter text is an abbreviation."""

# Words of a supposition, plan, example, report or past: "we could", "used to", "according to".
_SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|would|could|might|maybe|perhaps|suppos\w*|imagin\w+"
    r"|assum\w+|hypothetically|probably|possibly|wish|hope|propos\w+|consider\w*"
    r"|suggest\w*|thinking (?:of|about)|(?:not|un)\s?sure|i (?:think|guess)|i'd|we'd"
    r"|todo|tbd|fixme|e\.g\.|for (?:example|instance)|what if|let's say|pretend"
    r"|according to|allegedly|supposedly|reportedly|previously|formerly|originally"
    r"|initially|at first|back then|used to|no longer|revert\w*|revers\w+|supersed\w+"
    r"|obsolete|undecided|necessarily)\b",
    re.IGNORECASE,
)
# In a typed line only at its begin: "Decision: use X if Y" is one, "Decision: maybe X" is none.
_SUPPOSED_FROM_THE_START = re.compile(
    r"(?:if|unless|whether|would|could|might|maybe|perhaps|suppos\w*|imagine|what if"
    r"|should (?:we|i|it)|todo|tbd|fixme|propos\w+|rejected|superseded)\b",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(
    r"(?::|\b(?:following|e\.g|i\.e|such as|like|when|if|where|that|which|and|or|of|to|for"
    r"|with|at|from|via|into|under|the|an?)[.,]?)$",
    re.IGNORECASE,
)
"""Ends of a sentence that goes on in a list or a block of code."""
_PLACEHOLDER = re.compile(  # a typed line that is not filled in: "Decision: TBD"
    r"(?:t\.?b\.?[da]\.?|to be (?:decided|defined|done|determined)|none|n/?a|nil|pending"
    r"|open|unknown|undecided|todo|nothing|yes|no|ok|see (?:below|above)|\W*)[\s.!]*",
    re.IGNORECASE,
)
_OPEN = re.compile(  # "Not decided yet"
    r"(?:\bnot|n['’]t)(?: yet)?(?: been)? (?:decided|agreed|settled|made|taken|known)\b"  # noqa: RUF001
    r"|\bno decision\b|\bundecided\b",
    re.IGNORECASE,
)
# "<name>", "{{ x }}", "${VAR}", "[link]": still a template.
_TEMPLATE = re.compile(r"<[^<>]+>|\{[^{}]*\}|\$\{|\[[^\[\]]*\]$|^(?:\.\.\.|…)")
# Sentences of licences are in many projects, and state nothing of this one.
_BOILERPLATE = re.compile(
    r"\b(?:copyright|permission notice|warrant(?:y|ies)|liab(?:le|ility)|sublicen[sc]\w*"
    r"|merchantability|all rights reserved|redistribut\w+|trademarks?|hereby|pull requests?"
    r" (?:are )?welcome)\b",
    re.IGNORECASE,
)
NO_SUBJECT = re.compile(
    r"(?:you|your|it|its|this|that|these|those|they|he|she|i|there|one|here|what|who"
    r"|which|whoever|whatever|where|why|how|when|whenever|while|before|after|once|until"
    r"|though|although|because|since|as|for|in|on|at|by|with|without|from|to|of|and|but"
    r"|or|so|then|please|note|also|not|no|none|nothing|nobody|neither|nor|never|some"
    r"|something|somebody|someone|anything|everything|readers?|people|even|only|just"
    r"|first|next|finally|instead|such|redistributions?|remember|make|see|use|life|why"
    r"|however|ideally|otherwise|both|usually|typically|another|everyone|anyone|similarly"
    r"|additionally|furthermore|moreover|therefore|thus|hence|again|currently|whereas|firstly|second|secondly|thirdly|lastly"
    r"|care)\b",
    re.IGNORECASE,
)
"""Words that are unclear outside of the text, or that are not the subject."""
CUT_SUBJECT = re.compile(
    r"(?:^|\s)(?:an?|the|that|which|who|to|you|it|they|we've|not|never|\w+n['’]t)$"  # noqa: RUF001
    r"|\s(?:we|i|he|she|what|whom|(?:at|in|on|to|for|from|by|with) which)$"
    r"|\s(?:we|they|you|it|i|he|she|what|whom|(?:at|in|on|to|for|from|by|with) which)\s",
    re.IGNORECASE,
)
"""A subject that ends in the middle, or has a clause of its own, is not the subject."""
_POINTS_BACK = re.compile(  # needs what stands above: "the latter", "option 2"
    r"\b(?:the above|above[- ]mentioned|(?:described|mentioned|listed) (?:above|below|earlier)"
    r"|aforementioned|between the two|options? (?:\(?\d|[a-d]\b))"
    r"|^(?:\S+ ){0,3}the (?:former|latter|two)\b",
    re.IGNORECASE,
)
_OBJECT_BACK = re.compile(
    r"(?:\b(?:decided|agreed|settled|opted|chose|chosen)|^(?:use|adopt))(?: not)?"
    r"(?: (?:to|on|that|against|for))? (?:(?!because|since|as\b|so\b)[^\s,;]+ ){0,3}?"
    r"(?:(?:it|them|either|neither|both)\b|(?:this|these|those)(?= (?:for|in|on|as|to)\b|\W|$))",
    re.IGNORECASE,
)
"""A pronoun before there is a noun of the same clause that it can mean."""
_ENDS = " \t.;,:!…-–—"  # noqa: RUF001


def is_meant(sentence: PlainSentence) -> bool:
    """Return True if a sentence states something: no question, supposition or past."""
    guarded = sentence.guarded
    # A question may end in a quotation mark or in a placeholder of one.
    if guarded.rstrip(f"{OPAQUE}\"'”’») ").endswith("?"):  # noqa: RUF001
        return False
    return _SUPPOSED.search(guarded) is None and _UNFINISHED.search(guarded) is None


def points_back(text: str) -> bool:
    """Return True if a statement is about what stands elsewhere: "the latter" …"""
    return _POINTS_BACK.search(text) is not None


def decides_back(text: str) -> bool:
    """Return True if a decision is about what stands elsewhere: "to use it" …"""
    return points_back(text) or _OBJECT_BACK.search(text) is not None


def is_content(text: str) -> bool:
    """Return True if a text that is marked as a decision or the like has a content."""
    # A typed question ("Decision: Postgres?") is open.
    if len(text) < CONTENT_CHARACTERS_MIN or text.rstrip("\"'”’» ").endswith("?"):  # noqa: RUF001
        return False
    if _SUPPOSED_FROM_THE_START.match(text) or _PLACEHOLDER.fullmatch(text):
        return False
    return _TEMPLATE.search(text) is None and _OPEN.search(text) is None


def is_boilerplate(text: str) -> bool:
    """Return True for sentences of licences and the like, which are in many projects."""
    return _BOILERPLATE.search(text) is not None


def cleaned(text: str) -> str:
    """Return a statement without trailing punctuation, with single blanks."""
    return " ".join(text.split()).rstrip(_ENDS)
