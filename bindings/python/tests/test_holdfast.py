"""Tests the package as programs use it. HOLDFAST_LIBRARY names the library; PYTHONPATH includes the package."""

import asyncio
import copy
import os
import pickle
import queue
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
from pathlib import Path

import holdfast
from holdfast import aio


class StoreTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.home = "holdfast:" + self.directory.name + "/store"
        self.store = holdfast.Store(self.home)

    def tearDown(self):
        self.store.close()
        self.directory.cleanup()

    def texts(self, session, **options):
        return [block["text"] for message in session.read(**options) for block in message["blocks"]]

    def test_appends_and_reads_page_by_page(self):
        session = self.store.create(title="Fix login", project="/p")
        for n in range(25):
            acknowledged = session.append(f"say {n} ünïcode 👋")
            self.assertEqual(acknowledged["durability"], "power")
        self.assertEqual(self.texts(session, limit=7), [f"say {n} ünïcode 👋" for n in range(25)])
        self.assertEqual([row["id"] for row in self.store.sessions()], [session.id])
        self.assertEqual(self.store.session(session.id[:6]).id, session.id)

    def test_messages_keep_their_shape(self):
        session = self.store.create()
        session.append(message={"role": "assistant", "model": "m-1", "usage": {"input": 3, "output": 4},
                                "blocks": [{"type": "text", "text": "done"},
                                           {"type": "tool_call", "id": "c1", "name": "Bash", "input": {"command": "ls"}}]})
        message = next(session.read())
        self.assertEqual(message["model"], "m-1")
        self.assertEqual(message["blocks"][1]["input"], {"command": "ls"})

    def test_reads_messages_in_other_forms(self):
        session = self.store.create()
        for text in ("one", "two", "three"):
            session.append(text)
        said = [{"role": "user", "content": [{"type": "text", "text": text}]} for text in ("one", "two", "three")]
        self.assertEqual(list(session.read(as_="anthropic", limit=2)), said)
        self.assertEqual(list(session.read(**{"as": "anthropic"})), said)
        for form, texts in (("openai", lambda item: item["content"][0]["text"]), ("maestro", lambda item: item["content"]),
                            ("raw", lambda item: item["blocks"][0]["text"]), ("holdfast", lambda item: item["blocks"][0]["text"])):
            self.assertEqual([texts(item) for item in session.read(as_=form, limit=2)], ["one", "two", "three"], form)
        with self.assertRaises(holdfast.HoldfastError) as caught:
            list(session.read(as_="prose"))
        self.assertEqual(caught.exception.code, "invalid_argument")

    def test_a_dry_run_creates_no_session(self):
        self.assertEqual(self.store.create(id="one", dry_run=True)["would"], "create a session")
        self.assertEqual(list(self.store.sessions()), [])
        self.assertEqual(self.store.create(id="one", dry_run=False).id, "one")
        with self.assertRaises(holdfast.HoldfastError) as caught:
            self.store.create(id="one", dry_run=True)
        self.assertEqual(caught.exception.code, "already_exists")

    def test_searches(self):
        session = self.store.create()
        session.append("the marmalade is orange")
        self.assertEqual([hit["session"] for hit in self.store.search("marmalade")], [session.id])
        self.assertEqual(list(self.store.search("nothing-like-it")), [])

    def test_errors_have_codes(self):
        session = self.store.create()
        for broken in (lambda: session.append("\ud800"), lambda: self.store.call("session.\ud800"),
                       lambda: self.store.call("session.list", project="/\udcff"),
                       lambda: list(self.store.stream("session.follow", id="\ud800"))):
            with self.assertRaises(holdfast.HoldfastError) as caught:
                broken()
            self.assertEqual(caught.exception.code, "invalid_argument")
        with self.assertRaises(holdfast.HoldfastError) as caught:
            self.store.session("nobody")
        self.assertEqual(caught.exception.code, "not_found")
        with self.assertRaises(holdfast.HoldfastError) as caught:
            self.store.call("session.lst")
        self.assertIn("session.list", str(caught.exception))
        with self.assertRaises(holdfast.HoldfastError) as caught:
            holdfast.Store("no-such-layout:/x")
        self.assertEqual(caught.exception.code, "invalid_argument")
        self.store.close()
        with self.assertRaises(ValueError):
            self.store.call("session.list")

    def test_half_a_surrogate_pair_is_kept_where_the_library_keeps_it(self):
        session = self.store.create()
        said = {"role": "tool", "blocks": [{"type": "tool_result", "id": "c", "output": "é cut \ud83d"}]}
        session.append(message=said)
        [message] = session.read()
        self.assertEqual(message["blocks"][0]["output"], "é cut \ud83d")
        session.append(message={"role": "tool", "blocks": message["blocks"]})
        self.assertEqual([one["blocks"][0]["output"] for one in session.read()], ["é cut \ud83d"] * 2)
        with self.assertRaisesRegex(holdfast.HoldfastError, r"blocks\[0\]\.text holds half of a surrogate pair"):
            session.append(message={"role": "user", "blocks": [{"type": "text", "text": "\ud83d"}]})

    def test_what_json_cannot_hold_is_refused_by_name(self):
        session = self.store.create()
        for value in (float("nan"), float("inf")):
            with self.assertRaisesRegex(holdfast.HoldfastError, r"message\.extra\.a\[1\] is not a finite number") as caught:
                session.append(message={"role": "user", "text": "x", "extra": {"b": 1.5, "a": ["\ud83d", value]}})
            self.assertEqual(caught.exception.code, "invalid_argument")
        deep = []
        for _ in range(100_000):
            deep = [deep]
        with self.assertRaisesRegex(holdfast.HoldfastError, "nested too deeply"):
            session.append(message={"role": "user", "text": "x", "extra": {"a": deep}})
        for call in (lambda: self.store.call("session.list\0x"), lambda: self.store.stream("session.follow\0x", id=session.id)):
            with self.assertRaisesRegex(holdfast.HoldfastError, r"invalid_argument: unknown method 'session\.\w+\\x00x'"):
                call()
        self.assertEqual(list(session.read()), [])

    def test_only_streams_are_streamed(self):
        session = self.store.create()
        for method, params in (("session.list", {}), ("message.append", {"session": session.id, "text": "x"})):
            with self.assertRaisesRegex(holdfast.HoldfastError, f"{method} is not a stream") as caught:
                list(self.store.stream(method, **params))
            self.assertEqual(caught.exception.code, "invalid_argument")
        self.assertEqual(list(session.read()), [])

    def test_messages_may_be_nested_deeper_than_python_parses(self):
        session = self.store.create()
        session.append("before")
        depth = 1000
        extra = '{"a":' + "[" * depth + r'true,"é\n\ud83d😀",-1.5e3,12,null,{},[],{"k":{"l":false}}' + "]" * depth + "}"
        params = f'{{"session":"{session.id}","message":{{"role":"user","text":"deep","extra":{extra}}}}}'
        self.store._client.call(b"message.append", params.encode())
        session.append("after")
        self.assertEqual(self.texts(session), ["before", "deep", "after"])
        value = list(session.read())[1]["extra"]["a"]
        for _ in range(depth - 1):
            [value] = value
        self.assertEqual(value, [True, "é\n\ud83d😀", -1500.0, 12, None, {}, [], {"k": {"l": False}}])
        stream = session.follow()
        self.assertEqual([next(stream)["message"]["blocks"][0]["text"] for _ in range(3)], ["before", "deep", "after"])
        stream.close()

    def test_a_session_stays_in_its_store(self):
        a, b, m = (layout + self.directory.name + name for layout, name in
                   (("holdfast:", "/a"), ("holdfast:", "/b"), ("maestro:", "/m")))
        with holdfast.Store(a, stores=[m]) as store:
            here, there, other = store.create(id="plan"), store.create(id="plan", store=b), store.create(store=b)
            store.create(id="plan", store=m)
            found, named = store.session("maestro/plan"), store.session("plan", store=b)
            self.assertEqual([one.place for one in (here, there, found, named)], [a, b, m, b])
            for session, text in ((here, "in a"), (there, "in b"), (found, "in m"), (other, "other"), (named, "also in b")):
                session.append(text)
            self.assertEqual([self.texts(one) for one in (here, there, found, other)],
                             [["in a"], ["in b", "also in b"], ["in m"], ["other"]])
            stream = there.follow()
            self.assertEqual(next(stream)["message"]["blocks"][0]["text"], "in b")
            stream.close()
            there.resume()
            there.end()
            self.assertEqual(store.call("session.get", id="plan", store=b)["session"]["status"], "complete")
            self.assertNotEqual(store.call("session.get", id="plan", store=a)["session"]["status"], "complete")

    def test_errors_can_be_copied_and_sent_to_another_process(self):
        with self.assertRaises(holdfast.HoldfastError) as caught:
            self.store.session("nobody")
        caught.exception.add_note("of a worker")
        with_path = holdfast.HoldfastError("io_error", "the device failed", "/p")
        for error in (caught.exception, with_path):
            for same in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
                self.assertIs(type(same), holdfast.HoldfastError)
                self.assertEqual((str(same), vars(same)), (str(error), vars(error)))
        self.assertEqual(pickle.loads(pickle.dumps(caught.exception)).__notes__, ["of a worker"])

    def test_a_session_has_one_owner(self):
        session = self.store.create()
        session.resume()
        with holdfast.Store(self.home) as other:
            with self.assertRaises(holdfast.HoldfastError) as caught:
                other.session(session.id).resume()
            self.assertEqual(caught.exception.code, "busy")
        self.store.close()
        with holdfast.Store(self.home) as other:
            other.session(session.id).resume()

    def test_follows_and_can_be_left(self):
        session = self.store.create()
        session.append("first")
        seen = []
        stream = session.follow()
        for item in stream:
            if item["event"] != "message":
                continue
            seen.append(item["message"]["blocks"][0]["text"])
            if len(seen) == 1:
                session.append("second")
            if len(seen) == 2:
                break
        stream.close()
        self.assertEqual(seen, ["first", "second"])

    def in_thread(self, function):
        """Runs a function in a thread. What is returned waits for it and returns what it returned or raised."""
        results = queue.Queue()

        def run():
            try:
                results.put(function())
            except Exception as error:
                results.put(error)

        threading.Thread(target=run, daemon=True).start()
        return lambda: results.get(timeout=20)

    def run_python(self, program, *arguments):
        """Returns what a program prints, its errors and its exit code."""
        ran = subprocess.run([sys.executable, "-c", textwrap.dedent(program), self.home, *arguments],
                             capture_output=True, text=True, timeout=30)
        return ran.stdout, ran.stderr, ran.returncode

    def test_close_ends_open_streams(self):
        session = self.store.create()
        session.append("first")
        read, waited_for, untouched = session.follow(), session.follow(), session.follow()
        next(read)
        next(waited_for)
        result = self.in_thread(lambda: next(waited_for))
        self.in_thread(self.store.close)()
        for error in (result(), *(self.in_thread(lambda: next(stream))() for stream in (read, waited_for, untouched))):
            self.assertIsInstance(error, ValueError)
            self.assertEqual(str(error), "the store is closed")

    def test_a_stream_can_be_closed_by_another_thread(self):
        session = self.store.create()
        for n in range(100):  # more than a stream reads ahead
            session.append(str(n), durability="none")
        for read in (0, 1, 100):
            stream = session.follow(last=100)
            seen = [next(stream)["message"]["blocks"][0]["text"] for _ in range(read)]
            self.assertEqual(seen, [str(n) for n in range(read)])
            result = self.in_thread(lambda: [item["event"] for item in stream])
            self.in_thread(stream.close)()
            self.assertIsInstance(result(), list)
            self.assertEqual(list(stream), [])
        never_read = session.follow()
        never_read.close()
        self.assertEqual(list(never_read), [])
        session.append("the store is still open")

    def test_close_waits_for_running_calls(self):
        for _ in range(5):
            with holdfast.Store(self.home) as store:
                session = store.create()
                appended = []

                def append_for_ever():
                    while True:
                        appended.append(session.append(str(len(appended)))["durability"])

                results = [self.in_thread(append_for_ever) for _ in range(4)]
                while not appended:
                    time.sleep(0.001)
            self.assertEqual([str(result()) for result in results], ["the store is closed"] * 4)
            self.assertEqual(len(self.texts(self.store.session(session.id))), len(appended))

    def test_a_signal_handler_can_close_the_store(self):
        program = """
            import os, signal, sys, threading, time, holdfast
            store = holdfast.Store(sys.argv[1])
            session = store.create()
            stream = session.follow()
            signal.signal(signal.SIGTERM, lambda *_: store.close())
            threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGTERM)).start()
            try:
                while True:
                    session.append("again")
                    next(stream)
            except ValueError as error:
                print(error)
            """
        for _ in range(3):
            self.assertEqual(self.run_python(program), ("the store is closed\n", "", 0))

    def test_an_interrupt_ends_a_stream(self):
        program = """
            import os, signal, sys, threading, holdfast
            session = holdfast.Store(sys.argv[1]).create()
            session.append("first")
            try:
                for item in session.follow():
                    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
                    timer.start()
            except KeyboardInterrupt:
                timer.join()
                print("interrupted,", threading.active_count(), "thread")
            """
        self.assertEqual(self.run_python(program), ("interrupted, 1 thread\n", "", 0))

    def test_a_program_can_end_while_a_stream_is_open(self):
        with_block = """
            import sys, holdfast
            with holdfast.Store(sys.argv[1]) as store:
                session = store.create(id=sys.argv[2])
                session.append("a")
                stream = session.follow()
                next(stream)
            print("end")
            """
        never_closed = """
            import atexit, sys, threading, holdfast
            store = holdfast.Store(sys.argv[1])
            session = store.create(id=sys.argv[2])
            session.append("a")
            streams = [session.follow() for _ in range(3)]
            for stream in streams:
                next(stream)
            def work(step):
                try:
                    while True:
                        step()
                except (ValueError, holdfast.HoldfastError):
                    pass
            for step in (lambda: session.append("b"), lambda: list(session.follow())):
                threading.Thread(target=work, args=(step,), daemon=True).start()
            @atexit.register
            def last():
                session.append("c")  # the store is still open
                print("end", flush=True)
            """
        for turn in range(3):
            for name, program in (("with", with_block), ("never", never_closed)):
                id = f"{name}-{turn}"
                self.assertEqual(self.run_python(program, id), ("end\n", "", 0))
                status = self.store.call("session.get", id=id)["session"]["status"]
                self.assertNotIn(status, ("running", "interrupted"))  # the lease was given back

    def test_a_forked_process_leaves_the_store_to_its_parent(self):
        program = """
            import gc, os, sys, warnings, holdfast
            warnings.simplefilter("ignore")  # newer versions of Python advise against fork where there are threads
            store = holdfast.Store(sys.argv[1])
            session = store.create(id="shared")
            session.append("parent")
            stream = session.follow()
            next(stream)

            def in_child(work):
                child = os.fork()
                if child == 0:
                    work()
                    sys.exit()
                assert os.waitpid(child, 0)[1] == 0

            def use():
                for work in (lambda: session.append("child"), lambda: next(stream), session.follow, session.read().__next__):
                    try:
                        work()
                    except ValueError as error:
                        assert f"opened by process {os.getppid()};" in str(error), error
                    else:
                        assert False

            def close():
                global stream, store, session
                stream.close()
                with store:
                    pass
                del stream, store, session
                gc.collect()

            def open_another():
                with holdfast.Store(sys.argv[1]) as own:
                    own.create(id="own").append("child")
                    try:
                        own.session("shared").append("child")
                    except holdfast.HoldfastError as error:
                        assert error.code == "busy"
                    else:
                        assert False

            for work in (lambda: None, use, close, open_another):
                in_child(work)
                session.append(work.__name__)
                next(stream)
            with holdfast.Store(sys.argv[1]) as other:
                try:
                    other.session("shared").append("intruder")
                except holdfast.HoldfastError as error:
                    print(error.code)
            """
        self.assertEqual(self.run_python(program), ("busy\n", "", 0))
        self.assertEqual(self.texts(self.store.session("shared")), ["parent", "<lambda>", "use", "close", "open_another"])
        self.assertEqual(self.texts(self.store.session("own")), ["child"])

    def test_many_threads_share_a_store(self):
        session = self.store.create()
        threads = [threading.Thread(target=lambda n=n: [session.append(f"{n}-{k}") for k in range(20)]) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(self.texts(session)), sorted(f"{n}-{k}" for n in range(8) for k in range(20)))

    def test_asyncio(self):
        async def work():
            session = (await aio.call(self.store, "session.create", title="async"))["id"]
            await asyncio.gather(*(aio.call(self.store, "message.append", session=session, text=str(n)) for n in range(10)))
            return [m["blocks"][0]["text"] async for m in aio.iterate(self.store.session(session).read(limit=3))]

        self.assertEqual(sorted(asyncio.run(work())), sorted(str(n) for n in range(10)))

    def test_a_cancelled_task_ends_its_stream(self):
        session = self.store.create()
        session.append("first")
        threads = threading.active_count()
        seen = []

        async def watch(last):
            async for item in aio.iterate(session.follow(last=last)):
                seen.append(item["event"])

        async def work():
            with self.assertRaises(TimeoutError):
                await asyncio.wait_for(watch(0), 0.2)
            tasks = [asyncio.create_task(watch(1)) for _ in range(40)]  # more than asyncio has threads
            while len(seen) < 40:
                await asyncio.sleep(0.01)
            await aio.call(self.store, "message.append", session=session.id, text="second")
            while len(seen) < 80:
                await asyncio.sleep(0.01)
            for task in tasks:
                task.cancel()
            for result in await asyncio.gather(*tasks, return_exceptions=True):
                self.assertIsInstance(result, asyncio.CancelledError)
            slow = aio.iterate(iter(lambda: time.sleep(0.2), 0))
            with self.assertRaises(TimeoutError):
                await asyncio.wait_for(anext(slow), 0.05)

        asyncio.run(asyncio.wait_for(work(), 30))
        self.assertEqual(seen, ["message"] * 80)
        self.assertEqual(threading.active_count(), threads)

    def test_a_task_may_leave_a_list_while_a_page_is_read(self):
        session = self.store.create()
        for n in range(20):
            session.append(str(n), durability="none")

        async def read():
            return [item async for item in aio.iterate(session.read(limit=1))]

        async def work():
            for steps in range(20):  # of the loop; too few to read everything
                task = asyncio.create_task(read())
                for _ in range(steps):
                    await asyncio.sleep(0)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task

        asyncio.run(work())

    def test_closing_the_store_ends_an_asynchronous_stream(self):
        session = self.store.create()
        session.append("first")

        async def work():
            async for _ in aio.iterate(session.follow()):
                asyncio.get_running_loop().run_in_executor(None, self.store.close)

        with self.assertRaisesRegex(ValueError, "the store is closed"):
            asyncio.run(asyncio.wait_for(work(), 20))

    def test_an_interrupt_ends_an_asynchronous_stream(self):
        program = """
            import asyncio, os, signal, sys, threading, holdfast
            from holdfast import aio
            session = holdfast.Store(sys.argv[1]).create()
            session.append("first")
            async def main():
                async for item in aio.iterate(session.follow()):
                    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            try:
                asyncio.run(main())
            except KeyboardInterrupt:
                print("interrupted")
            """
        self.assertEqual(self.run_python(program), ("interrupted\n", "", 0))

    def test_what_a_killed_writer_was_told_is_there(self):
        program = textwrap.dedent("""
            import sys, holdfast
            store = holdfast.Store(sys.argv[1])
            session = store.create(id=sys.argv[2])
            n = 0
            while True:
                session.append(str(n))
                print(n, flush=True)
                n += 1
            """)
        for turn in range(int(os.environ.get("HOLDFAST_KILLS", "8"))):
            writer = subprocess.Popen([sys.executable, "-c", program, self.home, f"ses-{turn}"], stdout=subprocess.PIPE)
            for _ in range(turn % 5 + 1):
                writer.stdout.readline()
            writer.send_signal(signal.SIGKILL)
            told = turn % 5 + 1 + len(writer.stdout.read().split())
            writer.wait()
            writer.stdout.close()
            found = self.texts(self.store.session(f"ses-{turn}"))
            self.assertEqual(found, [str(n) for n in range(len(found))])
            self.assertGreaterEqual(len(found), told)


