"""Sessions of AI coding agents in plain files: what was acknowledged is never lost.

    with holdfast.Store() as store:
        session = store.create(project=os.getcwd(), title="Fix login")
        session.append("why does login fail?")          # on the disk when it returns
        for message in session.read():
            print(message["role"], message["blocks"])

Everything that docs/api.md lists can be called: store.call("session.stats", by="model").
"""

from __future__ import annotations

import ctypes
import ctypes.util
import json
import os
import queue
import threading
from pathlib import Path
from typing import Any, Iterator, Mapping, Optional, Sequence

__all__ = ["HoldfastError", "Session", "Store", "version"]


class HoldfastError(Exception):
    """`code` is one of the codes in docs/api.md: not_found, busy, disk_full, ..."""

    def __init__(self, code: str, message: str, path: Optional[str] = None) -> None:
        super().__init__(f"{code}: {message}" + (f" ({path})" if path else ""))
        self.code = code
        self.message = message
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:  # args holds only the text, from which nothing can be made again
        return type(self), (self.code, self.message, self.path), self.__dict__


_Item = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)


def _load() -> ctypes.CDLL:
    beside = Path(__file__).parent / "libholdfast.so.0"
    name = os.environ.get("HOLDFAST_LIBRARY") or (
        str(beside) if beside.exists() else ctypes.util.find_library("holdfast") or "libholdfast.so.0")
    library = ctypes.CDLL(name)
    library.hf_version.restype = ctypes.c_char_p
    library.hf_open.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_void_p)]
    library.hf_call.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_char_p,
                                ctypes.POINTER(ctypes.c_void_p)]
    library.hf_stream.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_char_p, _Item,
                                  ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]
    library.hf_cancel.argtypes = [ctypes.c_void_p, ctypes.c_uint64]
    library.hf_cancel.restype = None
    library.hf_free.argtypes = [ctypes.c_void_p]
    library.hf_free.restype = None
    return library


_library = _load()


def version() -> str:
    return _library.hf_version().decode()


def _taken(answer: ctypes.c_void_p) -> dict[str, Any]:
    """Parses the JSON of an answer and frees the answer."""
    if not answer.value:
        raise MemoryError("no memory is left for the answer")
    try:
        return json.loads(ctypes.cast(answer, ctypes.c_char_p).value or b"{}")
    finally:
        _library.hf_free(answer)


def _raise(answer: ctypes.c_void_p) -> None:
    error = _taken(answer)["error"]
    raise HoldfastError(error["code"], error["message"], error.get("path"))


def _default_home() -> str:
    data = os.environ.get("XDG_DATA_HOME", "")
    base = Path(data) if data.startswith("/") else Path.home() / ".local" / "share"
    return "holdfast:" + str(Path(os.environ.get("HOLDFAST_HOME") or base / "holdfast").absolute())


