// opencode's database with changed bytes.
#include "database_store.h"
#include "layout/opencode/opencode_layout.h"

namespace {

constexpr char kDatabase[] = R"(
PRAGMA page_size = 1024;
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL,
  directory text NOT NULL, title text NOT NULL, version text NOT NULL, revert text, agent text, model text,
  time_created integer NOT NULL, time_updated integer NOT NULL, time_archived integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
  time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
  time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
INSERT INTO session VALUES ('ses_1','p',NULL,'s','/a','t','1.18.18','{"messageID":"msg_3"}','build','{"id":"m"}',1,2,NULL);
INSERT INTO session VALUES ('ses_2','p','ses_1','s','/a','t (fork #1)','1.18.18',NULL,NULL,NULL,3,4,NULL);
INSERT INTO message VALUES ('msg_1','ses_1',10,10,'{"role":"user","time":{"created":10},"agent":"build","model":{"modelID":"m"}}');
INSERT INTO message VALUES ('msg_2','ses_1',11,11,'{"role":"assistant","parentID":"msg_1","modelID":"m","path":{"cwd":"/a"},"cost":0.1,"tokens":{"input":1,"output":2,"reasoning":0,"cache":{"read":3,"write":0}},"time":{"created":11,"completed":12},"finish":"stop"}');
INSERT INTO message VALUES ('msg_3','ses_1',12,12,'{"role":"assistant","parentID":"msg_1","time":{"created":12},"error":{"name":"x"}}');
INSERT INTO part VALUES ('prt_1','msg_1','ses_1',10,10,'{"type":"text","text":"hello"}');
INSERT INTO part VALUES ('prt_2','msg_2','ses_1',11,11,'{"type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"ls"},"output":"a","metadata":{"outputPath":"/x/tool-output/tool_1"},"time":{"start":1,"end":2}}}');
INSERT INTO part VALUES ('prt_3','msg_2','ses_1',11,11,'{"type":"reasoning","text":"hm"}');
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static holdfast::fuzz::PatchedDatabase database(holdfast::opencode_layout(), "opencode.db", kDatabase);
  database.read(data, size);
  return 0;
}
