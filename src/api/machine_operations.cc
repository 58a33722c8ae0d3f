// machine.list: the other machines whose sessions are known here.
#include <map>

#include "api/call.h"
#include "api/tables.h"

namespace holdfast::inline v1 {
namespace {

struct Known {
  std::uint64_t sessions = 0, here = 0;
};

Result<std::string> list(Call& call) {
  Machines& machines = call.stores.machines();
  HOLDFAST_LET(view, machines.look(call.context, call.stores, "all"));
  std::map<std::string, Known> known;
  for (const AbsentSession& session : view.not_here) ++known[session.machine].sessions;
  for (const StoreOptions& options : view.stores) {
    const auto origin = machines.origin_of(store_name(options), {});
    if (!origin) continue;
    HOLDFAST_LET(store, call.stores.open(call.context, options, Use::read));
    HOLDFAST_LET(info, store->list(call.context, {.limit = 1}));
    known[origin->machine].sessions += info.total;
    known[origin->machine].here += info.total;
  }
  JsonWriter json = begin_answer();
  const Page page = page_of(call);
  json.key("machines").begin_array();
  std::size_t at = 0, shown = 0;
  for (const auto& [name, counts] : known) {
    if (at++ < page.skip || shown == page.limit) continue;
    ++shown;
    json.begin_object().key("machine").string(name).key("sessions").uint64(counts.sessions);
    json.key("here").uint64(counts.here).end_object();
  }
  json.end_array();
  write_page(json, page, shown, known.size());
  return json.end_object().take();
}

}  // namespace

std::span<const Operation> machine_operations() {
  static const std::vector<Operation> all{
      {.method = "machine.list",
       .help = "list the other machines whose sessions sync brought, and how many of them are here",
       .parameters = {limit_parameter(), skip_parameter()},
       .result = "machines:object[] total:integer next:integer?",
       .handler = list,
       .example = "machine list"},
  };
  return all;
}

}  // namespace holdfast::inline v1
