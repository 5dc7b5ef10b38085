"""Dictionary of everyday words, which name nothing specific (B4a)."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from festinger.config import DictionarySettings
from festinger.errors import ConfigurationError

Report = Callable[[float], None]


def load(
    settings: DictionarySettings,
    data_dir: Path | None = None,
    report: Report = lambda share: None,
) -> frozenset[str]:
    """Return the words of the dictionary.

    Args:
        data_dir: The directory of the cache file, if it is writable; None for no cache.
        report: Called with the share that is done, in [0.0, 1.0].

    Raises:
        ConfigurationError: There is no word list for a language.
    """
    file = data_dir / _name(settings) if data_dir else None
    # Reading the words from the package takes a second, from the cache file milliseconds.
    words = _kept(file) if file else None
    if words is None:
        words = _read(settings, report)
        if file:
            _keep(file, words)
    report(1.0)
    return words


def _name(settings: DictionarySettings) -> str:
    return f"dictionary-{'-'.join(settings.languages)}-{settings.zipf_min:g}.txt"


def _read(settings: DictionarySettings, report: Report) -> frozenset[str]:
    import wordfreq

    words: set[str] = set()
    share = 1 / len(settings.languages)
    for number, language in enumerate(settings.languages):
        try:
            buckets = wordfreq.get_frequency_list(language)
        except LookupError:
            known = ", ".join(sorted(wordfreq.available_languages()))
            raise ConfigurationError(
                f"dictionary.languages: no word list for {language!r}. There are: "
                f"{known}"
            ) from None
        # A bucket holds the words of one frequency, in hundredths of a decade below
        # certainty; the Zipf scale counts decades above one in a thousand millions.
        wanted = [
            bucket
            for centibels, bucket in enumerate(buckets)
            if 9 - centibels / 100 >= settings.zipf_min
        ]
        for done, bucket in enumerate(wanted, 1):
            words.update(bucket)
            report(share * (number + done / len(wanted)))
    return frozenset(words)


def _kept(file: Path) -> frozenset[str] | None:
    try:
        return frozenset(file.read_text(encoding="utf-8").split())
    except (OSError, ValueError):
        return None


def _keep(file: Path, words: frozenset[str]) -> None:
    # Written to a temporary file and renamed, so that an interruption leaves no partial
    # dictionary.
    half = file.with_suffix(f".{os.getpid()}")
    try:
        half.write_text("\n".join(sorted(words)), encoding="utf-8")
        half.replace(file)
    except OSError:
        # The next start takes a second longer. On a full disk the space is freed.
        with suppress(OSError):
            half.unlink()
