"""`festinger system reload`, as a process against a server."""

from __future__ import annotations

import re

from festinger.credentials import OPERATOR, token_file


async def test_memory_is_loaded_anew(operator, pool):
    """A token written past the server is known, and the reload is told."""
    await operator.client.states("gnommoweb -isa repo")
    await pool.execute(
        "insert into soas (tenant, id, token) values ('default', 999999, 'nightly')"
    )

    printed = await operator.prints("system", "reload")

    assert re.fullmatch(
        r"loaded default: \d+ concepts, \d+ edges, version 1, in \d+\.\d s\n", printed
    )
    assert (await operator.client.concept("nightly")).token == "nightly"


async def test_reload_needs_the_operators_token(operator):
    """Without it the command says where it would be."""
    file = token_file(operator.data_dir, OPERATOR)
    file.unlink()

    code, _, complained = await operator.runs("system", "reload")

    assert code == 1
    assert complained.startswith(f"festinger: this needs the operator's token, {file}")


async def test_memory_that_is_not_there_is_said(operator):
    """With exit code 1 and the server's words."""
    code, _, complained = await operator.runs("system", "reload", "--tenant", "nowhere")

    assert code == 1
    assert "nowhere" in complained
