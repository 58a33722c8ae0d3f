"""Sessions of AI coding agents in plain files: what was acknowledged is never lost.

    with holdfast.Store() as store:
        session = store.create(project=os.getcwd(), title="Fix login")
        session.append("why does login fail?")          # on the disk when it returns
        for message in session.read():
            print(message["role"], message["blocks"])

Everything that docs/api.md lists can be called: store.call("session.stats", by="model"). Type checkers know the
parameters and answers of each operation from operations.pyi.
"""

from __future__ import annotations

import atexit
import ctypes
import ctypes.util
import json
import math
import os
import queue
import re
import threading
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterator, Literal, Mapping, Optional, Sequence, TypeVar, Union, overload

if TYPE_CHECKING:
    from . import operations as _types

__all__ = ["HoldfastError", "Session", "Store", "Stream", "version"]


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
    text: bytes = _library.hf_version()
    return text.decode()


_TOKEN = re.compile(r'[ \t\r\n]*(?:([{}\[\],:])|(")|(true|false|null)|(-?[0-9]+)([.eE][-+.0-9eE]*)?)')
_WORDS = {"true": True, "false": False, "null": None}


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text)
    except RecursionError:  # the library nests deeper than Python's parser; nobody could get past such a message
        return _parsed_deep(text.decode())


def _parsed_deep(text: str) -> Any:
    """Parses JSON of the library without recursion."""
    root: list[Any] = []
    open_values: list[Any] = [root]
    keys: list[Optional[str]] = [None]  # for each of them: the key that waits for its value

    def put(value: Any) -> None:
        top = open_values[-1]
        if isinstance(top, list):
            top.append(value)
        elif keys[-1] is None:
            keys[-1] = value
        else:
            top[keys[-1]] = value
            keys[-1] = None

    at = 0
    while token := _TOKEN.match(text, at):
        at = token.end()
        mark, quote, word, digits, rest = token.groups()
        if quote:
            string, at = json.decoder.scanstring(text, at)  # type: ignore[attr-defined]
            put(string)
        elif word:
            put(_WORDS[word])
        elif digits:
            put(float(digits + rest) if rest else int(digits))
        elif mark in "{[":
            value: Any = {} if mark == "{" else []
            put(value)
            open_values.append(value)
            keys.append(None)
        elif mark in "}]":
            open_values.pop()
            keys.pop()
    return root[0]


def _taken(answer: ctypes.c_void_p) -> dict[str, Any]:
    """Parses the JSON of an answer and frees the answer."""
    if not answer.value:
        raise MemoryError("no memory is left for the answer")
    try:
        parsed: dict[str, Any] = _parsed(ctypes.cast(answer, ctypes.c_char_p).value or b"{}")
        return parsed
    finally:
        _library.hf_free(answer)


def _raise(answer: ctypes.c_void_p) -> None:
    error = _taken(answer)["error"]
    raise HoldfastError(error["code"], error["message"], error.get("path"))


def _default_home() -> str:
    data = os.environ.get("XDG_DATA_HOME", "")
    base = Path(data) if data.startswith("/") else Path.home() / ".local" / "share"
    return "holdfast:" + str(Path(os.environ.get("HOLDFAST_HOME") or base / "holdfast").absolute())


def _method(name: str) -> bytes:
    """The name for the library, where a text ends at the first NUL."""
    try:
        if "\0" not in name:
            return name.encode()
    except UnicodeEncodeError:
        pass
    raise HoldfastError("invalid_argument", f"unknown method {ascii(name)}")


def _encoded(params: Mapping[str, Any]) -> bytes:
    given = {key: value for key, value in params.items() if value is not None}  # None means absent
    try:
        try:
            return json.dumps(given, ensure_ascii=False, allow_nan=False).encode()
        except UnicodeEncodeError:  # half of a surrogate pair: the library keeps it, or refuses it by name
            return json.dumps(given, allow_nan=False).encode()
    except RecursionError:
        raise HoldfastError("invalid_argument", "the parameters are nested too deeply") from None
    except ValueError as error:
        name = _not_finite(given, "") if "Out of range" in str(error) else None
        if name is None:
            raise
        raise HoldfastError("invalid_argument", f"{name} is not a finite number, which JSON cannot hold") from None


