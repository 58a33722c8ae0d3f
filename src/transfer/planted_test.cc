#include "transfer/planted_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr char kId[] = "0199a000-0000-7000-8000-0000000000a1";

std::string time_of(int second) { return "2026-01-01T00:00:0" + std::to_string(second) + ".000Z"; }

std::string preview(const std::string& path) {
  return "<persisted-output>\\nOutput too large (99KB). Full output saved to: " + path + "\\n\\nPreview:\\nabc";
}

// Claude Code and the Open Agent SDK share this form of a message.
std::string anthropic(const std::string& role, const std::string& content, const std::string& id) {
  const std::string name = role == "assistant" ? "\"id\":\"" + id + "\",\"model\":\"m\"," : std::string();
  return "{" + name + "\"role\":\"" + role + "\",\"content\":" + content + "}";
}
std::string words(int number) { return R"([{"type":"text","text":"words )" + std::to_string(number) + "\"}]"; }
constexpr char kUse[] = R"([{"type":"tool_use","id":"t1","name":"Bash","input":{}}])";
std::string given(const std::string& text) {
  return R"([{"type":"tool_result","tool_use_id":"t1","content":")" + text + "\"}]";
}

Planted claude(const PlantOptions& request) {
  const std::string folder = "/claude/projects/-p/";
  Planted planted{"claude-code", "/claude", folder + kId + ".jsonl", kId};
  planted.side_file = std::string("projects/-p/") + kId + "/tool-results/b1.txt";
  const auto add = [&](const std::string& role, const std::string& content) {
    const int number = static_cast<int>(planted.lines.size()) + 1;
    const std::string parent = number == 1 ? "null" : "\"m" + std::to_string(number - 1) + "\"";
    planted.lines.push_back("{\"parentUuid\":" + parent + ",\"type\":\"" + role + "\",\"uuid\":\"m" +
                            std::to_string(number) + "\",\"timestamp\":\"" + time_of(number) + "\",\"sessionId\":\"" +
                            kId + "\",\"message\":" + anthropic(role, content, "r" + std::to_string(number)) + "}");
  };
  add("user", "\"go\"");
  add("assistant", kUse);
  add("user", given(request.spilled ? preview("/x/b1.txt") : "ok"));
  for (int i = 0; i < 3; ++i) add("assistant", words(i));
  planted.call_line = 1;
  planted.result_line = 2;
  planted.victim = 4;
  return planted;
}

Planted open_agent(const PlantOptions& request) {
  const std::string folder = "/oas/projects/-p/";
  Planted planted{"open-agent", "/oas", folder + kId + ".jsonl", kId};
  planted.side_file = std::string("projects/-p/") + kId + "/tool-results/b1.txt";
  planted.lines.push_back(std::string(R"({"type":"session_header","id":")") + kId +
                          R"(","model":"m","provider":"openai","createdAt":1767225600000,"updatedAt":1767225600000,)"
                          R"("options":{"model":"m"}})");
  const auto add = [&](const std::string& role, const std::string& content) {
    const int number = static_cast<int>(planted.lines.size());
    planted.lines.push_back("{\"type\":\"" + role + "\",\"uuid\":\"0000000" + std::to_string(number) +
                            "-0000-4000-8000-000000000000\",\"session_id\":\"" + kId + "\",\"timestamp\":\"" +
                            time_of(number) + "\",\"message\":{\"role\":\"" + role + "\",\"content\":" + content +
                            "},\"parent_tool_use_id\":null}");
  };
  add("user", "\"go\"");
  add("assistant", kUse);
  add("user", given(request.spilled ? preview("/x/b1.txt") : "ok"));
  for (int i = 0; i < 3; ++i) add("assistant", words(i));
  planted.call_line = 2;
  planted.result_line = 3;
  planted.victim = 5;
  return planted;
}

Planted codex(const PlantOptions& request) {
  Planted planted{"codex", "/codex",
                  std::string("/codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-") + kId + ".jsonl", kId};
  const auto add = [&](const std::string& type, const std::string& payload) {
    planted.lines.push_back("{\"timestamp\":\"" + time_of(static_cast<int>(planted.lines.size())) + "\",\"type\":\"" +
                            type + "\",\"payload\":{" + payload + "}}");
  };
  const std::string gone = "0188c000-0000-4000-8000-0000000000c3";
  add("session_meta", std::string("\"id\":\"") + kId + "\",\"timestamp\":\"" + time_of(0) +
                          "\",\"cwd\":\"/p\",\"originator\":\"codex_exec\",\"cli_version\":\"0.166.0\"" +
                          (request.fork ? ",\"forked_from_id\":\"" + gone + "\",\"history_base\":{\"thread_id\":\"" +
                                              gone + "\",\"end_ordinal_exclusive\":3,\"end_byte_offset\":99}"
                                        : ""));
  const auto say = [&](const std::string& role, const std::string& kind, const std::string& text) {
    add("response_item",
        R"("type":"message","role":")" + role + R"(","content":[{"type":")" + kind + R"(","text":")" + text + "\"}]");
  };
  say("user", "input_text", "go");
  add("response_item", R"("type":"function_call","name":"shell","arguments":"{}","call_id":"t1")");
  add("response_item", R"("type":"function_call_output","call_id":"t1","output":"ok")");
  for (int i = 0; i < 3; ++i) say("assistant", "output_text", "words " + std::to_string(i));
  planted.call_line = 2;
  planted.result_line = 3;
  planted.victim = 5;
  return planted;
}

