#include "api/doctor.h"

#include <sys/utsname.h>

#include <algorithm>
#include <set>

#include "api/agents.h"
#include "api/configuration.h"
#include "api/dispatch.h"
#include "api/tables.h"
#include "archive/archive.h"
#include "archive/damaged_chunks.h"
#include "archive/forgotten.h"
#include "archive/lost_lines.h"
#include "base/own_folder.h"
#include "base/version.h"
#include "disk/directory_facts.h"
#include "layout/layout.h"
#include "layout/workflow_shape.h"
#include "rules/workflow/workflow_ready.h"
#include "store/in_use.h"
#include "store/session_owner.h"
#include "text/sizes.h"
#include "transfer/verify.h"

namespace holdfast::inline v1 {
namespace {

class Doctor {
 public:
  explicit Doctor(const Call& call) : context_(call.context), stores_(call.stores), settings_(call.stores.settings()) {
    report_.version = HOLDFAST_VERSION;
    report_.home = settings_.person;
    report_.settings = settings_.configured_by;
    utsname machine{};
    if (::uname(&machine) == 0)
      report_.system = std::string(machine.sysname) + " " + machine.release + " " + machine.machine;
  }

  Result<DoctorReport> look(std::string_view named) {
    if (settings_.refused) {  // invalid settings are a problem to report too
      add(DoctorProblem::Kind::unavailable, settings_.refused->path, settings_.refused->message);
      return std::move(report_);
    }
    std::vector<StoreOptions> all = stores_.defaults();
    if (!named.empty()) {
      HOLDFAST_LET(options, parse_store_name(named));
      all = {std::move(options)};
    }
    report_.cache = settings_.cache;
    look_at_cache();
    for (const StoreOptions& options : all) {
      HOLDFAST_TRY(context_.check());
      look_at(options);
    }
    if (named.empty()) look_at_archive();
    return std::move(report_);
  }

 private:
  void add(DoctorProblem::Kind kind, std::string where, std::string message) {
    report_.problems.push_back({.kind = kind, .where = std::move(where), .message = std::move(message)});
  }

  void look_at_cache() {
    if (report_.cache.empty()) return add(DoctorProblem::Kind::note, "", "no cache directory: $HOME is not set");
    const auto facts = directory_facts(report_.cache);
    if (facts && !(facts->readable && facts->writable))
      add(DoctorProblem::Kind::note, report_.cache, "the cache cannot be written; everything works, but slower");
  }

  // Reports only what is already known about the archive; archive.verify reads all of it.
  void look_at_archive() {
    if (settings_.archive.empty()) return;
    const auto directory = own_folder(settings_.files->open_directory(settings_.archive, false));
    const bool none = !directory && directory.error().code == Code::not_found;
    const auto format = directory ? check_archive_format(**directory) : fail(directory.error());
    if (none || (!format && format.error().code == Code::not_found)) return;
    if (!format)
      return add(DoctorProblem::Kind::unavailable, settings_.archive,
                 "the archive cannot be used: " + format.error().message);
    if (const std::size_t lost = load_damaged(**directory).size(); lost > 0)
      add(DoctorProblem::Kind::damage, settings_.archive,
          counted(lost, "damaged piece") +
              " in the archive; run holdfast archive verify to list the sessions, and holdfast archive run to heal "
              "what agents still have");
    const auto forgotten = load_known_forgotten(context_, **directory);
    if (!forgotten)
      add(forgotten.error().code == Code::corrupt ? DoctorProblem::Kind::damage : DoctorProblem::Kind::unavailable,
          settings_.archive + "/" + std::string(kForgotten),
          forgotten.error().message + "; nothing is captured until it can be read");
    for (const Finding& one : forgotten_findings(forgotten.value_or(KnownForgotten())))
      add(DoctorProblem::Kind::damage, settings_.archive + "/" + one.file, one.consequence);
    if (is_log_known_short(**directory))
      add(DoctorProblem::Kind::damage, settings_.archive,
          "lines are missing from the log of the archive, and with them captures; run holdfast archive verify");
  }

