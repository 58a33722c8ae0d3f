#include "api/rescued_json.h"

#include <string_view>

namespace holdfast::inline v1 {
namespace {

// Describes what was added so the agent can load the copy.
void write_repairs(const Rescued& rescued, JsonWriter& json) {
  const ToolRepairs& tools = rescued.tools;
  const auto add = [&](std::string_view kind, std::uint64_t count, std::string_view meaning) {
    if (count == 0) return;
    json.begin_object().key("kind").string(kind).key("count").uint64(count).key("meaning").string(meaning).end_object();
  };
  json.begin_array();
  add("result_made", tools.results_made, "an output was lost: a result that says so was added");
  add("call_made", tools.calls_made, "a call was lost: one with its name was added for the output");
  add("restored", tools.restored, "a record was lost: it was rebuilt from another one that repeats it");
  add("result_as_text", tools.results_as_text, "a call was lost: its output was kept as text");
  add("cleaned", rescued.cleaned, "bytes that are not text were lost: U+FFFD stands for each of them");
  json.end_array();
}

}  // namespace

void write_rescued(JsonWriter& json, const Rescued& rescued) {
  json.key("records").uint64(rescued.records).key("salvaged").uint64(rescued.salvaged);
  json.key("repeated").uint64(rescued.repeated).key("linked").uint64(rescued.linked);
  write_repairs(rescued, json.key("repaired"));
  json.key("headers").uint64(rescued.headers);
  if (rescued.lost) json.key("lost_rows").uint64(*rescued.lost);
  json.key("bytes").uint64(rescued.bytes.size()).key("gone").begin_array();
  for (const RescueGap& gap : rescued.gone) {
    json.begin_object().key("offset").uint64(gap.offset).key("length").uint64(gap.length);
    json.key("kind").string(gap.kind).end_object();
  }
  json.end_array();
}

}  // namespace holdfast::inline v1