Planted gemini(const PlantOptions& request) {
  Planted planted{"gemini", "/gemini", "/gemini/tmp/p/chats/session-2026-01-01T00-00-0199a000.jsonl", kId};
  planted.side_file = "tmp/p/tool-outputs/session-x/run_1.txt";
  planted.lines.push_back(std::string(R"({"sessionId":")") + kId + R"(","projectHash":"p","startTime":")" + time_of(0) +
                          R"(","lastUpdated":")" + time_of(0) + "\"}");
  const auto add = [&](const std::string& type, const std::string& more) {
    const int number = static_cast<int>(planted.lines.size());
    planted.lines.push_back("{\"id\":\"m" + std::to_string(number) + "\",\"timestamp\":\"" + time_of(number) +
                            "\",\"type\":\"" + type + "\"," + more + "}");
  };
  const std::string output = request.spilled ? "Output too large. Showing first 8,000. For full output see: "
                                               "/home/.gemini/tmp/p/tool-outputs/session-x/run_1.txt\\n1\\n2"
                                             : "ok";
  add("user", R"("content":[{"text":"go"}])");
  add("gemini", R"("content":"","model":"m","toolCalls":[{"id":"t1","name":"run","args":{},"status":"success",)"
                R"("result":[{"functionResponse":{"id":"t1","name":"run","response":{"output":")" +
                    output + R"("}}}]}])");
  for (int i = 0; i < 3; ++i) add("gemini", R"("model":"m","content":"words )" + std::to_string(i) + "\"");
  planted.victim = 4;
  return planted;
}

Message part(Role role, Origin origin, Block block) {
  Message message{.role = role, .origin = origin};
  message.blocks.push_back(std::move(block));
  return message;
}

Planted native(SimFileSystem& files, const Context& context) {
  const auto store =
      must(Store::open(context, files, {.layout = "holdfast", .roots = {{"", "/own"}}, .write = true, .create = true}));
  Planted planted{"holdfast", "/own", "", must(store->create(context, {.project = "/p"}))};
  auto writer = must(store->write(context, planted.id));
  const auto add = [&](Role role, Origin origin, Block block) {
    must(writer->append(context, part(role, origin, std::move(block))));
  };
  add(Role::user, Origin::typed, {.text = "go"});
  add(Role::assistant, Origin::model, {.kind = BlockKind::tool_call, .id = "t1", .name = "Bash", .json = "{}"});
  add(Role::tool, Origin::tool, {.kind = BlockKind::tool_result, .text = "ok", .id = "t1"});
  for (int i = 0; i < 3; ++i) add(Role::assistant, Origin::model, {.text = "words " + std::to_string(i)});
  must(writer->close(context));
  for (const SimEntry& entry : files.tree()) {
    if (!entry.path.ends_with("messages.jsonl") || entry.path.contains("/.holdfast/")) continue;
    planted.log = entry.path;
    for (std::size_t at = 0; at < entry.bytes.size();) {
      const std::size_t end = entry.bytes.find('\n', at);
      planted.lines.push_back(entry.bytes.substr(at, end - at));
      at = end + 1;
    }
  }
  const auto line_with = [&](std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::find_if(planted.lines, [&](const std::string& line) { return line.contains(text); }) -
        planted.lines.begin());
  };
  planted.call_line = line_with("\"tool_call\"");
  planted.result_line = line_with("\"tool_result\"");
  planted.victim = line_with("words 1");
  return planted;
}

}  // namespace

Planted plant(SimFileSystem& files, const Context& context, const std::string& layout, const PlantOptions& request) {
  if (layout == "holdfast") return native(files, context);
  const Planted planted = layout == "claude-code"  ? claude(request)
                          : layout == "open-agent" ? open_agent(request)
                          : layout == "codex"      ? codex(request)
                                                   : gemini(request);
  must(files.put_file(planted.log, planted.bytes()));
  return planted;
}

}  // namespace holdfast::inline v1
