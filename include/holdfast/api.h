// Every operation of docs/api.md, typed. Made from the table in src/api by tests/api_header_test.cc, which
// compares the two; do not edit.
//
// A request names what is given; empty optionals are left out. An answer has the fields that the table promises;
// Client::call gives all of it. Errors are those of docs/api.md; internal: an answer that is not what the table says.
// Thread-safety and durability: as Client.
#pragma once

#include <holdfast/api_value.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// clang-format off
namespace holdfast::inline v1::api {

struct Counts {
  std::int64_t user = {};
  std::int64_t assistant = {};
  std::int64_t tool_calls = {};
  std::int64_t tool_results = {};
  std::int64_t records = {};
  HOLDFAST_API_FIELDS(user, assistant, tool_calls, tool_results, records)
};

struct Usage {
  std::int64_t input = {};
  std::int64_t output = {};
  std::int64_t cache_read = {};
  std::int64_t cache_write = {};
  std::optional<std::int64_t> reasoning = {};
  std::optional<std::int64_t> cache_write_1h = {};
  std::optional<std::int64_t> reasoning_apart = {};
  HOLDFAST_API_FIELDS(input, output, cache_read, cache_write, reasoning, cache_write_1h, reasoning_apart)
};

struct Parent {
  std::string id = {};
  std::string kind = {};  // fork|resume|subagent
  std::optional<std::string> message = {};
  HOLDFAST_API_FIELDS(id, kind, message)
};

struct SessionName {
  std::string layout = {};
  std::string id = {};
  std::optional<std::string> machine = {};
  HOLDFAST_API_FIELDS(layout, id, machine)
};

struct Branch {
  std::optional<std::string> machine = {};
  std::string layout = {};
  std::string id = {};
  std::optional<std::int64_t> messages = {};
  std::optional<std::string> updated_at = {};  // time
  bool here = {};
  std::optional<bool> continues = {};
  std::optional<bool> handed_off = {};
  HOLDFAST_API_FIELDS(machine, layout, id, messages, updated_at, here, continues, handed_off)
};

struct Session {
  std::string id = {};
  std::string layout = {};
  std::string store = {};
  std::string path = {};
  std::optional<std::string> project = {};
  std::optional<std::string> title = {};
  std::optional<std::string> first_prompt = {};
  std::string status = {};  // running|interrupted|active|complete|failed|stopped|archived|unknown
  std::optional<std::string> created_at = {};  // time
  std::optional<std::string> updated_at = {};  // time
  std::optional<Counts> counts = {};
  std::vector<std::string> models = {};
  std::optional<Usage> usage = {};
  std::optional<std::string> git_branch = {};
  std::optional<Parent> parent = {};
  std::int64_t subagents = {};
  std::int64_t bytes = {};
  std::int64_t damage = {};
  std::optional<bool> archived = {};
  std::optional<std::string> summary = {};
  std::optional<Json> metadata = {};
  std::optional<double> cost = {};
  std::optional<double> estimated_usd = {};
  std::optional<bool> starred = {};
  std::optional<std::vector<std::string>> tags = {};
  std::optional<std::string> machine = {};
  std::optional<bool> here = {};
  std::optional<std::int64_t> depth = {};
  std::optional<std::vector<Branch>> branches = {};
  std::optional<SessionName> handed_off_from = {};
  HOLDFAST_API_FIELDS(id, layout, store, path, project, title, first_prompt, status, created_at, updated_at, counts, models, usage, git_branch, parent, subagents, bytes, damage, archived, summary, metadata, cost, estimated_usd, starred, tags, machine, here, depth, branches, handed_off_from)
};

struct Block {
  std::string type = {};  // text|thinking|tool_call|tool_result|image|document|audio|other
  std::optional<std::string> text = {};
  std::optional<std::string> signature = {};
  std::optional<std::string> id = {};
  std::optional<std::string> name = {};
  std::optional<Json> input = {};
  std::optional<Json> output = {};
  std::optional<bool> is_error = {};
  std::optional<std::string> spilled = {};
  std::optional<std::string> media_type = {};
  std::optional<std::string> data = {};
  std::optional<std::string> blob = {};
  std::optional<std::int64_t> bytes = {};
  std::optional<Json> raw = {};
  std::optional<Json> extra = {};
  HOLDFAST_API_FIELDS(type, text, signature, id, name, input, output, is_error, spilled, media_type, data, blob, bytes, raw, extra)
};

struct Message {
  std::int64_t ordinal = {};
  std::optional<std::string> id = {};
  std::optional<std::string> parent = {};
  std::string role = {};  // user|assistant|tool|system
  std::optional<std::string> timestamp = {};  // time
  std::optional<std::string> model = {};
  std::optional<std::string> stop_reason = {};
  std::optional<Usage> usage = {};
  std::optional<double> cost_usd = {};
  std::optional<double> estimated_usd = {};
  std::vector<Block> blocks = {};
  std::optional<std::string> origin = {};
  std::optional<std::string> response = {};
  std::optional<std::string> agent = {};
  std::optional<bool> failed = {};
  std::optional<bool> side = {};
  std::optional<bool> abandoned = {};
  std::optional<std::string> raw = {};
  std::optional<Json> context = {};
  std::optional<Json> extra = {};
  HOLDFAST_API_FIELDS(ordinal, id, parent, role, timestamp, model, stop_reason, usage, cost_usd, estimated_usd, blocks, origin, response, agent, failed, side, abandoned, raw, context, extra)
};

struct GivenMessage {
  std::optional<std::string> role = {};
  std::optional<std::string> type = {};
  std::optional<std::string> text = {};
  std::optional<Json> content = {};
  std::optional<std::vector<Json>> blocks = {};
  std::optional<std::vector<Json>> parts = {};
  std::optional<std::string> id = {};
  std::optional<std::string> parent = {};
  std::optional<Json> timestamp = {};
  std::optional<std::string> model = {};
  std::optional<std::string> stop_reason = {};
  std::optional<Json> usage = {};
  std::optional<double> cost_usd = {};
  std::optional<std::string> response = {};
  std::optional<std::string> agent = {};
  std::optional<std::string> origin = {};
  std::optional<bool> failed = {};
  std::optional<bool> side = {};
  std::optional<Json> context = {};
  std::optional<Json> extra = {};
  HOLDFAST_API_FIELDS(role, type, text, content, blocks, parts, id, parent, timestamp, model, stop_reason, usage, cost_usd, response, agent, origin, failed, side, context, extra)
};

struct Finding {
  std::string file = {};
  std::int64_t offset = {};
  std::int64_t length = {};
  std::string kind = {};
  std::int64_t salvaged = {};
  std::optional<std::string> consequence = {};
  std::optional<std::string> store = {};
  std::optional<std::string> session = {};
  HOLDFAST_API_FIELDS(file, offset, length, kind, salvaged, consequence, store, session)
};

struct RescueRepair {
  std::string kind = {};
  std::int64_t count = {};
  std::string meaning = {};
  HOLDFAST_API_FIELDS(kind, count, meaning)
};

struct RescueGap {
  std::int64_t offset = {};
  std::int64_t length = {};
  std::string kind = {};
  HOLDFAST_API_FIELDS(offset, length, kind)
};

struct HandoffLine {
  std::string kind = {};
  std::int64_t count = {};
  std::optional<std::string> reason = {};
  HOLDFAST_API_FIELDS(kind, count, reason)
};

struct Hit {
  std::string session = {};
  std::string layout = {};
  std::string store = {};
  std::optional<std::string> project = {};
  std::int64_t ordinal = {};
  std::string role = {};  // user|assistant|tool|system
  std::optional<std::string> timestamp = {};  // time
  std::string snippet = {};
  std::vector<Json> spans = {};
  std::optional<std::string> machine = {};
  HOLDFAST_API_FIELDS(session, layout, store, project, ordinal, role, timestamp, snippet, spans, machine)
};

struct StatsRow {
  std::optional<std::string> key = {};
  std::optional<std::string> title = {};
  std::optional<std::string> agent = {};
  std::int64_t sessions = {};
  std::int64_t messages = {};
  std::int64_t prompts = {};
  std::int64_t answers = {};
  std::int64_t tool_calls = {};
  std::int64_t tool_results = {};
  Usage usage = {};
  std::optional<double> cost = {};
  std::optional<double> cost_usd = {};
  std::optional<double> estimated_usd = {};
  HOLDFAST_API_FIELDS(key, title, agent, sessions, messages, prompts, answers, tool_calls, tool_results, usage, cost, cost_usd, estimated_usd)
};

struct Store {
  std::string layout = {};
  std::string root = {};
  std::int64_t sessions = {};
  std::int64_t bytes = {};
  std::optional<std::string> updated_at = {};  // time
  std::int64_t damage = {};
  std::optional<Json> daemon = {};
  HOLDFAST_API_FIELDS(layout, root, sessions, bytes, updated_at, damage, daemon)
};

struct Run {
  std::string id = {};
  std::string run_id = {};
  std::optional<std::string> repo_path = {};
  std::optional<std::string> session_id = {};
  std::string agent_id = {};
  std::optional<std::string> agent_kind = {};
  std::optional<std::string> parent_run_id = {};
  std::string status = {};  // running|interrupted|completed|failed|cancelled
  std::optional<std::string> detail = {};
  std::optional<std::string> started_at = {};  // time
  std::optional<std::string> ended_at = {};  // time
  HOLDFAST_API_FIELDS(id, run_id, repo_path, session_id, agent_id, agent_kind, parent_run_id, status, detail, started_at, ended_at)
};

struct Mission {
  std::string id = {};
  std::string text = {};
  std::optional<std::string> created_at = {};  // time
  bool active = {};
  std::vector<Json> agents = {};
  HOLDFAST_API_FIELDS(id, text, created_at, active, agents)
};

struct Project {
  std::string id = {};
  std::string path = {};
  std::optional<std::string> name = {};
  std::optional<std::string> added_at = {};  // time
  HOLDFAST_API_FIELDS(id, path, name, added_at)
};

struct PlanItem {
  std::string title = {};
  std::string status = {};  // pending|in_progress|done|skipped
  std::optional<std::string> description = {};
  std::int64_t depth = {};
  HOLDFAST_API_FIELDS(title, status, description, depth)
};

struct Plan {
  std::string id = {};
  std::string summary = {};
  std::string status = {};  // planned|approved|executing|completed
  std::string origin = {};  // user_requested|model_managed
  std::vector<PlanItem> items = {};
  HOLDFAST_API_FIELDS(id, summary, status, origin, items)
};

struct Workflow {
  std::string session = {};
  std::string module = {};
  std::string phase = {};
  std::string step = {};
  std::int64_t step_number = {};
  std::int64_t progress = {};
  Json written = {};
  std::optional<std::string> component = {};
  bool complete = {};
  std::optional<std::string> paused = {};
  std::string created_at = {};  // time
  std::string updated_at = {};  // time
  std::vector<std::string> models_used = {};
  std::vector<Json> tasks = {};
  Json resources = {};
  std::optional<std::string> last_commit = {};
  HOLDFAST_API_FIELDS(session, module, phase, step, step_number, progress, written, component, complete, paused, created_at, updated_at, models_used, tasks, resources, last_commit)
};

struct Metrics {
  std::string session = {};
  std::int64_t cumulative_input_tokens = {};
  std::int64_t cumulative_output_tokens = {};
  std::int64_t premium_request_count = {};
  std::int64_t iteration_count = {};
  std::vector<Json> iterations = {};
  HOLDFAST_API_FIELDS(session, cumulative_input_tokens, cumulative_output_tokens, premium_request_count, iteration_count, iterations)
};

struct Task {
  std::string id = {};
  std::string name = {};
  std::string state = {};
  std::string type = {};
  std::vector<std::string> path = {};
  std::int64_t children = {};
  HOLDFAST_API_FIELDS(id, name, state, type, path, children)
};

struct Resumable {
  std::string id = {};
  std::string module = {};
  std::string phase = {};
  std::string step = {};
  std::optional<std::string> component = {};
  std::string updated_at = {};  // time
  bool latest = {};
  HOLDFAST_API_FIELDS(id, module, phase, step, component, updated_at, latest)
};

struct MovedSession {
  std::string id = {};
  std::string project = {};
  std::string path = {};
  HOLDFAST_API_FIELDS(id, project, path)
};

struct ScrubbedSession {
  std::string id = {};
  std::int64_t secrets = {};
  HOLDFAST_API_FIELDS(id, secrets)
};

struct LeftSession {
  std::string id = {};
  std::string reason = {};
  HOLDFAST_API_FIELDS(id, reason)
};

struct EntrySession {
  std::string session = {};
  std::int64_t mtime = {};
  HOLDFAST_API_FIELDS(session, mtime)
};

struct EntrySummary {
  std::string session = {};
  std::int64_t mtime = {};
  Json summary = {};
  HOLDFAST_API_FIELDS(session, mtime, summary)
};

struct DailyLog {
  std::string name = {};
  std::int64_t bytes = {};
  std::string updated_at = {};  // time
  HOLDFAST_API_FIELDS(name, bytes, updated_at)
};

struct Prompt {
  std::string display = {};
  Json pasted = {};
  std::string timestamp = {};  // time
  std::string project = {};
  std::string session = {};
  HOLDFAST_API_FIELDS(display, pasted, timestamp, project, session)
};

struct QueueItem {
  std::string id = {};
  std::string entity = {};  // thread|session|message
  std::string entity_id = {};
  std::string op = {};  // upsert|delete
  std::string payload_hash = {};
  std::int64_t attempts = {};
  std::string next_attempt_at = {};  // time
  std::string created_at = {};  // time
  std::string status = {};  // pending|failed
  std::optional<std::string> owner = {};
  HOLDFAST_API_FIELDS(id, entity, entity_id, op, payload_hash, attempts, next_attempt_at, created_at, status, owner)
};

struct Record {
  std::optional<std::string> id = {};
  HOLDFAST_API_FIELDS(id)
};

struct SpecSection {
  std::string header = {};
  std::int64_t level = {};
  std::int64_t offset = {};
  std::int64_t bytes = {};
  std::string hash = {};
  HOLDFAST_API_FIELDS(header, level, offset, bytes, hash)
};

struct Specification {
  std::string module = {};
  std::string path = {};
  std::string name = {};
  std::string description = {};
  std::string title = {};
  std::vector<SpecSection> sections = {};
  std::int64_t criteria = {};
  std::int64_t ticked = {};
  std::vector<std::string> missing = {};
  HOLDFAST_API_FIELDS(module, path, name, description, title, sections, criteria, ticked, missing)
};

struct Research {
  std::string module = {};
  std::string topic = {};
  std::string path = {};
  std::string title = {};
  std::string spec_section = {};
  std::vector<std::string> missing = {};
  std::optional<std::string> text = {};
  HOLDFAST_API_FIELDS(module, topic, path, title, spec_section, missing, text)
};

struct DriftedSection {
  std::string header = {};
  std::optional<std::string> previous_hash = {};
  std::optional<std::string> current_hash = {};
  bool is_new = {};
  bool is_removed = {};
  HOLDFAST_API_FIELDS(header, previous_hash, current_hash, is_new, is_removed)
};

struct Drift {
  bool known = {};
  std::string specification = {};
  std::vector<DriftedSection> sections = {};
  HOLDFAST_API_FIELDS(known, specification, sections)
};

struct LayerSource {
  std::string name = {};
  bool there = {};
  Json fields = {};
  std::optional<std::string> fault = {};
  HOLDFAST_API_FIELDS(name, there, fields, fault)
};

struct Thread {
  std::string id = {};
  std::string title = {};
  std::string created_at = {};  // time
  std::string updated_at = {};  // time
  std::string project_path = {};
  std::optional<std::string> harness = {};
  std::optional<std::string> model = {};
  std::optional<std::string> last_session_id = {};
  std::optional<Json> state_snapshot = {};
  Json privacy = {};
  Json metadata = {};
  std::optional<std::int64_t> schema_version = {};
  HOLDFAST_API_FIELDS(id, title, created_at, updated_at, project_path, harness, model, last_session_id, state_snapshot, privacy, metadata, schema_version)
};

struct ThreadRow {
  std::string id = {};
  std::string title = {};
  std::string updated_at = {};  // time
  std::string project_path = {};
  std::string harness = {};
  std::string model = {};
  bool pinned = {};
  std::optional<std::string> state = {};
  std::int64_t pending_tool_calls = {};
  HOLDFAST_API_FIELDS(id, title, updated_at, project_path, harness, model, pinned, state, pending_tool_calls)
};

struct MaestroThread {
  std::string id = {};
  std::string title = {};
  std::string createdAt = {};  // time
  std::string updatedAt = {};  // time
  std::string projectPath = {};
  std::optional<std::string> harness = {};
  std::optional<std::string> model = {};
  std::optional<std::string> lastSessionId = {};
  std::optional<Json> stateSnapshot = {};
  Json privacy = {};
  Json metadata = {};
  std::optional<std::int64_t> schemaVersion = {};
  HOLDFAST_API_FIELDS(id, title, createdAt, updatedAt, projectPath, harness, model, lastSessionId, stateSnapshot, privacy, metadata, schemaVersion)
};

struct MaestroThreadRow {
  std::string id = {};
  std::string title = {};
  std::string updatedAt = {};  // time
  std::string projectPath = {};
  std::string harness = {};
  std::string model = {};
  bool pinned = {};
  std::optional<std::string> state = {};
  std::int64_t pendingToolCalls = {};
  HOLDFAST_API_FIELDS(id, title, updatedAt, projectPath, harness, model, pinned, state, pendingToolCalls)
};

struct MaestroSession {
  std::optional<std::int64_t> schemaVersion = {};
  std::string id = {};
  std::string threadId = {};
  std::string status = {};
  std::string startedAt = {};
  std::optional<std::string> endedAt = {};
  std::string workspaceRoot = {};
  Json agent = {};
  std::vector<Json> toolRuns = {};
  HOLDFAST_API_FIELDS(schemaVersion, id, threadId, status, startedAt, endedAt, workspaceRoot, agent, toolRuns)
};

struct MaestroMessage {
  std::int64_t schemaVersion = {};
  std::string id = {};
  std::string threadId = {};
  std::string sessionId = {};
  std::string role = {};  // user|assistant|tool|system
  std::string content = {};
  std::string createdAt = {};
  std::optional<std::string> toolCallId = {};
  std::optional<std::vector<Json>> blocks = {};
  HOLDFAST_API_FIELDS(schemaVersion, id, threadId, sessionId, role, content, createdAt, toolCallId, blocks)
};

struct ToolRun {
  std::string run_id = {};
  std::string tool = {};
  std::string status = {};
  HOLDFAST_API_FIELDS(run_id, tool, status)
};

struct LeaseHolder {
  std::string name = {};
  bool alive = {};
  std::int64_t pid = {};
  std::optional<std::string> since = {};
  HOLDFAST_API_FIELDS(name, alive, pid, since)
};

struct ExaminedStore {
  std::string layout = {};
  std::string root = {};
  bool writable = {};
  std::int64_t sessions = {};
  std::int64_t bytes = {};
  std::int64_t running = {};
  std::int64_t interrupted = {};
  std::int64_t damaged = {};
  std::optional<std::string> newest = {};  // time
  std::optional<std::string> oldest = {};  // time
  std::string mode = {};
  std::string file_system = {};
  std::int64_t free_bytes = {};
  std::int64_t leases = {};
  std::vector<LeaseHolder> holders = {};
  std::int64_t unfinished = {};
  std::int64_t poison = {};
  std::int64_t set_aside = {};
  std::optional<std::int64_t> deletes_after_days = {};
  HOLDFAST_API_FIELDS(layout, root, writable, sessions, bytes, running, interrupted, damaged, newest, oldest, mode, file_system, free_bytes, leases, holders, unfinished, poison, set_aside, deletes_after_days)
};

struct Problem {
  std::string kind = {};  // note|damage|unavailable
  std::optional<std::string> where = {};
  std::string message = {};
  HOLDFAST_API_FIELDS(kind, where, message)
};

struct HelloRequest {
  std::optional<std::int64_t> api_version = {};  // newest API version that the caller understands; the answer names the version that is used, never a newer one
  std::optional<std::string> client = {};  // the caller's name and version
  HOLDFAST_API_FIELDS(api_version, client)
};

struct HelloAnswer {
  std::string version = {};
  std::int64_t api_version = {};
  std::vector<std::string> features = {};
  std::vector<std::string> methods = {};
  HOLDFAST_API_FIELDS(version, api_version, features, methods)
};

// identify the server; the first message of every rpc connection
inline Result<HelloAnswer> hello(Client& client, const Context& context, const HelloRequest& request = {}) {
  return call<HelloAnswer>(client, context, "hello", request);
}

struct ApiVersionRequest {
  HOLDFAST_API_FIELDS()
};

struct ApiVersionAnswer {
  std::string version = {};
  std::int64_t api_version = {};
  HOLDFAST_API_FIELDS(version, api_version)
};

// show the versions of Holdfast and its API
inline Result<ApiVersionAnswer> api_version(Client& client, const Context& context, const ApiVersionRequest& request = {}) {
  return call<ApiVersionAnswer>(client, context, "api.version", request);
}

struct EventsSubscribeRequest {
  HOLDFAST_API_FIELDS()
};

struct EventsSubscribeAnswer {
  bool subscribed = {};
  HOLDFAST_API_FIELDS(subscribed)
};

// send what happens in open stores as notifications: {"method":"event"}
inline Result<EventsSubscribeAnswer> events_subscribe(Client& client, const Context& context, const EventsSubscribeRequest& request = {}) {
  return call<EventsSubscribeAnswer>(client, context, "events.subscribe", request);
}

struct SessionCreateRequest {
  std::optional<std::string> id = {};  // id of the session (default: a new one)
  std::optional<std::string> thread = {};  // thread of the session, in layouts that have threads
  std::optional<std::string> project = {};  // directory that the session works in
  std::optional<std::string> title = {};  // a title for people
  std::optional<std::string> first_prompt = {};  // for layouts that derive the title from it
  std::optional<std::string> model = {};  // the model that answers
  std::optional<std::string> provider = {};  // provider of the model
  std::optional<std::string> agent = {};  // agent that runs the session
  std::optional<std::string> git_branch = {};  // git branch that is checked out
  std::optional<std::string> parent = {};  // id of the parent session
  std::optional<std::string> parent_kind = {};  // relation to its parent (default subagent)
  std::optional<Json> config = {};  // configuration of the agent; layouts with threads record its hash
  std::optional<Json> metadata = {};  // other values to store, an object
  std::optional<bool> lease = {};  // hold its lease as long as the caller lives: the session counts as running, and others get busy (default); --no-lease does not
  std::optional<std::string> owner = {};  // a note about the owner, shown to others
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, thread, project, title, first_prompt, model, provider, agent, git_branch, parent, parent_kind, config, metadata, lease, owner, store)
};

