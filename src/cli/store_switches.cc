#include "cli/store_switches.h"

#include "text/json_value.h"
#include "text/toml_value.h"

namespace holdfast::inline v1 {
namespace {

struct Found {
  std::string text;  // of a string or a boolean; empty: nobody says
  std::string base;  // where relative paths start
  std::string from;  // the variable or the file
};

class Lookup {
 public:
  static Result<Lookup> read(const Surroundings& around) {
    Lookup lookup(around);
    for (const std::string& path : configuration_files(around)) {
      const auto toml = around.read(path);
      if (!toml) continue;
      auto json = toml_to_json(*toml);
      if (!json) return fail(Code::invalid_argument, "the configuration cannot be read: " + json.error().message, path);
      lookup.files_.emplace_back(path, std::move(*json));
    }
    return lookup;
  }

  Result<Found> find(std::string_view name) const {
    std::string variable = "HOLDFAST_";
    for (const char c : name) variable += c == '_' ? '_' : static_cast<char>(c - 'a' + 'A');
    if (std::string value = around_.variable(variable); !value.empty())
      return Found{std::move(value), around_.directory, variable};
    for (const auto& [path, json] : files_) {
      const JsonView value = JsonView(json).find(name);
      if (!value) continue;
      const std::string base = path.substr(0, path.rfind('/'));
      if (auto text = value.as_string()) return Found{std::move(*text), base, path};
      if (const auto flag = value.as_bool()) return Found{*flag ? "true" : "false", base, path};
      return fail(Code::invalid_argument, std::string(name) + " is a text, true or false", path);
    }
    return Found{};
  }

  Result<void> flag(std::string_view name, bool& into) const {
    HOLDFAST_LET(found, find(name));
    if (found.text.empty()) return {};
    if (found.text != "true" && found.text != "false" && found.text != "1" && found.text != "0")
      return fail(Code::invalid_argument, std::string(name) + " is true or false, not \"" + found.text + "\"",
                  found.from);
    into = found.text == "true" || found.text == "1";
    return {};
  }

  Result<void> path(std::string_view name, std::string& into) const {
    HOLDFAST_LET(found, find(name));
    if (found.text.empty()) return {};
    Surroundings beside = around_;
    beside.directory = found.base;
    into = absolute_path(beside, found.text);
    return {};
  }

 private:
  explicit Lookup(const Surroundings& around) : around_(around) {}
  Surroundings around_;
  std::vector<std::pair<std::string, std::string>> files_;  // path, JSON
};

}  // namespace

Result<void> read_store_switches(const Surroundings& around, StoreSettings& settings) {
  HOLDFAST_LET(lookup, Lookup::read(around));
  HOLDFAST_TRY(lookup.flag("redact_inputs", settings.redact_inputs));
  HOLDFAST_TRY(lookup.flag("redact_outputs", settings.redact_outputs));
  HOLDFAST_TRY(lookup.flag("metrics", settings.metrics));
  HOLDFAST_TRY(lookup.flag("sync_enabled", settings.sync));
  HOLDFAST_TRY(lookup.flag("sync_redact", settings.sync_redact));
  HOLDFAST_TRY(lookup.path("sync_directory", settings.sync_directory));
  HOLDFAST_TRY(lookup.path("log_file", settings.log_file));
  return lookup.path("spans_file", settings.spans_file);
}

}  // namespace holdfast::inline v1
