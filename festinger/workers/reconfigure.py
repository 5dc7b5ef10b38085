"""Reload of a configuration file that changed while the process runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from festinger.config import ConfigSource, Settings, changes, is_live
from festinger.errors import ConfigurationError
from festinger.fileversions import version_of

log = structlog.get_logger(__name__)

LOOK_SECONDS = 1.0
"""The interval between checks of the file, in seconds."""


@dataclass
class Reconfigurer:
    """Watcher of a configuration file, which applies its changes.

    Args:
        apply: Applies new settings, as far as a running process can, or raises
            `ConfigurationError` and applies nothing.
    """

    _source: ConfigSource
    _settings: Settings
    _apply: Callable[[Settings], None]

    def __post_init__(self) -> None:
        self._known = self._state()

    def _state(self) -> object:
        return self._source.file and version_of(self._source.file)

    async def look(self) -> None:
        """Check the file once, and apply its changes."""
        # Files may be on a network, and prompts must not wait for them.
        state = await asyncio.to_thread(self._state)
        if state == self._known:
            return
        # Remembered first, so that an invalid file is complained of once and not each second.
        self._known = state
        try:
            settings = await asyncio.to_thread(self._source.read)
            changed = changes(self._settings, settings)
            if not changed:
                return
            # All or nothing: it raises before it changes anything.
            self._apply(settings)
        # Logged with the line of the error; the old settings stay.
        except ConfigurationError as error:
            log.error("configuration_refused", problem=error.message)
            return
        self._settings = settings
        log.warning(
            "configuration_changed",
            in_force=[".".join(key) for key in changed if is_live(key)],
            after_restart=[".".join(key) for key in changed if not is_live(key)],
        )
