"""Callers, identified by their credential and never by the payload (E5)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

import grpc.aio

from festinger import config
from festinger.core.system.principals import bearer_in, is_name, is_title, of_metadata
from festinger.errors import InvalidArgument, PermissionDenied, Unauthenticated

ANONYMOUS = config.CallerSettings(name="local", token_sha256="0" * 64)
"""Caller without a credential: any user of this machine. It holds one tenant."""

Context = grpc.aio.ServicerContext[Any, Any]
"""Context of a call, as gRPC passes it to a servicer."""

NAME_MAX = 128
"""Maximum length of a name, in characters."""
CALLERS_MAX = 1024
"""Maximum number of callers that are cached by their metadata."""

NO_TOKEN = (
    "this server takes no call without a token. Send `authorization: Bearer TOKEN`: on its "
    "machine gutask and festinger find one in the data directory, FESTINGER_DATA_DIR; "
    "elsewhere the operator makes one with `festinger system tokens create NAME`, for "
    "gutask in FESTINGER_TOKEN"
)

_KEYS = (
    "festinger-tenant",
    "festinger-principal",
    "festinger-subject",
    "festinger-min-version",
    "festinger-project",
)
# 18 digits fit into 64 bits, whatever they are.
_VERSION = re.compile(r"[0-9]{1,18}")


def seconds_left(context: Context, seconds_max: float) -> float:
    """Return the seconds left of the client's deadline, capped at a maximum."""
    remaining: float | None = context.time_remaining()
    # The client may set none.
    return seconds_max if remaining is None else min(remaining, seconds_max)


@dataclass(frozen=True, slots=True)
class RpcCaller:
    """Identity and rights of the caller of a request.

    Attributes:
        principal: The principal that states and decides.
        subject: The person spoken for; empty for nobody in particular.
        operator: Whether the caller may decide.
        min_version: Version that the answer must reflect at least; 0 for any.
        credential: The credential that was presented.
        project: The project of the session; empty for none.
    """

    principal: str
    tenant: str
    subject: str = ""
    operator: bool = False
    min_version: int = 0
    credential: config.CallerSettings = ANONYMOUS
    project: str = ""

    @property
    def speaker(self) -> str:
        """The principal whose words the call carries."""
        return self.subject or self.principal

    @property
    def wanted(self) -> tuple[str, int]:
        """The tenant, and the version that its memory must have reached."""
        return self.tenant, self.min_version

    def on_behalf(
        self,
        *,
        principal: str,
        subject: str,
        tenant: str,
        min_version: int,
        project: str = "",
    ) -> RpcCaller:
        """Return the caller of one request of a stream that this caller opened.

        Args:
            principal: Principal of the request. As for the other arguments, an empty
                value or 0 stands for that of the stream.

        Raises:
            PermissionDenied: The credential does not permit the tenant, or acting for
                others.
            InvalidArgument: A name or the version is invalid.
        """
        if min_version < 0:
            raise InvalidArgument("min_version is not negative", field="min_version")
        if tenant and not is_name(tenant, NAME_MAX):
            # A tenant's name is checked here, since a request of a stream passed no metadata check.
            raise InvalidArgument("no tenant has a name like this", field="tenant")
        # As most requests: nothing to check anew, and no object to make.
        if not (principal or subject):
            if not (tenant or min_version or project):
                return self
            # An untrusted caller may name no principal, not even its own.
            principal = self.principal if self.credential.trusted else ""
            subject = self.subject
        # A version belongs to its tenant: that of the stream says nothing about another one.
        if not tenant or tenant == self.tenant:
            tenant, min_version = self.tenant, min_version or self.min_version
        project = project or self.project
        return _caller(
            self.credential, tenant, principal, subject, min_version, project
        )


CALLER: ContextVar[RpcCaller] = ContextVar("caller")
"""The caller of the current call."""