def _not_finite(value: Any, name: str) -> Optional[str]:
    """Returns the name of the first number that is not finite."""
    inside: list[tuple[str, Any]] = []
    if isinstance(value, float) and not math.isfinite(value):
        return name
    if isinstance(value, dict):
        inside = [(f"{name}.{key}" if name else str(key), one) for key, one in value.items()]
    elif isinstance(value, (list, tuple)):
        inside = [(f"{name}[{at}]", one) for at, one in enumerate(value)]
    return next((found for one, inner in inside if (found := _not_finite(inner, one)) is not None), None)


_CALLS = 1  # the tag of every call; streams have tags of their own
_WINDOW = 64  # items that a stream may be ahead of its reader
_END = object()


class _Flow:
    """What the reader of a stream shares with its thread, which must not keep the reader alive. It has no locks, but
    queues that can be used at any moment, also by a signal handler or the garbage collector."""

    def __init__(self, tag: int) -> None:
        self.tag = tag
        self.items: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.room: queue.SimpleQueue[None] = queue.SimpleQueue()
        self.started = False
        self.over = False
        self.store_closed = False
        self.tell: Callable[[], None] = lambda: None  # called after an item was put
        for _ in range(_WINDOW):
            self.room.put(None)

    def put(self, item: Any) -> None:
        self.items.put(item)
        self.tell()

    def take(self, _data: Any, item: bytes) -> int:
        self.room.get()
        if self.over:
            return 0
        try:
            self.put(_parsed(item))
        except Exception as error:  # raised by the reader
            self.put(error)
            return 0
        return 1

    def end(self, store_closed: bool = False, wake: bool = True) -> None:
        if not self.over:
            self.store_closed = store_closed
            self.over = True
        self.room.put(None)
        if wake:
            self.put(_END)

    def next(self, wait: bool = True) -> Any:
        item = _END if self.over else self.items.get(wait)
        if self.over or not isinstance(item, dict):
            self.items.put(_END)  # for whoever asks next
            if self.store_closed:
                raise ValueError("the store is closed")
            if self.over or item is _END:
                raise StopIteration
            raise item
        self.room.put(None)
        return item


class _Client:
    """A client of the library, which is freed when it is closed and nobody is inside. A signal handler or the garbage
    collector may close it in the middle of a call of the same thread, so the lock is reentrant, and whoever leaves
    last frees the client.

    It belongs to the process that opened it. A child made by fork shares the locks of its leases but none of its
    threads, so the child must not touch it: freeing it would release the parent's leases."""

    def __init__(self, options: bytes) -> None:
        self._process = os.getpid()
        self._handle = ctypes.c_void_p()
        self._inside: dict[object, int] = {}  # calls and flows, with the thread of each
        self._left = threading.Condition()
        self._closed = False
        self._last_tag = _CALLS
        error = ctypes.c_void_p()
        if _library.hf_open(options, ctypes.byref(self._handle), ctypes.byref(error)) != 0:
            _raise(error)
        _clients.add(self)

    def call(self, method: bytes, params: bytes) -> dict[str, Any]:
        self.check_process()
        answer = ctypes.c_void_p()
        this = object()
        try:
            handle = self._enter(this)
            failed = _library.hf_call(handle, _CALLS, method, params, ctypes.byref(answer))
        finally:
            self._leave(this)
        if failed:
            _raise(answer)
        return _taken(answer)

    def new_flow(self) -> _Flow:
        self.check_process()
        with self._left:
            self._check_open()
            self._last_tag += 1
            return _Flow(self._last_tag)

    def start(self, flow: _Flow, method: bytes, params: bytes) -> None:
        with self._left:
            self._check_open()
            if flow.started or flow.over:
                return
            flow.started = True
            try:
                threading.Thread(target=self._run, args=(flow, method, params), daemon=True).start()
            except BaseException:  # no thread, or it is not known
                flow.end()
                raise

    def _run(self, flow: _Flow, method: bytes, params: bytes) -> None:
        answer, callback = ctypes.c_void_p(), _Item(flow.take)
        try:
            handle = self._enter(flow)
            if flow.over:
                return  # nobody waits for it
            if _library.hf_stream(handle, flow.tag, method, params, callback, None, ctypes.byref(answer)):
                _raise(answer)
            _taken(answer)
            result: Any = _END
        except Exception as error:  # raised by the reader
            result = error
        finally:
            if not flow.over:
                flow.put(result)
            self._leave(flow)

    def end(self, flow: _Flow) -> None:
        """Ends a stream and waits for its thread."""
        if not self._is_ours():
            return
        flow.end()
        self._wait_for(lambda one: one is flow)

    def close(self, at_once: bool = False) -> None:
        """Ends the streams and waits for every call to return. at_once: the program ends. Cancels calls too, and lets
        threads that wait for an item wait, because they end with the program."""
        if not self._handle.value or not self._is_ours():
            return
        with self._left:
            self._closed = True
            for one in list(self._inside):
                if isinstance(one, _Flow):
                    one.end(store_closed=True, wake=not at_once)
            self._wait_for(lambda one: True, at_once)
            self._free_if_empty()

    def _wait_for(self, wanted: Callable[[object], bool], at_once: bool = False) -> None:
        this_thread = threading.get_ident()
        with self._left:
            while others := [one for one, thread in list(self._inside.items()) if wanted(one) and thread != this_thread]:
                tags = {one.tag if isinstance(one, _Flow) else _CALLS for one in others}
                if not at_once:
                    tags.discard(_CALLS)
                for tag in tags:
                    _library.hf_cancel(self._handle, tag)
                # Again, because what only begins cannot be cancelled yet.
                self._left.wait(0.05 if tags else None)

    def _is_ours(self) -> bool:
        return self._process == os.getpid()

    def check_process(self) -> None:
        """Comes before anything that takes a lock, which a thread of the parent may have held at the fork."""
        if not self._is_ours():
            raise ValueError(f"the store was opened by process {self._process}; after a fork, open one in the child")

    def _check_open(self) -> None:
        if self._closed:
            raise ValueError("the store is closed")

    def _enter(self, this: object) -> ctypes.c_void_p:
        with self._left:
            self._check_open()
            self._inside[this] = threading.get_ident()
            return self._handle

    def _leave(self, this: object) -> None:
        with self._left:
            self._inside.pop(this, None)
            self._free_if_empty()
            self._left.notify_all()

    def _free_if_empty(self) -> None:
        if self._closed and not self._inside and self._handle.value:
            handle, self._handle = self._handle, ctypes.c_void_p()
            _library.hf_free(handle)


