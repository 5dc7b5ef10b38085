"""Who calls: stamped from the credential, never taken from the payload (E5)."""

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
from festinger.core.system.principals import is_name, is_title, of_metadata
from festinger.errors import InvalidArgument, PermissionDenied, Unauthenticated

ANONYMOUS = config.CallerSettings(name="local", token_sha256="0" * 64, tenants=("*",))
"""Whoever calls without a credential: somebody on this machine."""

Context = grpc.aio.ServicerContext[Any, Any]
"""What gRPC tells a servicer of a call."""

NAME_MAX = 128
"""Characters of a name."""
CALLERS_MAX = 1024
"""Callers that are remembered by their metadata, at most."""

_KEYS = (
    "festinger-tenant",
    "festinger-principal",
    "festinger-subject",
    "festinger-min-version",
    "festinger-project",
)
_VERSION = re.compile(r"[0-9]{1,18}")


def seconds_left(context: Context, seconds_max: float) -> float:
    """How long a call may take from now: as its client says, and no longer than that."""
    remaining: float | None = context.time_remaining()
    return seconds_max if remaining is None else min(remaining, seconds_max)


@dataclass(frozen=True, slots=True)
class RpcCaller:
    """On whose behalf a call is made.

    Attributes:
        principal: Who states, counts and decides.
        tenant: Which memory.
        subject: Who is spoken about; empty if nobody in particular.
        operator: Whether it may decide.
        min_version: What the answer must reflect at least; 0 for anything.
        credential: What they showed.
        project: Where they work; empty for nowhere in particular.
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
        """Whose words the call brings."""
        return self.subject or self.principal

    @property
    def wanted(self) -> tuple[str, int]:
        """The memory, and the version it must have reached."""
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
        """Who makes one request of a stream that this caller opened.

        Args:
            principal: Of the request, as the others; empty or 0 for what the stream
                says.

        Raises:
            PermissionDenied: As for the metadata of a call.
            InvalidArgument: The same.
        """
        if min_version < 0:
            raise InvalidArgument("min_version is not negative", field="min_version")
        if tenant and not is_name(tenant, NAME_MAX):
            raise InvalidArgument("no tenant has a name like this", field="tenant")
        if not (principal or subject):
            if not (tenant or min_version or project):
                return self
            principal = self.principal if self.credential.trusted else ""
            subject = self.subject
        if not tenant or tenant == self.tenant:
            tenant, min_version = self.tenant, min_version or self.min_version
        project = project or self.project
        return _caller(
            self.credential, tenant, principal, subject, min_version, project
        )


CALLER: ContextVar[RpcCaller] = ContextVar("caller")
"""The caller of the call under way."""


class Credentials:
    """The tokens that are known, by their hash."""

    def __init__(self, callers: Iterable[config.CallerSettings]) -> None:
        self._callers = {caller.token_sha256: caller for caller in callers}
        # Who was let in once is known by what they sent, the token by its hash. Errors
        # are not kept.
        self._known = lru_cache(CALLERS_MAX)(self._identify)
        # What known tokens hash to, as they were shown. Python finds them by a hash that
        # nobody outside can foresee, so that the time it takes tells nothing of them.
        self._hashes: dict[str | bytes, str] = {}

    def identify(self, metadata: Iterable[tuple[str, str | bytes]] | None) -> RpcCaller:
        """Says who calls.

        Raises:
            Unauthenticated: The token is unknown.
            PermissionDenied: The tenant is not theirs, or they act for somebody and
                are not trusted to.
            InvalidArgument: A name or number in the metadata cannot be one.
        """
        values = dict(metadata or ())
        shown = values.get("authorization", "")
        token_sha256 = self._hashes.get(shown) or self._hash(shown)
        return self._known(token_sha256, *map(values.get, _KEYS))

    def _hash(self, shown: str | bytes) -> str:
        """The hash of a bearer token, remembered if it is a known one."""
        token_sha256 = _hashed(shown)
        if token_sha256 in self._callers:
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
            "default" if tenant is None else tenant,
            _name(principal, "festinger-principal"),
            _name(subject, "festinger-subject"),
            _version("0" if min_version is None else min_version),
            _name(project, "festinger-project"),
            prefix="festinger-",
        )

    def _authenticate(self, token_sha256: str) -> config.CallerSettings:
        if not token_sha256:
            return ANONYMOUS
        if (caller := self._callers.get(token_sha256)) is None:
            raise _unknown()
        return caller


def _name(value: str | None, key: str) -> str:
    """The name that a value of the metadata stands for; empty for none."""
    try:
        return of_metadata(value or "")
    except ValueError:
        raise InvalidArgument(f"{key} stands for no text", field=key) from None


def _unknown() -> Unauthenticated:
    return Unauthenticated("the bearer token is not known to this server")


def _hashed(authorization: str | bytes) -> str:
    """The hash of a bearer token; empty for no credential at all."""
    if not authorization:
        return ""
    if isinstance(authorization, bytes):
        raise _unknown()
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer":
        raise _unknown()
    return sha256(token.strip().encode()).hexdigest()


def _caller(
    credential: config.CallerSettings,
    tenant: str,
    principal: str,
    subject: str,
    min_version: int,
    project: str,
    prefix: str = "",
) -> RpcCaller:
    """On whose behalf the holder of a credential calls, if they may.

    Args:
        prefix: Stands before the names that errors give.
    """
    for key, name in (("principal", principal), ("subject", subject)):
        if name:
            checked_name(name, f"{prefix}{key}")
    checked_project(project, f"{prefix}project")
    if "*" not in credential.tenants and tenant not in credential.tenants:
        raise PermissionDenied(
            f"{credential.name} may not use the tenant {tenant!r}", tenant=tenant
        )
    if (principal or subject) and not credential.trusted:
        raise PermissionDenied(
            f"{credential.name} may not act on behalf of others: send no "
            f"{prefix}principal and no {prefix}subject",
            principal=principal,
        )
    return RpcCaller(
        principal or credential.name,
        tenant,
        subject,
        credential.operator,
        min_version,
        credential,
        project,
    )


def checked_name(name: str, field: str) -> str:
    """What somebody can be called.

    Raises:
        InvalidArgument: Nobody is called so.
    """
    if not is_name(name, NAME_MAX):
        raise InvalidArgument(
            f"{field} must be 1 to {NAME_MAX} letters of any script, digits or . @ : + - _",
            field=field,
        )
    return name


def checked_project(name: str, field: str) -> str:
    """Return what a project can be called; empty for none.

    Raises:
        InvalidArgument: No project is called so.
    """
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
