"""Set-up of the bots of all platforms that the configuration names."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import structlog
from pydantic import SecretStr

from festinger.certificates import encryption_of
from festinger.chat.accounts import PlatformAccounts
from festinger.chat.adapter import Adapter
from festinger.chat.bot import PlatformBot
from festinger.chat.bot_state import BotState
from festinger.chat.homeserver import Homeserver
from festinger.chat.listener import WebhookListener
from festinger.chat.matrix import Matrix
from festinger.chat.server import BotClient
from festinger.chat.webhook import Webhook
from festinger.config import (
    ChatSettings,
    PersonSettings,
    ServerSettings,
    ValidationSettings,
)
from festinger.lifetimes import cancel_all

log = structlog.get_logger(__name__)


class RunningBots(NamedTuple):
    """Running bots.

    Attributes:
        platforms: The platforms that they run on.
        address: HOST:PORT that receives answers; empty if no adapter needs one.
        apply: Applies changed people of the configuration.
    """

    platforms: Sequence[str]
    address: str
    apply: Callable[[ValidationSettings], None]


@asynccontextmanager
async def running(
    chat: ChatSettings,
    validation: ValidationSettings,
    directory: Path,
    server: ServerSettings,
    token: Callable[[], str | None],
    now: Callable[[], float],
) -> AsyncIterator[RunningBots]:
    """Run the bots; they survive outages of the platforms and of the memory server.

    Args:
        chat: The settings of the bots.
        validation: The settings with the people and channels.
        directory: The directory of the bots' files.
        server: The settings with the address of the memory server.
        token: Returns the bots' bearer token.

    Raises:
        FestingerError: A bot cannot start; the message says why and what to do.
    """
    # Changed in place, so that accounts of running bots are those of the configuration.
    people: dict[str, PersonSettings] = dict(validation.people)

    def apply(changed: ValidationSettings) -> None:
        """Replace the configured people."""
        people.clear()
        people.update(changed.people)

    async with AsyncExitStack() as stack:
        # The stack is undone in reverse: a bot ends before its connection and its file close.
        adapters: list[Adapter] = []
        for platform in chat.platforms:
            # A tenant's questions have numbers of their own, and so a file.
            bot_state = BotState(directory / f"{platform}-{chat.tenant}.sqlite")
            await bot_state.open()
            stack.push_async_callback(bot_state.close)
            accounts = _accounts(platform, people)
            rooms = _rooms(platform, validation)
            adapter = _adapter(platform, chat, bot_state, accounts, rooms, now)
            client = BotClient(server.address, token, chat.tenant, server.tls)
            stack.push_async_callback(client.close)
            bot = PlatformBot(adapter, bot_state, client, accounts, now=now)
            task = asyncio.create_task(bot.run(), name=f"bot on {platform}")
            task.add_done_callback(_ended)
            stack.push_async_callback(cancel_all, [task])
            adapters.append(adapter)
        # Last, so that requests find their bot; until it listens they are answered 503.
        address = await _listen(chat, adapters, stack)
        yield RunningBots(chat.platforms, address, apply)


async def _listen(
    chat: ChatSettings, adapters: Sequence[Adapter], stack: AsyncExitStack
) -> str:
    """Start the HTTP listener if any adapter has routes, and return its address."""
    routes = [route for adapter in adapters for route in adapter.routes]
    if not routes:
        return ""
    encryption = encryption_of(
        "chat", chat.address, chat.tls, plain_text=chat.plain_text
    )
    listener = WebhookListener(chat.address, routes, encryption)
    stack.push_async_callback(listener.stop)
    return await listener.start()


def _accounts(
    platform: str, people: Mapping[str, PersonSettings]
) -> Callable[[], PlatformAccounts]:
    """Return a function that returns the accounts of the current configuration."""
    return lambda: PlatformAccounts(platform, people)


def _rooms(platform: str, validation: ValidationSettings) -> list[str]:
    """Return the channels of a platform that the configuration names."""
    # Channels are configured as `matrix:!room:example.org`.
    named = (validation.channel, validation.moderator_channel)
    prefix = f"{platform}:"
    return [it.removeprefix(prefix) for it in named if it.startswith(prefix)]


def _adapter(
    platform: str,
    chat: ChatSettings,
    bot_state: BotState,
    accounts: Callable[[], PlatformAccounts],
    rooms: Sequence[str],
    now: Callable[[], float],
) -> Adapter:
    """Return the adapter of a platform, not yet started."""
    tenant = chat.tenant
    if platform == "matrix":
        server = Homeserver(chat.matrix.homeserver, _plain(chat.matrix.token))
        user = chat.matrix.user
        return Matrix(
            server, user, bot_state, accounts, rooms=rooms, now=now, tenant=tenant
        )
    if platform == "webhook":
        url, secret = chat.webhook.url, _plain(chat.webhook.secret)
        return Webhook(
            url, secret, bot_state, accounts, channels=rooms, now=now, tenant=tenant
        )
    # Imported only on use: the SDK is slow to import, and few installations need it.
    from festinger.chat.slack import Slack

    token, secret = _plain(chat.slack.bot_token), _plain(chat.slack.signing_secret)
    return Slack(
        token,
        secret,
        chat.slack.api_url,
        bot_state,
        accounts,
        channels=rooms,
        now=now,
        tenant=tenant,
    )


def _plain(secret: SecretStr | None) -> str:
    assert secret is not None  # the settings are checked
    return secret.get_secret_value()


def _ended(task: asyncio.Task[None]) -> None:
    """Log a bot that ends with an error, which nobody awaits."""
    if not task.cancelled() and (error := task.exception()):
        log.error("bot_ended", task=task.get_name(), exc_info=error)
