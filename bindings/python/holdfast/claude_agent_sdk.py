"""A SessionStore for the Claude Agent SDK on entries of Holdfast (docs/formats/holdfast.md, "Entries").

    store = HoldfastSessionStore(holdfast.Store(), fold_session_summary)
    options = ClaudeAgentOptions(session_store=store)

Entries are on the disk when append() returns. A batch is stored completely or not at all. If it is retried, entries
with a uuid are stored only once.
"""

from __future__ import annotations

import asyncio
import os
import re
import threading
import time
import unicodedata
from collections import OrderedDict
from typing import Any, Callable, Mapping, Optional, Sequence
from weakref import WeakKeyDictionary, WeakValueDictionary

from . import HoldfastError, Store
from .aio import call

__all__ = ["HoldfastSessionStore", "project_key_for_directory"]

_MAX_KNOWN = 256


class HoldfastSessionStore:
    """fold_session_summary: the function of the SDK that makes a summary from the previous one and new entries.
    Event loops of several threads may share an object. Calls on one key keep their order within a loop."""

    def __init__(self, store: Store, fold_session_summary: Callable[..., Mapping[str, Any]]) -> None:
        self._store = store
        self._fold = fold_session_summary
        # An asyncio.Lock belongs to one loop. Between loops, a write after another one is a conflict and tried again.
        self._turns: WeakKeyDictionary[Any, WeakValueDictionary[tuple[str, ...], asyncio.Lock]] = WeakKeyDictionary()
        self._mutex = threading.Lock()
        self._known: OrderedDict[tuple[str, str], dict[str, Any]] = OrderedDict()  # after our last write

    async def append(self, key: Mapping[str, str], entries: Sequence[Mapping[str, Any]]) -> None:
        params: dict[str, Any] = {**_place(key), "entries": list(entries)}
        if not entries:
            return
        async with self._turn(key):
            if "stream" in params:
                await self._call("entry.append", **params)
            else:
                await self._append_with_summary(key, params)

    async def _append_with_summary(self, key: Mapping[str, str], params: dict[str, Any]) -> None:
        # The summary is made from the previous one, so nobody else may have written in between.
        name = (key["project_key"], key["session_id"])
        while True:
            with self._mutex:
                last = self._known.pop(name, None)
            known = last or await self._call("entry.load", **_place(key), count=0)
            before = known.get("summary")
            summary = dict(self._fold(before, key, params["entries"]))
            summary.setdefault("session_id", key["session_id"])
            summary["mtime"] = max(int(time.time() * 1000), known["mtime"])
            try:
                written = await self._call("entry.append", **params, summary=summary, after=known["version"])
            except HoldfastError as error:
                if error.code != "conflict":
                    raise
                continue
            with self._mutex:
                self._known[name] = {**written, "summary": summary if written["applied"] else before}
                if len(self._known) > _MAX_KNOWN:
                    self._known.popitem(last=False)
            return

    async def load(self, key: Mapping[str, str]) -> Optional[list[dict[str, Any]]]:
        answer = await self._call("entry.load", **_place(key))
        return answer["entries"] if answer["exists"] else None

    async def list_sessions(self, project_key: str) -> list[dict[str, Any]]:
        rows = await self._rows("entry.list", "sessions", project=project_key)
        return [{"session_id": row["session"], "mtime": row["mtime"]} for row in rows]

    async def list_session_summaries(self, project_key: str) -> list[dict[str, Any]]:
        rows = await self._rows("entry.summaries", "summaries", project=project_key)
        return [{**row["summary"], "mtime": row["mtime"]} for row in rows]

    async def delete(self, key: Mapping[str, str]) -> None:
        async with self._turn(key):
            if "subpath" not in key:
                with self._mutex:
                    self._known.pop((key["project_key"], key["session_id"]), None)
            await self._call("entry.delete", **_place(key))

    async def list_subkeys(self, key: Mapping[str, str]) -> list[str]:
        return await self._rows("entry.streams", "streams", project=key["project_key"], session=key["session_id"])

    def _turn(self, key: Mapping[str, str]) -> asyncio.Lock:
        """Returns the lock that keeps the calls on one key in order."""
        name = (key["project_key"], key["session_id"], key.get("subpath") or "")
        with self._mutex:
            turns = self._turns.setdefault(asyncio.get_running_loop(), WeakValueDictionary())
            lock = turns.get(name)
            if lock is None:
                lock = turns[name] = asyncio.Lock()
            return lock

    async def _call(self, method: str, **params: Any) -> dict[str, Any]:
        return await call(self._store, method, **params)

    async def _rows(self, method: str, name: str, **params: Any) -> list[Any]:
        pages: Any = self._store.pages
        return await asyncio.to_thread(lambda: list(pages(method, name, limit=1000, **params)))


def _place(key: Mapping[str, str]) -> dict[str, str]:
    place = {"project": key["project_key"], "session": key["session_id"]}
    subpath = key.get("subpath")
    if subpath is None:
        return place
    if not subpath:
        raise ValueError("a subpath is not empty; the main transcript has none")
    return {**place, "stream": subpath}


def project_key_for_directory(directory: str) -> str:
    """The name of a directory in ~/.claude/projects, so that imported and mirrored sessions are in the same project."""
    real = unicodedata.normalize("NFC", os.path.realpath(directory))
    units = real.encode("utf-16-le")
    letters = [int.from_bytes(units[at:at + 2], "little") for at in range(0, len(units), 2)]
    key = "".join(chr(unit) if unit < 128 and re.match("[a-zA-Z0-9]", chr(unit)) else "-" for unit in letters)
    if len(key) <= 200:
        return key
    number = 0
    for unit in letters:
        number = (number * 31 + unit) & 0xFFFFFFFF
    number = abs(number - (1 << 32) if number & 0x80000000 else number)
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
        if number == 0:
            return f"{key[:200]}-{digits}"