_clients: weakref.WeakSet[_Client] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """Python ends threads that are still running by stopping them wherever they are. No library survives that, so
    none may be inside when it happens. What was registered with atexit after this module can still use its stores."""
    for client in list(_clients):
        client.close(at_once=True)


_Row = TypeVar("_Row")


class Stream(Iterator[_Row]):
    """The items of a stream as they arrive. Any thread may close it, also while another one waits for an item."""

    def __init__(self, store: "Store", method: str, params: Mapping[str, Any]) -> None:
        self._store = store
        self._request = _method(method), _encoded(params)
        self._flow = store._client.new_flow()

    def __next__(self) -> _Row:
        self._start()
        try:
            row: _Row = self._flow.next()
            return row
        except BaseException:  # KeyboardInterrupt too: it ends the loop, but its traceback keeps this object
            self.close()
            raise

    def _poll(self, tell: Callable[[], None]) -> _Row:
        """Like next(), but raises queue.Empty rather than wait. tell: called by any thread when it is time to ask."""
        self._flow.tell = tell
        self._start()
        row: _Row = self._flow.next(wait=False)
        return row

    def _start(self) -> None:
        self._store._client.check_process()
        if not self._flow.started:
            self._store._client.start(self._flow, *self._request)

    def close(self) -> None:
        """Ends the stream, also for a thread that waits for an item. Does nothing if it has ended."""
        self._store._client.end(self._flow)

    def __del__(self) -> None:
        if hasattr(self, "_flow"):
            self.close()


