"""Holdfast for asyncio. Every call runs in a thread, so that a slow disk does not block the event loop."""

from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator, Iterator

from . import Store

__all__ = ["call", "iterate"]

_END = object()


async def call(store: Store, method: str, /, **params: Any) -> dict[str, Any]:
    return await asyncio.to_thread(store.call, method, **params)


async def iterate(items: Iterator[dict[str, Any]]) -> AsyncIterator[dict[str, Any]]:
    """async for message in iterate(session.read()): ..."""
    try:
        while (item := await asyncio.to_thread(next, items, _END)) is not _END:
            yield item
    finally:
        close = getattr(items, "close", None)
        if close is not None:
            await asyncio.to_thread(close)
