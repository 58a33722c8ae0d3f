// The settings of a workflow (Lopen's): documented in snake_case, but bound by the
// program in nested sections; both spellings are read. Precedence: flags, variables,
// the project's file, the user's file. The library does not read the environment: a
// door passes it in. Thread-safety: pure, or as Store.
#pragma once

#include <holdfast/store.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

enum class SettingKind { boolean, integer, number, text, list };

struct SettingRow {
  std::string_view name;     // "auto_resume", "budget.warning_threshold": as documented
  std::string_view section;  // "Session": the nested key is Section.Name, e.g. Session.AutoResume
  SettingKind kind = SettingKind::text;
  std::string_view fallback;  // JSON
  double least = 0;           // for a number
  double most = 9e15;
  std::string_view words = {};  // "md|json|yaml": the only accepted texts
};
const std::vector<SettingRow>& setting_rows();
// The row of a name in either spelling, in any case; nullptr if there is none.
const SettingRow* find_setting(std::string_view name);

// What a door provides; the store reads its own file.
struct OuterSettings {
  std::vector<std::pair<std::string, std::string>> variables = {};  // LOPEN_... variables that are set
  std::string user_file = {};  // $XDG_CONFIG_HOME/lopen/config.json; need not exist
  std::string flags = {};      // a JSON object in either spelling
};

class WorkflowSettings {
 public:
  struct Value {
    std::string json;
    std::string source;  // "default", the name of a file or variable, or "flag"
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

// Takes one source after the other, the strongest last. An invalid_argument error names
// the source and the key of an invalid value. Unknown keys are ignored.
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

// Reads the settings of a store: the user's file, its own ("config" record), variables, flags.
Result<WorkflowSettings> workflow_settings(const Context& context, Store& store, const OuterSettings& outer);

// Changes the store's own file: a setting that is there under its nested key (Session.AutoResume) is changed there,
// because that one takes effect; any other key is set as given. null removes.
Result<void> save_workflow_settings(const Context& context, Store& store, std::string_view fields_json);

}  // namespace holdfast::inline v1