struct SessionCreateAnswer {
  std::string id = {};
  Session session = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, session, warnings, findings)
};

// create a session
inline Result<SessionCreateAnswer> session_create(Client& client, const Context& context, const SessionCreateRequest& request = {}) {
  return call<SessionCreateAnswer>(client, context, "session.create", request);
}

struct SessionGetRequest {
  std::string id = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> machine = {};  // read the session from this other machine, as fetched by sync; all: from any machine
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, machine, store)
};

struct SessionGetAnswer {
  std::string id = {};
  Session session = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, session, warnings, findings)
};

// show a session's details
inline Result<SessionGetAnswer> session_get(Client& client, const Context& context, const SessionGetRequest& request) {
  return call<SessionGetAnswer>(client, context, "session.get", request);
}

struct SessionListRequest {
  std::optional<std::string> agent = {};  // only sessions of this agent: claude, codex, "Gemini CLI"; a prefix is enough
  std::optional<std::string> project = {};  // only sessions in this directory or below, or in projects whose name starts with this
  std::optional<std::string> since = {};  // only sessions changed at or after this time: a local day, ISO-8601, or an age like 7d
  std::optional<std::string> until = {};  // only sessions changed at or before this time
  std::optional<std::string> status = {};  // only sessions with this status
  std::optional<bool> archived = {};  // only sessions archived by their agent, or kept only in Holdfast's archive
  std::optional<std::string> layout = {};  // only stores with this layout
  std::optional<std::string> machine = {};  // sessions from this other machine, as fetched by sync; all for every machine
  std::optional<std::string> remote = {};  // sessions of all machines that share through this remote, as stored on its server
  std::optional<bool> subagents = {};  // include sessions of sub-agents (default); --no-subagents leaves them out
  std::optional<bool> all = {};  // also list transcripts of sub-agents that are part of a session
  std::optional<bool> long_ = {};  // show tokens and cost of each session
  std::optional<bool> starred = {};  // only starred sessions
  std::optional<bool> tree = {};  // show sub-agents and forks below their parent session
  std::optional<std::string> tag = {};  // only sessions with this tag
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(agent, project, since, until, status, archived, layout, machine, remote, subagents, all, long_, starred, tree, tag, limit, skip, cursor, store)
};

struct SessionListAnswer {
  std::vector<Session> sessions = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::optional<Json> remote = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(sessions, total, next, remote, findings, next_cursor, warnings)
};

// list sessions, newest first
inline Result<SessionListAnswer> session_list(Client& client, const Context& context, const SessionListRequest& request = {}) {
  return call<SessionListAnswer>(client, context, "session.list", request);
}

struct SessionUpdateRequest {
  std::string id = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> title = {};  // a title for people
  std::optional<std::string> summary = {};  // summary of the session
  std::optional<std::string> model = {};  // the model that answers
  std::optional<std::string> status = {};  // new status
  std::optional<std::string> leaf = {};  // id of the last message of the active branch
  std::optional<Json> metadata = {};  // keys to set; null removes one
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, title, summary, model, status, leaf, metadata, store)
};

struct SessionUpdateAnswer {
  std::string id = {};
  Session session = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, session, warnings, findings)
};

// change title, summary, model, status, leaf or metadata
inline Result<SessionUpdateAnswer> session_update(Client& client, const Context& context, const SessionUpdateRequest& request) {
  return call<SessionUpdateAnswer>(client, context, "session.update", request);
}

struct SessionResumeRequest {
  std::optional<std::string> id = {};  // an id, a prefix of one, @last, or LAYOUT/ID (default: the latest)
  std::optional<std::int64_t> last = {};  // read the last N messages (default 50)
  std::optional<bool> takeover = {};  // take it over even from a living owner
  std::optional<std::string> owner = {};  // a note about the owner, shown to others
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, last, takeover, owner, store)
};

struct SessionResumeAnswer {
  std::string id = {};
  std::string owner = {};  // none|this|other
  Session session = {};
  std::vector<Message> messages = {};
  std::vector<Finding> damage = {};
  std::optional<Workflow> workflow = {};
  std::optional<std::string> hint = {};
  std::optional<Drift> drift = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, owner, session, messages, damage, workflow, hint, drift, warnings, findings)
};

// continue a session: return it with its last messages, and hold its lease as long as the caller lives
inline Result<SessionResumeAnswer> session_resume(Client& client, const Context& context, const SessionResumeRequest& request = {}) {
  return call<SessionResumeAnswer>(client, context, "session.resume", request);
}

struct SessionEndRequest {
  std::string id = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> status = {};  // final status (default complete)
  std::optional<std::string> summary = {};  // summary (default: the output of your summary_command, else an extract)
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, status, summary, store)
};

struct SessionEndAnswer {
  std::string id = {};
  Session session = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, session, warnings, findings)
};

// end a session and release its lease
inline Result<SessionEndAnswer> session_end(Client& client, const Context& context, const SessionEndRequest& request) {
  return call<SessionEndAnswer>(client, context, "session.end", request);
}

struct SessionDeleteRequest {
  std::string id = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, store)
};

struct SessionDeleteAnswer {
  std::string id = {};
  bool deleted = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, deleted, warnings, findings)
};

// delete a session with everything in it
inline Result<SessionDeleteAnswer> session_delete(Client& client, const Context& context, const SessionDeleteRequest& request) {
  return call<SessionDeleteAnswer>(client, context, "session.delete", request);
}

struct SessionForkRequest {
  std::string id = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> message = {};  // id of the last message to copy (default: all)
  std::optional<std::string> title = {};  // a title for people
  std::optional<std::string> model = {};  // the model that answers
  std::optional<Json> metadata = {};  // other values to store, an object
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, message, title, model, metadata, store)
};

struct SessionForkAnswer {
  std::string id = {};
  Session session = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, session, warnings, findings)
};

// create a session that continues from a message of another
inline Result<SessionForkAnswer> session_fork(Client& client, const Context& context, const SessionForkRequest& request) {
  return call<SessionForkAnswer>(client, context, "session.fork", request);
}

struct SessionShowRequest {
  std::optional<std::string> id = {};  // an id, a prefix of one, @last, or LAYOUT/ID (default: the latest)
  std::optional<std::string> machine = {};  // read the session from this other machine, as fetched by sync; all: from any machine
  std::optional<std::string> format = {};  // text: for a terminal (default on the command line); md, html, json or yaml: one document
  std::optional<bool> tools = {};  // show tool input and output in full (text)
  std::optional<bool> thinking = {};  // show thinking in full (text)
  std::optional<bool> context = {};  // include injected context, commands and notices (text)
  std::optional<std::int64_t> at = {};  // show only message N and its neighbours (text)
  std::optional<std::int64_t> width = {};  // wrap text at N columns (default 80)
  std::optional<bool> colour = {};  // use colours (text)
  std::optional<bool> raw = {};  // show the stored records (text), or add them to each message (json, yaml)
  std::optional<std::string> branch = {};  // last message of the branch to show, or all (default: the active branch)
  std::optional<bool> redact = {};  // mask passwords, keys and tokens
  std::optional<Json> settings = {};  // settings that override files and variables, e.g. {"auto_resume":false}
  std::optional<bool> stream = {};  // stream items as they are found instead of returning them in the answer
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, machine, format, tools, thinking, context, at, width, colour, raw, branch, redact, settings, stream, store)
};

struct SessionShowAnswer {
  std::optional<Session> session = {};
  std::optional<std::vector<Message>> messages = {};
  std::optional<Workflow> workflow = {};
  std::optional<Metrics> metrics = {};
  std::optional<Json> cost = {};
  std::optional<std::vector<Finding>> damage = {};
  std::optional<std::vector<std::string>> remedies = {};
  std::optional<std::string> format = {};  // md|json|yaml|text|html
  std::optional<std::string> text = {};
  std::optional<std::vector<Branch>> other_branches = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(session, messages, workflow, metrics, cost, damage, remedies, format, text, other_branches, warnings, findings)
};

// print a session; for a workflow, its state
inline Result<SessionShowAnswer> session_show(Client& client, const Context& context, const SessionShowRequest& request = {}) {
  return call<SessionShowAnswer>(client, context, "session.show", request);
}

struct SessionRescueRequest {
  std::string id = {};  // an id, a prefix of one, @last, LAYOUT/ID, or the path of a .jsonl, .jsonl.zst or .json file
  std::string output = {};  // write the copy to this new file; --install repairs it in place instead
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, output, store)
};

struct SessionRescueAnswer {
  std::string output = {};
  std::int64_t records = {};
  std::int64_t salvaged = {};
  std::int64_t repeated = {};
  std::int64_t linked = {};
  std::int64_t headers = {};
  std::optional<std::int64_t> lost_rows = {};
  std::int64_t bytes = {};
  std::vector<RescueRepair> repaired = {};
  std::vector<RescueGap> gone = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(output, records, salvaged, repeated, linked, headers, lost_rows, bytes, repaired, gone, warnings, findings)
};

// repair a damaged session: write a copy that its agent can load; the original is not changed
inline Result<SessionRescueAnswer> session_rescue(Client& client, const Context& context, const SessionRescueRequest& request) {
  return call<SessionRescueAnswer>(client, context, "session.rescue", request);
}

struct SessionHandoffRequest {
  std::string id = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> machine = {};  // read the session from this other machine, as fetched by sync; all: from any machine
  std::optional<std::string> to = {};  // the agent to continue in
  std::optional<bool> brief = {};  // write a page of Markdown instead: the goal, the last request, files touched, what is left to do
  std::optional<std::string> project = {};  // directory to continue in (default: the directory of the session)
  std::optional<std::int64_t> last = {};  // only the last N prompts, with their answers
  std::optional<std::string> from = {};  // start from the prompt of this message, given by id or ordinal
  std::optional<std::int64_t> fit = {};  // keep at most N tokens, as estimated; the oldest turns are left out
  std::optional<std::string> tools = {};  // map (default): translate tool calls to the next agent's tools; keep: leave them as they are
  std::optional<bool> redact = {};  // replace secrets with placeholders
  std::optional<std::string> output = {};  // write to this directory instead of the agent's own; with `brief`, to this file
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, machine, to, brief, project, last, from, fit, tools, redact, output, store)
};

struct SessionHandoffAnswer {
  std::optional<std::string> to = {};
  std::optional<bool> written = {};
  std::optional<std::string> id = {};
  std::optional<std::string> store = {};
  std::optional<std::string> project = {};
  std::optional<std::string> title = {};
  std::optional<std::int64_t> turns = {};
  std::optional<std::int64_t> tokens_estimated = {};
  std::optional<std::string> file = {};
  std::optional<std::vector<std::string>> import = {};
  std::optional<std::vector<std::string>> resume = {};
  std::optional<std::string> directory = {};
  std::optional<Json> environment = {};
  std::optional<std::vector<HandoffLine>> carried = {};
  std::optional<std::vector<HandoffLine>> changed = {};
  std::optional<std::vector<HandoffLine>> left_behind = {};
  std::optional<std::string> format = {};
  std::optional<std::string> text = {};
  std::optional<std::string> output = {};
  std::optional<std::int64_t> bytes = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(to, written, id, store, project, title, turns, tokens_estimated, file, import, resume, directory, environment, carried, changed, left_behind, format, text, output, bytes, warnings, findings)
};

// continue a session in another agent: create a new session for that agent, with messages, tool calls and results
inline Result<SessionHandoffAnswer> session_handoff(Client& client, const Context& context, const SessionHandoffRequest& request) {
  return call<SessionHandoffAnswer>(client, context, "session.handoff", request);
}

struct SessionMendRequest {
  std::string id = {};  // an id, a prefix of one, @last, LAYOUT/ID, or the path of the session's file
  std::optional<bool> undo = {};  // put the damaged file back
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, undo, store)
};

struct SessionMendAnswer {
  std::string id = {};
  std::string layout = {};
  std::string message = {};
  std::string file = {};
  std::optional<std::string> kept = {};
  std::optional<std::int64_t> loaded_before = {};
  std::optional<std::int64_t> loaded_now = {};
  std::optional<Json> rescued = {};
  std::optional<std::vector<Json>> more = {};
  std::optional<Json> import = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, layout, message, file, kept, loaded_before, loaded_now, rescued, more, import, warnings, findings)
};

// put a repaired copy of a damaged session where its agent finds it; the damaged file is kept
inline Result<SessionMendAnswer> session_mend(Client& client, const Context& context, const SessionMendRequest& request) {
  return call<SessionMendAnswer>(client, context, "session.mend", request);
}

struct SessionStartRequest {
  std::optional<std::string> module = {};  // name of the module
  std::optional<std::string> resume = {};  // continue this session
  std::optional<bool> no_resume = {};  // always create a new session
  std::optional<std::string> project = {};  // directory of the project, where sessions are grouped
  std::optional<std::string> model = {};  // the model that answers
  std::optional<std::int64_t> keep = {};  // keep N completed sessions (default: the setting session_retention; 0: all)
  std::optional<Json> settings = {};  // settings that override files and variables, e.g. {"auto_resume":false}
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(module, resume, no_resume, project, model, keep, settings, store)
};

struct SessionStartAnswer {
  std::string id = {};
  bool resumed = {};
  std::string hint = {};
  Workflow workflow = {};
  Metrics metrics = {};
  Drift drift = {};
  std::vector<std::string> warnings = {};
  std::vector<std::string> pruned = {};
  std::vector<Finding> findings = {};
  HOLDFAST_API_FIELDS(id, resumed, hint, workflow, metrics, drift, warnings, pruned, findings)
};

// start work on a module: continue its session or create a new one
inline Result<SessionStartAnswer> session_start(Client& client, const Context& context, const SessionStartRequest& request = {}) {
  return call<SessionStartAnswer>(client, context, "session.start", request);
}

struct SessionResumableRequest {
  std::optional<std::string> module = {};  // only sessions of this module
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(module, limit, skip, cursor, store)
};

struct SessionResumableAnswer {
  std::vector<Resumable> sessions = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(sessions, total, next, next_cursor, warnings, findings)
};

// list sessions that can be continued: incomplete and readable, newest first
inline Result<SessionResumableAnswer> session_resumable(Client& client, const Context& context, const SessionResumableRequest& request = {}) {
  return call<SessionResumableAnswer>(client, context, "session.resumable", request);
}

struct SessionPruneRequest {
  std::optional<std::int64_t> keep = {};  // keep N of them (default: the setting session_retention; 0: all)
  std::optional<Json> settings = {};  // settings that override files and variables, e.g. {"auto_resume":false}
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(keep, settings, store)
};

struct SessionPruneAnswer {
  std::int64_t retention = {};
  std::vector<std::string> pruned = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(retention, pruned, warnings, findings)
};

// delete completed sessions beyond a limit, the oldest first
inline Result<SessionPruneAnswer> session_prune(Client& client, const Context& context, const SessionPruneRequest& request = {}) {
  return call<SessionPruneAnswer>(client, context, "session.prune", request);
}

