from __future__ import annotations

import pytest

from festinger.shim.recollection.capabilities import runs_commands
from festinger.shim.recollection.segments import Segment, SegmentRole


def tool(name, description="", kind="function"):
    """Return a request with one tool, as OpenAI's format has it."""
    function = {"name": name, "description": description}
    return {"tools": [{"type": kind, "function": function}]}


@pytest.mark.parametrize(
    "body",
    [
        tool("bash"),
        tool("run_shell_command"),
        tool("execute"),
        tool("execute_command", "Execute a CLI command on the system."),
        tool("act", "Runs a line in the user's terminal."),
        {"tools": [{"type": "bash_20250124", "name": "bash"}]},
        {"tools": [{"name": "code_execution", "type": "code_execution_20250522"}]},
    ],
)
def test_agent_with_a_shell_runs_commands(body):
    """By the tool's name, or by what it says of itself."""
    assert runs_commands(body, [])


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"tools": None},
        {"tools": ["bash"]},
        {"tools": [{"function": 7}, {"name": ["bash", {}], "description": None}]},
        tool("execute_sql", "Execute a query against the warehouse."),
        tool("get_weather", "The command of the weather, executed daily."),
        tool("publish", "Pushes a page."),
    ],
)
def test_other_tools_run_none(body):
    """Nor does anything that is no tool."""
    assert not runs_commands(body, [])


def test_agent_that_is_told_of_gutask_runs_it():
    """Its system message speaks of the command."""
    system = Segment(SegmentRole.SYSTEM, "You have gutask. Use it.", b"1")

    assert runs_commands({}, [system])
