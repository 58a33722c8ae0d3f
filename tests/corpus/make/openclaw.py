"""openclaw: the entries of pi, in a database."""
import sqlite3

from common import CORPUS, MORNING, line, said
from pi import Entries, tool_call


def main():
    path = CORPUS / "openclaw/.openclaw/agents/main/agent/openclaw-agent.sqlite"
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path)
    database.executescript("""
CREATE TABLE session_nodes (session_key TEXT NOT NULL PRIMARY KEY, current_session_id TEXT NOT NULL, updated_at INTEGER NOT NULL,
  status TEXT, created_at INTEGER, parent_session_key TEXT, spawned_by TEXT, fork_source_session_id TEXT,
  fork_source_entry_id TEXT, label TEXT, display_name TEXT, archived_at INTEGER);
CREATE TABLE session_windows (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL, previous_session_id TEXT, reason TEXT,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, transcript_updated_at INTEGER, started_at INTEGER, status TEXT,
  channel TEXT, model TEXT, parent_session_key TEXT, spawned_by TEXT, display_name TEXT);
CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL,
  event_zstd BLOB, PRIMARY KEY (session_id, seq));
CREATE TABLE session_transcript_index_state (session_id TEXT PRIMARY KEY, indexed_seq INTEGER, leaf_event_id TEXT,
  needs_rebuild INTEGER);
CREATE TABLE session_transcript_cold_archives (session_id TEXT PRIMARY KEY, archive_name TEXT, storage TEXT, archive_blob BLOB);
""")

    def claw(number, minute):
        session = Entries(f"0c1a0000-0000-4000-8000-0000000000e{number}", minute, 4, "/home/dev/.openclaw/workspace", "openai", "gpt-5-mini")
        session.begin()
        return session

    def save(session, key, spawned_by=None):
        start = int(MORNING.timestamp() * 1000)
        end = session.clock.ms()
        database.execute("INSERT INTO session_nodes (session_key, current_session_id, updated_at, created_at, spawned_by) VALUES (?, ?, ?, ?, ?)",
                         (key, session.id, end, start, spawned_by))
        database.execute("INSERT INTO session_windows (session_id, session_key, created_at, updated_at, transcript_updated_at, model, spawned_by) "
                         "VALUES (?, ?, ?, ?, ?, ?, ?)", (session.id, key, start, end, end, session.model, spawned_by))
        for place, record in enumerate(session.records):
            database.execute("INSERT INTO transcript_events VALUES (?, ?, ?, ?, NULL)", (session.id, place, line(record), start + place))
        database.execute("INSERT INTO session_transcript_index_state VALUES (?, ?, ?, 0)", (session.id, len(session.records) - 1, session.last))

    first = claw(1, 0)
    first.prompt("Remind me of high water")
    first.answer("resp_w11", 27, said("I look it up."), tool_call("call_w11", "exec", command="grep Emden tides.csv"), stop="toolUse")
    first.result("call_w11", "exec", "grep: tides.csv: No such file or directory", failed=True)
    first.answer("resp_w12", 12, said("There is no table."))
    first.prompt("Then ask somebody, bitte schön 🌊")
    first.answer("resp_w13", 10, said("I ask. 訊く"))
    save(first, "agent:main:main")
    agent = claw(2, 5)
    agent.prompt("Find out when high water is")
    agent.answer("resp_w21", 11, tool_call("call_w21", "exec", command="tide emden"), stop="toolUse")
    agent.result("call_w21", "exec", "12:04")
    agent.answer("resp_w22", 6, said("Four past noon."))
    save(agent, "agent:main:subagent:tide", spawned_by="agent:main:main")
    database.commit()
    database.execute("VACUUM")
    database.close()