struct SessionSearchRequest {
  std::vector<std::string> words = {};  // words; one that contains spaces is a phrase
  std::optional<bool> regex = {};  // treat words as regular expressions (RE2)
  std::optional<bool> case_ = {};  // match case
  std::optional<std::string> in = {};  // search only this part of messages (default all)
  std::optional<std::string> session = {};  // search only this session: an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::int64_t> limit = {};  // show at most N hits (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<bool> count = {};  // print only the exact number of hits
  std::optional<bool> redact = {};  // mask passwords, keys and tokens
  std::optional<std::string> agent = {};  // only sessions of this agent: claude, codex, "Gemini CLI"; a prefix is enough
  std::optional<std::string> project = {};  // only sessions in this directory or below, or in projects whose name starts with this
  std::optional<std::string> since = {};  // only sessions changed at or after this time: a local day, ISO-8601, or an age like 7d
  std::optional<std::string> until = {};  // only sessions changed at or before this time
  std::optional<std::string> status = {};  // only sessions with this status
  std::optional<bool> archived = {};  // only sessions archived by their agent, or kept only in Holdfast's archive
  std::optional<std::string> layout = {};  // only stores with this layout
  std::optional<std::string> machine = {};  // sessions from this other machine, as fetched by sync; all for every machine
  std::optional<std::string> remote = {};  // sessions of all machines that share through this remote, as stored on its server
  std::optional<bool> subagents = {};  // include sessions of sub-agents (default); --no-subagents leaves them out
  std::optional<bool> stream = {};  // stream items as they are found instead of returning them in the answer
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(words, regex, case_, in, session, limit, skip, count, redact, agent, project, since, until, status, archived, layout, machine, remote, subagents, stream, cursor, store)
};

struct SessionSearchAnswer {
  std::string query = {};
  std::vector<Hit> hits = {};
  std::optional<std::int64_t> sessions = {};
  std::optional<std::int64_t> total = {};
  bool truncated = {};
  std::optional<std::int64_t> next = {};
  std::optional<Json> remote = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(query, hits, sessions, total, truncated, next, remote, findings, next_cursor, warnings)
};

// search messages, newest first; all words must be in the same message
inline Result<SessionSearchAnswer> session_search(Client& client, const Context& context, const SessionSearchRequest& request) {
  return call<SessionSearchAnswer>(client, context, "session.search", request);
}

struct SessionStatsRequest {
  std::optional<std::string> by = {};  // group by this (default day)
  std::optional<bool> csv = {};  // print CSV; costs are in US dollars: as recorded by the agent, else from [prices] in config.toml, else list prices
  std::optional<std::string> agent = {};  // only sessions of this agent: claude, codex, "Gemini CLI"; a prefix is enough
  std::optional<std::string> project = {};  // only sessions in this directory or below, or in projects whose name starts with this
  std::optional<std::string> since = {};  // only messages at or after this time: a local day, ISO-8601, or an age like 7d
  std::optional<std::string> until = {};  // only messages at or before this time
  std::optional<std::string> status = {};  // only sessions with this status
  std::optional<bool> archived = {};  // only sessions archived by their agent, or kept only in Holdfast's archive
  std::optional<std::string> layout = {};  // only stores with this layout
  std::optional<std::string> machine = {};  // sessions from this other machine, as fetched by sync; all for every machine
  std::optional<std::string> remote = {};  // sessions of all machines that share through this remote, as stored on its server
  std::optional<bool> subagents = {};  // include sessions of sub-agents (default); --no-subagents leaves them out
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(by, csv, agent, project, since, until, status, archived, layout, machine, remote, subagents, store)
};

struct SessionStatsAnswer {
  std::string by = {};
  std::vector<StatsRow> rows = {};
  StatsRow total = {};
  std::optional<Json> remote = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::string> format = {};
  std::optional<std::string> text = {};
  HOLDFAST_API_FIELDS(by, rows, total, remote, findings, warnings, format, text)
};

// show messages, tokens and cost; each answer counts once, days are in local time
inline Result<SessionStatsAnswer> session_stats(Client& client, const Context& context, const SessionStatsRequest& request = {}) {
  return call<SessionStatsAnswer>(client, context, "session.stats", request);
}

struct SessionExportRequest {
  std::string id = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> machine = {};  // read the session from this other machine, as fetched by sync; all: from any machine
  std::optional<std::string> format = {};  // md (default); html: one self-contained file; json or jsonl: everything, for import; atif: a trajectory
  std::optional<std::string> atif_version = {};  // ATIF version of the trajectory (default 1.7)
  std::optional<std::string> branch = {};  // last message of the branch to include, or all (default: the active branch)
  std::optional<bool> redact = {};  // mask passwords, keys and tokens
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, machine, format, atif_version, branch, redact, store)
};

struct SessionExportAnswer {
  std::string id = {};
  std::string format = {};  // md|html|json|jsonl|atif
  std::int64_t left_out = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::vector<Finding> damage = {};
  std::optional<std::vector<std::string>> remedies = {};
  std::optional<std::int64_t> masked = {};
  std::optional<Json> masked_kinds = {};
  std::optional<std::string> masked_words = {};
  std::string text = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, format, left_out, warnings, damage, remedies, masked, masked_kinds, masked_words, text, findings)
};

// print a session as one document
inline Result<SessionExportAnswer> session_export(Client& client, const Context& context, const SessionExportRequest& request) {
  return call<SessionExportAnswer>(client, context, "session.export", request);
}

struct SessionShareRequest {
  std::string id = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> machine = {};  // read the session from this other machine, as fetched by sync; all: from any machine
  std::optional<std::string> output = {};  // write the page to this file, which must not exist yet
  std::optional<bool> prompts = {};  // include only your prompts
  std::optional<bool> tools = {};  // include tool calls, results and thinking, folded (default); --no-tools leaves them out
  std::optional<bool> system = {};  // include context that the agent added to the conversation
  std::optional<bool> redact = {};  // mask passwords, keys and tokens (default); --no-redact leaves them in
  std::optional<std::string> branch = {};  // last message of the branch to include, or all (default: the active branch)
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, machine, output, prompts, tools, system, redact, branch, store)
};

struct SessionShareAnswer {
  std::string id = {};
  std::string format = {};
  std::optional<std::int64_t> masked = {};
  std::optional<Json> masked_kinds = {};
  std::optional<std::string> masked_words = {};
  std::vector<Finding> damage = {};
  std::optional<std::vector<std::string>> remedies = {};
  std::optional<std::string> output = {};
  std::optional<std::int64_t> bytes = {};
  std::optional<std::string> text = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, format, masked, masked_kinds, masked_words, damage, remedies, output, bytes, text, warnings, findings)
};

// write a session as a web page to share: one HTML file, secrets masked, tool calls folded
inline Result<SessionShareAnswer> session_share(Client& client, const Context& context, const SessionShareRequest& request) {
  return call<SessionShareAnswer>(client, context, "session.share", request);
}

struct SessionImportRequest {
  std::string text = {};  // the document: FILE, or - for standard input
  std::optional<std::string> project = {};  // project directory of the session (default: as in the document)
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(text, project, store)
};

struct SessionImportAnswer {
  std::string id = {};
  std::string format = {};  // json|jsonl|atif
  std::optional<std::vector<std::string>> warnings = {};
  std::int64_t kept_verbatim = {};
  Session session = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, format, warnings, kept_verbatim, session, findings)
};

// create a session from a document: a json or jsonl export, or an ATIF trajectory (1.0 to 1.8)
inline Result<SessionImportAnswer> session_import(Client& client, const Context& context, const SessionImportRequest& request) {
  return call<SessionImportAnswer>(client, context, "session.import", request);
}

struct MessageAppendRequest {
  std::optional<std::string> session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> text = {};  // a text; use `message` for anything else
  std::optional<std::string> role = {};  // role of the text (default user)
  std::optional<GivenMessage> message = {};  // {"role", "text" or "blocks", "model", "usage", ...}; or a message of Anthropic, an item of OpenAI's Responses, a UI message of Vercel, or a record of Maestro, which names its session itself; every member is kept or refused
  std::optional<Json> raw = {};  // an object to store verbatim, where the layout allows it
  std::optional<std::string> durability = {};  // what to wait for (default power)
  std::optional<bool> if_exists = {};  // do nothing if there is no such session, instead of failing
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(session, text, role, message, raw, durability, if_exists, store)
};

struct MessageAppendAnswer {
  std::string id = {};
  std::string session = {};
  std::int64_t offset = {};
  std::int64_t end = {};
  std::string durability = {};  // power|process|none
  bool appended = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, session, offset, end, durability, appended, warnings, findings)
};

// add a message to a session; it is durable when the call returns
inline Result<MessageAppendAnswer> message_append(Client& client, const Context& context, const MessageAppendRequest& request = {}) {
  return call<MessageAppendAnswer>(client, context, "message.append", request);
}

struct MessageListRequest {
  std::optional<std::string> session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> thread = {};  // instead of a session: all sessions of this thread
  std::optional<std::string> machine = {};  // read the session from this other machine, as fetched by sync; all: from any machine
  std::optional<std::int64_t> last = {};  // only the last N
  std::optional<std::int64_t> at = {};  // start with the message of this ordinal, as search and show give it; if it is not on the list, with the next one
  std::optional<std::string> branch = {};  // the leaf of a branch, or all (default: the active one)
  std::optional<bool> history = {};  // include what a fork copied (default); --no-history leaves it out
  std::optional<bool> data = {};  // include the bytes of images, documents and audio, in base64
  std::optional<std::string> as = {};  // give items instead: messages of Anthropic's API, items of OpenAI's Responses, records of Maestro, or raw: the records as they are stored (default holdfast)
  std::optional<std::string> from_agent = {};  // only messages of this agent, in sessions with several
  std::optional<bool> redact = {};  // mask passwords, keys and tokens
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(session, thread, machine, last, at, branch, history, data, as, from_agent, redact, limit, skip, cursor, store)
};

struct MessageListAnswer {
  std::optional<std::string> session = {};
  std::optional<std::string> thread = {};
  std::optional<std::vector<Message>> messages = {};
  std::optional<std::vector<Json>> items = {};
  std::optional<std::vector<std::string>> sessions = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> damage = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(session, thread, messages, items, sessions, total, next, damage, next_cursor, warnings, findings)
};

// list the messages of a session, or of a thread, in order
inline Result<MessageListAnswer> message_list(Client& client, const Context& context, const MessageListRequest& request = {}) {
  return call<MessageListAnswer>(client, context, "message.list", request);
}

struct MessageMediaRequest {
  std::string session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> machine = {};  // read the session from this other machine, as fetched by sync; all: from any machine
  std::optional<std::int64_t> message = {};  // ordinal of the message, as in `message.list`
  std::optional<std::int64_t> block = {};  // number of the block in it (default 0)
  std::optional<std::string> name = {};  // instead of both: the SHA-256 that `message.list` gives as its blob
  std::optional<std::string> branch = {};  // last message of a branch, or all (default: the active branch)
  std::optional<bool> redact = {};  // mask passwords, keys and tokens
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(session, machine, message, block, name, branch, redact, store)
};

struct MessageMediaAnswer {
  std::string session = {};
  std::string media_type = {};
  std::int64_t bytes = {};
  std::string data = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(session, media_type, bytes, data, warnings, findings)
};

// return the bytes of one image, document or recording of a session, in base64
inline Result<MessageMediaAnswer> message_media(Client& client, const Context& context, const MessageMediaRequest& request) {
  return call<MessageMediaAnswer>(client, context, "message.media", request);
}

struct StoreCreateRequest {
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(store)
};

struct StoreCreateAnswer {
  std::string name = {};
  Store store = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(name, store, findings, warnings)
};

// create a store if there is none yet
inline Result<StoreCreateAnswer> store_create(Client& client, const Context& context, const StoreCreateRequest& request = {}) {
  return call<StoreCreateAnswer>(client, context, "store.create", request);
}

struct StoreInfoRequest {
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(store)
};

struct StoreInfoAnswer {
  std::string name = {};
  Store store = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(name, store, findings, warnings)
};

// show what a store holds
inline Result<StoreInfoAnswer> store_info(Client& client, const Context& context, const StoreInfoRequest& request = {}) {
  return call<StoreInfoAnswer>(client, context, "store.info", request);
}

struct StoreListRequest {
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(limit, skip, cursor, store)
};

struct StoreListAnswer {
  std::vector<Store> stores = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(stores, total, next, findings, next_cursor, warnings)
};

// list the stores on this machine
inline Result<StoreListAnswer> store_list(Client& client, const Context& context, const StoreListRequest& request = {}) {
  return call<StoreListAnswer>(client, context, "store.list", request);
}

struct StoreRepairRequest {
  std::optional<bool> unowned_runs = {};  // also close runs that never had an owner
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(unowned_runs, store)
};

struct StoreRepairAnswer {
  std::string name = {};
  std::int64_t failed_runs = {};
  std::int64_t failed_sessions = {};
  std::int64_t migrated_missions = {};
  std::int64_t indexes = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(name, failed_runs, failed_sessions, migrated_missions, indexes, findings, warnings)
};

// repair what a crash left behind: finish commits, close runs of dead owners, rebuild indexes
inline Result<StoreRepairAnswer> store_repair(Client& client, const Context& context, const StoreRepairRequest& request = {}) {
  return call<StoreRepairAnswer>(client, context, "store.repair", request);
}

struct StoreMetricsRequest {
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(store)
};

struct StoreMetricsAnswer {
  std::string name = {};
  std::string format = {};
  std::string text = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(name, format, text, warnings, findings)
};

// print timings and counters of a store for Prometheus; recorded if the setting metrics is on
inline Result<StoreMetricsAnswer> store_metrics(Client& client, const Context& context, const StoreMetricsRequest& request = {}) {
  return call<StoreMetricsAnswer>(client, context, "store.metrics", request);
}

struct StoreVerifyRequest {
  std::optional<std::string> id = {};  // only this session: an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, limit, skip, cursor, store)
};

struct StoreVerifyAnswer {
  std::int64_t sessions = {};
  std::int64_t files = {};
  std::int64_t records = {};
  std::int64_t bytes = {};
  std::vector<Finding> damage = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> unreadable = {};
  std::vector<Finding> notes = {};
  std::int64_t notes_total = {};
  std::optional<std::vector<std::string>> remedies = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(sessions, files, records, bytes, damage, total, next, unreadable, notes, notes_total, remedies, next_cursor, warnings, findings)
};

// check every session and report damage; reads everything once, changes nothing
inline Result<StoreVerifyAnswer> store_verify(Client& client, const Context& context, const StoreVerifyRequest& request = {}) {
  return call<StoreVerifyAnswer>(client, context, "store.verify", request);
}

struct StoreReindexRequest {
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(store)
};

struct StoreReindexAnswer {
  std::string name = {};
  std::int64_t indexes = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(name, indexes, warnings, findings)
};

// rebuild the index files of the layout, and nothing else
inline Result<StoreReindexAnswer> store_reindex(Client& client, const Context& context, const StoreReindexRequest& request = {}) {
  return call<StoreReindexAnswer>(client, context, "store.reindex", request);
}

struct StoreFindingsRequest {
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(store)
};

struct StoreFindingsAnswer {
  std::string name = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(name, findings, warnings)
};

// list damage and oddities in a store; changes nothing
inline Result<StoreFindingsAnswer> store_findings(Client& client, const Context& context, const StoreFindingsRequest& request = {}) {
  return call<StoreFindingsAnswer>(client, context, "store.findings", request);
}

struct StoreDoctorRequest {
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(store)
};

struct StoreDoctorAnswer {
  std::string version = {};
  std::string system = {};
  std::string cache = {};
  std::vector<std::string> settings = {};
  std::vector<ExaminedStore> stores = {};
  std::vector<Problem> problems = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(version, system, cache, settings, stores, problems, warnings, findings)
};

// check every store and report problems; reads everything once, changes nothing
inline Result<StoreDoctorAnswer> store_doctor(Client& client, const Context& context, const StoreDoctorRequest& request = {}) {
  return call<StoreDoctorAnswer>(client, context, "store.doctor", request);
}

struct RunStartRequest {
  std::string project = {};  // directory of the project
  std::string agent = {};  // id of the agent
  std::optional<std::string> agent_kind = {};  // kind of agent
  std::optional<std::string> session = {};  // session that the run works in
  std::optional<std::string> parent = {};  // run that started this one
  std::optional<std::string> detail = {};  // a note for people
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, agent, agent_kind, session, parent, detail, store)
};

struct RunStartAnswer {
  Run run = {};
  std::string owner = {};  // none|this
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(run, owner, warnings, findings)
};

// record that an agent started to work; the run belongs to the caller, or its owner, until it ends
inline Result<RunStartAnswer> run_start(Client& client, const Context& context, const RunStartRequest& request) {
  return call<RunStartAnswer>(client, context, "run.start", request);
}

struct RunFinishRequest {
  std::string id = {};  // id of the run
  std::string project = {};  // directory of the project
  std::optional<std::string> status = {};  // final status (default completed)
  std::optional<std::string> detail = {};  // a note for people
  std::optional<std::string> ended_at = {};  // time of the end (default: now)
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, project, status, detail, ended_at, store)
};

struct RunFinishAnswer {
  Run run = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(run, warnings, findings)
};

// record how a run ended; while its owner lives, only the owner can
inline Result<RunFinishAnswer> run_finish(Client& client, const Context& context, const RunFinishRequest& request) {
  return call<RunFinishAnswer>(client, context, "run.finish", request);
}

struct RunGetRequest {
  std::string id = {};  // id of the run
  std::string project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, project, store)
};

struct RunGetAnswer {
  Run run = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(run, warnings, findings)
};

// show a run
inline Result<RunGetAnswer> run_get(Client& client, const Context& context, const RunGetRequest& request) {
  return call<RunGetAnswer>(client, context, "run.get", request);
}

struct RunListRequest {
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::string> session = {};  // only runs of this session
  std::optional<std::string> agent = {};  // only runs of this agent
  std::optional<std::string> parent = {};  // only runs started by this run
  std::optional<std::string> status = {};  // only runs with this status
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, session, agent, parent, status, limit, skip, cursor, store)
};

struct RunListAnswer {
  std::vector<Run> runs = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(runs, total, next, findings, next_cursor, warnings)
};

// list runs, newest first
inline Result<RunListAnswer> run_list(Client& client, const Context& context, const RunListRequest& request = {}) {
  return call<RunListAnswer>(client, context, "run.list", request);
}

struct RunChildrenRequest {
  std::string id = {};  // id of the run
  std::string project = {};  // directory of the project
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, project, limit, skip, cursor, store)
};

struct RunChildrenAnswer {
  std::vector<Run> runs = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(runs, total, next, findings, next_cursor, warnings)
};

// list what a run started, oldest first
inline Result<RunChildrenAnswer> run_children(Client& client, const Context& context, const RunChildrenRequest& request) {
  return call<RunChildrenAnswer>(client, context, "run.children", request);
}

