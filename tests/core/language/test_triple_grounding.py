from __future__ import annotations

import pytest

from festinger.core.graph.proposal import Triple
from festinger.core.language.grounding import Band
from festinger.core.language.triple_grounding import ground_triple

# Parent, dimension, is_isa, sentence → band.
TRIPLES = [
    ("repo", "type", True, "I pushed to the gnommoweb repo", Band.GROUNDED),
    ("repo", "type", True, "gnommoweb, a repo of ours, is slow", Band.GROUNDED),
    (
        "repo",
        "type",
        True,
        "We have many: gnommoweb is one of the repos",
        Band.CANDIDATE,
    ),
    ("docker", "runs-on", False, "gnommoweb runs on docker since May", Band.GROUNDED),
    ("python", "language", False, "gnommoweb is written in python", Band.CANDIDATE),
    (
        "glitch_university",
        "membership",
        False,
        "Glitch University's gnommoweb is down",
        Band.GROUNDED,
    ),
    ("repo", "type", True, "gnommoweb is a repo, not a container", Band.CANDIDATE),
    ("container", "type", True, "gnommoweb is a repo, not a container", Band.REJECTED),
    ("repo", "type", True, "gnommoweb is not a repo", Band.REJECTED),
    (
        "container",
        "type",
        True,
        "alpha is a container, gnommoweb uses it",
        Band.CANDIDATE,
    ),
    ("university", "type", True, "Glitch University has gnommoweb", Band.REJECTED),
    ("virus", "type", True, "please clone gnommoweb", Band.REJECTED),
    ("repo", "type", True, "the repo is slow", Band.REJECTED),
]


@pytest.mark.parametrize(("parent", "dimension", "is_isa", "sentence", "band"), TRIPLES)
def test_sentence_supports_a_statement(parent, dimension, is_isa, sentence, band):
    """Said in so many words it is grounded; both names must stand there, and be asserted."""
    said = Triple("gnommoweb", parent, dimension, is_isa)

    assert ground_triple(said, sentence).band is band
