"""Schemas of the objects of the trail: an object has exactly the fields of its kind.

Names of times end in `_us`; times are whole microseconds since the epoch. Probabilities
are text: the shortest decimal that parses to the same 64-bit float, as `0.95`. An
unknown value is empty, 0 or false.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# A new field needs a new number: objects of the old form keep their CIDs.
FORM = 1

Content = Mapping[str, Any]
"""Content of an object, by field."""

_STATEMENT: Mapping[str, type] = {
    "concept": str,
    "parent": str,
    "dimension": str,
    "is_isa": bool,
    "negated": bool,
}
FORMS: Mapping[str, Mapping[str, type]] = {
    "message": {
        "sentence": str,
        "author": str,
        "message_id": str,
        "chunk_id": str,
    },
    # CIDs hash this spelling, so that it stays (I1).
    "factoid": {
        **_STATEMENT,
        "number": int,
        "external_id": str,
        "predicate": str,
        "subject_raw": str,
        "object_raw": str,
        "confidence": str,
        "source": str,
        "rule": str,
        "reason": str,
        "proposer": str,
        "author": str,
        "subject": str,
        "message": str,
        "chunk_id": str,
        "extractor_version": str,
        "prompt_hash": str,
        "model_version": str,
        "justification": str,
        "created_us": int,
    },
    "question": {
        "factoid": str,
        "number": int,
        "bot": str,
        "lane": str,
        "recipient": str,
        "channel": str,
        "text": str,
        "why": str,
        "prompt_hash": str,
        "created_us": int,
    },
    "event": {
        "factoid": str,
        "ordinal": int,
        "proposer": str,
        "responder": str,
        "role": str,
        "response": str,
        "before_visible": bool,
        "note": str,
        "bot_id": str,
        "context_message": str,
        "question_number": int,
        "delivery": str,
        "prompt_hash": str,
        "model_version": str,
        "message": str,
        "created_us": int,
    },
    "triple": {
        **_STATEMENT,
        "factoid": str,
        "stated_dimension": str,
        "events": list,
        "validated_by": list,
        "verdict": str,
        "rule": str,
        "confidence": str,
        "posterior": str,
        "prior": str,
        "critical": bool,
        # Reputations at that time, so that the decision can be repeated later.
        "raters": dict,
        "outcome": str,
        "created_us": int,
    },
}
"""Fields of each kind of object, beside `kind` and `form`."""
RATER: Mapping[str, type] = {
    "yes_skill": str,
    "no_skill": str,
    "of_true": int,
    "of_false": int,
    "bloc": str,
}
"""Fields of each entry of a triple's `raters`."""


def checked(content: object) -> Content:
    """Validate the content of an object against the schema of its kind, and return it.

    Raises:
        ValueError: It does not match; the message says why.
    """
    if not isinstance(content, dict):
        raise ValueError("an object is a map of fields")
    kind, form = content.get("kind"), content.get("form")
    # In Python, True equals 1.
    if form != FORM or isinstance(form, bool):
        raise ValueError(f"its form is {form!r}, and only {FORM} is known")
    if not isinstance(kind, str) or kind not in FORMS:
        raise ValueError(f"there is no kind {kind!r}")
    # Exactly these fields: an unknown one could say what no check looks at.
    _check(content, {"kind": str, "form": int, **FORMS[kind]}, f"a {kind}")
    # `list` and `dict` do not say what is in them.
    for name in ("events", "validated_by"):
        if not all(isinstance(each, str) for each in content.get(name, ())):
            raise ValueError(f"{name} is a list of names")
    for name, rater in content.get("raters", {}).items():
        _check(rater, RATER, f"the rater {name!r}")
    return content


def _check(content: object, form: Mapping[str, type], where: str) -> None:
    if not isinstance(content, dict):
        raise ValueError(f"{where} is a map of fields")
    for name in form.keys() - content.keys():
        raise ValueError(f"{where} has a field {name}")
    for name, value in content.items():
        if name not in form:
            raise ValueError(f"{where} has no field {name!r}")
        # Not `isinstance`: a bool is no valid int.
        if type(value) is not form[name]:
            raise ValueError(f"{name} of {where} is of another type")
