"""Waiting for what another task, thread or process does."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from textwrap import dedent
from typing import Any

# Only what hangs takes as long, also where others' tests use the processors.
SECONDS_MAX = 30.0


async def until(
    condition: Callable[[], Any],
    seconds: float = SECONDS_MAX,
    pause: float = 0.005,
    despite: type[Exception] | tuple[type[Exception], ...] = (),
) -> Any:
    """
    Return what a condition, a coroutine function or not, gives once that counts as true.

    Args:
        seconds: After how many the test fails, and shows the condition's source.
        pause: Seconds between two looks.
        despite: Errors of the condition that are as good as no answer.
    """
    answer: Any = None
    try:
        async with asyncio.timeout(seconds):
            while True:
                try:
                    if answer := await _given(condition):
                        return answer
                except despite as error:
                    answer = error
                await asyncio.sleep(pause)
    except TimeoutError:
        raise AssertionError(
            f"waited {seconds:g} s; last came {answer!r}; for {_source(condition)}"
        ) from None


async def becomes(
    read: Callable[[], Any], expected: object, seconds: float = SECONDS_MAX
) -> None:
    """Wait until what is read, by a coroutine function or not, equals what is expected."""
    answer: Any = None

    async def equal() -> bool:
        nonlocal answer
        answer = await _given(read)
        return bool(answer == expected)

    try:
        await until(equal, seconds)
    except AssertionError:
        raise AssertionError(
            f"waited {seconds:g} s for {expected!r}; last came {answer!r}"
        ) from None


async def standstill(count: Callable[[], int]) -> int:
    """Return a count once it is more than none and stands still."""
    before = -1
    while (now := count()) != before or not now:
        before = now
        await asyncio.sleep(0.3)
    return before


@asynccontextmanager
async def running(
    *work: Coroutine[Any, Any, Any], end: Callable[[], None], seconds: float
) -> AsyncIterator[None]:
    """
    Run coroutines for the length of a block, and end them after it.

    Args:
        end: Has them return.
        seconds: Seconds for which they may go on after that.
    """
    tasks = [asyncio.create_task(each) for each in work]
    try:
        yield
        end()
        await asyncio.wait_for(asyncio.gather(*tasks), seconds)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _given(read: Callable[[], Any]) -> Any:
    answer = read()
    return await answer if isinstance(answer, Awaitable) else answer


def _source(condition: Callable[[], Any]) -> str:
    try:
        return dedent(inspect.getsource(condition))
    except (OSError, TypeError):  # a method of C, or made by other code
        return repr(condition)
