// openclaw's database with changed bytes.
#include "database_store.h"
#include "layout/openclaw/openclaw_layout.h"

namespace {

constexpr char kDatabase[] = R"(
PRAGMA page_size = 1024;
CREATE TABLE session_nodes(session_key TEXT PRIMARY KEY, current_session_id TEXT, status TEXT, spawned_by TEXT,
  parent_session_key TEXT, label TEXT, display_name TEXT, archived_at INTEGER, fork_source_session_id TEXT,
  fork_source_entry_id TEXT);
CREATE TABLE session_windows(session_id TEXT PRIMARY KEY, session_key TEXT, previous_session_id TEXT, reason TEXT,
  created_at INTEGER, updated_at INTEGER, transcript_updated_at INTEGER, started_at INTEGER, status TEXT, channel TEXT,
  model TEXT, parent_session_key TEXT, spawned_by TEXT, display_name TEXT);
CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER, event_zstd BLOB);
CREATE TABLE session_transcript_index_state(session_id TEXT PRIMARY KEY, indexed_seq INTEGER, leaf_event_id TEXT,
  needs_rebuild INTEGER);
CREATE TABLE session_transcript_cold_archives(session_id TEXT PRIMARY KEY, archive_name TEXT, storage TEXT,
  archive_blob BLOB);
INSERT INTO session_nodes VALUES ('k1','s2','done',NULL,NULL,'label',NULL,NULL,NULL,NULL);
INSERT INTO session_windows VALUES ('s1','k1',NULL,NULL,1,2,3,1,'done','cli','m',NULL,NULL,NULL);
INSERT INTO session_windows VALUES ('s2','k1','s1','reset',4,5,6,4,'running','cli','m',NULL,NULL,NULL);
INSERT INTO transcript_events VALUES ('s1',0,'{"type":"session","version":4,"id":"s1","timestamp":"2026-11-15T01:00:00.000Z","cwd":"/a"}',1,NULL);
INSERT INTO transcript_events VALUES ('s1',1,'{"type":"message","id":"a","parentId":null,"timestamp":"2026-11-15T01:00:01.000Z","message":{"role":"user","content":"hello"}}',2,NULL);
INSERT INTO transcript_events VALUES ('s1',2,'{"type":"message","id":"b","parentId":"a","timestamp":"2026-11-15T01:00:02.000Z","message":{"role":"assistant","model":"m","content":[{"type":"text","text":"hi"},{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"ls"}}],"usage":{"input":1,"output":2},"stopReason":"stop","responseId":"r"}}',3,NULL);
INSERT INTO transcript_events VALUES ('s2',0,NULL,4,x'28b52ffd2400010000');
INSERT INTO session_transcript_index_state VALUES ('s1',2,'b',0);
INSERT INTO session_transcript_cold_archives VALUES ('s2','0000','inline',x'28b52ffd');
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static holdfast::fuzz::PatchedDatabase database(holdfast::openclaw_layout(),
                                                  "agents/main/agent/openclaw-agent.sqlite", kDatabase);
  database.read(data, size);
  return 0;
}
