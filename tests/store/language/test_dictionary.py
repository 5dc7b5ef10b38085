from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from festinger.config import DictionarySettings
from festinger.errors import ConfigurationError
from festinger.store.language import dictionary

# Few words are read in no time.
FEW = DictionarySettings(zipf_min=6.5)


def test_everyday_words_are_the_frequent_ones():
    """The default cut leaves `service` in and `repo` and `docker` out (B4a)."""
    words = dictionary.load(DictionarySettings())

    assert {"the", "service", "agent", "python"} <= words
    assert words.isdisjoint({"repo", "docker", "gnommoweb"})


def test_cut_decides_how_many():
    """A higher frequency leaves fewer words, all of them in the larger list."""
    few = dictionary.load(FEW)
    more = dictionary.load(DictionarySettings(zipf_min=6.0))

    assert few < more


def test_languages_add_up():
    """Words of any of the languages are everyday words."""
    both = dictionary.load(DictionarySettings(languages=("en", "de"), zipf_min=6.0))

    assert {"the", "und"} <= both


def test_words_are_kept(tmp_path):
    """The second start reads the file, whatever is in it."""
    first = dictionary.load(FEW, tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text() + "\nzork")

    assert dictionary.load(FEW, tmp_path) == first | {"zork"}


def test_each_choice_has_its_file(tmp_path):
    """Another cut does not get the words of the first."""
    dictionary.load(FEW, tmp_path)
    more = dictionary.load(DictionarySettings(zipf_min=6.0), tmp_path)

    assert more == dictionary.load(DictionarySettings(zipf_min=6.0))


def test_words_that_cannot_be_kept(tmp_path):
    """A full disk stops nothing, and gets its room back."""
    script = """
import resource, sys
from pathlib import Path
from festinger.config import DictionarySettings
from festinger.store.language import dictionary

resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
print(len(dictionary.load(DictionarySettings(zipf_min=6.5), Path(sys.argv[1]))))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path], stdout=subprocess.PIPE, check=True
    )

    assert int(done.stdout) == len(dictionary.load(FEW))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("break_it", [lambda it: it.write_bytes(b"\xff"), Path.mkdir])
def test_words_that_cannot_be_read(tmp_path, break_it):
    """Whatever is in their place, they are read from where they came from."""
    first = dictionary.load(FEW, tmp_path)
    (file,) = tmp_path.iterdir()
    file.unlink()
    break_it(file)

    assert dictionary.load(FEW, tmp_path) == first


def test_progress_ends_at_one(tmp_path):
    """The bar grows, and is full at the end, with and without the file."""
    for _ in range(2):
        shares: list[float] = []
        dictionary.load(FEW, tmp_path, shares.append)

        assert shares == sorted(shares)
        assert shares[-1] == 1.0


def test_unknown_language_is_a_configurations_mistake():
    """The error says which languages there are."""
    with pytest.raises(ConfigurationError, match=r"dictionary\.languages.*en"):
        dictionary.load(DictionarySettings(languages=("zork",)))
