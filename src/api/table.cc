// The whole table, in the order in which it is documented.
#include <algorithm>
#include <array>

#include "api/note_operations.h"
#include "api/server_operations.h"
#include "api/tables.h"

namespace holdfast::inline v1 {
namespace {

// Whether the operation reads whole stores or waits for other programs and machines: it may take minutes, and can be
// stopped between two complete steps.
bool may_take_long(const Operation& operation) {
  constexpr auto kNouns = std::to_array<std::string_view>({"archive", "queue", "remote", "store", "sync"});
  constexpr auto kMethods = std::to_array<std::string_view>({"session.compact", "session.forget", "session.handoff",
                                                             "session.import", "session.mend", "session.prune",
                                                             "session.regroup", "session.restore", "session.scrub"});
  return std::ranges::find(kNouns, operation.noun()) != kNouns.end() ||
         std::ranges::find(kMethods, operation.method) != kMethods.end();
}

}  // namespace

std::span<const Operation> operations() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> list;
    for (const auto part :
         {api_operations,        session_operations,        find_operations,          export_operations,
          message_operations,    store_operations,          run_operations,           mission_operations,
          project_operations,    agent_operations,          permission_operations,    credential_operations,
          plan_operations,       memory_operations,         workflow_operations,      phase_operations,
          initiative_operations, history_operations,        cache_operations,         research_operations,
          spec_operations,       settings_operations,       record_operations,        queue_operations,
          upkeep_operations,     thread_operations,         tool_operations,          trash_operations,
          archive_operations,    archive_upkeep_operations, archive_timer_operations, hook_operations,
          note_operations,       server_operations,         remote_operations,        sync_operations,
          machine_operations,    header_operations,         log_operations,           entry_operations}) {
      const auto some = part();
      list.insert(list.end(), some.begin(), some.end());
    }
    for (Operation& one : list) one.saves = one.writes() && !may_take_long(one);
    return list;
  }();
  return all;
}

}  // namespace holdfast::inline v1
