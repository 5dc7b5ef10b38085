"""The formats of the enriched routes, with whatever a client may write into them."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from festinger.shim.recollection import inject
from festinger.shim.recollection.jsontext import parse
from festinger.shim.wire import ROUTES, ForwardUnchanged
from tests.shim.conftest import BLOCK

ANYTHING = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
TEXTS = st.sampled_from(["", "hi", " ", "ü\n"]) | st.text(max_size=8)
ROLES = st.sampled_from(["system", "developer", "user", "assistant", "tool", "User"])
KINDS = st.sampled_from(
    ["text", "input_text", "output_text", "image", "tool_use", "tool_result",
     "message", "function_call", "function_call_output", "reasoning"]
)  # fmt: skip

BLOCKS = st.lists(
    st.fixed_dictionaries({"type": KINDS, "text": TEXTS, "content": TEXTS}),
    max_size=3,
)
MESSAGES = st.lists(
    st.fixed_dictionaries({"role": ROLES, "content": TEXTS | BLOCKS}), min_size=1
)
ITEMS = st.lists(
    st.fixed_dictionaries(
        {"type": KINDS, "role": ROLES, "content": TEXTS | BLOCKS, "output": TEXTS}
    ),
    min_size=1,
)
FIELDS = {
    "messages": MESSAGES,
    "prompt": TEXTS | st.just("### User:\nhi\n\n### System:\ns\n\n"),
    "input": TEXTS | MESSAGES | ITEMS,
}
BESIDE = {
    "system": TEXTS | BLOCKS | st.none(),
    "instructions": TEXTS | st.none(),
    "stream": st.booleans(),
}

LIKELY = st.fixed_dictionaries({"model": st.just("m"), **FIELDS}, optional=BESIDE)
WILD = st.dictionaries(
    st.sampled_from(["model", *FIELDS, *BESIDE, "suffix", "raw"]),
    st.recursive(
        ANYTHING,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["type", "role", "content", "text", "output"]), inner
            )
        ),
        max_leaves=8,
    ),
)

SETTINGS = settings(
    max_examples=80,
    deadline=None,
    # The machine may be busy.
    suppress_health_check=[HealthCheck.too_slow],
)


def said(prompt):
    """Return the text of a prompt, to be compared."""
    return [(segment.role, segment.digest) for segment in prompt.segments]


def read(path, body):
    """Return a prompt, or None if the request has to stay as it is."""
    try:
        return ROUTES[path](body)
    except ForwardUnchanged:
        return None


@pytest.mark.parametrize("path", sorted(ROUTES))
@settings(SETTINGS)
@given(value=LIKELY, ascii_only=st.booleans())
def test_block_changes_nothing_that_is_said(path, value, ascii_only):
    """With a block in it a prompt says what it said before."""
    body = parse(json.dumps(value, ensure_ascii=ascii_only).encode())
    prompt = read(path, body.value)
    assume(prompt is not None)
    changed = [
        inject.into_system(body, prompt, BLOCK),
        inject.into_newest_user(body, prompt, BLOCK),
    ]
    for raw in filter(None, changed):
        assert json.dumps(BLOCK)[1:-1].encode() in raw
        assert said(read(path, parse(raw).value)) == said(prompt)


@pytest.mark.parametrize("path", sorted(ROUTES))
@settings(SETTINGS)
@given(value=WILD)
def test_anything_is_read_or_left_alone(path, value):
    """Whatever a body holds, no reader stumbles over it."""
    prompt = read(path, {"model": "m", **value})

    assert prompt is None or prompt.model
