"""The hook of the LiteLLM proxy."""

from __future__ import annotations

from types import SimpleNamespace

from litellm.integrations.custom_logger import CustomLogger  # type: ignore[import-not-found, unused-ignore]

from festinger.adapters.litellm import FestingerHook


async def passed(hook, messages, call_type="completion", **more):
    """Return the request as the hook returns it."""
    caller = SimpleNamespace(end_user_id=None)
    data = {"model": "m", "messages": messages, **more}
    return await hook.async_pre_call_hook(caller, None, data, call_type)


def test_hook_is_a_callback(memory):
    """LiteLLM takes it as one of its own kind."""
    assert isinstance(FestingerHook(memory), CustomLogger)


async def test_model_is_told_what_is_known(memory, name):
    """At the end of the system message; what else is in the request stays."""
    memory.tell(f"{name} is a repo.")
    system = {"role": "system", "content": "Be kind."}
    user = {"role": "user", "content": [{"type": "text", "text": f"What is {name}?"}]}

    data = await passed(FestingerHook(memory), [system, user], temperature=0)

    told, asked = data["messages"]
    assert told["content"].startswith("Be kind.\n\n<recollection>")
    assert f"{name}: [type] repo" in told["content"]
    assert (asked, data["temperature"]) == (user, 0)


async def test_request_without_a_system_message_gets_one(memory, name):
    """In front of the others."""
    memory.tell(f"{name} is a repo.")
    user = {"role": "user", "content": f"What is {name}?"}

    data = await passed(FestingerHook(memory), [user])

    assert [it["role"] for it in data["messages"]] == ["system", "user"]


async def test_prompt_teaches(memory, name, held, found):
    """A contradiction is reported."""
    for text in (f"{name} is a repo.", f"{name} is a container."):
        await passed(FestingerHook(memory), [{"role": "user", "content": text}])
        assert held() == "repo"

    assert [it.told for it in found] == [f"{name} [type] container"]


async def test_other_calls_pass(memory, name):
    """A call without messages is left as it is."""
    data = await passed(FestingerHook(memory), None, "embeddings", input=["x"])

    assert data["input"] == ["x"]


async def test_example_is_a_hook(example):
    """The page's example makes one."""
    names = await example("LiteLLM")

    assert isinstance(names["hook"], FestingerHook)
