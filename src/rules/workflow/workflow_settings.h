// The settings of a workflow (Lopen's): documented in snake_case, bound by the
// program in nested sections; both spellings are read. Flags win over variables,
// those over the project's file, that over the user's. The library reads no
// environment: a door hands in what it found. Thread-safety: pure, or as Store.
#pragma once

#include <holdfast/store.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

enum class SettingKind { boolean, integer, number, text, list };

struct SettingRow {
  std::string_view name;     // "auto_resume", "budget.warning_threshold": as it is documented
  std::string_view section;  // "Session": the nested key is Section.Name, e.g. Session.AutoResume
  SettingKind kind = SettingKind::text;
  std::string_view fallback;  // JSON
  double least = 0;           // of a number
  double most = 9e15;
  std::string_view words = {};  // "md|json|yaml": the only texts
};
const std::vector<SettingRow>& setting_rows();

// What a door knows; the store knows its own file.
struct OuterSettings {
  std::vector<std::pair<std::string, std::string>> variables = {};  // LOPEN_... as they are set
  std::string user_file = {};  // $XDG_CONFIG_HOME/lopen/config.json; need not be there
  std::string flags = {};      // a JSON object in any of the spellings
};

class WorkflowSettings {
 public:
  struct Value {
    std::string json;
    std::string source;  // "default", a file's name, a variable's, or "flag"
  };

  bool flag(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  std::string text(std::string_view name) const;
  const std::map<std::string, Value, std::less<>>& all() const { return values_; }

  // {"auto_resume":true,"budget":{"warning_threshold":0.8,...},...}
  std::string json() const;
  // {"auto_resume":"default",...}
  std::string sources_json() const;

 private:
  friend class SettingReader;
  std::map<std::string, Value, std::less<>> values_;  // by name
};

// One source after the other, the strongest last. invalid_argument names the
// source and the key of a value that cannot be. Unknown keys are not looked at.
class SettingReader {
 public:
  SettingReader();
  Result<void> take_json(std::string_view json, const std::string& source);
  // `name` with its prefix: LOPEN_AUTO_RESUME, LOPEN_Session__AutoResume.
  Result<void> take_variable(std::string_view name, std::string_view value);
  Result<WorkflowSettings> finish() const;

 private:
  Result<void> set(const SettingRow& row, std::string_view json, const std::string& source);
  WorkflowSettings settings_;
};

// Those of a store: the user's file, its own ("config" record), variables, flags.
Result<WorkflowSettings> workflow_settings(const Context& context, Store& store, const OuterSettings& outer);

// Changes the store's own file: a setting that stands there under its nested key (Session.AutoResume) is changed there,
// because that one counts; any other key is set as it is given. null removes.
Result<void> save_workflow_settings(const Context& context, Store& store, std::string_view fields_json);

}  // namespace holdfast::inline v1
