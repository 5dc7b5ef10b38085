"""Detect sentences that assert nothing: supposed, reported, quoted, joked, unsure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from festinger.core.system.injection import addresses_assistants
from festinger.core.system.secrets import SECRET

# "Maybe", "i think", "as far as i know", "tbc", "not true", "usually": it may be otherwise.
_UNSURE: Final = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|presumably|supposedly|supposed to|allegedly|hopefully|with luck|fingers crossed"
    r"|apparently|likely|unlikely|iirc|afaik|not (?:entirely |quite |so |100 % |really )?(?:sure|certain)"
    r"|i (?:(?:would|do not|just|also|really) )?(?:think|guess|suppose|believe|assume|reckon|bet|hope|fear|wonder|doubt|heard"
    r"|read|imagine|suspect|forget|forgot|thought|assumed|understood|gather)"
    r"|(?:as|so) far as|if i (?:remember|recall|am|understand)|could be wrong|might|may be|seems?|seemed|looks like"
    r"|sounds like|feels like|kind of|sort of|kinda|sorta|in theory|theoretically|unclear"
    r"|to be (?:confirmed|decided|seen)|tbc|tbd|no idea|who knows|can not remember"
    r"|do not (?:know|remember|think|believe)|for now|for the time being|temporarily|(?:that|this|it) is (?:\w+ )?(?:wrong|nonsense|rubbish|bullshit|false)|not true|not the case|untrue|almost|nearly|sometimes|occasionally"
    r"|usually|normally|often|mostly|partly|in principle|rumou?rs?|vielleicht|wohl|peut-être)\b"
)
# "What if billing moved", "for example", "in the tutorial", "i wish".
_SUPPOSED: Final = re.compile(
    r"\b(?:would|wish|wished|could|suppose|supposing|imagine|imagining|pretend|pretending|hypothetical\w*|assuming"
    r"|assume|for example|for instance|as an example|an example|say we|let us say|let me say|in case|what if|as if|as though|were to"
    r"|for the sake of|dream\w*|dreamt|fictional|in the (?:story|novel|book|film|movie|example|tutorial|docs))\b|\be\.g\b|\bi\.e\b"
)
# "Tom says billing runs on podman": the words of somebody who is not here.
_REPORTED: Final = re.compile(
    r"\b(?:says|said|saying|claims|claimed|claiming|told|tells|asks|asked|thinks|thought|believes|believed"
    r"|reckons|suggests|suggested|insists|insisted|wrote|writes|mentions|mentioned|reports|reported"
    r"|announces|swears|swore|according to|quote|quotes|quoted|quoting|hopes|hoped|assumes|expects|expected"
    r"|wants|wanted|wonders|promises|promised|denies|denied)\b"
)
# "As I said, billing runs on podman" reports only oneself, and is taken out before the test.
_OWN_WORDS: Final = re.compile(
    r"\b(?:as|like) (?:i|we)(?: have)?(?: already)? (?:said|told|mentioned|announced)(?: you| before| yesterday)?\b"
    r"|\b(?:i|we)(?: have)?(?: just| already)? (?:said|told you|mentioned)(?: that| so)?\b"
)
# "Yeah right, billing runs on podman", "just kidding", "/s".
_JOKED: Final = re.compile(
    r"\b(?:just kidding|kidding|jk|joke|joking|jokes|sarcasm|ironic\w*|yeah right|(?:lol|haha|yeah|oh),? sure|sure thing|as always, not"
    r"|not really|in your dreams|in my dreams|good luck with that|pigs)\b|(?:^|\s)/s(?:$|\s)"
)
_QUOTED: Final = re.compile(r"[\"“”„«»]([^\"“”„«»]*)[\"“”„«»]")
_CODE: Final = re.compile(r"`([^`]*)`")
_QUOTED_WORDS_MAX: Final = 2
"""Maximum number of quoted words that are a name; more are quoted speech."""
_MARKS: Final = frozenset('"“”„«»')


_ASIDE: Final = re.compile(r"\(([^()]*)\)")  # "billing runs on podman (i think)"
_OPENING: Final = re.compile(
    r"\b(?:according to|in theory|in principle|in the (?:story|novel|book|film|movie|example|tutorial|docs)"
    r"|for example|for instance|as an example|an example|say we|let us say|suppose|imagine|pretend\w*|hypothetical\w*"
    r"|assuming|what if|in case|for the sake of|rumou?rs?)\b|\be\.g\b"
)
"""Words after which nothing in the sentence is a statement."""
NEAR_WORDS_MAX: Final = 5
"""Maximum number of words of a clause that qualifies an adjacent one: "that is what Greta claims"."""


def states_nothing(text: str) -> str:
    """Return why a typed sentence asserts nothing; empty if it may assert something."""
    if SECRET in text:
        return "a secret"
    if addresses_assistants(text):
        return "speaks to machines"
    if _is_quoting(text):
        return "quoted"
    if _JOKED.search(text.lower().replace("’", "'")):
        return "a joke"
    if any(_is_doubtful(aside.lower()) for aside in _ASIDE.findall(text)):
        return "unsure"
    return ""


def is_vetoed(small: Sequence[str], at: int, joint: str) -> bool:
    """Return whether a clause is supposed, reported, joked or uncertain.

    Args:
        small: Clauses of the sentence, in lower case, without contractions.
        joint: Separator before the clause.
    """
    # A supposition covers all that follows: "according to the readme, billing runs on podman, …".
    if any(_OPENING.search(each) for each in small[: at + 1]):
        return True
    # A short clause qualifies the one beside it: "billing runs on podman, i think".
    # An alternative of any length doubts what stands before it: "…, or was it thursday".
    if small[at + 1 : at + 2] and small[at + 1].split()[0] == "or":
        return True
    around = [small[at]]
    around += [
        each
        for each in (*small[max(0, at - 1) : at], *small[at + 1 : at + 2])
        if len(each.split()) <= NEAR_WORDS_MAX
    ]
    # A label of any length does: "the architect of the old team wrote: billing is on podman".
    if at and joint == ":":
        around.append(small[at - 1])
    return any(_is_doubtful(each) for each in around)


def _is_doubtful(small: str) -> bool:
    own = _OWN_WORDS.sub("", small)
    return any(form.search(own) for form in (_UNSURE, _SUPPOSED, _REPORTED))


def _is_quoting(text: str) -> bool:
    """Return whether a sentence quotes more than a name, or has an open quote."""
    for quoted in (*_QUOTED.findall(text), *_CODE.findall(text)):
        if len(quoted.split()) > _QUOTED_WORDS_MAX:
            return True
    # A mark that is left over opens a quotation that the sentence split has cut in two.
    rest = _QUOTED.sub("", text)
    return any(mark in rest for mark in _MARKS)
