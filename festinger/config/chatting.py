"""Settings of the bots that ask people on chat platforms."""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import AfterValidator, Field, SecretStr, field_validator, model_validator

from festinger.config.addresses import check_upstream
from festinger.config.encryption import TlsSettings
from festinger.config.sections import Address, Section, Url
from festinger.errors import ConfigurationError

_Some = TypeVar("_Some", bound=Section)

SECRET_LENGTH_MIN = 16
"""Minimum length of the webhook's secret, in characters."""


def _url_or_nothing(value: str) -> str:
    try:
        # An empty text is no address, and leaves the bot off.
        return value and check_upstream(value)
    except ConfigurationError:
        raise ValueError("must be a URL, such as https://chat.example.org") from None


_OptionalUrl = Annotated[str, AfterValidator(_url_or_nothing)]


def _whole(section: _Some, first: object, *names: str) -> _Some:
    """Check that a platform in use has all the settings that it needs.

    Args:
        first: The setting that puts the platform into use.
        names: The settings that it needs.
    """
    # With a setting missing, a bot would start that cannot post or verify.
    missing = [name for name in names if not getattr(section, name)]
    if first and missing:
        raise ValueError(f"{' and '.join(missing)} must be set, too")
    return section


class MatrixSettings(Section):
    """The bot on Matrix, which neither reads nor posts in encrypted rooms."""

    homeserver: _OptionalUrl = ""
    """The URL of the bot's homeserver; without it there is no bot on Matrix. Example:
    `https://matrix.example.org`."""
    user: str = Field(default="", pattern=r"^(@[^:\s]+:\S+)?$")
    """The bot's account. Example: `@festinger:example.org`."""
    # Not even in a traceback: see `SECRET` in `reading`.
    token: SecretStr | None = Field(default=None, repr=False)
    """The access token of that account, best in the environment
    (FESTINGER_CHAT__MATRIX__TOKEN). Never printed."""

    @model_validator(mode="after")
    def _complete(self) -> MatrixSettings:
        return _whole(self, self.homeserver, "homeserver", "user", "token")


class SlackSettings(Section):
    """The bot on Slack."""

    bot_token: SecretStr | None = Field(default=None, repr=False)
    """The app's bot token, `xoxb-…`; without it there is no bot on Slack. Best in the
    environment (FESTINGER_CHAT__SLACK__BOT_TOKEN). Never printed."""
    signing_secret: SecretStr | None = Field(default=None, repr=False)
    """The secret that Slack signs its requests with
    (FESTINGER_CHAT__SLACK__SIGNING_SECRET). Never printed."""
    api_url: Url = "https://slack.com/api"
    """The URL of Slack's API. Example: `https://slack-gov.com/api`."""

    @model_validator(mode="after")
    def _complete(self) -> SlackSettings:
        return _whole(self, self.bot_token, "bot_token", "signing_secret")


class WebhookSettings(Section):
    """Any other platform, connected through a program of the operator."""

    url: _OptionalUrl = ""
    """The URL that questions are sent to; without it there is no webhook. Example:
    `https://chat.example.org/festinger`."""
    secret: SecretStr | None = Field(default=None, repr=False)
    """The secret that both sides sign with, at least 16 characters
    (FESTINGER_CHAT__WEBHOOK__SECRET). Never printed."""

    @field_validator("secret")
    @classmethod
    def _long_enough(cls, value: SecretStr | None) -> SecretStr | None:
        # An empty variable in the environment is no secret, and leaves the webhook off.
        if value and 0 < len(value.get_secret_value()) < SECRET_LENGTH_MIN:
            raise ValueError(f"must have at least {SECRET_LENGTH_MIN} characters")
        return value

    @model_validator(mode="after")
    def _complete(self) -> WebhookSettings:
        return _whole(self, self.url, "url", "secret")


class ChatSettings(Section):
    """The bots that ask people, and take their answers."""

    address: Address = "127.0.0.1:11436"
    """HOST:PORT to listen on for answers from Slack and the webhook, which are signed;
    without either, nothing listens. Port 0 takes a free one."""
    tls: TlsSettings = TlsSettings()
    """Its certificate and key; an authority has no meaning here."""
    plain_text: bool = False
    """Permits listening beyond loopback without encryption, as behind a proxy that
    encrypts. Whoever is on the way can read answers."""
    tenant: str = Field(default="default", pattern=r"^[\w.@:+-]{1,128}$")
    """The memory whose statements people are asked about."""
    matrix: MatrixSettings = MatrixSettings()
    slack: SlackSettings = SlackSettings()
    webhook: WebhookSettings = WebhookSettings()

    @property
    def platforms(self) -> tuple[str, ...]:
        """The names of the platforms with a bot."""
        # By the setting without which there is no bot: see the sections above.
        named = {
            "matrix": self.matrix.homeserver,
            "slack": self.slack.bot_token,
            "webhook": self.webhook.url,
        }
        return tuple(name for name, value in named.items() if value)
