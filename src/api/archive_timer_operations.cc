// archive.enable, archive.disable: turn the package's systemd timer for captures on and off.
#include "api/archive_timer.h"
#include "api/call.h"
#include "api/dry_run.h"
#include "api/tables.h"
#include "text/shell_word.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kTimer = "holdfast-archive.timer";
constexpr std::string_view kWants = "timers.target.wants";

bool is_there(FileSystem& files, const std::string& folder, std::string_view name) {
  const auto directory = files.open_directory(folder, false);
  return directory && (*directory)->exists(name);
}

// Where the package installed the timer; empty if nowhere.
std::string installed_timer(const StoreSettings& settings) {
  for (const std::string_view folder : {"/etc/systemd/user", "/usr/local/lib/systemd/user", "/usr/lib/systemd/user"}) {
    if (is_there(*settings.files, std::string(folder), kTimer)) return std::string(folder) + "/" + std::string(kTimer);
  }
  return {};
}

// The absolute path of the running program, because cron has a short PATH. Just "holdfast" if another program uses
// Holdfast as a library, or if the path does not fit on one line.
std::string program(const StoreSettings& settings) {
  constexpr std::string_view kName = "holdfast", kReplaced = " (deleted)";
  const auto self = settings.files->open_directory("/proc/self", false);
  std::string path = self ? (*self)->read_symlink("exe").value_or("") : std::string();
  if (path.ends_with(kReplaced)) path.resize(path.size() - kReplaced.size());  // an upgrade replaced it in place
  if (!path.starts_with('/') || path.contains('\n')) return std::string(kName);
  return std::string_view(path).substr(path.rfind('/') + 1).starts_with(kName) ? path : std::string(kName);
}

std::string cron_line(const StoreSettings& settings) {
  std::string line = "*/15 * * * * ";
  for (const char c : shell_word(program(settings))) {
    if (c == '%') line += '\\';  // cron ends a command at %, even inside quotes
    line += c;
  }
  return line + " archive run >/dev/null";
}

std::string answer(bool enabled, std::string_view timer, std::string_view next) {
  JsonWriter json = begin_answer();
  json.key("enabled").boolean(enabled);
  if (!timer.empty()) json.key("timer").string(timer);
  if (!next.empty()) json.key("next").string(next);
  return json.end_object().take();
}

Result<std::string> enable(Call& call) {
  const StoreSettings& settings = call.stores.settings();
  const std::string timer = installed_timer(settings);
  if (settings.user_units.empty() || timer.empty() || !is_there(*settings.files, "/run/systemd", "system"))
    return answer(false, {}, "crontab -e, and add: " + cron_line(settings));
  if (!timer_enabled(settings)) {
    HOLDFAST_LET(wants, settings.files->open_directory(settings.user_units + "/" + std::string(kWants), true));
    HOLDFAST_TRY(wants->make_symlink(timer, kTimer));
    HOLDFAST_TRY(wants->sync_directory(""));
  }
  return answer(true, timer, "systemctl --user daemon-reload && systemctl --user start " + std::string(kTimer));
}

Result<std::string> disable(Call& call) {
  const StoreSettings& settings = call.stores.settings();
  if (!timer_enabled(settings)) return answer(false, {}, {});
  HOLDFAST_LET(wants, settings.files->open_directory(settings.user_units + "/" + std::string(kWants), false));
  HOLDFAST_TRY(wants->remove(kTimer));
  HOLDFAST_TRY(wants->sync_directory(""));
  return answer(false, {}, "systemctl --user daemon-reload && systemctl --user stop " + std::string(kTimer));
}

}  // namespace

Result<std::string> would_turn_timer_on(Call& call) {
  const StoreSettings& settings = call.stores.settings();
  const std::string timer = installed_timer(settings);
  if (settings.user_units.empty() || timer.empty() || !is_there(*settings.files, "/run/systemd", "system"))
    return "do nothing but print a line for crontab: there is no systemd here, or no timer of the package";
  if (timer_enabled(settings)) return "do nothing: the timer is on";
  return "turn on " + timer;
}

Result<std::string> would_turn_timer_off(Call& call) {
  return timer_enabled(call.stores.settings()) ? "turn off " + std::string(kTimer) : "do nothing: the timer is off";
}

bool timer_enabled(const StoreSettings& settings) {
  return !settings.user_units.empty() &&
         is_there(*settings.files, settings.user_units + "/" + std::string(kWants), kTimer);
}

std::span<const Operation> archive_timer_operations() {
  static const std::vector<Operation> all{
      {.method = "archive.enable",
       .help = "capture every 15 minutes with a systemd timer, starting at the next login; print the command to start "
               "it now, or a crontab line if there is no systemd",
       .use = Use::nothing,
       .parameters = {dry_run_parameter()},
       .result = "enabled:boolean timer?:string next?:string",
       .errors = {Code::permission_denied},
       .handler = enable,
       .example = "archive enable"},
      {.method = "archive.disable",
       .help = "turn the systemd timer off; the archive is kept",
       .use = Use::nothing,
       .parameters = {dry_run_parameter()},
       .result = "enabled:boolean timer?:string next?:string",
       .errors = {Code::permission_denied},
       .handler = disable,
       .example = "archive disable"},
  };
  return all;
}

}  // namespace holdfast::inline v1
