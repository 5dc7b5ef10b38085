"""A caller of the memory server, and what its token permits."""

from __future__ import annotations

from datetime import datetime

from pydantic import AwareDatetime, Field

from festinger.config.sections import Section


class CallerSettings(Section):
    """A client that authenticates with a token."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]{0,63}$")
    """Its principal."""
    token_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """SHA-256 of its bearer token, in hexadecimal; the token itself is not stored."""
    trusted: bool = False
    """Whether it may act on behalf of others, as the shim and the bots do."""
    operator: bool = False
    """Whether it may resolve conflicts and decide candidates. Agents never are."""
    tenants: tuple[str, ...] = ("default",)
    """The memories it may use; `*` for all."""
    create_time: AwareDatetime | None = None
    """When the token was made, if people make it."""
    expire_time: AwareDatetime | None = None
    """When the token ceases to be valid; never if missing."""

    @property
    def id(self) -> str:
        """The start of the hash, which tells tokens of one name apart."""
        # 48 bits, short enough to be typed.
        return self.token_sha256[:12]

    def holds(self, tenant: str) -> bool:
        """Return whether it may use a memory."""
        return "*" in self.tenants or tenant in self.tenants

    def is_valid(self, now: datetime) -> bool:
        """Return whether it has not expired."""
        return self.expire_time is None or now < self.expire_time
