"""Checked by mypy, never run: the types accept what exists and reject what does not."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from holdfast import HoldfastError, Session, Store, Stream, aio

if TYPE_CHECKING:
    from holdfast import operations

store = Store(home="holdfast:/tmp/x")
session: Session = store.create(title="one")
offset: int = session.append("text", role="user")["offset"]
for message in session.read(limit=10):
    kind: str = message["blocks"][0]["type"]
raw: dict[str, Any] = next(session.read(as_="raw"))
would: str = store.create(title="two", dry_run=True)["would"]
total: int = store.call("session.list", limit=5)["total"]
row: operations.Session = next(store.pages("session.list", "sessions", project="/p"))
follow: Stream[operations.SessionFollowItem] = store.stream("session.follow", id="one")
entries = store.call("entry.load", project="p", session="s")["entries"]
any_operation: Any = store.call
any_operation("session." + "list")


async def follow_it() -> None:
    async for item in aio.iterate(session.follow()):
        event: str = item["event"]


asyncio.run(follow_it())
try:
    store.close()
except HoldfastError as error:
    code: str = error.code

store.call("no.such")  # type: ignore[call-overload]
store.call("entry.list", session="s")  # type: ignore[call-overload]
store.call("session.list", sesion="s")  # type: ignore[call-overload]
store.pages("session.list", "rows")  # type: ignore[call-overload]
session.append("x", durability="some")  # type: ignore[arg-type]
row["no_such"]  # type: ignore[typeddict-item]
