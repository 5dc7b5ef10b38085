"""Forms of answers: JSON schemas for models, and validation of their answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

Form = TypeVar("Form", bound=BaseModel)

# "```json\n{…}\n```": models wrap their answer, whatever they are asked for.
_FENCED = re.compile(r"\s*```[a-z]*\n(.*)\n\s*```\s*", re.DOTALL)
_LEFT_OUT = {"title", "default", "minLength", "maxLength"}
"""Keywords that providers' strict modes refuse; the constraints are checked here."""
_PROBLEMS_MAX, _PROBLEM_CHARACTERS_MAX = 5, 120


def schema_of(form: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a form, as the strict modes of all providers accept it."""
    schema = form.model_json_schema()
    definitions = schema.pop("$defs", {})
    strict: dict[str, Any] = _strict(schema, definitions)
    return strict


def read_answer(form: type[Form], text: str) -> Form:
    """Parse an answer, which may be in a code fence. Raises `ValidationError`."""
    if fenced := _FENCED.fullmatch(text):
        text = fenced[1]
    return form.model_validate_json(text)


def what_is_wrong(error: ValidationError, *, cut: bool) -> str:
    """Return the problems of an answer in terms of its fields, without quoting it."""
    if cut:
        return "it was too long and was cut; answer shorter"
    problems = [
        f"{'.'.join(map(str, each['loc'])) or 'the answer'}: {each['msg']}"
        # Without the input: the answer may hold people's words, and this goes into logs.
        for each in error.errors(
            include_url=False, include_input=False, include_context=False
        )
    ]
    shown = [problem[:_PROBLEM_CHARACTERS_MAX] for problem in problems[:_PROBLEMS_MAX]]
    # The problems may contain keys of the answer, with any characters.
    return "".join(it if it.isprintable() else "?" for it in "; ".join(shown))


def _strict(part: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(part, list):
        return [_strict(each, definitions) for each in part]
    if not isinstance(part, dict):
        return part
    # Not every strict mode knows `$ref`: the definition takes its place.
    if reference := part.get("$ref"):
        named = definitions[reference.rpartition("/")[2]]
        beside = {key: value for key, value in part.items() if key != "$ref"}
        return _strict({**named, **beside}, definitions)
    strict = {
        key: _strict(value, definitions)
        for key, value in part.items()
        if key not in _LEFT_OUT and key != "properties"
    }
    if "properties" in part:
        # Names of properties are not keywords, so all are kept.
        strict["properties"] = {
            name: _strict(value, definitions)
            for name, value in part["properties"].items()
        }
        # OpenAI's strict mode wants every property required, and no others.
        strict["required"] = list(part["properties"])
        strict["additionalProperties"] = False
    return strict
