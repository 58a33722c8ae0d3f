#include "api/configuration_keys.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "api/suggest.h"
#include "base/ascii.h"
#include "find/prices.h"
#include "text/json_text.h"

namespace holdfast::inline v1 {
namespace {

constexpr ConfigurationKey kKeys[] = {
    {"store", ProjectPermission::name_store, "use only this store, LAYOUT:ROOT"},
    {"redact_inputs", ProjectPermission::only_true, "hide secrets in prompts before they are stored"},
    {"redact_outputs", ProjectPermission::only_true, "hide secrets in answers and tool output before they are stored"},
    {"metrics", ProjectPermission::only_false, "record metrics of each store in the cache directory"},
    {"log_file", ProjectPermission::name_record_file,
     "write a log of operations to this file, one JSON object per line"},
    {"spans_file", ProjectPermission::name_record_file, "write the same log as OpenTelemetry spans to this file"},
    {"sync_enabled", ProjectPermission::only_false, "queue saved changes for another machine"},
    {"sync_directory", ProjectPermission::name_directory, "directory to send the queue to"},
    {"sync_redact", ProjectPermission::only_true, "hide secrets in everything that is sent"},
    {"workflow.memory", ProjectPermission::name_directory, "the directory of MEMORY.md, or the file itself"},
    {"archive.exclude", ProjectPermission::not_allowed, "agents and project directories to leave out of the archive"},
    {"archive.keep_days", ProjectPermission::not_allowed,
     "days for which archive prune keeps a session (default: forever)"},
    {"archive.min_free", ProjectPermission::not_allowed, "space to leave free on the disk of the archive (default 1G)"},
    {"summary_command", ProjectPermission::not_allowed,
     "command that reads a finished session from standard input and prints a summary"},
    {"prices", ProjectPermission::any_value, "US dollars per million tokens, by model"},
};

struct Check {
  FileSystem& files;
  const std::string& project;
  const std::string& file;
  Environment beside;  // with the directory where relative paths of the file start

  Failure refuse(Code code, std::string_view key, std::string_view why) const {
    return fail(code, "a project's configuration may not set " + std::string(key) + ": " + std::string(why), file);
  }

  // Returns the part of an absolute path below the project; "" for the project itself.
  Result<std::string> inside(std::string_view key, const std::string& whole) const {
    constexpr std::string_view kOutside = "the path is outside the project";
    if (whole.contains('\0')) return refuse(Code::unsafe_path, key, kOutside);
    if (whole == project) return std::string();
    const std::string before = project.ends_with('/') ? project : project + "/";
    if (!whole.starts_with(before)) return refuse(Code::unsafe_path, key, kOutside);
    std::string rest = whole.substr(before.size());
    HOLDFAST_TRY(check_names(key, rest));
    return rest;
  }

  Result<void> check_names(std::string_view key, const std::string& rest) const {
    HOLDFAST_LET(directory, files.open_directory(project, false));
    bool there = true;
    for (std::size_t from = 0, slash = 0; from < rest.size(); from = slash + 1) {
      slash = std::min(rest.find('/', from), rest.size());
      if (in_lower_case(rest.substr(from, slash - from)) == ".git")
        return refuse(Code::unsafe_path, key, "the path is inside .git");
      if (!there) continue;
      const auto stat = directory->stat(rest.substr(0, slash));
      if (!stat && stat.error().code != Code::not_found) return refuse(Code::unsafe_path, key, stat.error().message);
      if (stat && stat->kind == FileKind::symlink)
        return refuse(Code::unsafe_path, key, "the path goes through a symbolic link");
      there = stat.has_value();
    }
    return {};
  }

