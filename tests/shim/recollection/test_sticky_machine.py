"""Blocks stay in prompts, and are true: random conversations over real HTTP."""

from __future__ import annotations

from collections.abc import Coroutine
from functools import partial
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)

from tests.shim.conversations import FORMATS
from tests.shim.machine import Agent, Arena, Talk

SETTINGS = settings(
    max_examples=25,
    stateful_step_count=30,
    # To shrink a conversation over HTTP takes longer than to read it.
    phases=[phase for phase in Phase if phase is not Phase.shrink],
    deadline=None,
    # A database is as slow as it is.
    suppress_health_check=list(HealthCheck),
)
NAMES = ("ant_x", "bee_x", "cat_x", "dog_x")
DIMENSIONS = ("type", "geography", "club")
SENTENCES = (
    "What about {} and {}?",
    "Tell {} that {} is here.",
    "{} is a {}.",
    "Go on.",
)

WHO = st.integers(0, 1)
PAIR = st.permutations(NAMES).map(lambda names: names[:2])
LATE = st.sampled_from([False, False, False, False, True])


class Sticky(RuleBasedStateMachine):
    """Two agents in any two formats, and people who change what the memory knows."""

    def __init__(self, arena: Arena):
        super().__init__()
        self.arena = arena
        self.talk = Talk(arena, *arena.runner.run(arena.shim()))
        arena.runner.run(arena.memories.get(self.talk.tenant))

    def run(self, doing: Coroutine[Any, Any, Any]) -> Any:
        """Do something a second later."""
        self.arena.clock.now += 1
        return self.arena.runner.run(doing)

    def teardown(self) -> None:
        """Stop the shim."""
        self.run(self.talk.shim.stop())

    @initialize(
        formats=st.tuples(*[st.sampled_from(FORMATS)] * 2),
        system=st.booleans(),
        facts=st.lists(st.tuples(PAIR, st.sampled_from(DIMENSIONS)), min_size=2),
    )
    def begin(self, formats: Any, system: bool, facts: Any) -> None:
        """A few facts are known, and two agents begin to talk; one keeps what is sent on."""
        for names, dimension in facts:
            self.state(names, dimension, is_isa=True)
        for name, form in zip(("alice", "bob"), formats, strict=True):
            agent = Agent(name, form, stores=name == "bob")
            if system:
                agent.messages.append(("system", f"You work for {name}."))
            self.talk.agents.append(agent)
            self.say(agent, f"Hello, {NAMES[0]}.", late=False)

    # What agents do

    @rule(who=WHO, sentence=st.sampled_from(SENTENCES), names=PAIR, late=LATE)
    def user_turn(self, who: int, sentence: str, names: list[str], late: bool) -> None:
        """The model answers, and the user says something."""
        agent = self.talk.agents[who]
        if agent.messages[-1][0] != "assistant":
            agent.messages.append(("assistant", "I see."))
        self.say(agent, sentence.format(*names), late=late)

    @rule(who=WHO, names=PAIR, late=LATE)
    def tool_turn(self, who: int, names: list[str], late: bool) -> None:
        """The model calls a tool, which answers."""
        agent = self.talk.agents[who]
        call = f'{{"tool_name": "shell", "tool_args": "{names[0]}"}}'
        agent.messages.append(("assistant", call))
        agent.messages.append(("tool", f"{names[1]} was found"))
        self.run(self.talk.send(agent, late=late))

    @rule(who=WHO, late=LATE)
    def regenerate(self, who: int, late: bool) -> None:
        """The user wants another answer."""
        agent = self.talk.agents[who]
        self.cut_to(agent, len(users(agent)) - 1)
        self.run(self.talk.send(agent, late=late))

    @rule(who=WHO, which=st.integers(1, 5), names=PAIR)
    def edit(self, who: int, which: int, names: list[str]) -> None:
        """The user says something else instead, and the conversation goes on from there."""
        agent = self.talk.agents[who]
        if which < len(users(agent)):
            self.cut_to(agent, which)
            agent.messages.pop()
            self.say(agent, f"Rather {names[0]}?", late=False)

    @rule(who=WHO, which=st.integers(0, 9))
    def other_branch(self, who: int, which: int) -> None:
        """An earlier state of the conversation is sent again."""
        agent = self.talk.agents[who]
        if agent.sent:
            agent.messages = list(agent.sent[which % len(agent.sent)].messages)
            self.run(self.talk.send(agent))

    @rule(who=WHO, summary=st.booleans(), names=PAIR)
    def compact(self, who: int, summary: bool, names: list[str]) -> None:
        """The first messages are dropped, or give way to a summary."""
        agent = self.talk.agents[who]
        at = users(agent)
        if len(at) > 3:
            head = [it for it in agent.messages[:1] if it[0] == "system"]
            said = [("user", "We spoke."), ("assistant", "Yes.")] if summary else []
            agent.messages[:] = [*head, *said, *agent.messages[at[1] :]]
            if agent.messages[-1][0] != "assistant":
                agent.messages.append(("assistant", "I see."))
            self.say(agent, f"And {names[0]}?", late=False)

    # What people do

    @rule(names=PAIR, dimension=st.sampled_from(DIMENSIONS), is_isa=st.booleans())
    def stated(self, names: list[str], dimension: str, is_isa: bool) -> None:
        """Somebody states a fact."""
        self.state(names, dimension, is_isa=is_isa)

    def state(self, names: list[str], dimension: str, *, is_isa: bool) -> None:
        """State a fact, which is held, or refused and put in the queue."""
        kind = "isa" if is_isa else "ispart"
        fact = f"{names[0]} -{kind} {names[1]} in context of {dimension}"
        self.run(self.arena.client.states(fact, *self.talk.who))

    @rule(which=st.integers(0, 9))
    def retract(self, which: int) -> None:
        """A fact is taken back."""
        self.run(self.talk.retract(which))

    @rule(which=st.integers(0, 3), update=st.booleans())
    def settle(self, which: int, update: bool) -> None:
        """A conflict is decided."""
        self.run(self.talk.settle(which, update=update))

    def say(self, agent: Agent, text: str, *, late: bool) -> None:
        """The user says something that nobody said before."""
        agent.messages.append(("user", f"{text} ({next(self.talk.texts)})"))
        self.run(self.talk.send(agent, late=late))

    def cut_to(self, agent: Agent, which: int) -> None:
        """The conversation up to one of the user's messages."""
        agent.messages = agent.messages[: users(agent)[which] + 1]


def users(agent: Agent) -> list[int]:
    """Return the positions of the user's messages in the conversation."""
    return [i for i, (role, _) in enumerate(agent.messages) if role == "user"]


def test_what_stands_stays_and_is_true(database: str) -> None:
    """
    Whatever happens to a conversation and to the memory: no prompt tells what is not
    held, what was told stays where it was while it holds, and the client's own words
    are all there.
    """
    arena = Arena(database)
    try:
        # It is called for each example; that it is a class is not needed.
        factory: Any = partial(Sticky, arena)
        run_state_machine_as_test(factory, settings=SETTINGS)
    finally:
        arena.close()
