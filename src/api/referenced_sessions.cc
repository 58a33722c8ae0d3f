#include "api/referenced_sessions.h"

#include <algorithm>
#include <array>

namespace holdfast::inline v1 {
namespace {

// The names of parameters, and of members of the seeds' records, that hold an id.
constexpr std::array<std::string_view, 7> kParameters{"session", "id",         "thread",   "parent",
                                                      "resume",  "session_id", "thread_id"};
constexpr std::array<std::string_view, 4> kMembers{"sessionId", "session_id", "threadId", "thread_id"};

// Records of a project or of a store: two requests about the same kind may be about the same record. Records of a
// workflow contain each other.
struct Records {
  std::string_view noun, shared;
};
constexpr std::array<Records, 15> kRecords{{{"initiative", "workflow"},
                                            {"workflow", "workflow"},
                                            {"interview", "workflow"},
                                            {"delegation", "workflow"},
                                            {"memory", "workflow"},
                                            {"plan", "plan"},
                                            {"research", "research"},
                                            {"permission", "permission"},
                                            {"mission", "mission"},
                                            {"agent", "agent"},
                                            {"credential", "credential"},
                                            {"config", "config"},
                                            {"project", "project"},
                                            {"history", "history"},
                                            {"record", "record"}}};

}  // namespace

std::vector<std::string> referenced_sessions(const Operation& operation, JsonView params) {
  std::vector<std::string> ids;
  const auto add = [&](JsonView value) {
    if (auto id = value.as_string(); id && !id->empty() && std::ranges::find(ids, *id) == ids.end())
      ids.push_back(std::move(*id));
  };
  for (const std::string_view name : kParameters) add(params.find(name));
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.type != ParamType::object) continue;
    const JsonView object = params.find(parameter.name);
    for (const std::string_view name : kMembers) add(object.find(name));
    if (parameter.name == "thread" || parameter.name == "session") add(object.find("id"));
  }
  // If the id is omitted, the request is about the latest or current session, which may be any.
  const bool may_be_left_out = std::ranges::any_of(operation.parameters, [&](const Parameter& parameter) {
    return parameter.name == "resume" || (parameter.name == "id" && operation.use == Use::write);
  });
  if (ids.empty() && operation.noun() == "session" && may_be_left_out) ids.emplace_back("@last");
  const auto records = std::ranges::find(kRecords, operation.noun(), &Records::noun);
  if (records != kRecords.end()) ids.push_back("\n" + std::string(records->shared));  // no id begins with a newline
  return ids;
}

}  // namespace holdfast::inline v1
