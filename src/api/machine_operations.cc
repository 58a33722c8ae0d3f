// machine.list: the other machines whose sessions are known here.
#include <algorithm>
#include <map>

#include "api/call.h"
#include "api/machine_copies.h"
#include "api/session_holders.h"
#include "api/tables.h"
#include "archive/archive.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> list(Call& call) {
  using Machine = std::pair<std::string, std::string>;  // name and device: names may be the same
  std::map<Machine, std::vector<ReadStream>> read;
  for (KnownStream& stream : known_streams(call)) {
    auto archive = Archive::open(call.context, *call.stores.settings().files, stream.path);
    if (!archive && archive.error().code == Code::not_found) continue;
    if (!archive) return fail(std::move(archive).error());
    read[{stream.machine, stream.device}].push_back(
        {std::move(stream.path), *std::move(archive), std::move(stream.replaced), std::move(stream.forms)});
  }
  std::map<Machine, std::map<SessionName, bool>> known;  // all that it has, also what other machines have
  for (const auto& [machine, streams] : read) {
    auto sessions = sessions_here(streams);
    std::erase_if(sessions, [](const auto& session) { return find_layout(session.first.layout) == nullptr; });
    if (!sessions.empty()) known[machine] = std::move(sessions);
  }
  JsonWriter json = begin_answer();
  const Page page = page_of(call);
  json.key("machines").begin_array();
  std::size_t at = 0, shown = 0;
  for (const auto& [machine, sessions] : known) {
    if (at++ < page.skip || shown == page.limit) continue;
    ++shown;
    const auto here = std::ranges::count_if(sessions, [](const auto& session) { return session.second; });
    json.begin_object().key("machine").string(machine.first).key("sessions").uint64(sessions.size());
    json.key("here").uint64(static_cast<std::uint64_t>(here)).key("device").string(machine.second).end_object();
  }
  json.end_array();
  write_page(json, page, shown, known.size());
  return json.end_object().take();
}

}  // namespace

std::span<const Operation> machine_operations() {
  static const std::vector<Operation> all{
      {.method = "machine.list",
       .help = "list the other machines that share sessions, and how many of their sessions are here",
       .parameters = {limit_parameter(), skip_parameter()},
       .result = "machines:object[] total:integer next:integer?",
       .handler = list,
       .example = "machine list"},
  };
  return all;
}

}  // namespace holdfast::inline v1