def _bytes(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # refused rather than stored as something else
        raise HoldfastError("invalid_argument", "a text holds half of a surrogate pair, which is not valid text") from None


def _encoded(params: Mapping[str, Any]) -> bytes:
    # None means absent.
    return _bytes(json.dumps({key: value for key, value in params.items() if value is not None}, ensure_ascii=False))


class Store:
    """The operations of docs/api.md on one or more stores. Any thread may call them. Leases last until close().

    home: the "LAYOUT:ROOT" to write to; created by the first write if absent, and empty until then; default: the
    user's own store. stores: more stores to read. cache: a directory for derived data, which makes listing faster.
    """

    def __init__(self, home: Optional[str] = None, stores: Sequence[str] = (), cache: Optional[str] = None) -> None:
        self._handle = ctypes.c_void_p()
        self._tags = iter(range(1, 1 << 62))
        self._lock = threading.Lock()
        options: dict[str, Any] = {"home": home or (None if stores else _default_home()), "stores": list(stores),
                                   "cache": cache}
        error = ctypes.c_void_p()
        if _library.hf_open(_encoded(options), ctypes.byref(self._handle), ctypes.byref(error)) != 0:
            _raise(error)

    def call(self, method: str, /, **params: Any) -> dict[str, Any]:
        """Calls one operation: store.call("message.append", session=id, text="...")."""
        answer = ctypes.c_void_p()
        failed = _library.hf_call(self._open(), 0, _bytes(method), _encoded(params), ctypes.byref(answer))
        if failed:
            _raise(answer)
        return _taken(answer)

    def pages(self, method: str, key: str, /, **params: Any) -> Iterator[dict[str, Any]]:
        """Yields every row of a list, fetched a page at a time. The cost of a page depends only on its rows."""
        while True:
            page = self.call(method, **params)
            yield from page[key]
            if not page.get("next_cursor"):
                return
            params["cursor"] = page["next_cursor"]

    def stream(self, method: str, /, **params: Any) -> Iterator[dict[str, Any]]:
        """Yields items as they arrive. Leaving the loop or closing the iterator ends the stream."""
        with self._lock:
            tag = next(self._tags)
        items: queue.Queue[Any] = queue.Queue(maxsize=64)
        over = threading.Event()
        end = object()

        def take(_data: Any, item: bytes) -> int:
            value = json.loads(item)
            while not over.is_set():
                try:
                    items.put(value, timeout=0.1)
                    return 1
                except queue.Full:
                    continue
            return 0

        def run() -> None:
            answer = ctypes.c_void_p()
            failed = _library.hf_stream(handle, tag, name, encoded, callback, None, ctypes.byref(answer))
            result: Any = end
            try:
                if failed:
                    _raise(answer)
                _taken(answer)
            except Exception as error:  # raised by the iterator
                result = error
            while not over.is_set():
                try:
                    return items.put(result, timeout=0.1)
                except queue.Full:
                    continue

        handle, name, encoded, callback = self._open(), _bytes(method), _encoded(params), _Item(take)
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        try:
            while True:
                item = items.get()
                if item is end:
                    return
                if isinstance(item, Exception):
                    raise item
                yield item
        finally:
            over.set()
            _library.hf_cancel(handle, tag)
            thread.join()

    def create(self, **params: Any) -> "Session":
        """Creates a session: project, title, id, model, parent, metadata, ... This store holds its lease."""
        return Session(self, self.call("session.create", **params)["id"])

    def session(self, id: str) -> "Session":
        """Returns an existing session by its id, a prefix of it, or "@last"."""
        return Session(self, self.call("session.get", id=id)["session"]["id"])

    def sessions(self, **filters: Any) -> Iterator[dict[str, Any]]:
        """Yields sessions, newest first. Filters: project, since, until, status, layout."""
        return self.pages("session.list", "sessions", **filters)

    def search(self, *words: str, **options: Any) -> Iterator[dict[str, Any]]:
        """Yields hits: messages that contain all words."""
        return self.pages("session.search", "hits", words=list(words), **options)

    def close(self) -> None:
        handle, self._handle = self._handle, ctypes.c_void_p()
        if handle.value:
            _library.hf_free(handle)

    def _open(self) -> ctypes.c_void_p:
        if not self._handle.value:
            raise ValueError("the store is closed")
        return self._handle

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


class Session:
    """One session of a store."""

    def __init__(self, store: Store, id: str) -> None:
        self.store = store
        self.id = id

    def append(self, text: Optional[str] = None, *, role: Optional[str] = None,
               message: Optional[Mapping[str, Any]] = None, durability: Optional[str] = None) -> dict[str, Any]:
        """Appends a text, or a message (blocks, or the format of Anthropic, OpenAI or Vercel). Durable on return."""
        return self.store.call("message.append", session=self.id, text=text, role=role, message=message,
                               durability=durability)

    def read(self, **options: Any) -> Iterator[dict[str, Any]]:
        """Yields messages in order, fetched a page at a time."""
        return self.store.pages("message.list", "messages", session=self.id, **options)

    def follow(self, *, last: int = 10) -> Iterator[dict[str, Any]]:
        """Yields the last messages, and then each new one: {"event": "message", "message": {...}}."""
        return self.store.stream("session.follow", id=self.id, last=last)

    def resume(self, **options: Any) -> dict[str, Any]:
        return self.store.call("session.resume", id=self.id, **options)

    def end(self, status: Optional[str] = None) -> dict[str, Any]:
        return self.store.call("session.end", id=self.id, status=status)
