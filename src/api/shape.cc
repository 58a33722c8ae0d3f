#include "api/shape.h"

#include <algorithm>
#include <array>

namespace holdfast::inline v1 {
namespace {

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = text.find(mark);
    if (end != 0) parts.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return parts;
}

ShapeField field_of(std::string_view text) {
  const auto colon = text.find(':');
  ShapeField field{text.substr(0, colon), text.substr(colon + 1)};
  field.optional = field.name.ends_with('?');
  if (field.optional) field.name.remove_suffix(1);
  return field;
}

bool is_plain(std::string_view type) {
  for (const std::string_view plain : {"string", "integer", "count", "number", "boolean", "object"}) {
    if (type == plain) return true;
  }
  return false;
}

void write_type(JsonWriter& json, std::string_view type) {
  const bool nullable = type.ends_with('?');
  if (nullable) type.remove_suffix(1);
  json.begin_object();
  const bool named =
      !type.ends_with("[]") && type.find('|') == type.npos && !is_plain(type) && type != "any" && type != "time";
  if (type.ends_with("[]")) {
    json.key("type").string("array").key("items");
    write_type(json, type.substr(0, type.size() - 2));
  } else if (type.find('|') != type.npos) {
    json.key("enum").begin_array();
    for (const auto word : split(type, '|')) json.string(word);
    if (nullable) json.null();
    json.end_array();
  } else if (named && nullable) {
    json.key("anyOf").begin_array();
    write_type(json, type);
    json.begin_object().key("type").string("null").end_object().end_array();
  } else if (named) {
    json.key("$ref").string("#/$defs/" + std::string(type));
  } else if (type != "any") {
    const std::string_view plain = type == "time" ? "string" : type == "count" ? "integer" : type;
    json.key("type");
    if (nullable)
      json.begin_array().string(plain).string("null").end_array();
    else
      json.string(plain);
    if (type == "time") json.key("format").string("date-time");
    if (type == "count") json.key("minimum").int64(0);
  }
  json.end_object();
}

}  // namespace

std::vector<ShapeField> fields_of(std::string_view fields) {
  std::vector<ShapeField> all;
  for (const auto part : split(fields, ' ')) all.push_back(field_of(part));
  return all;
}

