// archive.enable, archive.disable: whether the package's systemd timer captures by itself.
#include "api/archive_timer.h"
#include "api/call.h"
#include "api/tables.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kTimer = "holdfast-archive.timer";
constexpr std::string_view kWants = "timers.target.wants";
constexpr std::string_view kCron = "*/15 * * * * holdfast archive run >/dev/null";

bool is_there(FileSystem& files, const std::string& folder, std::string_view name) {
  const auto directory = files.open_directory(folder, false);
  return directory && (*directory)->exists(name);
}

// Where the package put the timer; empty: nowhere.
std::string installed_timer(const StoreSettings& settings) {
  for (const std::string_view folder : {"/etc/systemd/user", "/usr/local/lib/systemd/user", "/usr/lib/systemd/user"}) {
    if (is_there(*settings.files, std::string(folder), kTimer)) return std::string(folder) + "/" + std::string(kTimer);
  }
  return {};
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
    return answer(false, {}, "crontab -e, and add: " + std::string(kCron));
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

bool timer_enabled(const StoreSettings& settings) {
  return !settings.user_units.empty() &&
         is_there(*settings.files, settings.user_units + "/" + std::string(kWants), kTimer);
}

std::span<const Operation> archive_timer_operations() {
  static const std::vector<Operation> all{
      {.method = "archive.enable",
       .help = "capture every 15 minutes with a systemd timer, from the next login on; prints the command that starts "
               "it now, or a crontab line where there is no systemd",
       .use = Use::nothing,
       .result = "enabled:boolean timer?:string next?:string",
       .errors = {Code::permission_denied},
       .handler = enable,
       .example = "archive enable"},
      {.method = "archive.disable",
       .help = "turn the systemd timer off; the archive stays",
       .use = Use::nothing,
       .result = "enabled:boolean timer?:string next?:string",
       .errors = {Code::permission_denied},
       .handler = disable,
       .example = "archive disable"},
  };
  return all;
}

}  // namespace holdfast::inline v1
