"""Join sentences that take back or doubt the one before to that one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from festinger.core.language.sentences import ProseSentence

WORDS_MAX: Final = 8
"""Maximum number of words of such a sentence: "that's only what Greta claims"."""

_LEAD: Final = r"(?:(?:oh|ah|hm+|no|wait|sorry|haha+|lol|ok|okay|well|or|but|actually|just|only)\b[\s,.!…]*)*"
_THAT: Final = r"(?:that|this|it|all that|what i (?:just )?(?:said|wrote))"
# "Scratch that", "no wait, forget what I said", "just kidding :)", "never mind".
_WITHDRAWN: Final = re.compile(
    rf"{_LEAD}(?:(?:scratch|strike|forget|ignore|disregard) {_THAT}|never ?mind(?: {_THAT})?|nvm"
    r"|(?:i (?:am|was)|i.m)? ?(?:kidding|joking)|jk|(?:that|this|it)(?:.s| is| was) (?:just |only )?a joke)(?:[ ,]+(?:sorry|haha+|lol|please|pls))?",
)
_MINDED: Final = re.compile(r"\bmind|\bnvm", re.IGNORECASE)
# "At least I think so", "or was it the other way round", "not sure though", "that's what Greta claims", "that's wrong".
_QUALIFIED: Final = re.compile(
    rf"{_LEAD}(?:(?:at least )?i (?:think|guess|believe|hope|suppose|assume)(?: so| that| it is)?(?: at least| anyway)?"
    r"|(?:i.m |i am )?not (?:(?:so |quite |entirely |100 % )?(?:sure|certain)|true|really)(?: (?:about (?:that|it)|though|yet))*"
    r"|(?:at least )?(?:(?:that|this|it)(?:.s| is| was) )?(?:(?:only|just) )?what [^\s,]+(?: [^\s,]+)? (?:claims?|says|said|thinks?|heard|read)"
    r"|(?:that|this|it)(?:.s| is| was) (?:(?:just|only|all|probably|maybe|of course|complete|total|a) )*"
    r"(?:wrong|not true|untrue|false|nonsense|rubbish|guess|guesses|rumou?r|bullshit)"
    r"|(?:was|is|were|are) (?:it|that|they) (?:the )?other way a?round|the other way a?round"
    r"|(?<=\bor )(?:maybe|perhaps|possibly)(?: \S+){1,4}"
    r"|so (?:i|we) (?:heard|was told|were told|read)|or so (?:i|he|she|they|we|it) [^\s,]+"
    r"|i (?:may|might|could) be wrong|(?:please )?correct me if i.?(?:a?m) wrong|if i (?:remember|recall)(?: (?:right|correctly|it right))?"
    # "Well maybe 3000", "or maybe at the lake".
    r"|(?:maybe|perhaps|possibly) (?:(?:more like|even|on|at|in|by|around|about|the) )*(?:\S*\d|[^\W\d]{3,6}days?\b)\S*(?: \S+){0,2}"
    r"|(?:maybe|perhaps|probably|tbc|tbd|to be confirmed|iirc|afaik)(?: (?:not|so))?)",
)
_CLOSING: Final = " .!…,;:)('’\"😄🙂😅😉😂🤣👍"


def joined(sentences: Sequence[ProseSentence]) -> list[ProseSentence]:
    """Return sentences with each afterthought joined to the sentence before it.

    "The fee is 70 euros. At least I think so." is one sentence, so that its first half is
    neither read nor quoted alone. One that is withdrawn at the end of the turn ("scratch
    that") is left out.
    """
    found: list[ProseSentence] = []
    for at, each in enumerate(sentences):
        withdraws = bool(found) and _is(_WITHDRAWN, each.text)
        if withdraws and at == len(sentences) - 1:
            found.pop()
        # "It is with Lena", behind a withdrawal, needs to be read with what was withdrawn.
        elif withdraws or (found and _is(_QUALIFIED, each.text.rstrip("?"))):
            found[-1] = found[-1]._replace(text=f"{found[-1].text} {each.text}")
        else:
            found.append(each)
    return found


def is_withdrawal(text: str) -> bool:
    """Return whether a message takes back the one before: "scratch that"."""
    # "Never mind" alone rather ends a request.
    return _is(_WITHDRAWN, text) and not _MINDED.search(text)


def _is(form: re.Pattern[str], text: str) -> bool:
    # Most sentences are longer.
    return (
        len(text.split()) <= WORDS_MAX
        and form.fullmatch(text.lower().replace("’", "'").strip(_CLOSING)) is not None
    )
