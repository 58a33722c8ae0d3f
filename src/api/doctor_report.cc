#include <cstdlib>

#include "api/agents.h"
#include "api/doctor.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kLittle = std::uint64_t{1} << 30;  // an agent can write this much in a day

std::string_view kind_name(DoctorProblem::Kind kind) {
  if (kind == DoctorProblem::Kind::damage) return "damage";
  return kind == DoctorProblem::Kind::unavailable ? "unavailable" : "note";
}

// The path of the home is private.
std::string short_path(const DoctorReport& report, std::string text) {
  if (report.home.size() < 2) return text;
  for (std::size_t at = text.find(report.home); at != std::string::npos; at = text.find(report.home, at + 1)) {
    const std::size_t end = at + report.home.size();
    if (end == text.size() || text[end] == '/') text.replace(at, report.home.size(), "~");
  }
  return text;
}

}  // namespace

void add_problems(DoctorReport& report, const DoctorStore& store) {
  const std::string where = store.layout + ":" + store.root;
  const auto add = [&](DoctorProblem::Kind kind, std::string message) {
    report.problems.push_back({.kind = kind, .where = where, .message = std::move(message)});
  };
  using Kind = DoctorProblem::Kind;
  const auto number = [](auto count) { return std::to_string(count); };
  if (store.damaged > 0)
    add(Kind::damage, "sessions with damage: " + number(store.damaged) +
                          "; run holdfast verify to list them and the command that repairs each");
  if (store.poison > 0)
    add(Kind::damage,
        counted(store.poison, "file") + " whose last sync failed; check the disk, then run holdfast store repair");
  if (store.unfinished > 0)
    add(Kind::note, counted(store.unfinished, "unfinished commit") +
                        "; the next write or holdfast store repair completes " +
                        (store.unfinished == 1 ? "it" : "them"));
  if (store.copied_aside > 0)
    add(Kind::note, counted(store.copied_aside, "damaged piece") + (store.copied_aside == 1 ? " was" : " were") +
                        " set aside in the side folder's corrupt/; nothing needs " +
                        (store.copied_aside == 1 ? "it" : "them"));
  if (store.moved_aside > 0)
    add(Kind::note, "unreadable sessions and documents set aside in " + store.moved_to +
                        "/: " + number(store.moved_aside) + "; nothing reads them there, so repair or delete them");
  if (!store.file_system.empty() && store.free_bytes < kLittle)
    add(Kind::note, "only " + human_size(store.free_bytes) + " free on its disk");
  if (store.deletes_after_days > 0)
    add(Kind::note, store.agent + " deletes sessions after " + counted(store.deletes_after_days, "day") +
                        "; run holdfast archive run to keep copies, or change " +
                        std::string(deletion_setting(store.layout)) + " in its settings.json");
}

std::string doctor_json(const DoctorReport& report) {
  JsonWriter json = begin_answer();
  json.key("version").string(report.version);
  json.key("system").string(report.system).key("cache").string(short_path(report, report.cache));
  json.key("settings").begin_array();
  for (const std::string& file : report.settings) json.string(short_path(report, file));
  json.end_array().key("stores").begin_array();
  for (const DoctorStore& store : report.stores) {
    json.begin_object().key("layout").string(store.layout).key("root").string(short_path(report, store.root));
    json.key("writable").boolean(store.writable).key("sessions").uint64(store.sessions);
    json.key("bytes").uint64(store.bytes).key("running").uint64(store.running);
    json.key("interrupted").uint64(store.interrupted).key("damaged").uint64(store.damaged);
    json.key("newest");
    store.newest.empty() ? json.null() : json.string(store.newest);
    json.key("oldest");
    store.oldest.empty() ? json.null() : json.string(store.oldest);
    json.key("mode").string(store.mode).key("file_system").string(store.file_system);
    json.key("free_bytes").uint64(store.free_bytes).key("leases").uint64(store.leases);
    json.key("holders").begin_array();
    for (const DoctorLease& lease : store.holders) {
      json.begin_object().key("name").string(lease.name).key("alive").boolean(lease.alive).key("pid").int64(lease.pid);
      json.key("since");
      lease.since.empty() ? json.null() : json.string(lease.since);
      json.end_object();
    }
    json.end_array();
    json.key("unfinished").uint64(store.unfinished).key("poison").uint64(store.poison);
    json.key("set_aside").uint64(store.copied_aside + store.moved_aside).key("deletes_after_days");
    store.deletes_after_days > 0 ? json.int64(store.deletes_after_days) : json.null();
    json.end_object();
  }
  json.end_array().key("problems").begin_array();
  for (const DoctorProblem& problem : report.problems) {
    json.begin_object().key("kind").string(kind_name(problem.kind)).key("where");
    problem.where.empty() ? json.null() : json.string(short_path(report, problem.where));
    const std::string places = problem.times > 1 ? " (" + counted(problem.times, "place") + ")" : std::string();
    json.key("message").string(short_path(report, problem.message) + places).end_object();
  }
  return json.end_array().end_object().take();
}

}  // namespace holdfast::inline v1
