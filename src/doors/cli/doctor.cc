#include "doors/cli/doctor.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "api/configuration.h"
#include "api/dispatch.h"
#include "doors/cli/process_environment.h"
#include "doors/cli/terminal.h"
#include "layout/layout.h"
#include "store/session_owner.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const std::string& directory) {
  std::error_code error;
  std::size_t count = 0;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) ++count;
  return count;
}

// Whether other users get to a directory: they may pass all above it, and read it.
bool others_reach(const std::string& path) {
  struct stat now{};
  for (fs::path at = path; at.has_relative_path(); at = at.parent_path()) {
    const mode_t needed = at == path ? S_IROTH | S_IXOTH : S_IXOTH;
    if (::stat(at.c_str(), &now) != 0 || (now.st_mode & needed) != needed) return false;
  }
  return true;
}

class Doctor {
 public:
  explicit Doctor(bool named) : named_(named) {
    report_.version = HOLDFAST_VERSION;
    report_.home = around_.variable("HOME");
    utsname machine{};
    if (::uname(&machine) == 0)
      report_.system = std::string(machine.sysname) + " " + machine.release + " " + machine.machine;
    for (const ConfigurationFile& file : configuration_files(around_))
      if (around_.exists(file.path)) report_.settings.push_back(file.path);
  }

  Result<DoctorReport> look(const Context& context, const std::string& store) {
    auto settings = default_stores(around_);
    if (!settings) {  // what is wrong with the settings is a finding too
      add(DoctorProblem::Kind::unavailable, settings.error().path, settings.error().message);
      return std::move(report_);
    }
    if (named_) {
      HOLDFAST_LET(options, store_named(store));
      settings->defaults = {std::move(options)};
    }
    report_.cache = settings->cache;
    look_at_cache();
    Stores stores(*settings);
    for (const StoreOptions& options : settings->defaults) {
      HOLDFAST_TRY(context.check());
      look_at(context, stores, options);
    }
    return std::move(report_);
  }

 private:
  void add(DoctorProblem::Kind kind, std::string where, std::string message) {
    report_.problems.push_back({kind, std::move(where), std::move(message)});
  }

  void look_at_cache() {
    if (report_.cache.empty())
      return add(DoctorProblem::Kind::note, "", "there is no place for a cache: $HOME is not set");
    if (around_.exists(report_.cache) && ::access(report_.cache.c_str(), R_OK | W_OK | X_OK) != 0)
      add(DoctorProblem::Kind::note, report_.cache, "the cache cannot be written; everything works, only slower");
  }

  void look_at(const Context& context, Stores& stores, const StoreOptions& options) {
    DoctorStore found;
    const Layout* const layout = find_layout(options.layout);
    found.layout = options.layout;
    found.agent = layout != nullptr ? layout->agent() : options.layout;
    found.writable = layout != nullptr && layout->writable();
    found.root = options.roots.empty() ? "" : options.roots.begin()->second;
    look_at_root(found);
    if (layout != nullptr && found.writable)
      look_at_side(found, found.root + "/" + std::string(layout->side_folder("")));
    if (found.leases > 0) look_at_leases(context, stores, options, found);
    look_at_sessions(context, stores, found);
    look_for_damage(context, stores, found);
    const auto own = read_settings(*around_.files, found.root + "/settings.json");
    found.deletes_after_days = deletes_after(found.layout, own && *own ? **own : "");
    add_problems(report_, found);
    report_.stores.push_back(std::move(found));
  }

  void look_at_root(DoctorStore& found) {
    struct stat now{};
    struct statvfs space{};
    const std::string where = found.layout + ":" + found.root;
    if (::stat(found.root.c_str(), &now) != 0)
      return add(DoctorProblem::Kind::unavailable, where, "the directory cannot be looked at");
    constexpr char kDigits[] = "01234567";
    found.mode = {'0', kDigits[now.st_mode >> 6 & 7], kDigits[now.st_mode >> 3 & 7], kDigits[now.st_mode & 7]};
    if (::access(found.root.c_str(), R_OK | X_OK) != 0)
      add(DoctorProblem::Kind::unavailable, where, "the directory cannot be read by you (mode " + found.mode + ")");
    else if (found.writable && ::access(found.root.c_str(), W_OK) != 0)
      add(DoctorProblem::Kind::unavailable, where, "the directory cannot be written by you (mode " + found.mode + ")");
    if (now.st_uid != ::geteuid()) add(DoctorProblem::Kind::note, where, "the directory belongs to another user");
    if (others_reach(found.root))
      add(DoctorProblem::Kind::note, where, "other users of this machine can read it; chmod 700 closes it");
    if (::statvfs(found.root.c_str(), &space) == 0)
      found.free_bytes = static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize;
    if (const auto kind = real_file_system().kind_of(found.root)) found.file_system = kind->name;
  }