struct RunCancelRequest {
  std::string id = {};  // id of the run
  std::string project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, project, store)
};

struct RunCancelAnswer {
  std::int64_t cancelled = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(cancelled, warnings, findings)
};

// cancel a run and everything it started that is still running
inline Result<RunCancelAnswer> run_cancel(Client& client, const Context& context, const RunCancelRequest& request) {
  return call<RunCancelAnswer>(client, context, "run.cancel", request);
}

struct MissionSetRequest {
  std::string text = {};  // what to achieve
  std::string project = {};  // directory of the project
  std::optional<Json> agents = {};  // [{"id", "idle_prompt", "idle_interval_secs"}]
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(text, project, agents, store)
};

struct MissionSetAnswer {
  Mission mission = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(mission, warnings, findings)
};

// set the mission of a project; the previous one stays in the history
inline Result<MissionSetAnswer> mission_set(Client& client, const Context& context, const MissionSetRequest& request) {
  return call<MissionSetAnswer>(client, context, "mission.set", request);
}

struct MissionGetRequest {
  std::string project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, store)
};

struct MissionGetAnswer {
  Mission mission = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(mission, warnings, findings)
};

// show the active mission of a project
inline Result<MissionGetAnswer> mission_get(Client& client, const Context& context, const MissionGetRequest& request) {
  return call<MissionGetAnswer>(client, context, "mission.get", request);
}

struct MissionClearRequest {
  std::string project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, store)
};

struct MissionClearAnswer {
  bool cleared = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(cleared, warnings, findings)
};

// end the active mission of a project; it stays in the history
inline Result<MissionClearAnswer> mission_clear(Client& client, const Context& context, const MissionClearRequest& request) {
  return call<MissionClearAnswer>(client, context, "mission.clear", request);
}

struct MissionListRequest {
  std::string project = {};  // directory of the project
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, limit, skip, cursor, store)
};

struct MissionListAnswer {
  std::vector<Mission> missions = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(missions, total, next, findings, next_cursor, warnings)
};

// list the missions of a project, newest first
inline Result<MissionListAnswer> mission_list(Client& client, const Context& context, const MissionListRequest& request) {
  return call<MissionListAnswer>(client, context, "mission.list", request);
}

struct ProjectAddRequest {
  std::string project = {};  // directory of the project
  std::optional<std::string> name = {};  // default: its current name, or the last part of the path
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, name, store)
};

struct ProjectAddAnswer {
  Project project = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(project, warnings, findings)
};

// register a project; a known project gets the given name and is otherwise unchanged
inline Result<ProjectAddAnswer> project_add(Client& client, const Context& context, const ProjectAddRequest& request) {
  return call<ProjectAddAnswer>(client, context, "project.add", request);
}

struct ProjectListRequest {
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(limit, skip, cursor, store)
};

struct ProjectListAnswer {
  std::vector<Project> projects = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(projects, total, next, findings, next_cursor, warnings)
};

// list the projects of a store, newest first
inline Result<ProjectListAnswer> project_list(Client& client, const Context& context, const ProjectListRequest& request = {}) {
  return call<ProjectListAnswer>(client, context, "project.list", request);
}

struct ProjectGetRequest {
  std::string project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, store)
};

struct ProjectGetAnswer {
  Project project = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(project, warnings, findings)
};

// show a project
inline Result<ProjectGetAnswer> project_get(Client& client, const Context& context, const ProjectGetRequest& request) {
  return call<ProjectGetAnswer>(client, context, "project.get", request);
}

struct ProjectRemoveRequest {
  std::string project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, store)
};

struct ProjectRemoveAnswer {
  std::string project = {};
  bool deleted = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(project, deleted, warnings, findings)
};

// delete a project with its sessions, runs and missions
inline Result<ProjectRemoveAnswer> project_remove(Client& client, const Context& context, const ProjectRemoveRequest& request) {
  return call<ProjectRemoveAnswer>(client, context, "project.remove", request);
}

struct AgentListRequest {
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(limit, skip, cursor, store)
};

struct AgentListAnswer {
  std::vector<Record> agents = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(agents, total, next, findings, next_cursor, warnings)
};

// list the agents of a store
inline Result<AgentListAnswer> agent_list(Client& client, const Context& context, const AgentListRequest& request = {}) {
  return call<AgentListAnswer>(client, context, "agent.list", request);
}

struct AgentGetRequest {
  std::string id = {};  // id of the agent
  std::string project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, project, store)
};

struct AgentGetAnswer {
  Record override = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(override, warnings, findings)
};

// show what a project overrides for an agent
inline Result<AgentGetAnswer> agent_get(Client& client, const Context& context, const AgentGetRequest& request) {
  return call<AgentGetAnswer>(client, context, "agent.get", request);
}

struct AgentSetRequest {
  std::string id = {};  // id of the agent
  std::string project = {};  // directory of the project
  std::optional<std::string> idle_prompt = {};  // prompt to send when it is idle
  std::optional<std::int64_t> idle_interval_secs = {};  // seconds between two prompts
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, project, idle_prompt, idle_interval_secs, store)
};

struct AgentSetAnswer {
  Record override = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(override, warnings, findings)
};

// override settings of an agent in a project; the rest stays
inline Result<AgentSetAnswer> agent_set(Client& client, const Context& context, const AgentSetRequest& request) {
  return call<AgentSetAnswer>(client, context, "agent.set", request);
}

struct AgentRemoveRequest {
  std::string id = {};  // id of the agent
  std::string project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, project, store)
};

struct AgentRemoveAnswer {
  std::string id = {};
  bool deleted = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, deleted, warnings, findings)
};

// delete a project's overrides for an agent
inline Result<AgentRemoveAnswer> agent_remove(Client& client, const Context& context, const AgentRemoveRequest& request) {
  return call<AgentRemoveAnswer>(client, context, "agent.remove", request);
}

struct SkillListRequest {
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(limit, skip, cursor, store)
};

struct SkillListAnswer {
  std::vector<Record> skills = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(skills, total, next, findings, next_cursor, warnings)
};

// list the skills of a store
inline Result<SkillListAnswer> skill_list(Client& client, const Context& context, const SkillListRequest& request = {}) {
  return call<SkillListAnswer>(client, context, "skill.list", request);
}

struct PermissionAllowRequest {
  std::string tool = {};  // name of the tool
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(tool, project, store)
};

struct PermissionAllowAnswer {
  std::string tool = {};
  bool allowed = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(tool, allowed, warnings, findings)
};

// allow a tool to run without asking
inline Result<PermissionAllowAnswer> permission_allow(Client& client, const Context& context, const PermissionAllowRequest& request) {
  return call<PermissionAllowAnswer>(client, context, "permission.allow", request);
}

struct PermissionListRequest {
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, limit, skip, cursor, store)
};

struct PermissionListAnswer {
  std::vector<std::string> tools = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(tools, total, next, next_cursor, warnings, findings)
};

// list the tools that are allowed
inline Result<PermissionListAnswer> permission_list(Client& client, const Context& context, const PermissionListRequest& request = {}) {
  return call<PermissionListAnswer>(client, context, "permission.list", request);
}

struct PermissionRevokeRequest {
  std::string tool = {};  // name of the tool
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(tool, project, store)
};

struct PermissionRevokeAnswer {
  std::string tool = {};
  bool allowed = {};
  bool was_allowed = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(tool, allowed, was_allowed, warnings, findings)
};

// revoke the permission of a tool
inline Result<PermissionRevokeAnswer> permission_revoke(Client& client, const Context& context, const PermissionRevokeRequest& request) {
  return call<PermissionRevokeAnswer>(client, context, "permission.revoke", request);
}

struct CredentialSetRequest {
  std::string id = {};  // id of the model or provider
  std::string api_key = {};  // the key
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, api_key, store)
};

struct CredentialSetAnswer {
  std::string id = {};
  std::string api_key = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, api_key, warnings, findings)
};

// store a key; it is never shown again
inline Result<CredentialSetAnswer> credential_set(Client& client, const Context& context, const CredentialSetRequest& request) {
  return call<CredentialSetAnswer>(client, context, "credential.set", request);
}

struct CredentialGetRequest {
  std::string id = {};  // id of the model or provider
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, store)
};

struct CredentialGetAnswer {
  std::string id = {};
  std::string api_key = {};
  std::string source = {};
  std::optional<std::string> file = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, api_key, source, file, warnings, findings)
};

// show where the key of a model comes from (the configuration, this store or the environment), never the key itself
inline Result<CredentialGetAnswer> credential_get(Client& client, const Context& context, const CredentialGetRequest& request) {
  return call<CredentialGetAnswer>(client, context, "credential.get", request);
}

struct CredentialListRequest {
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(limit, skip, cursor, store)
};

struct CredentialListAnswer {
  std::vector<Record> credentials = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(credentials, total, next, findings, next_cursor, warnings)
};

// list the stored keys by id, without the keys themselves
inline Result<CredentialListAnswer> credential_list(Client& client, const Context& context, const CredentialListRequest& request = {}) {
  return call<CredentialListAnswer>(client, context, "credential.list", request);
}

struct CredentialRemoveRequest {
  std::string id = {};  // id of the model or provider
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, store)
};

struct CredentialRemoveAnswer {
  std::string id = {};
  bool deleted = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, deleted, warnings, findings)
};

// delete a key
inline Result<CredentialRemoveAnswer> credential_remove(Client& client, const Context& context, const CredentialRemoveRequest& request) {
  return call<CredentialRemoveAnswer>(client, context, "credential.remove", request);
}

struct PlanPutRequest {
  std::optional<std::string> summary = {};  // what is planned
  std::optional<std::string> id = {};  // with `body`: the module that the plan is for
  std::optional<std::string> body = {};  // the plan as Markdown, stored as it is
  std::optional<bool> append = {};  // append the body instead of replacing the text
  std::optional<Json> items = {};  // titles, or [{"title", "status", "description", "depth"}]
  std::optional<std::string> status = {};  // status of the plan
  std::optional<std::string> origin = {};  // where the plan comes from
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(summary, id, body, append, items, status, origin, project, store)
};

struct PlanPutAnswer {
  Plan plan = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(plan, warnings, findings)
};

// write a new plan without replacing another, or the text of a plan under its id
inline Result<PlanPutAnswer> plan_put(Client& client, const Context& context, const PlanPutRequest& request = {}) {
  return call<PlanPutAnswer>(client, context, "plan.put", request);
}

struct PlanGetRequest {
  std::optional<std::string> id = {};  // id of the plan
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, project, store)
};

struct PlanGetAnswer {
  Plan plan = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(plan, warnings, findings)
};

// show a plan (default: the one to continue)
inline Result<PlanGetAnswer> plan_get(Client& client, const Context& context, const PlanGetRequest& request = {}) {
  return call<PlanGetAnswer>(client, context, "plan.get", request);
}

struct PlanListRequest {
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, limit, skip, cursor, store)
};

struct PlanListAnswer {
  std::vector<Plan> plans = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(plans, total, next, findings, next_cursor, warnings)
};

// list plans
inline Result<PlanListAnswer> plan_list(Client& client, const Context& context, const PlanListRequest& request = {}) {
  return call<PlanListAnswer>(client, context, "plan.list", request);
}

struct PlanUpdateRequest {
  std::string id = {};  // id of the plan
  std::optional<std::string> status = {};  // status of the plan
  std::optional<Json> items = {};  // titles, or [{"title", "status", "description", "depth"}]
  std::optional<bool> done = {};  // mark all open items done
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, status, items, done, project, store)
};

struct PlanUpdateAnswer {
  Plan plan = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(plan, warnings, findings)
};

// change a plan's status or items; all other text stays
inline Result<PlanUpdateAnswer> plan_update(Client& client, const Context& context, const PlanUpdateRequest& request) {
  return call<PlanUpdateAnswer>(client, context, "plan.update", request);
}

struct PlanTickRequest {
  std::string id = {};  // id of the plan
  std::string item = {};  // title of the item, or titles from the top joined by /
  std::optional<std::int64_t> number = {};  // number of the item, from 1, if several have the same title
  std::optional<std::string> status = {};  // new status (default done)
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, item, number, status, project, store)
};

struct PlanTickAnswer {
  Plan plan = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(plan, warnings, findings)
};

// tick an item of a plan
inline Result<PlanTickAnswer> plan_tick(Client& client, const Context& context, const PlanTickRequest& request) {
  return call<PlanTickAnswer>(client, context, "plan.tick", request);
}

struct MemoryGetRequest {
  std::optional<std::string> id = {};  // name of the text; omit it if a project has only one
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, project, store)
};

struct MemoryGetAnswer {
  Record memory = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(memory, warnings, findings)
};

// show a text stored for a project's agents
inline Result<MemoryGetAnswer> memory_get(Client& client, const Context& context, const MemoryGetRequest& request = {}) {
  return call<MemoryGetAnswer>(client, context, "memory.get", request);
}

struct MemoryPutRequest {
  std::optional<std::string> id = {};  // name of the text; omit it if a project has only one
  std::string body = {};  // the whole text, Markdown
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, body, project, store)
};

struct MemoryPutAnswer {
  Record memory = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(memory, warnings, findings)
};

// store a text; replaces the one with the same name
inline Result<MemoryPutAnswer> memory_put(Client& client, const Context& context, const MemoryPutRequest& request) {
  return call<MemoryPutAnswer>(client, context, "memory.put", request);
}

struct MemoryListRequest {
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, limit, skip, cursor, store)
};

struct MemoryListAnswer {
  std::vector<Record> memories = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(memories, total, next, findings, next_cursor, warnings)
};

// list the texts of a project, by name
inline Result<MemoryListAnswer> memory_list(Client& client, const Context& context, const MemoryListRequest& request = {}) {
  return call<MemoryListAnswer>(client, context, "memory.list", request);
}

struct MemoryLearnRequest {
  std::string text = {};  // the text, one line
  std::optional<std::string> heading = {};  // heading to add it under (default: Initiative Patterns)
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(text, heading, project, store)
};

struct MemoryLearnAnswer {
  bool persisted = {};
  std::vector<std::string> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(persisted, warnings, findings)
};

// add a learning, a pattern or a preference to MEMORY.md, once
inline Result<MemoryLearnAnswer> memory_learn(Client& client, const Context& context, const MemoryLearnRequest& request) {
  return call<MemoryLearnAnswer>(client, context, "memory.learn", request);
}

struct WorkflowGetRequest {
  std::string session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(session, store)
};

struct WorkflowGetAnswer {
  std::string session = {};
  Workflow workflow = {};
  Metrics metrics = {};
  std::int64_t ticked = {};
  std::vector<std::string> pruned = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(session, workflow, metrics, ticked, pruned, warnings, findings)
};

// show the state of a workflow session: step, tasks, counts
inline Result<WorkflowGetAnswer> workflow_get(Client& client, const Context& context, const WorkflowGetRequest& request) {
  return call<WorkflowGetAnswer>(client, context, "workflow.get", request);
}

struct WorkflowAdvanceRequest {
  std::string session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::string trigger = {};  // SpecApproved, DependenciesDetermined, ComponentsIdentified, ComponentSelected, TasksBrokenDown, TaskIterationComplete, ComponentComplete, ModuleComplete or Assess
  std::optional<std::string> component = {};  // the component worked on; empty: none
  std::optional<std::string> commit = {};  // the commit of the last task completed; empty: none
  std::optional<std::string> model = {};  // a model that was used
  std::optional<Json> resources = {};  // {"specs":[],"research":[],"plans":[]}: references to add
  std::optional<std::int64_t> input_tokens = {};  // input tokens of a finished iteration
  std::optional<std::int64_t> output_tokens = {};  // output tokens of a finished iteration
  std::optional<std::int64_t> context_window = {};  // context window of a finished iteration
  std::optional<bool> premium = {};  // the iteration was a premium request
  std::optional<bool> history = {};  // keep a snapshot of each iteration (default: the setting save_iteration_history)
  std::optional<Json> settings = {};  // settings that override files and variables, e.g. {"auto_resume":false}
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(session, trigger, component, commit, model, resources, input_tokens, output_tokens, context_window, premium, history, settings, store)
};

struct WorkflowAdvanceAnswer {
  std::string session = {};
  Workflow workflow = {};
  Metrics metrics = {};
  std::int64_t ticked = {};
  std::vector<std::string> pruned = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(session, workflow, metrics, ticked, pruned, warnings, findings)
};

// fire the trigger that ends a step; triggers of other steps are refused
inline Result<WorkflowAdvanceAnswer> workflow_advance(Client& client, const Context& context, const WorkflowAdvanceRequest& request) {
  return call<WorkflowAdvanceAnswer>(client, context, "workflow.advance", request);
}

struct WorkflowPauseRequest {
  std::string session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> component = {};  // the component worked on; empty: none
  std::optional<std::string> commit = {};  // the commit of the last task completed; empty: none
  std::optional<std::string> model = {};  // a model that was used
  std::optional<Json> resources = {};  // {"specs":[],"research":[],"plans":[]}: references to add
  std::optional<std::int64_t> input_tokens = {};  // input tokens of a finished iteration
  std::optional<std::int64_t> output_tokens = {};  // output tokens of a finished iteration
  std::optional<std::int64_t> context_window = {};  // context window of a finished iteration
  std::optional<bool> premium = {};  // the iteration was a premium request
  std::optional<bool> history = {};  // keep a snapshot of each iteration (default: the setting save_iteration_history)
  std::optional<Json> settings = {};  // settings that override files and variables, e.g. {"auto_resume":false}
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(session, component, commit, model, resources, input_tokens, output_tokens, context_window, premium, history, settings, store)
};

struct WorkflowPauseAnswer {
  std::string session = {};
  Workflow workflow = {};
  Metrics metrics = {};
  std::int64_t ticked = {};
  std::vector<std::string> pruned = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(session, workflow, metrics, ticked, pruned, warnings, findings)
};

// save the state because the user stops or switches to something else
inline Result<WorkflowPauseAnswer> workflow_pause(Client& client, const Context& context, const WorkflowPauseRequest& request) {
  return call<WorkflowPauseAnswer>(client, context, "workflow.pause", request);
}

struct WorkflowCompleteRequest {
  std::string session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> component = {};  // the component worked on; empty: none
  std::optional<std::string> commit = {};  // the commit of the last task completed; empty: none
  std::optional<std::string> model = {};  // a model that was used
  std::optional<Json> resources = {};  // {"specs":[],"research":[],"plans":[]}: references to add
  std::optional<std::int64_t> input_tokens = {};  // input tokens of a finished iteration
  std::optional<std::int64_t> output_tokens = {};  // output tokens of a finished iteration
  std::optional<std::int64_t> context_window = {};  // context window of a finished iteration
  std::optional<bool> premium = {};  // the iteration was a premium request
  std::optional<bool> history = {};  // keep a snapshot of each iteration (default: the setting save_iteration_history)
  std::optional<Json> settings = {};  // settings that override files and variables, e.g. {"auto_resume":false}
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(session, component, commit, model, resources, input_tokens, output_tokens, context_window, premium, history, settings, store)
};