std::span<const Shape> shapes() {
  static constexpr std::array all{
      Shape{"counts", "user:integer assistant:integer tool_calls:integer tool_results:integer records:integer"},
      Shape{"usage",
            "input:integer output:integer cache_read:integer cache_write:integer reasoning?:integer "
            "cache_write_1h?:integer reasoning_apart?:integer"},
      Shape{"parent", "id:string kind:fork|resume|subagent message?:string"},
      Shape{"session_name", "layout:string id:string machine?:string"},
      Shape{"branch",
            "machine:string? layout:string id:string messages:integer? updated_at:time? here:boolean "
            "continues?:boolean handed_off?:boolean"},
      Shape{"session",
            "id:string layout:string store:string path:string project:string? title:string? first_prompt:string? "
            "status:running|interrupted|active|complete|failed|stopped|archived|unknown created_at:time? "
            "updated_at:time? "
            "counts:counts? models:string[] usage:usage? git_branch:string? parent:parent? subagents:integer "
            "bytes:integer damage:integer archived?:boolean summary?:string metadata?:object cost?:number? "
            "estimated_usd?:number starred?:boolean tags?:string[] machine?:string here?:boolean depth?:integer "
            "branches?:branch[] "
            "handed_off_from?:session_name"},
      Shape{"block",
            "type:text|thinking|tool_call|tool_result|image|document|audio|other text?:string signature?:string "
            "id?:string name?:string input?:any output?:any is_error?:boolean spilled?:string media_type?:string "
            "data?:string blob?:string bytes?:integer raw?:any extra?:object"},
      Shape{"message",
            "ordinal:integer id:string? parent:string? role:user|assistant|tool|system timestamp:time? model:string? "
            "stop_reason:string? usage:usage? cost_usd?:number estimated_usd?:number blocks:block[] origin?:string "
            "response?:string "
            "agent?:string failed?:boolean side?:boolean abandoned?:boolean raw?:string "
            "context?:object extra?:object"},
      Shape{"given_message",
            "role?:string type?:string text?:string content?:any blocks?:object[] parts?:object[] id?:string "
            "parent?:string "
            "timestamp?:any model?:string stop_reason?:string usage?:object cost_usd?:number response?:string "
            "agent?:string origin?:string failed?:boolean side?:boolean context?:object extra?:object"},
      Shape{"given_thread",
            "id?:string title?:string project_path?:string projectPath?:string harness?:string model?:string "
            "created_at?:any createdAt?:any last_session_id?:string lastSessionId?:string state_snapshot?:object "
            "stateSnapshot?:object privacy?:object metadata?:given_metadata",
            ShapeUse::open},
      Shape{"given_metadata", "tags?:string[] pinned?:boolean", ShapeUse::open},
      Shape{"given_agent", "id:string idle_prompt?:string idle_interval_secs?:count", ShapeUse::closed},
      Shape{"given_initiative",
            "name?:string status?:string current_milestone?:string currentMilestone?:string progress?:object "
            "checkpoints?:object[] next_action?:string nextAction?:string last_updated?:time lastUpdated?:time",
            ShapeUse::open},
      Shape{"given_plan_item", "title:string status?:pending|in_progress|done|skipped description?:string depth?:count",
            ShapeUse::closed, true},
      Shape{"finding",
            "file:string offset:integer length:integer kind:string salvaged:integer consequence?:string "
            "store?:string session?:string?"},
      Shape{"rescue_repair", "kind:string count:integer meaning:string"},
      Shape{"rescue_gap", "offset:integer length:integer kind:string"},
      Shape{"handoff_line", "kind:string count:integer reason?:string"},
      Shape{"hit",
            "session:string layout:string store:string project:string? ordinal:integer role:user|assistant|tool|system "
            "timestamp:time? snippet:string spans:any[] machine?:string"},
      Shape{"stats_row",
            "key?:string title?:string agent?:string sessions:integer messages:integer prompts:integer "
            "answers:integer tool_calls:integer tool_results:integer usage:usage cost:number? cost_usd?:number "
            "estimated_usd?:number"},
      Shape{"store",
            "layout:string root:string sessions:integer bytes:integer updated_at:time? "
            "damage:integer daemon?:object"},
      Shape{"run",
            "id:string run_id:string repo_path:string? session_id:string? agent_id:string agent_kind?:string? "
            "parent_run_id:string? "
            "status:running|interrupted|completed|failed|cancelled detail:string? started_at:time? ended_at:time?"},
      Shape{"mission", "id:string text:string created_at:time? active:boolean agents:object[]"},
      Shape{"project", "id:string path:string name:string? added_at:time?"},
      Shape{"plan",
            "id:string summary:string status:planned|approved|executing|completed "
            "origin:user_requested|model_managed items:plan_item[]"},
      Shape{"plan_item", "title:string status:pending|in_progress|done|skipped description?:string depth:integer"},
      Shape{"workflow",
            "session:string module:string phase:string step:string step_number:integer progress:integer written:object "
            "component:string? complete:boolean paused:string? created_at:time updated_at:time models_used:string[] "
            "tasks:object[] resources:object last_commit:string?"},
      Shape{"metrics",
            "session:string cumulative_input_tokens:integer cumulative_output_tokens:integer "
            "premium_request_count:integer iteration_count:integer iterations:object[]"},
      Shape{"task", "id:string name:string state:string type:string path:string[] children:integer"},
      Shape{"resumable",
            "id:string module:string phase:string step:string component:string? updated_at:time latest:boolean"},
      Shape{"moved_session", "id:string project:string path:string"},
      Shape{"scrubbed_session", "id:string secrets:integer"},
      Shape{"left_session", "id:string reason:string"},
      Shape{"entry_session", "session:string mtime:integer"},
      Shape{"entry_summary", "session:string mtime:integer summary:any"},
      Shape{"daily_log", "name:string bytes:integer updated_at:time"},
      Shape{"prompt", "display:string pasted:object timestamp:time project:string session:string"},
      Shape{"queue_item",
            "id:string entity:thread|session|message entity_id:string op:upsert|delete payload_hash:string "
            "attempts:integer next_attempt_at:time created_at:time status:pending|failed owner?:string"},
      Shape{"record", "id?:string"},
      Shape{"specification",
            "module:string path:string name:string description:string title:string sections:spec_section[] "
            "criteria:integer ticked:integer missing:string[]"},
      Shape{"spec_section", "header:string level:integer offset:integer bytes:integer hash:string"},
      Shape{"research",
            "module:string topic:string path:string title:string spec_section:string missing:string[] text?:string"},
      Shape{"drift", "known:boolean specification:string sections:drifted_section[]"},
      Shape{"drifted_section",
            "header:string previous_hash:string? current_hash:string? is_new:boolean is_removed:boolean"},
      Shape{"layer_source", "name:string there:boolean fields:object fault?:string"},
      Shape{"thread",
            "id:string title:string created_at:time updated_at:time project_path:string harness?:string? "
            "model?:string? last_session_id:string? state_snapshot:object? privacy:object metadata:object "
            "schema_version?:integer"},
      Shape{"thread_row",
            "id:string title:string updated_at:time project_path:string harness:string model:string pinned:boolean "
            "state:string? pending_tool_calls:integer"},
      // In the format of seed 004, for calls by its names.
      Shape{"maestro_thread",
            "id:string title:string createdAt:time updatedAt:time projectPath:string harness?:string? model?:string? "
            "lastSessionId:string? stateSnapshot:object? privacy:object metadata:object schemaVersion?:integer"},
      Shape{"maestro_thread_row",
            "id:string title:string updatedAt:time projectPath:string harness:string model:string pinned:boolean "
            "state:string? pendingToolCalls:integer"},
      Shape{"maestro_session",
            "schemaVersion?:integer id:string threadId:string status:string startedAt:string endedAt:string? "
            "workspaceRoot:string agent:object toolRuns:any[]"},
      Shape{"maestro_message",
            "schemaVersion:integer id:string threadId:string sessionId:string role:user|assistant|tool|system "
            "content:string createdAt:string toolCallId:string? blocks?:any[]"},
      Shape{"tool_run", "run_id:string tool:string status:string"},
      Shape{"examined_store",
            "layout:string root:string writable:boolean sessions:integer bytes:integer running:integer "
            "interrupted:integer damaged:integer newest:time? oldest:time? mode:string file_system:string "
            "free_bytes:integer leases:integer holders:lease_holder[] unfinished:integer poison:integer "
            "set_aside:integer deletes_after_days:integer?"},
      Shape{"lease_holder", "name:string alive:boolean pid:integer since:string?"},
      Shape{"problem", "kind:note|damage|unavailable where:string? message:string"},
  };
  return all;
}

const Shape* find_shape(std::string_view name) {
  const auto all = shapes();
  const auto found = std::ranges::find(all, name, &Shape::name);
  return found == all.end() ? nullptr : &*found;
}

void write_schema(JsonWriter& json, std::string_view fields, ShapeUse use) {
  const auto all = fields_of(fields);
  json.begin_object().key("type").string("object").key("properties").begin_object();
  for (const ShapeField& field : all) {
    json.key(field.name);
    write_type(json, field.type);
  }
  json.end_object().key("required").begin_array();
  for (const ShapeField& field : all) {
    if (!field.optional) json.string(field.name);
  }
  json.end_array();
  if (use == ShapeUse::closed) json.key("additionalProperties").boolean(false);
  json.end_object();
}

}  // namespace holdfast::inline v1