  void look_at(const StoreOptions& options) {
    DoctorStore found;
    const Layout* const layout = find_layout(options.layout);
    found.layout = options.layout;
    found.agent = layout != nullptr ? layout->agent() : options.layout;
    found.writable = layout != nullptr && layout->writable();
    found.root = options.roots.empty() ? "" : options.roots.begin()->second;
    look_at_root(found);
    if (layout != nullptr && found.writable)
      look_at_side(found, found.root + "/" + std::string(layout->roots().front().side));
    if (layout != nullptr) look_at_moved(found, *layout);
    if (found.leases > 0) look_at_leases(options, found);
    look_at_sessions(found);
    look_for_damage(found);
    const auto own = read_settings(*settings_.files, found.root + "/settings.json");
    found.deletes_after_days = deletes_after(found.layout, own && *own ? **own : "");
    add_problems(report_, found);
    report_.stores.push_back(std::move(found));
  }

  void look_at_root(DoctorStore& found) {
    const std::string where = found.layout + ":" + found.root;
    const auto facts = directory_facts(found.root);
    if (!facts) return add(DoctorProblem::Kind::unavailable, where, "the directory cannot be examined");
    constexpr char kDigits[] = "01234567";
    found.mode = {'0', kDigits[facts->mode >> 6 & 7], kDigits[facts->mode >> 3 & 7], kDigits[facts->mode & 7]};
    if (!facts->readable)
      add(DoctorProblem::Kind::unavailable, where, "you cannot read the directory (mode " + found.mode + ")");
    else if (found.writable && !facts->writable)
      add(DoctorProblem::Kind::unavailable, where, "you cannot write to the directory (mode " + found.mode + ")");
    if (!facts->ours) add(DoctorProblem::Kind::note, where, "the directory belongs to another user");
    if (facts->open_to_others)
      add(DoctorProblem::Kind::note, where, "other users of this machine can read it; chmod 700 fixes that");
    found.free_bytes = facts->free_bytes;
    if (const auto kind = settings_.files->kind_of(found.root)) found.file_system = kind->name;
  }

  std::vector<DirectoryEntry> list(const std::string& directory) const {
    const auto opened = settings_.files->open_directory(directory, false);
    auto entries = opened ? (*opened)->list_to_read("") : fail(opened.error());
    return entries ? std::move(*entries) : std::vector<DirectoryEntry>();
  }

  std::size_t files_in(const std::string& directory) const { return list(directory).size(); }

  void look_at_side(DoctorStore& found, const std::string& side) const {
    found.leases = files_in(side + "/leases");
    found.unfinished = files_in(side + "/journal");
    found.poison = files_in(side + "/poison");
    found.copied_aside = files_in(side + "/corrupt");
  }

  void look_at_moved(DoctorStore& found, const Layout& layout) const {
    const bool works = layout.workflow() != nullptr && !layout.workflow()->aside.empty();
    found.moved_to = works ? layout.workflow()->aside : layout.traits().corrupt_folder;
    if (found.moved_to.empty()) return;
    const std::string folder = found.root + "/" + found.moved_to, plans = folder + "/" + std::string(kAsidePlans);
    for (const auto& entry : list(folder))
      if (!works || entry.name != kAsidePlans) ++found.moved_aside;
    if (!works) return;
    for (const auto& module : list(plans)) found.moved_aside += files_in(plans + "/" + module.name);
  }

  void look_at_leases(const StoreOptions& options, DoctorStore& found) {
    const auto store = stores_.open(context_, options, Use::read);
    if (!store) return;  // the list reports why
    const auto holders = lease_holders(context_, **store);
    if (!holders) return add(DoctorProblem::Kind::note, found.layout + ":" + found.root, holders.error().message);
    for (const LeaseHolder& one : *holders)
      found.holders.push_back({one.name, one.alive, owning_process(one.owner), one.owner.since});
  }

