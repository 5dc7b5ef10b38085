"""Translation of providers' failures to errors, of which some allow a retry."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from festinger import errors
from festinger.core.system.models import Model, Provider
from festinger.llm.interface import TryAgain

ANSWER_BYTES_MAX = 2**20
"""The maximum size of an answer, in bytes; usual ones have a few kilobytes."""
# An address that does not answer at all; a model may take minutes to load after that.
CONNECT_SECONDS_MAX = 10.0
"""Seconds until a connection is given up."""

# Words of an error code only: anything else may quote the key or the question.
_CODE = re.compile(r"[a-z][a-z0-9_]{0,40}")
_USED_UP = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
"""Codes of OpenAI's API with status 429 for which a retry is useless."""


class TooLarge(Exception):
    """An answer is larger than `ANSWER_BYTES_MAX`, or compressed."""


class NotTaken(errors.ModelRefused):
    """Refusal of the request itself."""


def of_status(
    model: Model, status: int, headers: Mapping[str, str], body: Any
) -> TryAgain | errors.ModelError:
    """Return the error for an answer with an unsuccessful status."""
    code = _code_of(body)
    said = f"{status} {code}" if code else str(status)
    number = str(model.id)
    match status:
        case 401 | 403:
            return errors.ModelRefused(
                f"{model}: its key is not accepted ({said}). It may have expired: "
                f"remove the model and add it again with a new key",
                model_id=number,
            )
        case 404:
            pull = (
                f". Fetch it: ollama pull {model.name}"
                if model.provider is Provider.OLLAMA
                else ". Its name, or its address, is wrong"
            )
            return errors.ModelRefused(
                f"{model}: there is no such model ({said}){pull}", model_id=number
            )
        # A limit per minute passes; a quota that is used up does not.
        case 429:
            error = errors.ModelExhausted(
                f"{model}: the provider's quota is used up ({said}). Wait, or raise it "
                "with the provider",
                model_id=number,
            )
            return error if code in _USED_UP else TryAgain(error, retry_after(headers))
        # Timeout and conflict, which the APIs document as transient.
        case _ if status in {408, 409} or status >= 500:
            return TryAgain(
                _unavailable(model, f"it answered {said}"), retry_after(headers)
            )
    return NotTaken(
        f"{model}: the provider refuses the request ({said}). Try another model, or "
        "another address",
        model_id=number,
    )


def of_connection(model: Model) -> TryAgain:
    """Return the error for a failed or lost connection."""
    return TryAgain(_unavailable(model, "it cannot be reached"))


def of_garbage(model: Model) -> TryAgain:
    """Return the error for an answer that does not follow the provider's API."""
    return TryAgain(_unavailable(model, "what answers there does not speak its API"))


def of_size(model: Model) -> errors.BadAnswer:
    """Return the error for an answer that is too large."""
    return errors.BadAnswer(
        f"{model}: its answer was not read, since it has more than {ANSWER_BYTES_MAX} "
        "bytes, or came packed. Another model, or address, may do better",
        model_id=str(model.id),
    )


def _unavailable(model: Model, what: str) -> errors.ModelUnavailable:
    return errors.ModelUnavailable(
        f"{model}: {what}. See whether its provider works, and whether its address is "
        "right: festinger system models",
        model_id=str(model.id),
    )


def _code_of(body: Any) -> str:
    """Return the provider's error code; empty if there is none."""
    if isinstance(body, dict):
        # OpenAI's and Anthropic's errors are within `error`; others put them at the top.
        error = body.get("error", body)
        if isinstance(error, dict):
            for word in (error.get("code"), error.get("type")):
                if isinstance(word, str) and _CODE.fullmatch(word):
                    return word
    return ""


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait from a Retry-After header: a number or a date."""
    text = headers.get("retry-after", "").strip()
    try:
        seconds = float(text)
    except ValueError:
        # "Fri, 27 Nov 2026 03:00:00 GMT"; the clocks of the two may differ.
        try:
            seconds = parsedate_to_datetime(text).timestamp() - time.time()
        except ValueError:
            return None
    # Past or absurd times count as none; `nan` compares false, too.
    return seconds if 0 <= seconds < 1e9 else None