class Store:
    """The operations of docs/api.md on one or more stores. Any thread may call them. Leases last until close().
    A process made by fork cannot use the stores of its parent, and opens its own.

    home: the "LAYOUT:ROOT" to write to; created by the first write if absent, and empty until then; default: the
    user's own store. stores: more stores to read. cache: a directory for derived data, which makes listing faster.
    """

    def __init__(self, home: Optional[str] = None, stores: Sequence[str] = (), cache: Optional[str] = None) -> None:
        options: dict[str, Any] = {"home": home or (None if stores else _default_home()), "stores": list(stores),
                                   "cache": cache}
        self._client = _Client(_encoded(options))

    if TYPE_CHECKING:  # the signature of each operation
        call: _types.Call
        pages: _types.Pages
        stream: _types.Streams
    else:
        def call(self, method, /, **params):
            """Calls one operation: store.call("message.append", session=id, text="...")."""
            return self._client.call(_method(method), _encoded(params))

        def pages(self, method, key, /, **params):
            """Yields every row of a list, fetched a page at a time. The cost of a page depends only on its rows."""
            while True:
                page = self.call(method, **params)
                yield from page[key]
                if not page.get("next_cursor"):
                    return
                params["cursor"] = page["next_cursor"]

        def stream(self, method, /, **params):
            """Yields items as they arrive. Leaving the loop or closing the iterator ends the stream."""
            return Stream(self, method, params)

    @overload
    def create(self, *, dry_run: Literal[False] = False, **params: Any) -> Session: ...

    @overload
    def create(self, *, dry_run: Literal[True], **params: Any) -> _types.DryRun: ...

    @overload
    def create(self, *, dry_run: bool, **params: Any) -> Union[Session, _types.DryRun]: ...

    def create(self, *, dry_run: bool = False, **params: Any) -> Union[Session, _types.DryRun]:
        """Creates a session: project, title, id, model, parent, metadata, ... This store holds its lease.
        dry_run: creates nothing, and returns the answer of the operation, which says what it would do."""
        answer: Any = self.call("session.create", dry_run=dry_run or None, **params)
        return answer if dry_run else Session(self, answer["id"], answer["session"]["store"])

    def session(self, id: str, *, store: Optional[str] = None) -> "Session":
        """Returns an existing session by its id, a prefix of it, LAYOUT/ID, or "@last"."""
        found = self.call("session.get", id=id, store=store)["session"]
        return Session(self, found["id"], found["store"])

    def sessions(self, **filters: Any) -> Iterator[_types.Session]:
        """Yields sessions, newest first. Filters: project, since, until, status, layout."""
        return self.pages("session.list", "sessions", **filters)

    def search(self, *words: str, **options: Any) -> Iterator[_types.Hit]:
        """Yields hits: messages that contain all words."""
        return self.pages("session.search", "hits", words=list(words), **options)

    def close(self) -> None:
        """Ends the streams, waits for running calls and ends the leases. What is asked later raises ValueError."""
        self._client.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_client"):
            self.close()


class Session:
    """One session of a store. place: the "LAYOUT:ROOT" that has it; without it, each call looks for the id."""

    def __init__(self, store: Store, id: str, place: Optional[str] = None) -> None:
        self.store = store
        self.id = id
        self.place = place

    def append(self, text: Optional[str] = None, *, role: Optional[str] = None,
               message: Optional[Mapping[str, Any]] = None,
               durability: Optional[Literal["power", "process", "none"]] = None) -> _types.MessageAppendResult:
        """Appends a text, or a message (blocks, or the format of Anthropic, OpenAI or Vercel). Durable on return."""
        answer: _types.MessageAppendResult = self._call("message.append", session=self.id, store=self.place, text=text,
                                                        role=role, message=message, durability=durability)
        return answer

    @overload
    def read(self, *, as_: Optional[Literal["holdfast"]] = None, **options: Any) -> Iterator[_types.Message]: ...

    @overload
    def read(self, *, as_: str, **options: Any) -> Iterator[Any]: ...

    def read(self, *, as_: Optional[str] = None, **options: Any) -> Iterator[Any]:
        """Yields messages in order, fetched a page at a time. as_ (the parameter `as`, which Python reserves):
        "anthropic", "openai", "maestro" or "raw" yields items of that form instead."""
        form = options.pop("as", None) if as_ is None else as_
        key = "messages" if form in (None, "holdfast") else "items"
        pages: Any = self.store.pages
        rows: Iterator[Any] = pages("message.list", key, session=self.id, **{"store": self.place, **options, "as": form})
        return rows

    def follow(self, *, last: int = 10) -> Stream[_types.SessionFollowItem]:
        """Yields the last messages, and then each new one: {"event": "message", "message": {...}}."""
        return self.store.stream("session.follow", id=self.id, store=self.place, last=last)

    def resume(self, **options: Any) -> _types.SessionResumeResult:
        answer: _types.SessionResumeResult = self._call("session.resume", id=self.id, **{"store": self.place, **options})
        return answer

    def end(self, status: Optional[str] = None) -> _types.SessionEndResult:
        answer: _types.SessionEndResult = self._call("session.end", id=self.id, store=self.place, status=status)
        return answer

    def _call(self, method: str, **params: Any) -> Any:
        call: Any = self.store.call
        return call(method, **params)
