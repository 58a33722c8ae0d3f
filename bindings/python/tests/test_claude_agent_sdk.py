"""Our tests of the contracts that the Claude Agent SDK documents for a SessionStore."""

import asyncio
import os
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
from holdfast.claude_agent_sdk import HoldfastSessionStore, project_key_for_directory


def key(project, session, subpath=None):
    return {"project_key": project, "session_id": session, **({} if subpath is None else {"subpath": subpath})}


def said(n, **more):
    return {"type": "user", "uuid": f"u{n}", "message": {"role": "user", "content": f"m{n}"}, **more}


def fold(before, key, entries):
    """Like the SDK's: some fields keep their first value, others take that of the last entry."""
    data = dict((before or {}).get("data", {}))
    for entry in entries:
        data.setdefault("first", entry.get("uuid"))
        if "gitBranch" in entry:
            data["git_branch"] = entry["gitBranch"]
        data["count"] = data.get("count", 0) + 1
    return {"session_id": key["session_id"], "mtime": 0, "data": data}


class Contracts(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.home = home.name
        self.store = self.make()

    def make(self):
        store = holdfast.Store("holdfast:" + self.home)
        self.addCleanup(store.close)
        return HoldfastSessionStore(store, fold)

    async def test_01_what_is_appended_is_loaded_in_order_and_the_same(self):
        entries = [said(1, nested={"a": [1, None, "é😀", {"b": 2.5}]}), {"type": "tag", "tag": ""}, said(2)]
        await self.store.append(key("p", "s"), entries)
        self.assertEqual(await self.store.load(key("p", "s")), entries)

    async def test_02_a_key_that_was_never_written_loads_as_none(self):
        self.assertIsNone(await self.store.load(key("p", "none")))
        await self.store.append(key("p", "s"), [said(1)])
        self.assertIsNone(await self.store.load(key("p", "s", "subagents/agent-x")))

    async def test_03_appends_keep_the_order_of_the_calls(self):
        await asyncio.gather(*(self.store.append(key("p", "s"), [said(2 * n), said(2 * n + 1)]) for n in range(20)))
        self.assertEqual([one["uuid"] for one in await self.store.load(key("p", "s"))], [f"u{n}" for n in range(40)])

    async def test_04_an_empty_append_makes_nothing(self):
        await self.store.append(key("p", "s"), [])
        self.assertIsNone(await self.store.load(key("p", "s")))
        self.assertEqual(await self.store.list_sessions("p"), [])

    async def test_05_a_subpath_is_a_transcript_of_its_own(self):
        await self.store.append(key("p", "s"), [said(1)])
        await self.store.append(key("p", "s", "subagents/agent-1"), [said(1), said(2)])
        self.assertEqual(await self.store.load(key("p", "s")), [said(1)])
        self.assertEqual(await self.store.load(key("p", "s", "subagents/agent-1")), [said(1), said(2)])
        with self.assertRaises(ValueError):
            await self.store.append(key("p", "s", ""), [said(1)])

    async def test_06_projects_do_not_see_each_other(self):
        await self.store.append(key("a", "s"), [said(1)])
        await self.store.append(key("b", "s"), [said(2)])
        self.assertEqual(await self.store.load(key("a", "s")), [said(1)])
        self.assertEqual(await self.store.load(key("b", "s")), [said(2)])

    async def test_07_sessions_are_listed_with_the_time_of_their_last_write(self):
        before = int(time.time() * 1000)
        await self.store.append(key("p", "one"), [said(1)])
        await self.store.append(key("p", "two"), [said(1)])
        listed = await self.store.list_sessions("p")
        self.assertEqual(sorted(one["session_id"] for one in listed), ["one", "two"])
        for one in listed:
            self.assertIsInstance(one["mtime"], int)
            self.assertGreaterEqual(one["mtime"], before)
        self.assertEqual(await self.store.list_sessions("nobody"), [])

    async def test_08_a_session_of_nothing_but_subpaths_is_not_listed(self):
        await self.store.append(key("p", "only", "subagents/agent-1"), [said(1)])
        self.assertEqual(await self.store.list_sessions("p"), [])

    async def test_09_what_is_deleted_is_gone(self):
        await self.store.append(key("p", "s"), [said(1)])
        await self.store.delete(key("p", "s"))
        self.assertIsNone(await self.store.load(key("p", "s")))
        await self.store.delete(key("p", "s"))
        await self.store.append(key("p", "s"), [said(1)])
        self.assertEqual(await self.store.load(key("p", "s")), [said(1)])

    async def test_10_deleting_a_session_deletes_its_subpaths_and_nothing_else(self):
        gone = [key("p", "s"), key("p", "s", "a"), key("p", "s", "b")]
        stays = [key("p", "s2"), key("p", "s2", "a"), key("q", "s")]
        for one in gone + stays:
            await self.store.append(one, [said(1)])
        await self.store.delete(key("p", "s"))
        for one in gone:
            self.assertIsNone(await self.store.load(one))
        for one in stays:
            self.assertEqual(await self.store.load(one), [said(1)])

    async def test_11_deleting_a_subpath_deletes_that_one(self):
        for one in [key("p", "s"), key("p", "s", "a"), key("p", "s", "b")]:
            await self.store.append(one, [said(1)])
        await self.store.delete(key("p", "s", "a"))
        self.assertIsNone(await self.store.load(key("p", "s", "a")))
        self.assertEqual(await self.store.load(key("p", "s")), [said(1)])
        self.assertEqual(await self.store.load(key("p", "s", "b")), [said(1)])

    async def test_12_subkeys_are_the_subpaths(self):
        for subpath in ["subagents/agent-2", "subagents/agent-1", "../odd"]:
            await self.store.append(key("p", "s", subpath), [said(1)])
        self.assertEqual(sorted(await self.store.list_subkeys(key("p", "s"))),
                         ["../odd", "subagents/agent-1", "subagents/agent-2"])

    async def test_13_subkeys_leave_out_the_main_transcript(self):
        await self.store.append(key("p", "s"), [said(1)])
        self.assertEqual(await self.store.list_subkeys(key("p", "s")), [])
        self.assertEqual(await self.store.list_subkeys(key("p", "none")), [])

    async def test_14_summaries_are_folded_with_the_entries_whoever_writes(self):
        other = self.make()
        for n in range(6):
            await (other if n % 2 else self.store).append(key("p", "s"), [said(n, gitBranch=f"b{n}")])
        await self.store.append(key("p", "s", "subagents/agent-1"), [said(99, gitBranch="of the agent")])
        [summary] = await other.list_session_summaries("p")
        self.assertEqual(summary["data"], {"first": "u0", "git_branch": "b5", "count": 6})
        [listed] = await self.store.list_sessions("p")
        self.assertGreaterEqual(summary["mtime"], listed["mtime"])
        await self.store.delete(key("p", "s"))
        self.assertEqual(await self.store.list_session_summaries("p"), [])

    async def test_a_uuid_is_there_once_and_two_writers_lose_nothing(self):
        writers = [self.store, self.make()]
        await asyncio.gather(*(writers[n % 2].append(key("p", "s"), [said(n // 2), said(100 + n)]) for n in range(20)))
        there = [one["uuid"] for one in await self.store.load(key("p", "s"))]
        self.assertEqual(sorted(there), sorted([f"u{n}" for n in range(10)] + [f"u{100 + n}" for n in range(20)]))

    async def test_half_a_surrogate_pair_is_kept(self):
        entries = [said(1, output="cut \ud83d"), said(2)]
        await self.store.append(key("p", "s"), entries)
        self.assertEqual(await self.store.load(key("p", "s")), entries)

    async def test_a_retry_stores_entries_with_a_uuid_once(self):
        batch = [said(1), {"type": "tag", "tag": "t"}]
        await self.store.append(key("p", "s"), batch)
        await self.store.append(key("p", "s"), batch)
        self.assertEqual(await self.store.load(key("p", "s")), [*batch, batch[1]])

    def test_event_loops_of_several_threads_share_a_store(self):
        errors = []

        def work(n):
            async def append():
                await asyncio.gather(*(self.store.append(key("p", "s"), [said(10 * n + k)]) for k in range(5)))

            try:
                asyncio.run(append())
            except BaseException as error:
                errors.append(error)

        for first in (0, 4):  # loops come and go
            threads = [threading.Thread(target=work, args=(first + n,), daemon=True) for n in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(60)
            self.assertEqual((errors, [thread.is_alive() for thread in threads]), ([], [False] * 4))
        there = [one["uuid"] for one in asyncio.run(self.store.load(key("p", "s")))]
        self.assertEqual(sorted(there), sorted(f"u{10 * n + k}" for n in range(8) for k in range(5)))
        for n in range(8):  # in order within a loop
            self.assertEqual([one for one in there if int(one[1:]) // 10 == n], [f"u{10 * n + k}" for k in range(5)])
        [summary] = asyncio.run(self.store.list_session_summaries("p"))
        self.assertEqual(summary["data"]["count"], 40)

    def test_the_key_of_a_project_is_that_of_claude(self):
        link = Path(self.home) / "link"
        (Path(self.home) / "a.b_c").mkdir()
        link.symlink_to("a.b_c")
        real = os.path.realpath(link)
        self.assertEqual(project_key_for_directory(str(link)), re.sub("[^a-zA-Z0-9]", "-", real))
        self.assertRegex(project_key_for_directory("/" + "x" * 300), "^-x{199}-[0-9a-z]+$")


class KillNine(unittest.TestCase):
    def test_nothing_acknowledged_is_lost_and_no_batch_is_half_there(self):
        writer = textwrap.dedent("""
            import asyncio, sys, holdfast
            from holdfast.claude_agent_sdk import HoldfastSessionStore
            async def main():
                store = HoldfastSessionStore(holdfast.Store("holdfast:" + sys.argv[1]),
                                             lambda before, key, entries: {"data": {"n": entries[0]["uuid"]}})
                n = int(sys.argv[2])
                while True:
                    await store.append({"project_key": "p", "session_id": "s"}, [{"uuid": f"a{n}"}, {"uuid": f"b{n}"}])
                    print(n, flush=True)
                    n += 1
            asyncio.run(main())
        """)
        with tempfile.TemporaryDirectory() as home:
            told = set()
            for round in range(int(os.environ.get("HOLDFAST_KILLS", "8"))):
                child = subprocess.Popen([sys.executable, "-c", writer, home, str(max(0, len(told) - 2))],
                                         stdout=subprocess.PIPE, text=True)
                for _ in range(2 + round % 5):
                    told.add(int(child.stdout.readline()))
                child.send_signal(signal.SIGKILL)
                told.update(int(line) for line in child.stdout if line.endswith("\n"))
                child.stdout.close()
                child.wait()
            with holdfast.Store("holdfast:" + home) as store:
                there = [one["uuid"] for one in store.call("entry.load", project="p", session="s")["entries"]]
            self.assertEqual(len(there), len(set(there)))
            for n in told:
                self.assertIn(f"a{n}", there)
                self.assertIn(f"b{n}", there)
            self.assertTrue(all(a[1:] == b[1:] for a, b in zip(there[::2], there[1::2])))


class Example(unittest.TestCase):
    def test_the_example_of_the_page_runs(self):
        page = Path(__file__).parent.parent / "adapters" / "claude-agent-sdk.md"
        [example] = re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
        stand_in = textwrap.dedent("""
            class ClaudeAgentOptions:
                def __init__(self, session_store): self.session_store = session_store
            def fold_session_summary(before, key, entries): return {"data": {}}
            async def query(prompt, options):
                await options.session_store.append({"project_key": "p", "session_id": "s"}, [{"type": "user", "text": prompt}])
                yield await options.session_store.load({"project_key": "p", "session_id": "s"})
        """)
        with tempfile.TemporaryDirectory() as home:
            (Path(home) / "claude_agent_sdk.py").write_text(stand_in)
            environment = {**os.environ, "HOME": home, "PYTHONPATH": home + ":" + os.environ.get("PYTHONPATH", "")}
            environment.pop("XDG_DATA_HOME", None)
            said = subprocess.run([sys.executable, "-c", example], env=environment, capture_output=True, text=True)
        self.assertIn("remember the word heron", said.stdout, said.stderr)


if __name__ == "__main__":
    unittest.main()