struct WorkflowCompleteAnswer {
  std::string session = {};
  Workflow workflow = {};
  Metrics metrics = {};
  std::int64_t ticked = {};
  std::vector<std::string> pruned = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(session, workflow, metrics, ticked, pruned, warnings, findings)
};

// fire the trigger ModuleComplete: the module and its session are complete
inline Result<WorkflowCompleteAnswer> workflow_complete(Client& client, const Context& context, const WorkflowCompleteRequest& request) {
  return call<WorkflowCompleteAnswer>(client, context, "workflow.complete", request);
}

struct TaskSetRequest {
  std::string session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::string task = {};  // id of the task, or ids from the top joined by /
  std::string state = {};  // Pending > InProgress > Complete or Failed, Failed > InProgress
  std::optional<std::string> trigger = {};  // a trigger to fire with it
  std::optional<std::string> component = {};  // the component worked on; empty: none
  std::optional<std::string> commit = {};  // the commit of the last task completed; empty: none
  std::optional<std::string> model = {};  // a model that was used
  std::optional<Json> resources = {};  // {"specs":[],"research":[],"plans":[]}: references to add
  std::optional<std::int64_t> input_tokens = {};  // input tokens of a finished iteration
  std::optional<std::int64_t> output_tokens = {};  // output tokens of a finished iteration
  std::optional<std::int64_t> context_window = {};  // context window of a finished iteration
  std::optional<bool> premium = {};  // the iteration was a premium request
  std::optional<bool> history = {};  // keep a snapshot of each iteration (default: the setting save_iteration_history)
  std::optional<Json> settings = {};  // settings that override files and variables, e.g. {"auto_resume":false}
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(session, task, state, trigger, component, commit, model, resources, input_tokens, output_tokens, context_window, premium, history, settings, store)
};

struct TaskSetAnswer {
  std::string session = {};
  Workflow workflow = {};
  Metrics metrics = {};
  std::int64_t ticked = {};
  std::vector<std::string> pruned = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(session, workflow, metrics, ticked, pruned, warnings, findings)
};

// change the state of a task; its parents and its checkbox in the plan are updated
inline Result<TaskSetAnswer> task_set(Client& client, const Context& context, const TaskSetRequest& request) {
  return call<TaskSetAnswer>(client, context, "task.set", request);
}

struct TaskAddRequest {
  std::string session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::string id = {};  // id of the task
  std::optional<std::string> name = {};  // name, as in the checkbox of the plan (default: its id)
  std::optional<std::string> parent = {};  // id of the parent task (default: none)
  std::optional<std::string> type = {};  // level of the task (default: the one below its parent)
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(session, id, name, parent, type, store)
};

struct TaskAddAnswer {
  std::string session = {};
  Workflow workflow = {};
  Metrics metrics = {};
  std::int64_t ticked = {};
  std::vector<std::string> pruned = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(session, workflow, metrics, ticked, pruned, warnings, findings)
};

// add a task below another; levels: module, component, task, subtask
inline Result<TaskAddAnswer> task_add(Client& client, const Context& context, const TaskAddRequest& request) {
  return call<TaskAddAnswer>(client, context, "task.add", request);
}

struct TaskListRequest {
  std::string session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(session, limit, skip, cursor, store)
};

struct TaskListAnswer {
  std::string session = {};
  std::vector<Task> tasks = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(session, tasks, total, next, next_cursor, warnings, findings)
};

// list the tasks of a session, each followed by its subtasks
inline Result<TaskListAnswer> task_list(Client& client, const Context& context, const TaskListRequest& request) {
  return call<TaskListAnswer>(client, context, "task.list", request);
}

struct MetricsRecordRequest {
  std::string session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> component = {};  // the component worked on; empty: none
  std::optional<std::string> commit = {};  // the commit of the last task completed; empty: none
  std::optional<std::string> model = {};  // a model that was used
  std::optional<Json> resources = {};  // {"specs":[],"research":[],"plans":[]}: references to add
  std::optional<std::int64_t> input_tokens = {};  // input tokens of a finished iteration
  std::optional<std::int64_t> output_tokens = {};  // output tokens of a finished iteration
  std::optional<std::int64_t> context_window = {};  // context window of a finished iteration
  std::optional<bool> premium = {};  // the iteration was a premium request
  std::optional<bool> history = {};  // keep a snapshot of each iteration (default: the setting save_iteration_history)
  std::optional<Json> settings = {};  // settings that override files and variables, e.g. {"auto_resume":false}
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(session, component, commit, model, resources, input_tokens, output_tokens, context_window, premium, history, settings, store)
};

struct MetricsRecordAnswer {
  std::string session = {};
  Workflow workflow = {};
  Metrics metrics = {};
  std::int64_t ticked = {};
  std::vector<std::string> pruned = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(session, workflow, metrics, ticked, pruned, warnings, findings)
};

// count the tokens of an iteration
inline Result<MetricsRecordAnswer> metrics_record(Client& client, const Context& context, const MetricsRecordRequest& request) {
  return call<MetricsRecordAnswer>(client, context, "metrics.record", request);
}

struct MetricsGetRequest {
  std::string session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(session, store)
};

struct MetricsGetAnswer {
  std::string session = {};
  Workflow workflow = {};
  Metrics metrics = {};
  std::int64_t ticked = {};
  std::vector<std::string> pruned = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(session, workflow, metrics, ticked, pruned, warnings, findings)
};

// show what a session has used
inline Result<MetricsGetAnswer> metrics_get(Client& client, const Context& context, const MetricsGetRequest& request) {
  return call<MetricsGetAnswer>(client, context, "metrics.get", request);
}

struct WorkflowPhaseRequest {
  std::string next = {};  // the phase that begins
  std::optional<std::string> completed = {};  // the phase that ended (default: the active one)
  std::optional<std::string> workflow = {};  // APEX, ONESHOT, DEBUG, BRAINSTORM, ... (default: the active one)
  std::optional<std::string> context = {};  // what the workflow is about, in a few words (default: as in the active one)
  std::optional<std::string> outcome = {};  // outcome, for a phase that ends the workflow
  std::optional<std::string> learning = {};  // a line for MEMORY.md, written with the event
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(next, completed, workflow, context, outcome, learning, project, store)
};

struct WorkflowPhaseAnswer {
  std::string line = {};
  Json state = {};
  bool persisted = {};
  std::vector<std::string> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(line, state, persisted, warnings, findings)
};

// end a phase of a workflow and start the next; git-commit and x-archive end the workflow
inline Result<WorkflowPhaseAnswer> workflow_phase(Client& client, const Context& context, const WorkflowPhaseRequest& request) {
  return call<WorkflowPhaseAnswer>(client, context, "workflow.phase", request);
}

struct WorkflowStateRequest {
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, store)
};

struct WorkflowStateAnswer {
  Json workflow = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(workflow, warnings, findings)
};

// show the state of a workflow; it expires after 24 hours
inline Result<WorkflowStateAnswer> workflow_state(Client& client, const Context& context, const WorkflowStateRequest& request = {}) {
  return call<WorkflowStateAnswer>(client, context, "workflow.state", request);
}

struct InterviewRecordRequest {
  std::string skill = {};  // name of the skill
  std::optional<Json> confidence = {};  // {"problem_understanding": 0-100, "context_completeness", "technical_clarity", "scope_definition", "risk_awareness"}
  std::optional<Json> weights = {};  // weights of the dimensions (default: all the same)
  std::optional<std::int64_t> questions_asked = {};  // number of questions asked
  std::optional<bool> bypassed = {};  // the user declined the interview
  std::optional<bool> skipped = {};  // the interview was skipped
  std::optional<std::string> skip_reason = {};  // why it was skipped
  std::optional<std::string> learning = {};  // a line for MEMORY.md, written with the event
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(skill, confidence, weights, questions_asked, bypassed, skipped, skip_reason, learning, project, store)
};

struct InterviewRecordAnswer {
  Record interview = {};
  bool persisted = {};
  std::vector<std::string> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(interview, persisted, warnings, findings)
};

// record how confident a skill is that it understood the request
inline Result<InterviewRecordAnswer> interview_record(Client& client, const Context& context, const InterviewRecordRequest& request) {
  return call<InterviewRecordAnswer>(client, context, "interview.record", request);
}

struct InterviewGetRequest {
  std::optional<std::string> skill = {};  // only interviews of this skill
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(skill, project, store)
};

struct InterviewGetAnswer {
  Json interview = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(interview, warnings, findings)
};

// show current interviews, the baseline of the next one, and how many questions it may ask
inline Result<InterviewGetAnswer> interview_get(Client& client, const Context& context, const InterviewGetRequest& request = {}) {
  return call<InterviewGetAnswer>(client, context, "interview.get", request);
}

struct InterviewClearRequest {
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, store)
};

struct InterviewClearAnswer {
  bool cleared = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(cleared, warnings, findings)
};

// clear the interviews once they have served their purpose
inline Result<InterviewClearAnswer> interview_clear(Client& client, const Context& context, const InterviewClearRequest& request = {}) {
  return call<InterviewClearAnswer>(client, context, "interview.clear", request);
}

struct DelegationRecordRequest {
  std::string agent = {};  // the agent that got the task
  std::string task = {};  // what was delegated
  std::optional<std::string> outcome = {};  // outcome of the task
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(agent, task, outcome, project, store)
};

struct DelegationRecordAnswer {
  std::string line = {};
  bool persisted = {};
  std::vector<std::string> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(line, persisted, warnings, findings)
};

// record in MEMORY.md that work was delegated to another agent
inline Result<DelegationRecordAnswer> delegation_record(Client& client, const Context& context, const DelegationRecordRequest& request) {
  return call<DelegationRecordAnswer>(client, context, "delegation.record", request);
}

struct DelegationListRequest {
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, limit, skip, cursor, store)
};

struct DelegationListAnswer {
  std::vector<std::string> delegations = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(delegations, total, next, next_cursor, warnings, findings)
};

// list delegated work
inline Result<DelegationListAnswer> delegation_list(Client& client, const Context& context, const DelegationListRequest& request = {}) {
  return call<DelegationListAnswer>(client, context, "delegation.list", request);
}

struct InitiativeCreateRequest {
  std::string name = {};  // name of the initiative and of its folder
  std::optional<Json> milestones = {};  // keys of the milestones, in order: ["M1", "M2"]
  std::optional<bool> force = {};  // replace an initiative that is in progress, or completed and not archived
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> revision = {};  // fail unless the initiative still has this revision; see `initiative.get`
  std::optional<std::string> next_action = {};  // what to do next, for whoever resumes
  std::optional<std::string> learning = {};  // a line for MEMORY.md, written with the event
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(name, milestones, force, project, revision, next_action, learning, store)
};

struct InitiativeCreateAnswer {
  Record initiative = {};
  std::string revision = {};
  bool persisted = {};
  std::vector<std::string> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(initiative, revision, persisted, warnings, findings)
};

// start an initiative: state file and WORKFLOW-STATUS.yaml
inline Result<InitiativeCreateAnswer> initiative_create(Client& client, const Context& context, const InitiativeCreateRequest& request) {
  return call<InitiativeCreateAnswer>(client, context, "initiative.create", request);
}

struct InitiativeGetRequest {
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<Json> context = {};  // what the conversation knows: {"name", "status", "current_milestone", "last_updated", ...}
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, context, store)
};

struct InitiativeGetAnswer {
  std::string source = {};
  Record initiative = {};
  Json enriched = {};
  std::vector<LayerSource> sources = {};
  std::vector<std::string> stale = {};
  std::vector<std::string> active = {};
  std::vector<std::string> warnings = {};
  std::string revision = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(source, initiative, enriched, sources, stale, active, warnings, revision, findings)
};

// show the initiative, which source it was read from and what the others add
inline Result<InitiativeGetAnswer> initiative_get(Client& client, const Context& context, const InitiativeGetRequest& request = {}) {
  return call<InitiativeGetAnswer>(client, context, "initiative.get", request);
}

struct InitiativeResumeRequest {
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<Json> context = {};  // what the conversation knows: {"name", "status", "current_milestone", "last_updated", ...}
  std::optional<bool> checkpoint = {};  // rewrite the state file if it is missing or unreadable
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, context, checkpoint, store)
};

struct InitiativeResumeAnswer {
  std::string source = {};
  Record initiative = {};
  Json enriched = {};
  std::vector<LayerSource> sources = {};
  std::vector<std::string> stale = {};
  std::vector<std::string> active = {};
  std::vector<std::string> warnings = {};
  std::string revision = {};
  std::vector<std::string> corrections = {};
  bool persisted = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(source, initiative, enriched, sources, stale, active, warnings, revision, corrections, persisted, findings)
};

// show the initiative at the start of a session, and correct files that disagree
inline Result<InitiativeResumeAnswer> initiative_resume(Client& client, const Context& context, const InitiativeResumeRequest& request = {}) {
  return call<InitiativeResumeAnswer>(client, context, "initiative.resume", request);
}

struct InitiativeStartRequest {
  std::string milestone = {};  // key of the milestone
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> revision = {};  // fail unless the initiative still has this revision; see `initiative.get`
  std::optional<std::string> next_action = {};  // what to do next, for whoever resumes
  std::optional<std::string> learning = {};  // a line for MEMORY.md, written with the event
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(milestone, project, revision, next_action, learning, store)
};

struct InitiativeStartAnswer {
  Record initiative = {};
  std::string revision = {};
  bool persisted = {};
  std::vector<std::string> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(initiative, revision, persisted, warnings, findings)
};

// start a milestone
inline Result<InitiativeStartAnswer> initiative_start(Client& client, const Context& context, const InitiativeStartRequest& request) {
  return call<InitiativeStartAnswer>(client, context, "initiative.start", request);
}

struct InitiativeTaskRequest {
  std::string task = {};  // what was done
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> revision = {};  // fail unless the initiative still has this revision; see `initiative.get`
  std::optional<std::string> next_action = {};  // what to do next, for whoever resumes
  std::optional<std::string> learning = {};  // a line for MEMORY.md, written with the event
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(task, project, revision, next_action, learning, store)
};

struct InitiativeTaskAnswer {
  Record initiative = {};
  std::string revision = {};
  bool persisted = {};
  std::vector<std::string> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(initiative, revision, persisted, warnings, findings)
};

// record a finished task of the current milestone
inline Result<InitiativeTaskAnswer> initiative_task(Client& client, const Context& context, const InitiativeTaskRequest& request) {
  return call<InitiativeTaskAnswer>(client, context, "initiative.task", request);
}

struct InitiativeMilestoneRequest {
  std::optional<std::string> milestone = {};  // key of the milestone (default: the current one)
  std::optional<std::string> next = {};  // key of the next milestone (default: the next one that is not done)
  std::optional<std::string> notes = {};  // notes for the checkpoint
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> revision = {};  // fail unless the initiative still has this revision; see `initiative.get`
  std::optional<std::string> next_action = {};  // what to do next, for whoever resumes
  std::optional<std::string> learning = {};  // a line for MEMORY.md, written with the event
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(milestone, next, notes, project, revision, next_action, learning, store)
};

struct InitiativeMilestoneAnswer {
  Record initiative = {};
  std::string revision = {};
  bool persisted = {};
  std::vector<std::string> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(initiative, revision, persisted, warnings, findings)
};

// finish a milestone; the next one becomes current
inline Result<InitiativeMilestoneAnswer> initiative_milestone(Client& client, const Context& context, const InitiativeMilestoneRequest& request = {}) {
  return call<InitiativeMilestoneAnswer>(client, context, "initiative.milestone", request);
}

struct InitiativeStatusRequest {
  std::string status = {};  // new status
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> revision = {};  // fail unless the initiative still has this revision; see `initiative.get`
  std::optional<std::string> next_action = {};  // what to do next, for whoever resumes
  std::optional<std::string> learning = {};  // a line for MEMORY.md, written with the event
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(status, project, revision, next_action, learning, store)
};

struct InitiativeStatusAnswer {
  Record initiative = {};
  std::string revision = {};
  bool persisted = {};
  std::vector<std::string> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(initiative, revision, persisted, warnings, findings)
};

// change the status; only valid transitions are allowed
inline Result<InitiativeStatusAnswer> initiative_status(Client& client, const Context& context, const InitiativeStatusRequest& request) {
  return call<InitiativeStatusAnswer>(client, context, "initiative.status", request);
}

struct InitiativeUpdateRequest {
  Json fields = {};  // fields to set; null removes one
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> revision = {};  // fail unless the initiative still has this revision; see `initiative.get`
  std::optional<std::string> next_action = {};  // what to do next, for whoever resumes
  std::optional<std::string> learning = {};  // a line for MEMORY.md, written with the event
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(fields, project, revision, next_action, learning, store)
};

struct InitiativeUpdateAnswer {
  Record initiative = {};
  std::string revision = {};
  bool persisted = {};
  std::vector<std::string> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(initiative, revision, persisted, warnings, findings)
};

// set fields of the initiative; all others stay
inline Result<InitiativeUpdateAnswer> initiative_update(Client& client, const Context& context, const InitiativeUpdateRequest& request) {
  return call<InitiativeUpdateAnswer>(client, context, "initiative.update", request);
}

struct InitiativeArchiveRequest {
  std::optional<std::string> outcome = {};  // outcome, for MEMORY.md
  std::optional<std::string> workflow = {};  // the workflow's type in MEMORY.md (default INITIATIVE)
  std::optional<std::string> summary = {};  // Markdown of at most 79 lines, instead of the generated one
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> revision = {};  // fail unless the initiative still has this revision; see `initiative.get`
  std::optional<std::string> next_action = {};  // what to do next, for whoever resumes
  std::optional<std::string> learning = {};  // a line for MEMORY.md, written with the event
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(outcome, workflow, summary, project, revision, next_action, learning, store)
};

struct InitiativeArchiveAnswer {
  std::string name = {};
  std::string path = {};
  std::string summary = {};
  std::string line = {};
  bool persisted = {};
  std::vector<std::string> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(name, path, summary, line, persisted, warnings, findings)
};

// keep a summary of a completed initiative, remove its folder and state
inline Result<InitiativeArchiveAnswer> initiative_archive(Client& client, const Context& context, const InitiativeArchiveRequest& request = {}) {
  return call<InitiativeArchiveAnswer>(client, context, "initiative.archive", request);
}

struct InitiativeContextRequest {
  std::optional<std::string> project = {};  // directory of the project, where a store has many
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, store)
};

struct InitiativeContextAnswer {
  Record initiative = {};
  std::string source = {};
  std::vector<std::string> warnings = {};
  std::vector<std::string> active = {};
  std::optional<Json> workflow = {};
  std::optional<Json> interview = {};
  std::vector<std::string> delegations = {};
  std::vector<std::string> learnings = {};
  std::string text = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(initiative, source, warnings, active, workflow, interview, delegations, learnings, text, findings)
};

