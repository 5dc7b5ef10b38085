"""Client of Slack's Web API that tells an outage from a refusal."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from festinger.chat.adapter import PersonUnreachable, PlatformAway
from festinger.chat.payloads import Payload
from festinger.chat.wording import text_of

SECONDS_MAX: Final = 30
RATE_RETRIES_MAX: Final = 5
PAGE_SIZE: Final = 200
# Time or the operator can mend these; all other errors are about the channel or person.
_AWAY: Final = frozenset(
    {
        "account_inactive", "fatal_error", "internal_error", "invalid_auth",
        "not_authed", "ratelimited", "request_timeout", "service_unavailable",
        "team_added_to_org", "token_expired", "token_revoked",
    }
)  # fmt: skip


class SlackApi:
    """Client of the Web API.

    Args:
        url: The base URL of the Web API.
        token: The bot token.
    """

    def __init__(self, url: str, token: str) -> None:
        # Only rate-limited calls are retried: after a broken connection it is unknown whether
        # the message was posted, and `Slack.digest` looks for it.
        retries = AsyncRateLimitErrorRetryHandler(max_retry_count=RATE_RETRIES_MAX)
        self._client = AsyncWebClient(
            token, f"{url}/", SECONDS_MAX, retry_handlers=[retries]
        )

    async def open(self) -> None:
        """Open the session."""
        self._client.session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=SECONDS_MAX)
        )

    async def close(self) -> None:
        """Close the session."""
        if self._client.session:
            await self._client.session.close()

    async def all(
        self, method: str, field: str, **values: Any
    ) -> AsyncIterator[Payload]:
        """Yield the items of all pages of a list."""
        cursor = ""
        while True:
            page = await self.call(method, limit=PAGE_SIZE, cursor=cursor, **values)
            for item in page.get(field, ()):
                yield item
            cursor = text_of(page, "response_metadata", "next_cursor")
            if not cursor:
                break

    async def call(self, method: str, **values: Any) -> Mapping[str, Any]:
        """Make a call.

        Raises:
            PlatformAway: There is no answer, or a retry may succeed.
            PersonUnreachable: Slack refuses the call.
        """
        try:
            response = await self._client.api_call(method, json=values)
        except SlackApiError as error:
            status = getattr(error.response, "status_code", 0)
            data = getattr(error.response, "data", None)
            code = text_of(data, "error") or f"status {status}"
            # A proxy's page has no error code, and says nothing about the person.
            if code in _AWAY or status >= 429 or not isinstance(data, dict):
                raise PlatformAway(f"Slack answers {code} to {method}") from None
            raise PersonUnreachable(f"Slack refuses {method}: {code}") from None
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            words = str(error) or type(error).__name__
            raise PlatformAway(f"Slack does not answer: {words}") from None
        data = response.data
        return data if isinstance(data, dict) else {}
