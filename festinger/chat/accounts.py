"""Mapping between the accounts of a platform and the principals of the memory."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256

from festinger.config import PersonSettings

_NAME = re.compile(r"[A-Za-z0-9_.@:+-]{1,128}")


class PlatformAccounts:
    """The accounts of a platform.

    Args:
        platform: The platform's name.
        people: The people of the configuration, by principal.
    """

    def __init__(self, platform: str, people: Mapping[str, PersonSettings]) -> None:
        self._platform = platform
        self._accounts = {
            principal: account
            for principal, person in people.items()
            # People of the configuration need not have an account on every platform.
            if (account := str(getattr(person, platform)))
        }
        # Compared exactly: a name that only looks like another one, in other letters, is not it.
        self._principals = {
            account: principal for principal, account in self._accounts.items()
        }

    @property
    def principals(self) -> list[str]:
        """The principals that have an account on the platform."""
        return list(self._accounts)

    def is_known(self, account: str) -> bool:
        """Return whether an account belongs to a person of the configuration."""
        return account in self._principals

    def principal(self, account: str) -> str:
        """Return the principal of an account; `PLATFORM:ACCOUNT` if it is unknown."""
        if known := self._principals.get(account):
            return known
        name = f"{self._platform}:{account}"
        if _NAME.fullmatch(name):
            return name
        # Principals are plain ASCII; a hash keeps all other accounts apart.
        return f"{self._platform}:{sha256(account.encode()).hexdigest()[:32]}"

    def account(self, principal: str) -> str:
        """Return the account of a principal, or an empty string if none is known."""
        if known := self._accounts.get(principal):
            return known
        prefix = f"{self._platform}:"
        account = principal.removeprefix(prefix)
        # Only if the account leads back: a hash does not, and somebody who is configured
        # goes by the principal of the configuration.
        written = principal.startswith(prefix) and self.principal(account) == principal
        return account if written else ""