// show everything known about the workflow
inline Result<InitiativeContextAnswer> initiative_context(Client& client, const Context& context, const InitiativeContextRequest& request = {}) {
  return call<InitiativeContextAnswer>(client, context, "initiative.context", request);
}

struct HistoryAppendRequest {
  std::string display = {};  // the prompt as typed
  std::optional<std::string> session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> project = {};  // directory of the project
  std::optional<Json> pasted = {};  // pasted contents, by number
  std::optional<std::string> timestamp = {};  // time of the prompt (default: now)
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(display, session, project, pasted, timestamp, store)
};

struct HistoryAppendAnswer {
  std::string durability = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(durability, warnings, findings)
};

// record a prompt
inline Result<HistoryAppendAnswer> history_append(Client& client, const Context& context, const HistoryAppendRequest& request) {
  return call<HistoryAppendAnswer>(client, context, "history.append", request);
}

struct HistoryListRequest {
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::string> session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, session, limit, skip, cursor, store)
};

struct HistoryListAnswer {
  std::vector<Prompt> prompts = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(prompts, total, next, findings, next_cursor, warnings)
};

// list recorded prompts, newest first
inline Result<HistoryListAnswer> history_list(Client& client, const Context& context, const HistoryListRequest& request = {}) {
  return call<HistoryListAnswer>(client, context, "history.list", request);
}

struct CacheSectionRequest {
  std::string header = {};  // heading of the section, case-insensitive
  std::optional<std::string> module = {};  // the specification of this module
  std::optional<std::string> path = {};  // or a file of the project
  std::optional<bool> subtree = {};  // include the sections below it (default: up to the next heading)
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(header, module, path, subtree, project, store)
};

struct CacheSectionAnswer {
  std::string path = {};
  std::string header = {};
  std::int64_t level = {};
  std::string content = {};
  bool cached = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(path, header, level, content, cached, findings, warnings)
};

// print a section of a Markdown file, cached while the file is unchanged
inline Result<CacheSectionAnswer> cache_section(Client& client, const Context& context, const CacheSectionRequest& request) {
  return call<CacheSectionAnswer>(client, context, "cache.section", request);
}

struct CacheAssessmentRequest {
  std::string scope = {};  // a name for what is assessed
  std::optional<Json> paths = {};  // files and directories of the project (default: all of it)
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(scope, paths, project, store)
};

struct CacheAssessmentAnswer {
  bool hit = {};
  std::optional<std::string> content = {};
  std::optional<std::string> cached_at = {};  // time
  std::string state = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(hit, content, cached_at, state, findings, warnings)
};

// show what was found about a part of the project, while no file there has changed
inline Result<CacheAssessmentAnswer> cache_assessment(Client& client, const Context& context, const CacheAssessmentRequest& request) {
  return call<CacheAssessmentAnswer>(client, context, "cache.assessment", request);
}

struct CacheAssessRequest {
  std::string scope = {};  // a name for what is assessed
  std::string content = {};  // what was found
  std::optional<Json> paths = {};  // files and directories of the project (default: all of it)
  std::optional<std::string> state = {};  // state that `cache.assessment` returned before the work began
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(scope, content, paths, state, project, store)
};

struct CacheAssessAnswer {
  bool hit = {};
  std::optional<std::string> content = {};
  std::optional<std::string> cached_at = {};  // time
  std::string state = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(hit, content, cached_at, state, findings, warnings)
};

// store what was found; with `state`, only if nothing has changed since
inline Result<CacheAssessAnswer> cache_assess(Client& client, const Context& context, const CacheAssessRequest& request) {
  return call<CacheAssessAnswer>(client, context, "cache.assess", request);
}

struct ResearchAddRequest {
  std::string module = {};  // name of the module: its directory in docs/requirements
  std::string topic = {};  // topic of the note; also names the file
  std::optional<std::string> summary = {};  // Markdown
  std::optional<std::string> findings = {};  // Markdown
  std::optional<std::string> sources = {};  // Markdown
  std::optional<std::string> relevance = {};  // Markdown
  std::optional<std::string> section = {};  // heading of the section of the specification that it belongs to
  std::optional<std::string> body = {};  // the whole text instead of its parts
  std::optional<bool> replace = {};  // replace these parts of an existing note
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(module, topic, summary, findings, sources, relevance, section, body, replace, project, store)
};

struct ResearchAddAnswer {
  Research research = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(research, warnings, findings)
};

// write a research note and its line in the module's RESEARCH.md
inline Result<ResearchAddAnswer> research_add(Client& client, const Context& context, const ResearchAddRequest& request) {
  return call<ResearchAddAnswer>(client, context, "research.add", request);
}

struct ResearchGetRequest {
  std::string module = {};  // name of the module: its directory in docs/requirements
  std::string topic = {};  // topic of the note; also names the file
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(module, topic, project, store)
};

struct ResearchGetAnswer {
  Research research = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(research, warnings, findings)
};

// show a research note
inline Result<ResearchGetAnswer> research_get(Client& client, const Context& context, const ResearchGetRequest& request) {
  return call<ResearchGetAnswer>(client, context, "research.get", request);
}

struct ResearchListRequest {
  std::optional<std::string> module = {};  // name of the module: its directory in docs/requirements
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(module, project, limit, skip, cursor, store)
};

struct ResearchListAnswer {
  std::vector<Research> research = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(research, total, next, findings, next_cursor, warnings)
};

// list the research notes of a module, or of all
inline Result<ResearchListAnswer> research_list(Client& client, const Context& context, const ResearchListRequest& request = {}) {
  return call<ResearchListAnswer>(client, context, "research.list", request);
}

struct SpecListRequest {
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, limit, skip, cursor, store)
};

struct SpecListAnswer {
  std::vector<Specification> specifications = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(specifications, total, next, findings, next_cursor, warnings)
};

// list the specifications of a project, their sections and what is missing
inline Result<SpecListAnswer> spec_list(Client& client, const Context& context, const SpecListRequest& request = {}) {
  return call<SpecListAnswer>(client, context, "spec.list", request);
}

struct SpecGetRequest {
  std::string module = {};  // name of the module: its directory in docs/requirements
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(module, project, store)
};

struct SpecGetAnswer {
  Specification specification = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(specification, warnings, findings)
};

// show a specification: name, description, title, sections with their hashes, criteria
inline Result<SpecGetAnswer> spec_get(Client& client, const Context& context, const SpecGetRequest& request) {
  return call<SpecGetAnswer>(client, context, "spec.get", request);
}

struct SpecDriftRequest {
  std::string module = {};  // name of the module: its directory in docs/requirements
  std::string session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> project = {};  // directory of the project
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(module, session, project, store)
};

struct SpecDriftAnswer {
  Drift drift = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(drift, warnings, findings)
};

// list sections that changed since a session was last saved
inline Result<SpecDriftAnswer> spec_drift(Client& client, const Context& context, const SpecDriftRequest& request) {
  return call<SpecDriftAnswer>(client, context, "spec.drift", request);
}

struct StoreSettingsRequest {
  std::optional<Json> settings = {};  // settings that override files and variables, e.g. {"auto_resume":false}
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(settings, store)
};

struct StoreSettingsAnswer {
  std::string name = {};
  Json settings = {};
  Json sources = {};
  std::optional<std::string> file = {};
  std::vector<std::string> places = {};
  Json config = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(name, settings, sources, file, places, config, warnings, findings)
};

// show the settings of a store, where each comes from, and its own configuration, without keys
inline Result<StoreSettingsAnswer> store_settings(Client& client, const Context& context, const StoreSettingsRequest& request = {}) {
  return call<StoreSettingsAnswer>(client, context, "store.settings", request);
}

struct StoreConfigureRequest {
  Json settings = {};  // the keys to set; null removes one
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(settings, store)
};

struct StoreConfigureAnswer {
  std::string name = {};
  Json settings = {};
  Json sources = {};
  std::optional<std::string> file = {};
  std::vector<std::string> places = {};
  Json config = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(name, settings, sources, file, places, config, warnings, findings)
};

// change the store's own configuration; everything else in the file stays
inline Result<StoreConfigureAnswer> store_configure(Client& client, const Context& context, const StoreConfigureRequest& request) {
  return call<StoreConfigureAnswer>(client, context, "store.configure", request);
}

struct RecordGetRequest {
  std::string kind = {};  // run, mission, project, agent, plan, memory, ...
  std::optional<std::string> id = {};  // id of the document; omit it if there is only one of its kind
  std::optional<std::string> project = {};  // directory of the project that it belongs to
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(kind, id, project, store)
};

struct RecordGetAnswer {
  Record record = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(record, findings, warnings)
};

// show a document stored with the sessions
inline Result<RecordGetAnswer> record_get(Client& client, const Context& context, const RecordGetRequest& request) {
  return call<RecordGetAnswer>(client, context, "record.get", request);
}

struct RecordListRequest {
  std::string kind = {};  // run, mission, project, agent, plan, memory, ...
  std::optional<std::string> project = {};  // directory of the project that it belongs to
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(kind, project, limit, skip, cursor, store)
};

struct RecordListAnswer {
  std::vector<Record> records = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(records, total, next, findings, next_cursor, warnings)
};

// list the documents of a kind, by id
inline Result<RecordListAnswer> record_list(Client& client, const Context& context, const RecordListRequest& request) {
  return call<RecordListAnswer>(client, context, "record.list", request);
}

struct RecordPutRequest {
  std::string kind = {};  // run, mission, project, agent, plan, memory, ...
  std::optional<std::string> id = {};  // id of the document; omit it if there is only one of its kind
  std::optional<std::string> project = {};  // directory of the project that it belongs to
  Json record = {};  // fields to set
  std::optional<bool> new_ = {};  // fail if it already exists
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(kind, id, project, record, new_, store)
};

struct RecordPutAnswer {
  Record record = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(record, findings, warnings)
};

// create a document or change fields of it; null removes a field, all others stay
inline Result<RecordPutAnswer> record_put(Client& client, const Context& context, const RecordPutRequest& request) {
  return call<RecordPutAnswer>(client, context, "record.put", request);
}

struct RecordDeleteRequest {
  std::string kind = {};  // run, mission, project, agent, plan, memory, ...
  std::optional<std::string> id = {};  // id of the document; omit it if there is only one of its kind
  std::optional<std::string> project = {};  // directory of the project that it belongs to
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(kind, id, project, store)
};

struct RecordDeleteAnswer {
  std::string id = {};
  bool deleted = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, deleted, warnings, findings)
};

// delete a document
inline Result<RecordDeleteAnswer> record_delete(Client& client, const Context& context, const RecordDeleteRequest& request) {
  return call<RecordDeleteAnswer>(client, context, "record.delete", request);
}

struct QueueListRequest {
  std::optional<std::string> status = {};  // only items with this status
  std::optional<std::string> entity = {};  // only items of this kind
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(status, entity, limit, skip, cursor, store)
};

struct QueueListAnswer {
  std::vector<QueueItem> items = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(items, total, next, findings, next_cursor, warnings)
};

// list changes waiting to be sent, oldest first
inline Result<QueueListAnswer> queue_list(Client& client, const Context& context, const QueueListRequest& request = {}) {
  return call<QueueListAnswer>(client, context, "queue.list", request);
}

struct QueueStatusRequest {
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(store)
};

struct QueueStatusAnswer {
  bool enabled = {};
  std::int64_t depth = {};
  std::int64_t pending = {};
  std::int64_t due = {};
  std::int64_t failed = {};
  std::optional<std::string> next_attempt_at = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(enabled, depth, pending, due, failed, next_attempt_at, warnings, findings)
};

// show whether the queue is on, how long it is and when it is sent next
inline Result<QueueStatusAnswer> queue_status(Client& client, const Context& context, const QueueStatusRequest& request = {}) {
  return call<QueueStatusAnswer>(client, context, "queue.status", request);
}

struct QueueInitRequest {
  std::optional<std::string> directory = {};  // directory shared by the machines (default: the setting sync_directory)
  HOLDFAST_API_FIELDS(directory)
};

struct QueueInitAnswer {
  std::string directory = {};
  bool created = {};
  HOLDFAST_API_FIELDS(directory, created)
};

// prepare a directory for queue run, which sends only to prepared directories
inline Result<QueueInitAnswer> queue_init(Client& client, const Context& context, const QueueInitRequest& request = {}) {
  return call<QueueInitAnswer>(client, context, "queue.init", request);
}

struct QueueRunRequest {
  std::optional<std::string> directory = {};  // directory shared by the machines (default: the setting sync_directory)
  std::optional<std::int64_t> limit = {};  // send at most N items
  std::optional<bool> redact = {};  // mask secrets in what is sent
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(directory, limit, redact, store)
};

struct QueueRunAnswer {
  std::int64_t sent = {};
  std::int64_t failed = {};
  std::int64_t given_up = {};
  std::int64_t withheld = {};
  std::int64_t gone = {};
  std::int64_t busy = {};
  std::optional<std::string> reason = {};
  std::int64_t waiting = {};
  std::optional<std::string> next_attempt_at = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(sent, failed, given_up, withheld, gone, busy, reason, waiting, next_attempt_at, warnings, findings)
};

// send what is due, once
inline Result<QueueRunAnswer> queue_run(Client& client, const Context& context, const QueueRunRequest& request = {}) {
  return call<QueueRunAnswer>(client, context, "queue.run", request);
}

struct QueueReceiveRequest {
  std::optional<std::string> directory = {};  // directory shared by the machines (default: the setting sync_directory)
  std::optional<std::string> origin = {};  // only what this store sent
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(directory, origin, store)
};

struct QueueReceiveAnswer {
  std::int64_t parcels = {};
  std::int64_t changes = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(parcels, changes, findings, warnings)
};

// receive what other stores sent to a directory
inline Result<QueueReceiveAnswer> queue_receive(Client& client, const Context& context, const QueueReceiveRequest& request = {}) {
  return call<QueueReceiveAnswer>(client, context, "queue.receive", request);
}

struct QueueRetryRequest {
  std::optional<std::string> id = {};  // only this item (default: all failed items)
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, store)
};

struct QueueRetryAnswer {
  std::int64_t retried = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(retried, warnings, findings)
};

// try failed items again
inline Result<QueueRetryAnswer> queue_retry(Client& client, const Context& context, const QueueRetryRequest& request = {}) {
  return call<QueueRetryAnswer>(client, context, "queue.retry", request);
}

struct QueueRemoveRequest {
  std::string id = {};  // id of the item
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, store)
};

struct QueueRemoveAnswer {
  std::string id = {};
  bool deleted = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, deleted, warnings, findings)
};

// remove an item from the queue without sending it
inline Result<QueueRemoveAnswer> queue_remove(Client& client, const Context& context, const QueueRemoveRequest& request) {
  return call<QueueRemoveAnswer>(client, context, "queue.remove", request);
}

struct SessionCompactRequest {
  std::string id = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::string summary = {};  // summary of the earlier messages
  std::optional<std::string> trigger = {};  // what triggered the compaction (default manual)
  std::optional<std::int64_t> pre_tokens = {};  // tokens in use before the compaction
  std::optional<std::string> model = {};  // the model that wrote the summary
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, summary, trigger, pre_tokens, model, store)
};

struct SessionCompactAnswer {
  std::string id = {};
  std::string boundary = {};
  std::string summary = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, boundary, summary, warnings, findings)
};

// replace the messages so far with a summary; the originals are kept
inline Result<SessionCompactAnswer> session_compact(Client& client, const Context& context, const SessionCompactRequest& request) {
  return call<SessionCompactAnswer>(client, context, "session.compact", request);
}

struct SessionClearRequest {
  std::string id = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, store)
};

struct SessionClearAnswer {
  std::string id = {};
  std::int64_t cleared = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, cleared, warnings, findings)
};

// empty a session; its old log is kept
inline Result<SessionClearAnswer> session_clear(Client& client, const Context& context, const SessionClearRequest& request) {
  return call<SessionClearAnswer>(client, context, "session.clear", request);
}

struct ConfigGetRequest {
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(store)
};

struct ConfigGetAnswer {
  Json config = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(config, warnings, findings)
};

// show the configuration inside a store, without its keys and passwords
inline Result<ConfigGetAnswer> config_get(Client& client, const Context& context, const ConfigGetRequest& request = {}) {
  return call<ConfigGetAnswer>(client, context, "config.get", request);
}

struct ConfigSetRequest {
  Json values = {};  // keys to set, tables key by key; null removes one
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(values, store)
};

struct ConfigSetAnswer {
  Json config = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(config, warnings, findings)
};

// set keys of the configuration inside a store; comments stay
inline Result<ConfigSetAnswer> config_set(Client& client, const Context& context, const ConfigSetRequest& request) {
  return call<ConfigSetAnswer>(client, context, "config.set", request);
}

struct ThreadListRequest {
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(limit, skip, cursor, store)
};

struct ThreadListAnswer {
  std::vector<ThreadRow> threads = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> findings = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(threads, total, next, findings, next_cursor, warnings)
};

// list threads: pinned ones first, then the newest
inline Result<ThreadListAnswer> thread_list(Client& client, const Context& context, const ThreadListRequest& request = {}) {
  return call<ThreadListAnswer>(client, context, "thread.list", request);
}

struct ThreadGetRequest {
  std::string id = {};  // the id of a thread
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, store)
};

struct ThreadGetAnswer {
  Thread thread = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(thread, findings, warnings)
};

// show a thread
inline Result<ThreadGetAnswer> thread_get(Client& client, const Context& context, const ThreadGetRequest& request) {
  return call<ThreadGetAnswer>(client, context, "thread.get", request);
}

struct ThreadCreateRequest {
  std::optional<std::string> project = {};  // directory that it works on
  std::optional<std::string> title = {};  // a title for people
  std::optional<std::string> harness = {};  // the agent program that runs it
  std::optional<std::string> model = {};  // the model that answers
  std::optional<std::string> id = {};  // id of the thread (default: a new one)
  std::optional<Json> privacy = {};  // {"localOnly", "redactInputs", "redactOutputs"}: each true or false, and no other member
  std::optional<Json> metadata = {};  // {"tags", "pinned", ...}
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, title, harness, model, id, privacy, metadata, store)
};

struct ThreadCreateAnswer {
  Thread thread = {};
  bool created = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(thread, created, warnings, findings)
};

// get the thread of a project; creates one if there is none
inline Result<ThreadCreateAnswer> thread_create(Client& client, const Context& context, const ThreadCreateRequest& request = {}) {
  return call<ThreadCreateAnswer>(client, context, "thread.create", request);
}

struct ThreadSaveRequest {
  Json thread = {};  // {"id", "title", ...}; camelCase names are accepted too
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(thread, store)
};

struct ThreadSaveAnswer {
  Thread thread = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(thread, findings, warnings)
};

// create or change a thread; fields that are not given are kept
inline Result<ThreadSaveAnswer> thread_save(Client& client, const Context& context, const ThreadSaveRequest& request) {
  return call<ThreadSaveAnswer>(client, context, "thread.save", request);
}

struct ThreadDeleteRequest {
  std::string id = {};  // the id of a thread
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, store)
};

