"""Holdfast for asyncio. Every call runs in a thread, so that a slow disk does not block the event loop."""

from __future__ import annotations

import asyncio
import queue
import threading
from typing import Any, AsyncGenerator, Iterator, TypeVar

from . import Store, Stream

__all__ = ["call", "iterate"]

_END = object()
_Row = TypeVar("_Row")


async def call(store: Store, method: str, /, **params: Any) -> dict[str, Any]:
    operation: Any = store.call
    answer: dict[str, Any] = await asyncio.to_thread(operation, method, **params)
    return answer


def iterate(items: Iterator[_Row]) -> AsyncGenerator[_Row, None]:
    """async for message in iterate(session.read()): ...

    Cancelling the task ends a stream. A page that is being read is read to its end first."""
    return _arriving(items) if isinstance(items, Stream) else _in_threads(items)


async def _arriving(stream: Stream[_Row]) -> AsyncGenerator[_Row, None]:
    # A stream has a thread of its own. Waiting in another one would use up those of asyncio, which also wait for
    # their work when the program ends.
    loop = asyncio.get_running_loop()
    arrived = asyncio.Event()

    def tell() -> None:
        try:
            loop.call_soon_threadsafe(arrived.set)
        except RuntimeError:  # the loop has ended, and nobody waits
            pass

    try:
        while True:
            arrived.clear()
            try:
                item = stream._poll(tell)
            except queue.Empty:
                await arrived.wait()
            except StopIteration:
                return
            else:
                await asyncio.sleep(0)  # others run too, however fast the items come
                yield item
    finally:
        await asyncio.to_thread(stream.close)


async def _in_threads(items: Iterator[_Row]) -> AsyncGenerator[_Row, None]:
    one_at_a_time = threading.Lock()  # a cancelled task does not stop its thread

    def step() -> Any:
        with one_at_a_time:
            return next(items, _END)

    def end() -> None:
        close = getattr(items, "close", None)
        with one_at_a_time:
            if close is not None:
                close()

    try:
        while (item := await asyncio.to_thread(step)) is not _END:
            yield item
    finally:
        await asyncio.to_thread(end)
