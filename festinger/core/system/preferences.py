"""Settings that a tenant can change at run time: the rows of the `config` table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from typing import Any

from festinger.config.schedules import check_cron, check_timezone


class Position(StrEnum):
    """Position of the block in a prompt (D5)."""

    STICKY = "sticky"
    """At the head of the system message on a session's first request, and repeated
    there on later ones; later additions at the end of the newest user message."""
    SYSTEM = "system"
    """At the head of the system message, on every request."""
    RECENT = "recent"
    """At the head of the newest user message."""
    OFF = "off"
    """No block."""


class Switch(StrEnum):
    """State of a setting that can be turned on or off."""

    ON = "on"
    OFF = "off"


def _setting(default: Any, text: str) -> Any:
    """Return a field with its default and the help text of the setting."""
    return field(default=default, metadata={"text": text})


@dataclass(frozen=True, slots=True)
class Preferences:
    """Settings of a tenant, with the defaults of the specification."""

    saliency_read_threshold: float = _setting(
        0.5, "Saliency or novelty from which a concept is recalled, from 0."
    )
    recollection_confidence_floor: float = _setting(
        0.6, "Confidence below which a fact is not told, from 0 to 1."
    )
    recollection_recency_days: float = _setting(
        90.0, "Days after which an unconfirmed fact is not told."
    )
    recollection_max_concepts: int = _setting(12, "Concepts in a block, at most.")
    recollection_position: Position = _setting(  # noqa: RUF009 - a constant
        Position.STICKY, f"Where the block goes: {', '.join(Position)}."
    )
    recollection_tokens: int = _setting(
        200,
        "Tokens that quotations of what people said may take in a block; 0 for none, "
        "up to 2000.",
    )
    hints_per_block: int = _setting(
        1, "Unknown concepts that a block asks about, at most; 0 for none."
    )
    recollection_max_memories: int = _setting(
        5,
        "Memories of the person who speaks in a block, at most; 0 for none, up to 50.",
    )
    saliency_write_threshold: float = _setting(
        1.2,
        "Saliency from which a model that reads is asked what an unknown concept is, "
        "from 0.",
    )
    reading: Switch = _setting(  # noqa: RUF009 - a constant
        Switch.ON,
        "Whether a model reads what people said when nobody waits: on, off. Which one, "
        "the configuration says (learning.model).",
    )
    resolve_model_id: int = _setting(0, "The model that settles conflicts; 0 for none.")
    extract_model_id: int = _setting(
        0, "The model that reads memories out of conversations; 0 for none."
    )
    review_cycle_candidates: int = _setting(
        50, "Candidates of documents that people review at a time, from 1 to 1000."
    )
    guess_model_id: int = _setting(
        0, "The model that guesses what an ambiguous sentence states; 0 for none."
    )
    guess_sentences_max: int = _setting(
        200, "Sentences that it is asked about in a day (UTC), at most; 0 for none."
    )
    dream_model_id: int = _setting(
        0, "The model that looks into what people rejected or left; 0 for none."
    )
    # After the resolver, which is due at two o'clock.
    dream_schedule: str = _setting(
        "30 3 * * *", "When it does: as resolution_schedule."
    )
    resolution_schedule: str = _setting(
        "0 2 * * *",
        "When it does: a cron expression (minute, hour, day, month, weekday) or never.",
    )
    resolution_timezone: str = _setting(
        "UTC", "Where that is meant: an IANA name, such as Europe/Berlin."
    )
    daily_token_budget: int = _setting(
        500_000,
        "Tokens sent to and received from models in a day (UTC), all in all; 0 for no "
        "limit.",
    )

    @classmethod
    def from_rows(cls, rows: Mapping[str, str]) -> tuple[Preferences, list[str]]:
        """Parse the rows of the `config` table.

        Returns:
            The preferences, and a message for each invalid row, for which the default
            is used.
        """
        preferences, complaints = cls(), []
        # Rows of other versions' settings are ignored.
        for name in _NAMES & rows.keys():
            try:
                value = read_setting(name, rows[name])
            except ValueError as error:
                # One wrong row must not keep the memory from being served.
                default = getattr(cls(), name)
                complaints.append(
                    f"config {name} is {rows[name]!r}: {error}; {default} is used"
                )
            else:
                preferences = replace(preferences, **{name: value})
        return preferences, sorted(complaints)

    def rows(self) -> dict[str, str]:
        """Return the preferences as rows of the `config` table."""
        return {name: str(value) for name, value in asdict(self).items()}


def explanations() -> dict[str, str]:
    """Return the help text of each setting, by name."""
    return {each.name: each.metadata["text"] for each in fields(Preferences)}


def read_setting(name: str, text: str) -> Any:
    """Return the value of a setting, parsed from its text in the `config` table.

    Raises:
        KeyError: There is no such setting.
        ValueError: The value is invalid; the message says why.
    """
    if name not in _NAMES:
        raise KeyError(name)
    # Times of schedules and zones are checked by parsing them.
    if check := _CHECKS.get(name):
        return check(text)
    # The type of the default is that of the setting.
    kind = type(getattr(Preferences(), name))
    try:
        value = kind(text)
        # The comparison also refuses NaN and infinity.
        if isinstance(value, int | float) and not 0 <= value <= _MAXIMA.get(name, _MAX):
            raise ValueError
    # The message names what is permitted, not what Python said.
    except ValueError:
        to = f" to {_MAXIMA[name]}" if name in _MAXIMA else ""
        raise ValueError(f"it must be a {_KINDS[kind]}{to}") from None
    return value


_MAX = 2**31 - 1
"""Maximum of all numeric settings, so that no code has to handle larger numbers."""
_MAXIMA = {
    "recollection_confidence_floor": 1,
    # The texts of these settings name the same limits.
    "recollection_max_memories": 50,
    "recollection_tokens": 2000,
}
_NAMES = {setting.name for setting in fields(Preferences)}
_CHECKS: Mapping[str, Callable[[str], str]] = {
    "dream_schedule": check_cron,
    "resolution_schedule": check_cron,
    "resolution_timezone": check_timezone,
}
_KINDS = {
    int: "whole number from 0",
    float: "number from 0",
    Position: f"position ({', '.join(Position)})",
    Switch: "switch (on, off)",
}