struct ThreadDeleteAnswer {
  std::string id = {};
  bool deleted = {};
  std::int64_t sessions = {};
  std::int64_t messages = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, deleted, sessions, messages, warnings, findings)
};

// delete a thread with its sessions and messages
inline Result<ThreadDeleteAnswer> thread_delete(Client& client, const Context& context, const ThreadDeleteRequest& request) {
  return call<ThreadDeleteAnswer>(client, context, "thread.delete", request);
}

struct ThreadResumeRequest {
  std::string id = {};  // the id of a thread
  std::optional<std::string> harness = {};  // the agent program that runs it
  std::optional<Json> config = {};  // configuration of the agent; its hash is recorded
  std::optional<bool> takeover = {};  // take it over even from a living owner
  std::optional<std::string> owner = {};  // a note about the owner, shown to others
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, harness, config, takeover, owner, store)
};

struct ThreadResumeAnswer {
  Thread thread = {};
  std::string session = {};
  bool new_session = {};
  std::string owner = {};  // none|this
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(thread, session, new_session, owner, findings, warnings)
};

// continue a thread: its last session if that has not ended, else a new one
inline Result<ThreadResumeAnswer> thread_resume(Client& client, const Context& context, const ThreadResumeRequest& request) {
  return call<ThreadResumeAnswer>(client, context, "thread.resume", request);
}

struct ToolStartRequest {
  std::string session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::string tool = {};  // the name of the tool
  std::optional<std::string> run_id = {};  // its id (default: a new one)
  std::optional<std::string> status = {};  // final status, if the run has already ended
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(session, tool, run_id, status, store)
};

struct ToolStartAnswer {
  std::string session = {};
  ToolRun run = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(session, run, warnings, findings)
};

// record that a tool is running or, with a status, that it has run
inline Result<ToolStartAnswer> tool_start(Client& client, const Context& context, const ToolStartRequest& request) {
  return call<ToolStartAnswer>(client, context, "tool.start", request);
}

struct ToolFinishRequest {
  std::string session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::string run_id = {};  // id of the run
  std::string status = {};  // final status
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(session, run_id, status, store)
};

struct ToolFinishAnswer {
  std::string session = {};
  ToolRun run = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(session, run, warnings, findings)
};

// record how a tool run ended; can be done only once
inline Result<ToolFinishAnswer> tool_finish(Client& client, const Context& context, const ToolFinishRequest& request) {
  return call<ToolFinishAnswer>(client, context, "tool.finish", request);
}

struct ToolListRequest {
  std::string session = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(session, limit, skip, cursor, store)
};

struct ToolListAnswer {
  std::string session = {};
  std::vector<ToolRun> runs = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(session, runs, total, next, next_cursor, warnings, findings)
};

// list the tool runs of a session: finished runs in the order they ended, then the others
inline Result<ToolListAnswer> tool_list(Client& client, const Context& context, const ToolListRequest& request) {
  return call<ToolListAnswer>(client, context, "tool.list", request);
}

struct SessionTrashRequest {
  std::string id = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, store)
};

struct SessionTrashAnswer {
  std::string id = {};
  std::string store = {};
  bool trashed = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, store, trashed, warnings, findings)
};

// move a Holdfast session to the trash; restore it with holdfast restore
inline Result<SessionTrashAnswer> session_trash(Client& client, const Context& context, const SessionTrashRequest& request) {
  return call<SessionTrashAnswer>(client, context, "session.trash", request);
}

struct SessionRestoreRequest {
  std::string id = {};  // an id, a prefix of one, or LAYOUT/ID
  std::optional<std::string> to = {};  // from the archive: restore into this directory instead of the agent's own
  std::optional<std::string> as_of = {};  // from the archive: restore the last version captured by this time (2026-11-15, 2026-11-15T08:00:00Z) or age (36h, 7d); see holdfast archive versions
  std::optional<std::string> project = {};  // from the archive: the new directory of a project that has moved
  std::optional<bool> memory = {};  // from the archive: also restore what the agent remembered about the project
  std::optional<bool> exact_times = {};  // from the archive: restore the original file times; agents may delete old files
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, to, as_of, project, memory, exact_times, store)
};

struct SessionRestoreAnswer {
  std::string id = {};
  std::optional<Session> session = {};
  std::optional<std::string> store = {};
  std::optional<std::string> from = {};
  std::optional<std::string> was_in = {};
  std::optional<std::string> captured_at = {};
  std::optional<std::int64_t> written = {};
  std::optional<std::int64_t> memory = {};
  std::optional<std::int64_t> already_there = {};
  std::optional<std::vector<std::string>> files = {};
  std::optional<std::string> import_file = {};
  std::optional<std::string> next = {};
  std::optional<std::vector<Finding>> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(id, session, store, from, was_in, captured_at, written, memory, already_there, files, import_file, next, findings, warnings)
};

// restore a session from the trash or the archive, to the place where its agent finds it
inline Result<SessionRestoreAnswer> session_restore(Client& client, const Context& context, const SessionRestoreRequest& request) {
  return call<SessionRestoreAnswer>(client, context, "session.restore", request);
}

struct SessionTrashedRequest {
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(limit, skip, cursor, store)
};

struct SessionTrashedAnswer {
  std::vector<Json> trashed = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(trashed, total, next, next_cursor, warnings, findings)
};

// list the trash, newest first
inline Result<SessionTrashedAnswer> session_trashed(Client& client, const Context& context, const SessionTrashedRequest& request = {}) {
  return call<SessionTrashedAnswer>(client, context, "session.trashed", request);
}

struct StorePruneRequest {
  std::optional<std::int64_t> keep = {};  // keep N completed sessions in each store (default: the store's setting, else all)
  std::optional<std::int64_t> trash_days = {};  // delete sessions that have been in the trash for more than N days (default 30)
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(keep, trash_days, store)
};

struct StorePruneAnswer {
  std::vector<Json> done = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(done, warnings, findings)
};

// remove old Holdfast sessions: completed ones go to the trash, old trash is deleted
inline Result<StorePruneAnswer> store_prune(Client& client, const Context& context, const StorePruneRequest& request = {}) {
  return call<StorePruneAnswer>(client, context, "store.prune", request);
}

struct ArchiveRunRequest {
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(store)
};

struct ArchiveRunAnswer {
  std::string archive = {};
  bool busy = {};
  std::optional<std::string> note = {};
  std::optional<std::int64_t> sessions = {};
  std::optional<std::int64_t> captured = {};
  std::optional<std::int64_t> excluded = {};
  std::optional<std::int64_t> files = {};
  std::optional<std::int64_t> bytes = {};
  std::optional<std::int64_t> added_bytes = {};
  std::optional<std::int64_t> healed = {};
  std::optional<bool> missed = {};
  std::optional<bool> out_of_space = {};
  std::optional<std::int64_t> no_room = {};
  std::optional<std::int64_t> forgotten = {};
  std::optional<std::int64_t> gone = {};
  std::optional<std::int64_t> free_bytes = {};
  std::optional<std::int64_t> min_free = {};
  std::optional<std::vector<Json>> left_out = {};
  std::optional<std::vector<Finding>> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(archive, busy, note, sessions, captured, excluded, files, bytes, added_bytes, healed, missed, out_of_space, no_room, forgotten, gone, free_bytes, min_free, left_out, findings, warnings)
};

// copy new and changed sessions of every agent into the archive
inline Result<ArchiveRunAnswer> archive_run(Client& client, const Context& context, const ArchiveRunRequest& request = {}) {
  return call<ArchiveRunAnswer>(client, context, "archive.run", request);
}

struct ArchiveStatusRequest {
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(store)
};

struct ArchiveStatusAnswer {
  std::string archive = {};
  bool exists = {};
  bool timer = {};
  std::optional<std::string> since = {};
  std::optional<std::string> last_capture = {};
  std::optional<std::int64_t> captures = {};
  std::optional<Json> last_run = {};
  std::int64_t sessions = {};
  std::int64_t files = {};
  std::int64_t only_in_archive = {};
  std::int64_t bytes = {};
  std::int64_t packed_bytes = {};
  std::optional<std::int64_t> free_bytes = {};
  std::optional<std::int64_t> min_free = {};
  std::vector<std::string> exclude = {};
  std::vector<Json> left_out = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(archive, exists, timer, since, last_capture, captures, last_run, sessions, files, only_in_archive, bytes, packed_bytes, free_bytes, min_free, exclude, left_out, findings, warnings)
};

// show what the archive contains, and what it cannot capture yet
inline Result<ArchiveStatusAnswer> archive_status(Client& client, const Context& context, const ArchiveStatusRequest& request = {}) {
  return call<ArchiveStatusAnswer>(client, context, "archive.status", request);
}

struct ArchiveVersionsRequest {
  std::string id = {};  // an id, a prefix of one, or LAYOUT/ID
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, store)
};

struct ArchiveVersionsAnswer {
  std::string id = {};
  std::string layout = {};
  std::string store = {};
  std::vector<Json> versions = {};
  std::int64_t total = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, layout, store, versions, total, warnings, findings)
};

// list the archived versions of a session, oldest first; restore one with holdfast restore --as-of
inline Result<ArchiveVersionsAnswer> archive_versions(Client& client, const Context& context, const ArchiveVersionsRequest& request) {
  return call<ArchiveVersionsAnswer>(client, context, "archive.versions", request);
}

struct ArchiveVerifyRequest {
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(store)
};

struct ArchiveVerifyAnswer {
  std::int64_t sessions = {};
  std::int64_t files = {};
  std::int64_t bytes = {};
  std::int64_t chunks = {};
  std::int64_t unreferenced = {};
  std::int64_t broken_sessions = {};
  std::int64_t total = {};
  std::vector<Finding> damage = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(sessions, files, bytes, chunks, unreferenced, broken_sessions, total, damage, warnings, findings)
};

// read everything in the archive and check every hash
inline Result<ArchiveVerifyAnswer> archive_verify(Client& client, const Context& context, const ArchiveVerifyRequest& request = {}) {
  return call<ArchiveVerifyAnswer>(client, context, "archive.verify", request);
}

struct SessionForgetRequest {
  std::optional<std::string> id = {};  // an id, a prefix of one, or LAYOUT/ID
  std::optional<std::string> match = {};  // remove every line that contains this text, and sessions that contain it elsewhere
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, match, store)
};

struct SessionForgetAnswer {
  std::vector<Json> forgotten = {};
  std::vector<Json> holed = {};
  std::vector<Json> kept_out = {};
  std::vector<Json> notes = {};
  std::vector<Json> of_machines = {};
  std::int64_t lines = {};
  std::int64_t packs_rewritten = {};
  std::int64_t files_removed = {};
  std::vector<Json> still_there = {};
  std::vector<Json> unreadable = {};
  Json looked_at = {};
  std::vector<std::string> out_of_reach = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(forgotten, holed, kept_out, notes, of_machines, lines, packs_rewritten, files_removed, still_there, unreadable, looked_at, out_of_reach, findings, warnings)
};

// remove sessions from the archive for good, or only lines that contain a text, and never capture them again
inline Result<SessionForgetAnswer> session_forget(Client& client, const Context& context, const SessionForgetRequest& request = {}) {
  return call<SessionForgetAnswer>(client, context, "session.forget", request);
}

struct ArchivePruneRequest {
  std::optional<std::int64_t> keep_days = {};  // overrides archive.keep_days; 0 keeps everything
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(keep_days, store)
};

struct ArchivePruneAnswer {
  std::vector<Json> removed = {};
  std::int64_t bytes_before = {};
  std::int64_t bytes_after = {};
  bool missed = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(removed, bytes_before, bytes_after, missed, findings, warnings)
};

// remove archived sessions that are older than archive.keep_days and were deleted by their agents
inline Result<ArchivePruneAnswer> archive_prune(Client& client, const Context& context, const ArchivePruneRequest& request = {}) {
  return call<ArchivePruneAnswer>(client, context, "archive.prune", request);
}

struct ArchiveCompactRequest {
  std::optional<bool> drop_unnamed = {};  // also drop what lines that are missing from the log may have named
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(drop_unnamed, store)
};

struct ArchiveCompactAnswer {
  std::int64_t bytes_before = {};
  std::int64_t bytes_after = {};
  std::int64_t packs_rewritten = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(bytes_before, bytes_after, packs_rewritten, findings, warnings)
};

// merge small pieces of growing files and drop unreferenced data
inline Result<ArchiveCompactAnswer> archive_compact(Client& client, const Context& context, const ArchiveCompactRequest& request = {}) {
  return call<ArchiveCompactAnswer>(client, context, "archive.compact", request);
}

struct ArchiveEnableRequest {
  HOLDFAST_API_FIELDS()
};

struct ArchiveEnableAnswer {
  bool enabled = {};
  std::optional<std::string> timer = {};
  std::optional<std::string> next = {};
  HOLDFAST_API_FIELDS(enabled, timer, next)
};

// capture every 15 minutes with a systemd timer, starting at the next login; print the command to start it now, or a crontab line if there is no systemd
inline Result<ArchiveEnableAnswer> archive_enable(Client& client, const Context& context, const ArchiveEnableRequest& request = {}) {
  return call<ArchiveEnableAnswer>(client, context, "archive.enable", request);
}

struct ArchiveDisableRequest {
  HOLDFAST_API_FIELDS()
};

struct ArchiveDisableAnswer {
  bool enabled = {};
  std::optional<std::string> timer = {};
  std::optional<std::string> next = {};
  HOLDFAST_API_FIELDS(enabled, timer, next)
};

// turn the systemd timer off; the archive is kept
inline Result<ArchiveDisableAnswer> archive_disable(Client& client, const Context& context, const ArchiveDisableRequest& request = {}) {
  return call<ArchiveDisableAnswer>(client, context, "archive.disable", request);
}

struct HooksInstallRequest {
  std::string agent = {};  // name of the agent
  std::optional<std::string> project = {};  // install into this project's settings (default: your own)
  std::optional<std::string> program = {};  // command to run (default: holdfast)
  std::optional<bool> capture = {};  // also capture what is new into the archive whenever a session ends
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(agent, project, program, capture, store)
};

struct HooksInstallAnswer {
  std::string agent = {};
  std::string file = {};
  bool changed = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(agent, file, changed, warnings, findings)
};

// make an agent start its sessions with the state of the project's workflow
inline Result<HooksInstallAnswer> hooks_install(Client& client, const Context& context, const HooksInstallRequest& request) {
  return call<HooksInstallAnswer>(client, context, "hooks.install", request);
}

struct HooksUninstallRequest {
  std::string agent = {};  // name of the agent
  std::optional<std::string> project = {};  // install into this project's settings (default: your own)
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(agent, project, store)
};

struct HooksUninstallAnswer {
  std::string agent = {};
  std::string file = {};
  bool changed = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(agent, file, changed, warnings, findings)
};

// remove the hooks from an agent's settings
inline Result<HooksUninstallAnswer> hooks_uninstall(Client& client, const Context& context, const HooksUninstallRequest& request) {
  return call<HooksUninstallAnswer>(client, context, "hooks.uninstall", request);
}

struct HooksRunRequest {
  std::string agent = {};  // name of the agent
  std::string project = {};  // directory of the project
  std::optional<bool> capture = {};  // instead capture what is new into the archive; this is what the hook at a session's end runs
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(agent, project, capture, store)
};

struct HooksRunAnswer {
  std::string format = {};
  std::string text = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(format, text, warnings, findings)
};

// print the state of a project's workflow, or nothing if there is none; this is what the hook runs
inline Result<HooksRunAnswer> hooks_run(Client& client, const Context& context, const HooksRunRequest& request) {
  return call<HooksRunAnswer>(client, context, "hooks.run", request);
}

struct HooksTextRequest {
  std::string agent = {};  // name of the agent
  HOLDFAST_API_FIELDS(agent)
};

struct HooksTextAnswer {
  std::string format = {};
  std::string text = {};
  HOLDFAST_API_FIELDS(format, text)
};

// print instructions for an agent that explain the commands
inline Result<HooksTextAnswer> hooks_text(Client& client, const Context& context, const HooksTextRequest& request) {
  return call<HooksTextAnswer>(client, context, "hooks.text", request);
}

struct SessionStarRequest {
  std::string id = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::optional<bool> remove = {};  // remove the star
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, remove, store)
};

struct SessionStarAnswer {
  std::string id = {};
  Session session = {};
  bool changed = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, session, changed, warnings, findings)
};

// mark a session of any agent with a star, in Holdfast's own files
inline Result<SessionStarAnswer> session_star(Client& client, const Context& context, const SessionStarRequest& request) {
  return call<SessionStarAnswer>(client, context, "session.star", request);
}

struct SessionTagRequest {
  std::string id = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::vector<std::string> tags = {};  // tags, one word each; find them with ls --tag TAG
  std::optional<bool> remove = {};  // remove these tags
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, tags, remove, store)
};

struct SessionTagAnswer {
  std::string id = {};
  Session session = {};
  bool changed = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, session, changed, warnings, findings)
};

// tag a session of any agent, in Holdfast's own files
inline Result<SessionTagAnswer> session_tag(Client& client, const Context& context, const SessionTagRequest& request) {
  return call<SessionTagAnswer>(client, context, "session.tag", request);
}

struct SessionRenameRequest {
  std::string id = {};  // an id, a prefix of one, @last, or LAYOUT/ID
  std::string title = {};  // replaces the session's own title; "" restores it
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, title, store)
};

struct SessionRenameAnswer {
  std::string id = {};
  Session session = {};
  bool changed = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(id, session, changed, warnings, findings)
};

// give a session of any agent a title, in Holdfast's own files
inline Result<SessionRenameAnswer> session_rename(Client& client, const Context& context, const SessionRenameRequest& request) {
  return call<SessionRenameAnswer>(client, context, "session.rename", request);
}

struct McpInstallRequest {
  std::string agent = {};  // name of the agent
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(agent, store)
};

struct McpInstallAnswer {
  std::string agent = {};
  std::string file = {};
  bool changed = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(agent, file, changed, warnings, findings)
};

// add holdfast mcp to an agent's settings; everything else there stays
inline Result<McpInstallAnswer> mcp_install(Client& client, const Context& context, const McpInstallRequest& request) {
  return call<McpInstallAnswer>(client, context, "mcp.install", request);
}

struct McpUninstallRequest {
  std::string agent = {};  // name of the agent
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(agent, store)
};

struct McpUninstallAnswer {
  std::string agent = {};
  std::string file = {};
  bool changed = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(agent, file, changed, warnings, findings)
};

// remove holdfast mcp from an agent's settings
inline Result<McpUninstallAnswer> mcp_uninstall(Client& client, const Context& context, const McpUninstallRequest& request) {
  return call<McpUninstallAnswer>(client, context, "mcp.uninstall", request);
}

