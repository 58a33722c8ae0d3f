#include <cstdlib>

#include "layout/agent_home.h"
#include "layout/gemini/belongings.h"
#include "layout/gemini/gemini_layout.h"

namespace holdfast::inline v1::gemini {
namespace {

// Parses "30d", "2w", "1m"; 30 days by default.
int days_kept(JsonView settings) {
  constexpr int kDefault = 30;
  const JsonView retention = settings.find("general").find("sessionRetention");
  if (retention.find("enabled").as_bool() == false) return 0;
  const std::string age = retention.find("maxAge").as_string().value_or("30d");
  const int number = std::atoi(age.c_str());
  if (number <= 0) return kDefault;
  return age.ends_with('w') ? number * 7 : age.ends_with('m') ? number * 30 : number;
}

}  // namespace

const AgentHome& home() {
  static constexpr AgentHome home = {.place = {.folder = ".gemini"},
                                     .resume = {.command = "gemini --resume", .in_project = true, .deletes = true},
                                     .retention = {.setting = "general.sessionRetention", .days = days_kept},
                                     .belongings = &kBelongings,
                                     .servers = {.format = AgentServers::Format::json,
                                                 .file = "settings.json",
                                                 .key = "mcpServers",
                                                 .entry = R"({"command":"holdfast","args":["mcp"]})"}};
  return home;
}

}  // namespace holdfast::inline v1::gemini
