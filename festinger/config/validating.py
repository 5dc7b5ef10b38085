"""Settings of validation: who is asked what, how often and for how long (I4a)."""

from __future__ import annotations

import re

from pydantic import Field, field_validator

from festinger.config.sections import Cron, Section, Timezone

_PRINCIPAL = re.compile(r"[\w.@:+-]{1,128}")


class PersonSettings(Section):
    """A person who may be asked whether a statement is true."""

    matrix: str = ""
    """Their Matrix account. Example: `@alice:example.org`."""
    slack: str = ""
    """Their Slack member number. Example: `U012AB3CD`."""
    webhook: str = ""
    """Their name on the other side of the webhook."""
    moderator: bool = False
    """Whether they decide alone, and are shown what is private."""
    high: bool = False
    """Whether their statements have high priority, with hours to answer."""


class ValidationSettings(Section):
    """Questions to people about statements that are too doubtful to be held."""

    # A pilot begins with few predicates (I4a).
    predicates: tuple[str, ...] = ("t:joined", "t:worksAt")
    """The predicates for which people are asked, by URI; `*` for all. Other candidates
    wait for an operator for as long as it takes."""
    share: float = Field(default=1.0, ge=0, le=1)
    """The share of authors for whom people are asked; 0.1 starts with a tenth."""
    critical_seconds: float = Field(default=900.0, ge=60, le=86_400)
    """How long a critical candidate waits for moderators."""
    high_seconds: float = Field(default=7200.0, ge=60, le=7 * 86_400)
    """How long a candidate of high priority waits."""
    normal_seconds: float = Field(default=172_800.0, ge=60, le=60 * 86_400)
    """How long any other candidate waits."""
    person_questions_max: int = Field(default=3, ge=0, le=100)
    """Questions to one person in a day."""
    channel_questions_max: int = Field(default=10, ge=0, le=1000)
    """Questions in one channel in a day."""
    inbox_items_max: int = Field(default=5, ge=0, le=20)
    """Items of the inbox that moderators are asked about in chats, each or in their
    channel, in a day; 0 for none."""
    gold_share: float = Field(default=0.03, ge=0, le=0.5)
    """The share of questions whose answer is known already: they measure how reliable a
    person's answers are."""
    channel: str = ""
    """Where the community is asked about statements that come from no channel, as
    PLATFORM:CHANNEL; nowhere if it is empty."""
    moderator_channel: str = ""
    """Where moderators are asked, as PLATFORM:CHANNEL; in person if it is empty."""
    digest_schedule: Cron = "0 9 * * *"
    """When moderators get what waits for them in one message: a cron expression, or
    `never` to ask them one by one."""
    timezone: Timezone = "UTC"
    """The time zone of the schedule and of the daily limits. Example:
    `Europe/Berlin`."""
    console_url: str = ""
    """The URL at which people reach the console, for "More info". Example:
    `https://memory.example.org`."""
    reversed_max: float = Field(default=0.2, gt=0, le=1)
    """The share of a day's confirmed facts that may be reversed; beyond it all
    questions go to moderators for a day."""
    reversed_min: int = Field(default=5, ge=1)
    """The number of reversed facts from which `reversed_max` applies."""
    people: dict[str, PersonSettings] = Field(default_factory=dict)
    """The people who may be asked, by the name (principal) that the memory knows."""

    @field_validator("people")
    @classmethod
    def _one_account_one_person(
        cls, value: dict[str, PersonSettings]
    ) -> dict[str, PersonSettings]:
        # (platform, account) → the name that it was found with first.
        owners: dict[tuple[str, str], str] = {}
        for name, person in value.items():
            if not _PRINCIPAL.fullmatch(name):
                raise ValueError(
                    f"nobody can be called {name!r}: names are 1 to 128 letters, digits "
                    "or . @ : + - _"
                )
            for platform in ("matrix", "slack", "webhook"):
                # Nobody has accounts on all platforms.
                if not (account := getattr(person, platform)):
                    continue
                owner = owners.setdefault((platform, account), name)
                # The bot could not tell whose answer comes from that account.
                if owner != name:
                    raise ValueError(
                        f"{owner} and {name} have the same {platform} account"
                    )
        return value