  // A log line appended to another program's file could be read by that program as its own.
  Result<void> check_record_file(std::string_view key, const std::string& path) const {
    HOLDFAST_LET(rest, inside(key, path));
    if (!rest.ends_with(".log") && !rest.ends_with(".jsonl"))
      return refuse(Code::invalid_argument, key, "the name must end in .log or .jsonl");
    HOLDFAST_LET(directory, files.open_directory(project, false));
    const auto opened = directory->open(rest, OpenMode::read);
    if (!opened && opened.error().code == Code::not_found) return {};
    if (!opened) return refuse(Code::unsafe_path, key, opened.error().message);
    std::array<char, 32> bytes{};
    HOLDFAST_LET(count, (*opened)->read_at(0, bytes));
    const std::string_view start(bytes.data(), count);
    if (start.empty() || start.starts_with(R"({"time":")") || start.starts_with(R"({"resourceSpans":[)")) return {};
    return refuse(Code::unsafe_path, key, "the file exists and Holdfast did not create it");
  }

  Result<void> check_switch(std::string_view key, JsonView value, bool narrow) const {
    const std::string text = text_or_json(value);
    const bool on = text == "true" || text == "1", off = text == "false" || text == "0";
    if (narrow ? !off : !on) return {};  // other values are refused when they are read
    return refuse(Code::invalid_argument, key,
                  narrow ? "only you can turn it off; a project may only turn it on"
                         : "only you can turn it on; a project may only turn it off");
  }

  Result<void> check(const ConfigurationKey& key, JsonView value) const {
    const auto text = value.as_string();
    switch (key.project) {
      case ProjectPermission::not_allowed:
        return refuse(Code::invalid_argument, key.name, "it can only be set in your own configuration");
      case ProjectPermission::any_value: return {};
      case ProjectPermission::only_true: return check_switch(key.name, value, true);
      case ProjectPermission::only_false: return check_switch(key.name, value, false);
      default: break;
    }
    if (!text || text->empty()) return {};
    if (key.project == ProjectPermission::name_store) {
      const std::string store = absolute_store(in_project(beside), *text);
      const std::size_t root = store.find(":/");  // a store without it is refused when it is read
      if (root != std::string::npos) HOLDFAST_TRY(inside(key.name, store.substr(root + 1)));
      return {};
    }
    const std::string path = absolute_path(beside, *text);
    if (key.project == ProjectPermission::name_record_file) return check_record_file(key.name, path);
    HOLDFAST_TRY(inside(key.name, path));
    return {};
  }
};

}  // namespace

std::span<const ConfigurationKey> configuration_keys() { return kKeys; }

std::string configuration_variable(std::string_view name) {
  std::string variable = "HOLDFAST_";
  for (const char c : name) variable += is_ascii_lower(c) ? ascii_upper(c) : '_';
  return variable;
}

namespace {

constexpr std::string_view kPriceKeys = "prices.";

std::vector<std::string_view> price_members() {
  std::vector<std::string_view> names;
  for (const PriceFigure& figure : kPriceFigures) names.push_back(figure.name);
  return names;
}

// Members of prices.MODEL that are none.
void add_unknown_prices(JsonView prices, std::vector<std::string>& unknown) {
  const auto known = price_members();
  for (const JsonItem& model : prices.fields()) {
    for (const JsonItem& member : model.value.fields()) {
      const std::string name = member.key();
      if (member.value.is_null() || std::ranges::find(known, name) != known.end()) continue;
      unknown.push_back(std::string(kPriceKeys) + model.key() + "." + name);
    }
  }
}

}  // namespace

std::vector<std::string> unknown_keys(std::string_view json) {
  const auto known = [](std::string_view name) {
    return std::ranges::find(kKeys, name, &ConfigurationKey::name) != std::end(kKeys);
  };
  std::vector<std::string> unknown;
  for (const JsonItem& item : JsonView(json).fields()) {
    const std::string name = item.key();
    if (name == "prices") add_unknown_prices(item.value, unknown);
    if (known(name)) continue;
    if (item.value.kind() != JsonKind::object) unknown.push_back(name);
    for (const JsonItem& inner : item.value.fields()) {
      if (std::string whole = name + "." + inner.key(); !known(whole)) unknown.push_back(std::move(whole));
    }
  }
  return unknown;
}

std::optional<std::string_view> nearest_key(std::string_view name) {
  std::vector<std::string_view> names;
  for (const ConfigurationKey& key : kKeys) names.push_back(key.name);
  return nearest(name, names);
}

std::string unknown_key_words(std::string_view name) {
  const std::string words = "there is no setting " + std::string(name);
  if (name.starts_with(kPriceKeys)) {
    const std::string_view model = name.substr(0, name.rfind('.') + 1);
    if (const auto meant = nearest(name.substr(model.size()), price_members());
        meant && model.size() > kPriceKeys.size())
      return words + "; did you mean " + std::string(model) + std::string(*meant) + "?";
    return words + "; a price is set as prices.MODEL.input, .output, .cache_read or .cache_write";
  }
  if (const auto meant = nearest_key(name)) return words + "; did you mean " + std::string(*meant) + "?";
  return words + "; see holdfast config list";
}

JsonView configured(std::string_view json, std::string_view name) {
  const JsonView all(json);
  const std::size_t dot = name.find('.');
  return dot == std::string_view::npos ? all.find(name) : all.find(name.substr(0, dot)).find(name.substr(dot + 1));
}

Result<void> check_project_configuration(const Environment& env, const std::string& project, const std::string& file,
                                         std::string_view json) {
  Check check{*env.files, project, file, env};
  check.beside.directory = file.substr(0, file.rfind('/'));
  for (const ConfigurationKey& key : kKeys) {
    if (const JsonView value = configured(json, key.name)) HOLDFAST_TRY(check.check(key, value));
  }
  for (const std::string& name : unknown_keys(json)) {
    const auto meant = nearest_key(name);
    if (name.starts_with(kPriceKeys) || (meant && meant->contains('.') == name.contains('.')))
      return check.refuse(Code::invalid_argument, name, unknown_key_words(name));
  }
  return {};
}

}  // namespace holdfast::inline v1
