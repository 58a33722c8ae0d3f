#include "layout/claude_code/hooks.h"

#include <optional>
#include <vector>

#include "text/json_copy.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_settings.h"
#include "text/json_text.h"

namespace holdfast::inline v1::claude_code {
namespace {

constexpr std::string_view kMark = " hooks run claude-code";

bool is_ours(JsonView hook) { return hook.find("command").as_string().value_or("").contains(kMark); }

bool has_ours(JsonView entries) {
  for (const JsonItem& entry : entries.elements())
    for (const JsonItem& hook : entry.value.find("hooks").elements())
      if (is_ours(hook.value)) return true;
  return false;
}

std::size_t count_of(JsonView list) {
  std::size_t count = 0;
  for ([[maybe_unused]] const JsonItem& item : list.elements()) ++count;
  return count;
}

// The first of our hooks in the event's entries: the index of its entry and its index there.
struct Place {
  std::size_t entry = 0, hook = 0;
};
std::optional<Place> first_of_ours(JsonView entries) {
  Place at;
  for (const JsonItem& entry : entries.elements()) {
    at.hook = 0;
    for (const JsonItem& hook : entry.value.find("hooks").elements()) {
      if (is_ours(hook.value)) return at;
      ++at.hook;
    }
    ++at.entry;
  }
  return std::nullopt;
}

struct Event {
  std::string_view name, option;
  int timeout;  // in seconds
};
constexpr Event kStart{"SessionStart", "", 10};
constexpr Event kEnd{"SessionEnd", " --capture", 60};  // a capture that is stopped goes on with the next

Result<std::string> add_for(const Event& event, const std::string& settings, std::string_view program, bool pretty) {
  HOLDFAST_LET(root, parse_json_settings(settings));
  const std::string name(event.name);
  const JsonView entries = root.find("hooks").find(name);
  HOLDFAST_TRY(check_setting(root.find("hooks"), JsonKind::object, "hooks"));
  HOLDFAST_TRY(check_setting(entries, JsonKind::array, "hooks." + name));
  const std::string command = std::string(program.empty() ? "holdfast" : program)
                                  .append(kMark)
                                  .append(event.option)
                                  .append(" --project \"$CLAUDE_PROJECT_DIR\"");
  if (const auto at = first_of_ours(entries)) {
    const JsonStep path[] = {"hooks", JsonStep(name), at->entry, "hooks", at->hook, "command"};
    if (program.empty() || value_at(root, path).is_string(command)) return settings;
    return json_set(settings, JsonPath(path), json_quoted(command));
  }
  const std::string entry = R"({"hooks":[{"type":"command","command":)" + json_quoted(command) + R"(,"timeout":)" +
                            std::to_string(event.timeout) + "}]}";
  return json_set(settings, {"hooks", JsonStep(name), JsonStep(count_of(entries))},
                  pretty ? pretty_json(JsonView(entry), 3) : entry);
}

}  // namespace

Result<std::string> add_hooks(std::string_view given, std::string_view program, bool capture) {
  std::string settings(given.empty() ? std::string_view("{}\n") : given);
  const bool pretty = given.empty() || settings.find('\n') < settings.rfind('}');
  HOLDFAST_LET(started, add_for(kStart, settings, program, pretty));
  // A hook that is there gets the program, too.
  const bool ends = capture || has_ours(JsonView(without_bom(started)).find("hooks").find(kEnd.name));
  HOLDFAST_LET(edited, ends ? add_for(kEnd, started, program, pretty) : Result<std::string>(started));
  return given.empty() ? pretty_json(JsonView(edited)) + "\n" : edited;
}

Result<std::string> remove_hooks(std::string_view given) {
  std::string settings(given);
  HOLDFAST_LET(root, parse_json_settings(given));
  std::vector<std::string> events;
  for (const JsonItem& event : root.find("hooks").fields())
    if (has_ours(event.value)) events.push_back(event.key());
  const auto drop = [&](std::initializer_list<JsonStep> path) -> Result<void> {
    HOLDFAST_LET(edited, json_remove(settings, path));
    settings = std::move(edited);
    return {};
  };
  for (const std::string& event : events) {
    const JsonStep name(event);
    // Also removes whatever becomes empty: it was added together with the hook.
    while (const auto at = first_of_ours(JsonView(without_bom(settings)).find("hooks").find(event))) {
      HOLDFAST_TRY(drop({"hooks", name, JsonStep(at->entry), "hooks", JsonStep(at->hook)}));
      std::size_t number = 0;
      bool empty = false;
      for (const JsonItem& entry : JsonView(without_bom(settings)).find("hooks").find(event).elements())
        if (number++ == at->entry) empty = count_of(entry.value.find("hooks")) == 0;
      if (empty) HOLDFAST_TRY(drop({"hooks", name, JsonStep(at->entry)}));
    }
    if (count_of(JsonView(without_bom(settings)).find("hooks").find(event)) == 0) HOLDFAST_TRY(drop({"hooks", name}));
  }
  if (!events.empty() && compact_json(JsonView(without_bom(settings)).find("hooks")) == "{}")
    HOLDFAST_TRY(drop({"hooks"}));
  return settings;
}

}  // namespace holdfast::inline v1::claude_code