class Credentials:
    """Registry of the known bearer tokens, by their hash.

    Args:
        callers: The known callers.
        anonymous: Whether calls without a token are taken, as `ANONYMOUS`.
    """

    def __init__(
        self, callers: Iterable[config.CallerSettings], *, anonymous: bool = True
    ) -> None:
        self._callers = _by_hash(callers)
        self._anonymous = anonymous
        # Caches callers by their metadata, with the token as its hash. Errors are not
        # cached.
        self._known = lru_cache(CALLERS_MAX)(self._identify)
        # Hashes of known tokens, by the header that carries them. Python's string hash
        # is randomised, so the time of a look-up reveals nothing about the tokens.
        self._hashes: dict[str | bytes, str] = {}

    def replace(self, callers: Iterable[config.CallerSettings]) -> bool:
        """Set the known callers; return whether they differ from those before."""
        changed = _by_hash(callers)
        if changed == self._callers:  # the caches stay valid
            return False
        self._callers = changed
        # Both hold what the old callers permitted.
        self._known.cache_clear()
        self._hashes.clear()
        return True

    def holds(self, credential: config.CallerSettings) -> bool:
        """Return whether a credential is still known, with the same rights."""
        # An anonymous stream stays; a revoked or changed credential equals neither.
        return self._callers.get(credential.token_sha256, ANONYMOUS) == credential

    def identify(self, metadata: Iterable[tuple[str, str | bytes]] | None) -> RpcCaller:
        """Return the caller that the metadata of a call identifies.

        Raises:
            Unauthenticated: The token is unknown.
            PermissionDenied: The credential does not permit the tenant, or acting for
                others.
            InvalidArgument: A name or number in the metadata is invalid.
        """
        values = dict(metadata or ())
        shown = values.get("authorization", "")  # a missing token is no mistake here
        token_sha256 = self._hashes.get(shown) or self._hash(shown)
        return self._known(token_sha256, *map(values.get, _KEYS))

    def _hash(self, shown: str | bytes) -> str:
        """Return the hash of a bearer token, and cache it if the token is known."""
        token_sha256 = _hashed(shown)
        # Unknown tokens are not cached, so that guessing fills no memory.
        if token_sha256 in self._callers:
            # Cleared as a whole: with so many tokens, order of use is not worth its bookkeeping.
            if len(self._hashes) >= CALLERS_MAX:
                self._hashes.clear()
            self._hashes[shown] = token_sha256
        return token_sha256

    def _identify(
        self,
        token_sha256: str,
        tenant: str | None,
        principal: str | None,
        subject: str | None,
        min_version: str | None,
        project: str | None,
    ) -> RpcCaller:
        return _caller(
            self._authenticate(token_sha256),
            # The tenant of an installation with one memory.
            "default" if tenant is None else tenant,
            _name(principal, "festinger-principal"),
            _name(subject, "festinger-subject"),
            _version("0" if min_version is None else min_version),
            _name(project, "festinger-project"),
            prefix="festinger-",  # as the metadata call them
        )

    def _authenticate(self, token_sha256: str) -> config.CallerSettings:
        if not token_sha256:
            # Beyond loopback, or behind a proxy, nobody is known by where they call from.
            if not self._anonymous:
                raise Unauthenticated(NO_TOKEN)
            return ANONYMOUS
        if (caller := self._callers.get(token_sha256)) is None:
            # A wrong credential is worse than none, also where none is needed.
            raise _unknown()
        return caller


def _by_hash(
    callers: Iterable[config.CallerSettings],
) -> dict[str, config.CallerSettings]:
    return {caller.token_sha256: caller for caller in callers}


def _name(value: str | None, key: str) -> str:
    """Decode a name of the metadata; empty if it is missing."""
    # Metadata is ASCII, so letters of other scripts are percent-encoded.
    try:
        return of_metadata(value or "")
    except ValueError:
        raise InvalidArgument(f"{key} stands for no text", field=key) from None


def _unknown() -> Unauthenticated:
    return Unauthenticated("the bearer token is not known to this server")


def _hashed(authorization: str | bytes) -> str:
    """Return the hash of a bearer token; empty if there is no credential."""
    if not authorization:
        return ""
    # gRPC passes values of `-bin` keys as bytes; no token is one.
    if isinstance(authorization, bytes):
        raise _unknown()
    token = bearer_in(authorization)
    if token is None:
        raise _unknown()
    # Kept and compared as its hash only.
    return sha256(token.encode()).hexdigest()


def _caller(
    credential: config.CallerSettings,
    tenant: str,
    principal: str,
    subject: str,
    min_version: int,
    project: str,
    prefix: str = "",
) -> RpcCaller:
    """Return the caller for a credential and metadata, after checking permissions.

    Args:
        prefix: Prefix of the field names in errors.
    """
    # A principal is stamped on facts: a name, and no text that could carry an instruction.
    for key, name in (("principal", principal), ("subject", subject)):
        if name:
            checked_name(name, f"{prefix}{key}")
    checked_project(project, f"{prefix}project")
    if not credential.holds(tenant):
        whom = "a call without a token" if credential is ANONYMOUS else credential.name
        raise PermissionDenied(
            f"{whom} may not use the tenant {tenant!r}. Send a token that holds it; "
            f"`festinger system tokens create NAME --tenant {tenant}` makes one",
            tenant=tenant,
        )
    # Only the shim and the bots hold the words of several people (E5).
    if (principal or subject) and not credential.trusted:
        raise PermissionDenied(
            f"{credential.name} may not act on behalf of others: send no "
            f"{prefix}principal and no {prefix}subject",
            principal=principal,
        )
    return RpcCaller(
        # The credential's own name, unless it speaks for others.
        principal or credential.name,
        tenant,
        subject,
        credential.operator,
        min_version,
        credential,
        project,
    )


def checked_name(name: str, field: str) -> str:
    """Return a text that can be a principal's name, or raise `InvalidArgument`."""
    if not is_name(name, NAME_MAX):
        raise InvalidArgument(
            f"{field} must be 1 to {NAME_MAX} letters of any script, digits or . @ : + - _",
            field=field,
        )
    return name


def checked_project(name: str, field: str) -> str:
    """Return a project's name or an empty text, or raise `InvalidArgument`."""
    if name and not is_title(name, NAME_MAX):
        raise InvalidArgument(
            f"{field} must be 1 to {NAME_MAX} printable characters without a slash, and "
            "no space before or behind them",
            field=field,
        )
    return name


def _version(text: str) -> int:
    if not _VERSION.fullmatch(text):
        raise InvalidArgument(
            "festinger-min-version must be the version of an answer, a whole number",
            field="festinger-min-version",
        )
    return int(text)