class Types(unittest.TestCase):
    @unittest.skipUnless("HOLDFAST_BINARY" in os.environ, "HOLDFAST_BINARY names no holdfast")
    def test_the_stubs_are_those_of_the_table(self):
        here = Path(__file__).parent.parent
        table = subprocess.run([os.environ["HOLDFAST_BINARY"], "api", "--json"], stdout=subprocess.PIPE, check=True).stdout
        made = subprocess.run([sys.executable, here / "tools/stubs.py"], input=table, stdout=subprocess.PIPE, check=True).stdout
        self.assertTrue(made.decode() == (here / "holdfast/operations.pyi").read_text(),
                        "operations.pyi is old; make it with: holdfast api --json | python3 bindings/python/tools/stubs.py")


class Example(unittest.TestCase):
    def test_the_example_of_the_page_runs(self):
        page = Path(__file__).parent.parent / "README.md"
        [example] = re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
        with tempfile.TemporaryDirectory() as home:
            environment = {name: value for name, value in os.environ.items() if name not in ("XDG_DATA_HOME", "HOLDFAST_STORE")}
            said = subprocess.run([sys.executable, "-c", example], env={**environment, "HOME": home}, cwd=home,
                                  capture_output=True, text=True)
        self.assertRegex(said.stdout, r"\Auser why does login fail\?\nassistant The clock is wrong\.\nses_\S+ .*clock", said.stderr)


if __name__ == "__main__":
    unittest.main()