struct RemoteAddRequest {
  std::string name = {};  // name of the remote
  std::string url = {};  // its address: dir:/path or postgres://host/database?schema=NAME
  std::optional<std::string> as = {};  // name of this machine on the remote (default: its host name)
  std::optional<bool> encrypt = {};  // encrypt everything on the remote; the recovery phrase is shown only once
  std::optional<std::string> recover = {};  // the recovery phrase of an encrypted remote
  std::optional<bool> allow_insecure = {};  // do not require PostgreSQL on another machine to prove its identity with TLS
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(name, url, as, encrypt, recover, allow_insecure, store)
};

struct RemoteAddAnswer {
  std::string name = {};
  std::string url = {};
  std::string id = {};
  std::string machine = {};
  std::string device = {};
  bool encrypted = {};
  bool made = {};
  std::optional<std::string> recovery_phrase = {};
  std::string note = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(name, url, id, machine, device, encrypted, made, recovery_phrase, note, warnings, findings)
};

// add a remote, a place where your machines share sessions
inline Result<RemoteAddAnswer> remote_add(Client& client, const Context& context, const RemoteAddRequest& request) {
  return call<RemoteAddAnswer>(client, context, "remote.add", request);
}

struct RemoteListRequest {
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(limit, skip, cursor, store)
};

struct RemoteListAnswer {
  std::vector<Json> remotes = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(remotes, total, next, next_cursor, warnings, findings)
};

// list remotes, what is shared with each, and the devices seen there
inline Result<RemoteListAnswer> remote_list(Client& client, const Context& context, const RemoteListRequest& request = {}) {
  return call<RemoteListAnswer>(client, context, "remote.list", request);
}

struct RemoteCheckRequest {
  std::string name = {};  // the name of a remote
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(name, store)
};

struct RemoteCheckAnswer {
  std::string name = {};
  std::string place = {};
  bool reachable = {};
  bool encrypted = {};
  std::optional<std::string> server = {};
  std::optional<std::string> role = {};
  std::optional<std::string> schema = {};
  std::optional<std::int64_t> schema_version = {};
  std::optional<bool> tls = {};
  std::optional<bool> read_only = {};
  std::optional<std::vector<std::string>> missing_rights = {};
  std::optional<std::vector<std::string>> missing_index_rights = {};
  std::vector<Json> streams = {};
  std::int64_t checked_segments = {};
  std::int64_t checked_chunks = {};
  std::int64_t damaged = {};
  std::optional<std::string> note = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(name, place, reachable, encrypted, server, role, schema, schema_version, tls, read_only, missing_rights, missing_index_rights, streams, checked_segments, checked_chunks, damaged, note, findings, warnings)
};

// check that a remote can be reached, and that everything this machine published there is undamaged
inline Result<RemoteCheckAnswer> remote_check(Client& client, const Context& context, const RemoteCheckRequest& request) {
  return call<RemoteCheckAnswer>(client, context, "remote.check", request);
}

struct RemoteMigrateRequest {
  std::string name = {};  // the name of a remote, or the address of one to add
  std::optional<bool> allow_insecure = {};  // do not require PostgreSQL on another machine to prove its identity with TLS
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(name, allow_insecure, store)
};

struct RemoteMigrateAnswer {
  std::string schema = {};
  std::int64_t from = {};
  std::int64_t to = {};
  std::string note = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(schema, from, to, note, warnings, findings)
};

// create or update the tables of a PostgreSQL remote
inline Result<RemoteMigrateAnswer> remote_migrate(Client& client, const Context& context, const RemoteMigrateRequest& request) {
  return call<RemoteMigrateAnswer>(client, context, "remote.migrate", request);
}

struct RemoteIndexRequest {
  std::string name = {};  // the name of a remote
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(name, store)
};

struct RemoteIndexAnswer {
  std::string remote = {};
  std::string indexed_at = {};  // time
  std::int64_t sessions = {};
  std::int64_t messages = {};
  std::int64_t cut = {};
  std::int64_t removed = {};
  std::int64_t left_out = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(remote, indexed_at, sessions, messages, cut, removed, left_out, findings, warnings)
};

// make the sessions that this machine can read on a PostgreSQL remote searchable there
inline Result<RemoteIndexAnswer> remote_index(Client& client, const Context& context, const RemoteIndexRequest& request) {
  return call<RemoteIndexAnswer>(client, context, "remote.index", request);
}

struct RemoteRemoveRequest {
  std::string name = {};  // the name of a remote
  std::optional<bool> erase = {};  // also erase what this machine published there
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(name, erase, store)
};

struct RemoteRemoveAnswer {
  std::string removed = {};
  bool erased = {};
  std::optional<std::string> note = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(removed, erased, note, warnings, findings)
};

// forget a remote and the sessions of other machines that came from it
inline Result<RemoteRemoveAnswer> remote_remove(Client& client, const Context& context, const RemoteRemoveRequest& request) {
  return call<RemoteRemoveAnswer>(client, context, "remote.remove", request);
}

struct RemoteShareRequest {
  std::string project = {};  // the directory of a project
  std::string with = {};  // the name of a remote
  std::optional<std::string> policy = {};  // share sessions in full, or only messages without secrets, paths, titles and pictures
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, with, policy, store)
};

struct RemoteShareAnswer {
  std::string project = {};
  std::string identity = {};
  std::string with = {};
  std::string policy = {};
  std::string note = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(project, identity, with, policy, note, warnings, findings)
};

// share the sessions of a project through a remote, from the next sync on
inline Result<RemoteShareAnswer> remote_share(Client& client, const Context& context, const RemoteShareRequest& request) {
  return call<RemoteShareAnswer>(client, context, "remote.share", request);
}

struct RemoteUnshareRequest {
  std::string project = {};  // the directory of a project
  std::string with = {};  // the name of a remote
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, with, store)
};

struct RemoteUnshareAnswer {
  std::string project = {};
  std::string with = {};
  std::string note = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(project, with, note, warnings, findings)
};

// stop sharing a project; the next sync erases what was shared
inline Result<RemoteUnshareAnswer> remote_unshare(Client& client, const Context& context, const RemoteUnshareRequest& request) {
  return call<RemoteUnshareAnswer>(client, context, "remote.unshare", request);
}

struct RemotePairRequest {
  std::string name = {};  // the name of a remote
  std::string device = {};  // a machine's name, or the id of its device
  std::optional<std::string> code = {};  // confirm with the code that both devices show
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(name, device, code, store)
};

struct RemotePairAnswer {
  std::string machine = {};
  std::string device = {};
  std::string code = {};
  bool paired = {};
  std::string note = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(machine, device, code, paired, note, warnings, findings)
};

// trust another device as your own, after comparing a code on both devices
inline Result<RemotePairAnswer> remote_pair(Client& client, const Context& context, const RemotePairRequest& request) {
  return call<RemotePairAnswer>(client, context, "remote.pair", request);
}

struct RemoteTrustRequest {
  std::string name = {};  // the name of a remote
  std::string device = {};  // a machine's name, or the id of its device
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(name, device, store)
};

struct RemoteTrustAnswer {
  std::string device = {};
  std::string machine = {};
  std::string trust = {};
  std::string note = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(device, machine, trust, note, warnings, findings)
};

// trust a device as your own: what is forgotten there is forgotten here too
inline Result<RemoteTrustAnswer> remote_trust(Client& client, const Context& context, const RemoteTrustRequest& request) {
  return call<RemoteTrustAnswer>(client, context, "remote.trust", request);
}

struct RemoteRevokeRequest {
  std::string name = {};  // the name of a remote
  std::string device = {};  // a machine's name, or the id of its device
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(name, device, store)
};

struct RemoteRevokeAnswer {
  std::string device = {};
  std::string machine = {};
  std::string trust = {};
  std::vector<Json> had_read = {};
  std::optional<std::vector<std::string>> readers = {};
  std::optional<std::string> recovery_phrase = {};
  std::string note = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(device, machine, trust, had_read, readers, recovery_phrase, note, warnings, findings)
};

// stop reading from a device; on an encrypted remote, also keep it from reading anything new
inline Result<RemoteRevokeAnswer> remote_revoke(Client& client, const Context& context, const RemoteRevokeRequest& request) {
  return call<RemoteRevokeAnswer>(client, context, "remote.revoke", request);
}

struct SyncRunRequest {
  std::optional<std::string> name = {};  // sync only with this remote
  std::optional<std::string> fetch = {};  // also download the sessions themselves: all, those of the last N days (30d), or those of a project
  std::optional<bool> no_capture = {};  // send only what is already in the archive, without capturing more
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(name, fetch, no_capture, store)
};

struct SyncRunAnswer {
  std::vector<Json> remotes = {};
  bool failed = {};
  std::vector<Finding> findings = {};
  std::optional<std::vector<std::string>> warnings = {};
  HOLDFAST_API_FIELDS(remotes, failed, findings, warnings)
};

// exchange shared sessions with your other machines
inline Result<SyncRunAnswer> sync_run(Client& client, const Context& context, const SyncRunRequest& request = {}) {
  return call<SyncRunAnswer>(client, context, "sync.run", request);
}

struct SyncStatusRequest {
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(store)
};

struct SyncStatusAnswer {
  std::vector<Json> remotes = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(remotes, warnings, findings)
};

// show what is shared with whom, and what is here from other machines
inline Result<SyncStatusAnswer> sync_status(Client& client, const Context& context, const SyncStatusRequest& request = {}) {
  return call<SyncStatusAnswer>(client, context, "sync.status", request);
}

struct MachineListRequest {
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(limit, skip, cursor, store)
};

struct MachineListAnswer {
  std::vector<Json> machines = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(machines, total, next, next_cursor, warnings, findings)
};

// list the other machines that share sessions, and how many of their sessions are here
inline Result<MachineListAnswer> machine_list(Client& client, const Context& context, const MachineListRequest& request = {}) {
  return call<MachineListAnswer>(client, context, "machine.list", request);
}

struct SessionRegroupRequest {
  std::optional<std::string> id = {};  // an id, a prefix of one, @last, or LAYOUT/ID (default: all that name their project)
  std::optional<std::string> project = {};  // the project (default: the one that the session names)
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, project, store)
};

struct SessionRegroupAnswer {
  std::vector<MovedSession> moved = {};
  std::vector<LeftSession> left = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(moved, left, warnings, findings)
};

// move a session from the flat folder into the folder of its project
inline Result<SessionRegroupAnswer> session_regroup(Client& client, const Context& context, const SessionRegroupRequest& request = {}) {
  return call<SessionRegroupAnswer>(client, context, "session.regroup", request);
}

struct SessionScrubRequest {
  std::optional<std::string> id = {};  // an id, a prefix of one, @last, or LAYOUT/ID (default: every session of the store)
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(id, store)
};

struct SessionScrubAnswer {
  std::vector<ScrubbedSession> scrubbed = {};
  std::vector<LeftSession> left = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(scrubbed, left, warnings, findings)
};

// remove secrets that an older program left in the header of a session
inline Result<SessionScrubAnswer> session_scrub(Client& client, const Context& context, const SessionScrubRequest& request = {}) {
  return call<SessionScrubAnswer>(client, context, "session.scrub", request);
}

struct LogAppendRequest {
  std::string text = {};  // the line
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(text, store)
};

struct LogAppendAnswer {
  std::string name = {};
  std::vector<std::string> pruned = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(name, pruned, warnings, findings)
};

// add a line to today's log; logs older than 7 days are deleted
inline Result<LogAppendAnswer> log_append(Client& client, const Context& context, const LogAppendRequest& request) {
  return call<LogAppendAnswer>(client, context, "log.append", request);
}

struct LogListRequest {
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(limit, skip, cursor, store)
};

struct LogListAnswer {
  std::vector<DailyLog> logs = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(logs, total, next, next_cursor, warnings, findings)
};

// list the daily logs of a store, newest first
inline Result<LogListAnswer> log_list(Client& client, const Context& context, const LogListRequest& request = {}) {
  return call<LogListAnswer>(client, context, "log.list", request);
}

struct LogShowRequest {
  std::optional<std::string> day = {};  // YYYY-MM-DD, in UTC (default: today)
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(day, store)
};

struct LogShowAnswer {
  std::string name = {};
  std::string format = {};
  std::string text = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(name, format, text, warnings, findings)
};

// show the log of a day
inline Result<LogShowAnswer> log_show(Client& client, const Context& context, const LogShowRequest& request = {}) {
  return call<LogShowAnswer>(client, context, "log.show", request);
}

struct LogPruneRequest {
  std::optional<std::int64_t> days = {};  // keep logs written to in the last N days (default 7)
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(days, store)
};

struct LogPruneAnswer {
  std::vector<std::string> pruned = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(pruned, warnings, findings)
};

// delete old daily logs
inline Result<LogPruneAnswer> log_prune(Client& client, const Context& context, const LogPruneRequest& request = {}) {
  return call<LogPruneAnswer>(client, context, "log.prune", request);
}

struct EntryAppendRequest {
  std::string project = {};  // any text that names the project; not a path
  std::string session = {};  // any text that names the session
  std::optional<std::string> stream = {};  // any text that names the stream (default: the main stream)
  Json entries = {};  // the objects to add
  std::optional<std::string> operation_id = {};  // apply it at most once: repeating it changes nothing, a different one with this id is refused
  std::optional<Json> summary = {};  // stored with the entries; replaces the previous one
  std::optional<std::string> after = {};  // expected version, empty for a new stream: fail with conflict if the stream has another
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, session, stream, entries, operation_id, summary, after, store)
};

struct EntryAppendAnswer {
  bool applied = {};
  std::int64_t appended = {};
  std::int64_t duplicates = {};
  std::int64_t total = {};
  std::string version = {};
  std::int64_t mtime = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(applied, appended, duplicates, total, version, mtime, warnings, findings)
};

// add JSON objects to a stream, verbatim, in one commit; objects whose uuid already exists are skipped
inline Result<EntryAppendAnswer> entry_append(Client& client, const Context& context, const EntryAppendRequest& request) {
  return call<EntryAppendAnswer>(client, context, "entry.append", request);
}

struct EntryReplaceRequest {
  std::string project = {};  // any text that names the project; not a path
  std::string session = {};  // any text that names the session
  std::optional<std::string> stream = {};  // any text that names the stream (default: the main stream)
  Json expected = {};  // the objects at the end of the stream to replace
  Json entries = {};  // the objects to write instead
  std::optional<std::string> operation_id = {};  // apply it at most once: repeating it changes nothing, a different one with this id is refused
  std::optional<Json> summary = {};  // stored with the entries; replaces the previous one
  std::optional<std::string> after = {};  // expected version, empty for a new stream: fail with conflict if the stream has another
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, session, stream, expected, entries, operation_id, summary, after, store)
};

struct EntryReplaceAnswer {
  bool applied = {};
  std::int64_t appended = {};
  std::int64_t duplicates = {};
  std::int64_t total = {};
  std::string version = {};
  std::int64_t mtime = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(applied, appended, duplicates, total, version, mtime, warnings, findings)
};

// replace the last objects of a stream, if they are still the last
inline Result<EntryReplaceAnswer> entry_replace(Client& client, const Context& context, const EntryReplaceRequest& request) {
  return call<EntryReplaceAnswer>(client, context, "entry.replace", request);
}

struct EntryLoadRequest {
  std::string project = {};  // any text that names the project; not a path
  std::string session = {};  // any text that names the session
  std::optional<std::string> stream = {};  // any text that names the stream (default: the main stream)
  std::optional<std::int64_t> from = {};  // skip the first N
  std::optional<std::int64_t> count = {};  // return at most N
  std::optional<std::int64_t> last = {};  // of these only the last N
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, session, stream, from, count, last, store)
};

struct EntryLoadAnswer {
  bool exists = {};
  std::vector<Json> entries = {};
  std::int64_t total = {};
  std::string version = {};
  std::int64_t mtime = {};
  std::optional<Json> summary = {};
  std::vector<Finding> damage = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(exists, entries, total, version, mtime, summary, damage, warnings, findings)
};

// return the objects of a stream, in order
inline Result<EntryLoadAnswer> entry_load(Client& client, const Context& context, const EntryLoadRequest& request) {
  return call<EntryLoadAnswer>(client, context, "entry.load", request);
}

struct EntryListRequest {
  std::string project = {};  // any text that names the project; not a path
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, limit, skip, cursor, store)
};

struct EntryListAnswer {
  std::vector<EntrySession> sessions = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> damage = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(sessions, total, next, damage, next_cursor, warnings, findings)
};

// list the sessions of a project that have a main stream, newest first
inline Result<EntryListAnswer> entry_list(Client& client, const Context& context, const EntryListRequest& request) {
  return call<EntryListAnswer>(client, context, "entry.list", request);
}

struct EntryStreamsRequest {
  std::string project = {};  // any text that names the project; not a path
  std::string session = {};  // any text that names the session
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, session, limit, skip, cursor, store)
};

struct EntryStreamsAnswer {
  std::vector<std::string> streams = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(streams, total, next, next_cursor, warnings, findings)
};

// list the streams of a session, except the main one
inline Result<EntryStreamsAnswer> entry_streams(Client& client, const Context& context, const EntryStreamsRequest& request) {
  return call<EntryStreamsAnswer>(client, context, "entry.streams", request);
}

struct EntrySummariesRequest {
  std::string project = {};  // any text that names the project; not a path
  std::optional<std::int64_t> limit = {};  // show at most N (default 100)
  std::optional<std::int64_t> skip = {};  // skip the first N
  std::optional<std::string> cursor = {};  // next_cursor from the previous page
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, limit, skip, cursor, store)
};

struct EntrySummariesAnswer {
  std::vector<EntrySummary> summaries = {};
  std::int64_t total = {};
  std::optional<std::int64_t> next = {};
  std::vector<Finding> damage = {};
  std::optional<std::string> next_cursor = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(summaries, total, next, damage, next_cursor, warnings, findings)
};

// list the summaries of a project's sessions, newest first
inline Result<EntrySummariesAnswer> entry_summaries(Client& client, const Context& context, const EntrySummariesRequest& request) {
  return call<EntrySummariesAnswer>(client, context, "entry.summaries", request);
}

struct EntryDeleteRequest {
  std::string project = {};  // any text that names the project; not a path
  std::string session = {};  // any text that names the session
  std::optional<std::string> stream = {};  // any text that names the stream (default: the main stream)
  std::optional<std::string> store = {};  // use this store, LAYOUT:ROOT (default: the stores on this machine)
  HOLDFAST_API_FIELDS(project, session, stream, store)
};

struct EntryDeleteAnswer {
  bool deleted = {};
  std::optional<std::vector<std::string>> warnings = {};
  std::optional<std::vector<Finding>> findings = {};
  HOLDFAST_API_FIELDS(deleted, warnings, findings)
};

// delete a stream for good; deleting the main stream deletes all streams of the session
inline Result<EntryDeleteAnswer> entry_delete(Client& client, const Context& context, const EntryDeleteRequest& request) {
  return call<EntryDeleteAnswer>(client, context, "entry.delete", request);
}

}  // namespace holdfast::inline v1::api
// clang-format on
