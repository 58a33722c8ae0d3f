#include "layout/agent_home.h"
#include "tests/tenth_agent/chatter/chatter_layout.h"

namespace holdfast::inline v1::chatter {

const AgentHome& home() {
  static constexpr AgentHome home = {
      .place = {.folder = ".chatter", .variable = "CHATTER_HOME", .needs = "chats"},
      .resume = {.command = "chatter again", .in_project = true},
      .retention = {.setting = "keep", .days = [](JsonView settings) {
                      return static_cast<int>(settings.find("keep").as_int64().value_or(7));
                    }}};
  return home;
}

}  // namespace holdfast::inline v1::chatter
