#include "doors/cli/process_environment.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "doors/cli/run_command.h"

namespace holdfast::inline v1 {

Environment process_environment() {
  Environment here;
  here.variable = [](std::string_view name) {
    const char* const value = name.empty() ? nullptr : std::getenv(std::string(name).c_str());
    return value == nullptr ? std::string() : std::string(value);
  };
  here.variables = [](std::string_view prefix) {
    std::vector<std::pair<std::string, std::string>> found;
    for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
      const std::string_view line = *each;
      if (const auto mark = line.find('='); line.starts_with(prefix) && mark != std::string_view::npos)
        found.emplace_back(line.substr(0, mark), line.substr(mark + 1));
    }
    return found;
  };
  // A path in a directory that we may not search counts as existing: an unreadable store is reported instead
  // of being taken for none.
  here.exists = [](const std::string& path) {
    std::error_code error;
    if (std::filesystem::exists(path, error)) return true;
    if (error != std::errc::permission_denied) return false;
    return std::filesystem::exists(std::filesystem::path(path).parent_path(), error);
  };
  here.files = &real_file_system();
  here.run = [](const Context& context, const std::string& command, std::string_view input) {
    return run_command(context, command, input);
  };
  here.utc_offset = [](std::chrono::system_clock::time_point time) {
    const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
    std::tm local{};
    return std::chrono::seconds(::localtime_r(&seconds, &local) == nullptr ? 0 : local.tm_gmtoff);
  };
  std::error_code error;
  here.directory = std::filesystem::current_path(error).string();
  return here;
}

}  // namespace holdfast::inline v1