  static void look_at_side(DoctorStore& found, const std::string& side) {
    found.leases = files_in(side + "/leases");
    found.unfinished = files_in(side + "/journal");
    found.poison = files_in(side + "/poison");
    found.set_aside = files_in(side + "/corrupt");
  }

  void look_at_leases(const Context& context, Stores& stores, const StoreOptions& options, DoctorStore& found) {
    const auto store = stores.open(context, options, Use::read);
    if (!store) return;  // the list will say why
    const auto holders = lease_holders(context, **store);
    if (!holders) return add(DoctorProblem::Kind::note, found.layout + ":" + found.root, holders.error().message);
    for (const LeaseHolder& one : *holders)
      found.holders.push_back({one.name, one.alive, one.owner.pid, one.owner.since});
  }

  void look_at_sessions(const Context& context, Stores& stores, DoctorStore& found) {
    const std::string where = found.layout + ":" + found.root;
    JsonWriter params;
    params.begin_object().key("store").string(where).key("limit").int64(1'000'000'000);
    const auto answer = dispatch(context, stores, "session.list", params.end_object().take());
    if (!answer) return add(DoctorProblem::Kind::unavailable, where, answer.error().message);
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
    for (const JsonItem& item : JsonView(*answer).find("findings").elements())
      add(DoctorProblem::Kind::damage, found.root + "/" + item.value.find("file").as_string().value_or(""),
          item.value.find("kind").as_string().value_or("") + ": " +
              item.value.find("consequence").as_string().value_or(""));
  }

  // Every byte is read once: a list alone does not know.
  void look_for_damage(const Context& context, Stores& stores, DoctorStore& found) {
    JsonWriter params;
    params.begin_object().key("store").string(found.layout + ":" + found.root).key("limit").int64(1'000'000'000);
    const auto answer = dispatch(context, stores, "store.verify", params.end_object().take());
    if (!answer) return;  // the list has said why
    std::set<std::string> sessions;
    for (const JsonItem& item : JsonView(*answer).find("damage").elements()) {
      const std::string session = item.value.find("session").as_string().value_or("");
      if (!session.empty()) {
        sessions.insert(session);
        continue;
      }
      // Of no session: a record beside them, or an index.
      const std::string file = found.root + "/" + item.value.find("file").as_string().value_or("");
      const bool known = std::ranges::find(report_.problems, file, &DoctorProblem::where) != report_.problems.end();
      if (known) continue;
      add(DoctorProblem::Kind::damage, file,
          item.value.find("kind").as_string().value_or("") + ": " +
              item.value.find("consequence").as_string().value_or(""));
    }
    found.damaged = sessions.size();
  }

  bool named_;
  Environment around_ = process_environment();
  DoctorReport report_;
};

}  // namespace

Result<int> run_doctor(const RunDoctor& wish, bool json, ColourChoice colour) {
  const Interrupts interrupts;
  Context context;
  context.stop = interrupts.token();
  HOLDFAST_LET(report, Doctor(!wish.store.empty()).look(context, wish.store));
  const std::size_t width = ::isatty(STDOUT_FILENO) == 1 ? terminal_width() : 0;
  const std::string text =
      json ? doctor_json(report) + "\n" : doctor_text(report, screen_for(colour, false).colour, width);
  HOLDFAST_TRY(print_out(text, json ? Printed::json : Printed::text));
  int code = 0;
  for (const DoctorProblem& problem : report.problems) {
    if (problem.kind == DoctorProblem::Kind::unavailable) code = 5;
    if (problem.kind == DoctorProblem::Kind::damage && code == 0) code = 4;
  }
  return code;
}

}  // namespace holdfast::inline v1
