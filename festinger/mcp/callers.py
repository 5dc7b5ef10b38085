"""Callers of tools: on whose behalf a tool calls the memory server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from festinger.core.system.principals import as_metadata
from festinger.credentials import LOCAL, OPERATOR, SHIM, read_token

DEFAULT_TENANT = "default"

Place: TypeAlias = tuple[str, str]
"""Tenant and project of a graph."""


@dataclass(frozen=True, slots=True)
class McpCaller:
    """Identity with which a tool calls the memory server.

    Attributes:
        token: The bearer token; None for none.
        person: Person on whose behalf it calls, for which the token must be trusted;
            empty for the token's own principal.
        project: Project of the session; empty for none.
    """

    tenant: str = DEFAULT_TENANT
    token: str | None = None
    person: str = ""
    project: str = ""

    @property
    def place(self) -> Place:
        """The tenant and the project."""
        return self.tenant, self.project

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """The metadata of its calls."""
        pairs = [("festinger-tenant", self.tenant)]
        if self.token:
            pairs.append(("authorization", f"Bearer {self.token}"))
        if self.person:
            name = as_metadata(self.person)
            # Who speaks, and about whom a private memory is: the same person.
            pairs += [("festinger-principal", name), ("festinger-subject", name)]
        if self.project:
            pairs.append(("festinger-project", as_metadata(self.project)))
        return tuple(pairs)


class CallerSource(Protocol):
    """Finds the caller of a message by the headers that carried it."""

    def caller(self, headers: Mapping[str, str] | None) -> McpCaller:
        """Return the identity for calls that an agent may make."""

    def decider(self, headers: Mapping[str, str] | None) -> McpCaller | None:
        """Return the identity for a person's decision; None if there is none."""


@dataclass(frozen=True, slots=True)
class LocalCaller:
    """The one user of a server on standard input and output.

    Attributes:
        data_dir: Data directory, whose tokens are read when they are needed.
        person: The user's name; empty for any user of this machine.
        project: Project of the session; empty for none.
    """

    data_dir: Path
    tenant: str = DEFAULT_TENANT
    person: str = ""
    project: str = ""

    def caller(self, headers: Mapping[str, str] | None = None) -> McpCaller:
        """Return the user's identity."""
        # Naming somebody needs the token of those who speak for others (E5).
        token = read_token(self.data_dir, SHIM if self.person else LOCAL)
        return McpCaller(self.tenant, token, self.person, self.project)

    def decider(self, headers: Mapping[str, str] | None = None) -> McpCaller | None:
        """Return the operator's identity if this user can read its token."""
        # Whoever can read the operator's file may decide; the agent never sees the token.
        token = read_token(self.data_dir, OPERATOR)
        return McpCaller(self.tenant, token, project=self.project) if token else None
