"""Recognition of random strings and of keys with a known form."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from math import log2
from typing import Any, Final

FORM_CHARACTERS_MAX: Final = 2048
"""How much of a run is searched for a known form; keys are shorter."""

_HEX: Final = re.compile(r"(?:[0-9a-f]+|[0-9A-F]+)")


def is_random(token: str) -> bool:
    """Return whether a token of 16 characters or more looks like a random string.

    Args:
        token: A run without white space. Paths, names and words joined by hyphens are
            not random; neither is plain hexadecimal.
    """
    # Shorter ones are too often names; addresses have patterns of their own.
    if len(token) < 16 or "://" in token or "@" in token:
        return False
    # `sk-proj-Ab3…` is judged by its longest part, a path by its longest name.
    parts = [part for part in re.split(r"[./:_=-]", token) if part]
    longest = max(parts, key=len, default="")
    # A long word, such as `internationalisation`.
    if len(longest) < 16 or (longest.isalpha() and longest.islower()):
        return False
    if _HEX.fullmatch(longest):
        return False  # a digest; a hexadecimal key is detected by its keyword
    kinds = [
        "d" if it.isdigit() else "u" if it.isupper() else "l"
        for it in longest
        if it.isalnum()
    ]
    # Random strings change often between digits, capitals and small letters; names such as
    # `Release2024Notes` do not.
    changes = sum(one != other for one, other in pairwise(kinds))
    has_digit, has_letter = "d" in kinds, {"u", "l"} & set(kinds)
    if not (has_digit and has_letter) or changes < max(4, len(longest) // 6):
        return False
    # Below it few characters come again and again, as in `ab1ab1ab1ab1ab1`.
    return _entropy(longest) > 3.0


def _entropy(token: str) -> float:
    """Return the Shannon entropy of a token's characters, in bits per character."""
    size = len(token)
    counts = {it: token.count(it) for it in set(token)}
    return -sum(count / size * log2(count / size) for count in counts.values())


def is_known_form(token: str) -> bool:
    """Return whether a detector recognises the form, such as of a service's key."""
    # The detectors' patterns take time that grows with the square of the length.
    token = token[:FORM_CHARACTERS_MAX]
    return any(next(iter(it.analyze_string(token)), None) for it in detectors())


# Once: the modules take a quarter of a second to import.
@cache
def detectors() -> tuple[Any, ...]:
    """Return detect-secrets' detectors of keys with a known form, created once."""
    from detect_secrets.plugins import (
        aws,
        discord,
        github_token,
        gitlab_token,
        jwt,
        mailchimp,
        npm,
        openai,
        pypi_token,
        sendgrid,
        slack,
        square_oauth,
        stripe,
        telegram_token,
        twilio,
    )

    return (
        aws.AWSKeyDetector(),
        discord.DiscordBotTokenDetector(),
        github_token.GitHubTokenDetector(),
        gitlab_token.GitLabTokenDetector(),
        jwt.JwtTokenDetector(),
        mailchimp.MailchimpDetector(),
        npm.NpmDetector(),
        openai.OpenAIDetector(),
        pypi_token.PypiTokenDetector(),
        sendgrid.SendGridDetector(),
        slack.SlackDetector(),
        square_oauth.SquareOAuthDetector(),
        stripe.StripeDetector(),
        telegram_token.TelegramBotTokenDetector(),
        twilio.TwilioKeyDetector(),
    )
