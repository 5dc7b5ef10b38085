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


def _fields(*, texts: str, ints: str = "", bools: str = "") -> dict[str, type]:
    """Return the fields with these names, by the types of their values."""
    kinds = ((texts, str), (ints, int), (bools, bool))
    return {name: kind for names, kind in kinds for name in names.split()}


_STATEMENT = _fields(texts="concept parent dimension", bools="is_isa negated")
FORMS: Mapping[str, Mapping[str, type]] = {
    "message": _fields(texts="sentence author message_id chunk_id"),
    # CIDs hash this spelling, so that it stays (I1).
    "factoid": _STATEMENT
    | _fields(
        texts="""
            external_id predicate subject_raw object_raw confidence source rule reason
            proposer author subject message chunk_id extractor_version prompt_hash
            model_version justification
        """,
        ints="number created_us",
    ),
    "question": _fields(
        texts="factoid bot lane recipient channel text why prompt_hash",
        ints="number created_us",
    ),
    "event": _fields(
        texts="""
            factoid proposer responder role response note bot_id context_message
            delivery prompt_hash model_version message
        """,
        ints="ordinal question_number created_us",
        bools="before_visible",
    ),
    "triple": _STATEMENT
    | _fields(
        texts="""
            factoid stated_dimension verdict rule confidence posterior prior outcome
        """,
        ints="created_us",
        bools="critical",
    )
    # Reputations at that time, so that the decision can be repeated later.
    | {"events": list, "validated_by": list, "raters": dict},
}
"""Fields of each kind of object, beside `kind` and `form`."""
RATER = _fields(texts="yes_skill no_skill bloc", ints="of_true of_false")
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