  void look_at_sessions(DoctorStore& found) {
    const std::string where = found.layout + ":" + found.root;
    JsonWriter params;
    params.begin_object().key("store").string(where).key("limit").int64(1'000'000'000);
    const auto answer = dispatch(context_, stores_, "session.list", params.end_object().take());
    if (!answer) {
      const std::string& path = answer.error().path;
      const std::string file = path.empty() || path.starts_with('/') ? path : found.root + "/" + path;
      return add(DoctorProblem::Kind::unavailable, file.empty() || file == found.root ? where : file,
                 answer.error().message);
    }
    for (const JsonItem& item : JsonView(*answer).find("sessions").elements()) {
      const JsonView session = item.value;
      ++found.sessions;
      found.bytes += static_cast<std::uint64_t>(session.find("bytes").as_int64().value_or(0));
      if (session.find("status").is_string("running")) ++found.running;
      if (session.find("status").is_string("interrupted")) ++found.interrupted;
      const std::string when = session.find("updated_at").as_string().value_or("");
      if (when.empty()) continue;
      if (found.newest.empty()) found.newest = when;
      found.oldest = when;
    }
    for (const JsonItem& item : JsonView(*answer).find("findings").elements()) add_finding(found, item.value);
  }

  // A file that cannot be read may be intact, so it is not reported as damage.
  void add_finding(const DoctorStore& found, JsonView finding) {
    const std::string kind = finding.find("kind").as_string().value_or("");
    const std::string file = found.root + "/" + finding.find("file").as_string().value_or("");
    const std::string consequence = finding.find("consequence").as_string().value_or("");
    const bool known = std::ranges::find(report_.problems, file, &DoctorProblem::where) != report_.problems.end();
    if (is_unreadable_code(kind)) {
      if (!known) add(DoctorProblem::Kind::unavailable, file, consequence);
      return;
    }
    const std::string message = kind + ": " + consequence;
    const auto same = std::ranges::find_if(report_.problems, [&](const DoctorProblem& problem) {
      return problem.where == file && problem.message == message;
    });
    if (same != report_.problems.end())
      ++same->times;
    else
      add(DoctorProblem::Kind::damage, file, message);
  }

  // Reads every byte, because a list does not find all damage.
  void look_for_damage(DoctorStore& found) {
    JsonWriter params;
    params.begin_object().key("store").string(found.layout + ":" + found.root).key("limit").int64(1'000'000'000);
    const auto answer = dispatch(context_, stores_, "store.verify", params.end_object().take());
    if (!answer) return;  // the list has reported why
    std::set<std::string> sessions;
    for (const JsonItem& item : JsonView(*answer).find("damage").elements()) {
      const std::string session = item.value.find("session").as_string().value_or("");
      if (!session.empty()) {
        sessions.insert(session);
        continue;
      }
      // Belongs to no session: a record or an index.
      const std::string file = found.root + "/" + item.value.find("file").as_string().value_or("");
      const bool known = std::ranges::find(report_.problems, file, &DoctorProblem::where) != report_.problems.end();
      if (known) continue;
      add_finding(found, item.value);
    }
    for (const JsonItem& item : JsonView(*answer).find("unreadable").elements()) add_finding(found, item.value);
    found.damaged = sessions.size();
  }

  const Context& context_;
  Stores& stores_;
  const StoreSettings& settings_;
  DoctorReport report_;
};

Result<std::string> doctor(Call& call) {
  HOLDFAST_LET(report, examine_stores(call));
  return doctor_json(report);
}

}  // namespace

Result<DoctorReport> examine_stores(const Call& call) { return Doctor(call).look(call.text("store")); }

Operation doctor_operation() {
  return {.method = "store.doctor",
          .help = "check every store and report problems; reads everything once, changes nothing",
          .result =
              "version:string system:string cache:string settings:string[] stores:examined_store[] "
              "problems:problem[]",
          .handler = doctor,
          .example = "store doctor --json"};
}

}  // namespace holdfast::inline v1
