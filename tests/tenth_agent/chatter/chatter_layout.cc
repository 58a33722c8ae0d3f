#include "tests/tenth_agent/chatter/chatter_layout.h"

#include <array>

#include "layout/known_records.h"
#include "layout/record_keeper.h"
#include "layout/record_shape.h"

namespace holdfast::inline v1 {
namespace chatter {
namespace {

std::string text_of(JsonView line, std::string_view key) { return line.find(key).as_string().value_or(""); }

// Lines are {"who","said","at"}, {"runs","with","call"}, {"gives","call"}, and {"in"} for the project.
Message message_of(JsonView line) {
  Message message;
  const bool person = line.find("who").is_string("me");
  message.role = person ? Role::user : Role::assistant;
  message.origin = person ? Origin::typed : Origin::model;
  message.timestamp = text_of(line, "at");
  if (line.find("said")) message.blocks.push_back({.text = text_of(line, "said")});
  if (line.find("runs")) {
    Block call{.kind = BlockKind::tool_call};
    call.name = text_of(line, "runs");
    call.id = text_of(line, "call");
    call.json = line.find("with").raw();
    message.blocks.push_back(std::move(call));
  }
  if (line.find("gives")) {
    Block result{.kind = BlockKind::tool_result, .text = text_of(line, "gives")};
    result.id = text_of(line, "call");
    message.role = Role::tool;
    message.origin = Origin::tool;
    message.blocks.push_back(std::move(result));
  }
  return message;
}

class ChatterLayout final : public Layout, public RecordKeeper {
 public:
  std::string_view name() const override { return "chatter"; }
  std::string_view agent() const override { return "Chatter"; }
  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 1> kRoots = {{{"home", "the home of Chatter"}}};
    return kRoots;
  }
  const ToolDialect* tools() const override { return &chatter::tools(); }
  const AgentHome* home() const override { return &chatter::home(); }
  const RecordKeeper* records() const override { return this; }
  Result<std::string> project_key(Feed&, std::string_view) const override {
    return fail(Code::unsupported, "chatter has no projects");
  }
  // Notes beside the chats, now at version 3. Each step from an older version is a row, not code: version 1 called the
  // text "body", version 2 had no tags.
  std::span<const RecordShape> shapes() const override {
    static const std::vector<RecordShape> shapes = {
        {.kind = "note",
         .root = "home",
         .path = "notes/{id}.json",
         .fields = {{"version", {}, FieldKind::integer, false, "3"},
                    {"text", {}, FieldKind::string, true},
                    {"tags", {}, FieldKind::json, false, "[]"}},
         .version_field = "version",
         .version = 3,
         .migrations = {{.from = 1, .renamed = {{"body", "text"}}}, {.from = 2, .added = {{"tags", "[]"}}}}}};
    return shapes;
  }
  bool is_record(JsonView object) const override { return has_keys(object, {"who", "at"}); }

  Result<bool> recognise(Feed& feed) const override {
    HOLDFAST_LET(chats, feed.list({"home", "chats"}));
    return !chats.empty();
  }
  Result<void> find(Feed& feed, const TakeRef& take) const override {
    constexpr std::string_view kEnding = ".jsonl";
    HOLDFAST_LET(chats, feed.list({"home", "chats"}));
    for (const FeedEntry& chat : chats) {
      if (!chat.name.ends_with(kEnding)) continue;
      if (!take({chat.name.substr(0, chat.name.size() - kEnding.size()), {"home", "chats/" + chat.name}, {}, {}}))
        break;
    }
    return {};
  }
  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions&, Events& events) const override {
    return feed.records(ref.place, {}, [&](const FeedRecord& record) {
      const JsonView line(record.bytes);
      if (const auto project = line.find("in").as_string()) {
        SessionFacts facts;
        facts.project = *project;
        events.facts(facts);
        return true;
      }
      Message message = message_of(line);
      message.offset = record.offset;
      return events.report(std::move(message));
    });
  }
};

}  // namespace
}  // namespace chatter

const Layout& chatter_layout() {
  static const chatter::ChatterLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
