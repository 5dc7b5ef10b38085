"""Who somebody on a platform is to the memory, and the other way round."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256

from festinger.config import PersonSettings

_NAME = re.compile(r"[A-Za-z0-9_.@:+-]{1,128}")


class PlatformAccounts:
    """The accounts of a platform.

    Accounts are compared as they are written, so that a name that only looks like
    another's is nobody else.

    Args:
        platform: Its name.
        people: Who is known, by principal.
    """

    def __init__(self, platform: str, people: Mapping[str, PersonSettings]) -> None:
        self._platform = platform
        self._accounts = {
            principal: account
            for principal, person in people.items()
            if (account := str(getattr(person, platform)))
        }
        self._principals = {
            account: principal for principal, account in self._accounts.items()
        }

    @property
    def principals(self) -> list[str]:
        """Who is known to be there."""
        return list(self._accounts)

    def is_known(self, account: str) -> bool:
        """Whether an account is that of a person of the configuration."""
        return account in self._principals

    def principal(self, account: str) -> str:
        """Who an account is: its person, or itself with its platform before it."""
        if known := self._principals.get(account):
            return known
        name = f"{self._platform}:{account}"
        if _NAME.fullmatch(name):
            return name
        return f"{self._platform}:{sha256(account.encode()).hexdigest()[:32]}"

    def account(self, principal: str) -> str:
        """The account of a principal; empty if none is known."""
        if known := self._accounts.get(principal):
            return known
        prefix = f"{self._platform}:"
        account = principal.removeprefix(prefix)
        written = principal.startswith(prefix) and self.principal(account) == principal
        return account if written else ""
