"""The page of all settings: those of the configuration file, and a memory's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Final, get_args

import yaml
from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from festinger import config
from festinger.config.sections import Key, descriptions
from festinger.core.system.preferences import Preferences
from tools.reference.markdown import cell, prose, table

_HEAD: Final = """# Settings

Settings of a machine are in a YAML file, which `--config FILE` or `FESTINGER_CONFIG` names,
and in the environment, which outranks the file: `shim.upstream` is
`FESTINGER_SHIM__UPSTREAM`. Running processes take a changed file over; a setting with ↻
needs a restart. `festinger check` prints what is in force and where each value comes
from, `festinger check --explain` also what it is for. Settings of a memory are
[in its database](#settings-of-a-memory).

All of them are optional. This page is generated from `festinger/config`.
"""
_MEMORY: Final = """## Settings of a memory

`festinger config` lists them, `festinger config set KEY VALUE` changes one at once, for
all servers of the memory; `--tenant NAME` names another memory than `default`.
"""
_LIMITS: Final = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}


def settings_page() -> str:
    """Return the page."""
    parts = [_HEAD, *_section(config.Settings, ()), _MEMORY, _preferences()]
    return "\n".join(parts)


def _section(section: type[BaseModel], key: Key) -> Iterator[str]:
    """Yield a section's heading, its table, and the sections within it."""
    if key:
        yield f"{'#' * min(len(key) + 1, 4)} `{'.'.join(key)}`\n"
        yield prose(section.__doc__ or "") + "\n"
    below: list[tuple[Key, type[BaseModel]]] = []
    rows = []
    for name, field in section.model_fields.items():
        inner = _model_of(field.annotation)
        if inner is not None:
            below.append(((*key, name), inner))
        if not (isinstance(field.annotation, type) and inner is field.annotation):
            text = descriptions(section).get(name, "")
            rows.append(_row((*key, name), field, text))
    yield table(("setting", "default", "what it is"), rows)
    for deeper, model in below:
        yield from _section(model, deeper)


def _row(key: Key, field: FieldInfo, text: str) -> tuple[str, str, str]:
    restart = "" if config.is_live(key) else " ↻"
    limits = ", ".join(_limits(field))
    said = cell(text) + (f" ({limits})" if limits else "")
    return f"`{key[-1]}`{restart}", _default(field), said


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    if field.default_factory is not None:
        # It depends on the user.
        return "`~/.local/share/festinger`; of root `/var/lib/festinger`"
    value = field.default
    if value is None or isinstance(value, SecretStr):
        return "none"
    return f"`{_written(value)}`"


def _written(value: Any) -> str:
    """Return a default as YAML would have it, in one line."""
    if isinstance(value, tuple):
        value = [getattr(it, "value", it) for it in value]
    if not isinstance(value, bool | int | float | list | dict):
        value = str(value)
    text = yaml.safe_dump(value, default_flow_style=True, width=10**9)
    return text.removesuffix("\n").removesuffix("\n...").replace("|", r"\|")


def _limits(field: FieldInfo) -> Iterator[str]:
    for limit in field.metadata:
        for name, sign in _LIMITS.items():
            value = getattr(limit, name, None)
            if value is not None:
                yield (
                    f"{sign} {value:,}" if isinstance(value, int) else f"{sign} {value}"
                )


def _model_of(annotation: Any) -> type[BaseModel] | None:
    """Return the section that a field is, or holds some of; None for a plain value."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_model_of(it) for it in get_args(annotation))
    return next((it for it in found if it), None)


def _preferences() -> str:
    usual = Preferences()
    rows = [
        (f"`{it.name}`", f"`{getattr(usual, it.name)}`", cell(it.metadata["text"]))
        for it in fields(Preferences)
    ]
    return table(("setting", "default", "what it is"), rows)
