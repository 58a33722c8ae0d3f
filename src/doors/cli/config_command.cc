#include "doors/cli/config_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/own_configuration.h"
#include "api/suggest.h"
#include "doors/cli/columns.h"
#include "doors/cli/process_environment.h"
#include "doors/cli/terminal.h"
#include "text/clean.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::array<std::string_view, 5> kVerbs = {"list", "get", "set", "unset", "path"};
constexpr std::array<std::size_t, 5> kWords = {0, 1, 2, 1, 0};  // number of words after each verb

void write_setting(JsonWriter& json, const OwnSetting& setting) {
  json.begin_object().key("key").string(setting.name).key("value");
  if (setting.from.empty())
    json.null().key("from").null();
  else
    json.string(setting.value).key("from").string(setting.from);
  json.key("help").string(setting.help).end_object();
}

std::string clean(const std::string& text) { return clean_for_terminal(text, {.one_line = true}); }

// Key, value, and where the value comes from; for a key that is not set, its purpose.
std::string table(const std::vector<OwnSetting>& settings) {
  std::size_t names = 0, values = 0;
  const auto value_of = [](const OwnSetting& one) { return one.from.empty() ? std::string("-") : clean(one.value); };
  for (const OwnSetting& one : settings) {
    names = std::max(names, one.name.size());
    values = std::max(values, std::min<std::size_t>(40, shown_width(value_of(one))));
  }
  std::string out;
  for (const OwnSetting& one : settings) {
    const std::string value = value_of(one), behind = one.from.empty() ? one.help : clean(one.from);
    const bool wide = shown_width(value) > values;  // then the rest goes to a line of its own, in its column
    const std::string gap(wide ? names + 2 + values : values - shown_width(value), ' ');
    out += fmt::format("{}  {}{}{}  {}\n", pad_columns(one.name, names), value, wide ? "\n" : "", gap, behind);
  }
  return out;
}

Result<int> list(const Environment& env, bool json) {
  HOLDFAST_LET(settings, own_settings(env));
  if (json) {
    JsonWriter out;
    out.begin_object().key("schema_version").int64(1).key("settings").begin_array();
    for (const OwnSetting& one : settings) write_setting(out, one);
    HOLDFAST_TRY(print_out(out.end_array().end_object().take() + "\n", OutputKind::json));
    return 0;
  }
  HOLDFAST_TRY(print_out(table(settings), OutputKind::text));
  HOLDFAST_LET(path, own_configuration_file(env));
  HOLDFAST_LET(unknown, unknown_settings(env));
  for (const std::string& name : unknown) print_error(fmt::format("holdfast: {}: {} is not a setting\n", path, name));
  return 0;
}

Result<int> get(const Environment& env, const std::string& key, bool json) {
  HOLDFAST_LET(setting, own_setting(env, key));
  if (json) {
    JsonWriter out;
    out.begin_object().key("schema_version").int64(1).key("setting");
    write_setting(out, setting);
    HOLDFAST_TRY(print_out(out.end_object().take() + "\n", OutputKind::json));
  } else if (!setting.from.empty()) {
    HOLDFAST_TRY(print_out(setting.value + "\n", OutputKind::text));
  }
  return setting.from.empty() ? 1 : 0;
}

}  // namespace

Result<Configure> configure_of(const std::vector<std::string>& words) {
  const auto usage = [](std::string message) { return fail(Code::invalid_argument, std::move(message)); };
  if (words.empty()) return Configure{};
  const auto verb = std::ranges::find(kVerbs, words.front());
  if (verb == kVerbs.end()) {
    const std::string message = "config has no verb " + words.front();
    if (const auto meant = nearest(words.front(), kVerbs))
      return usage(message + "; did you mean " + std::string(*meant) + "?");
    return usage(message + "; it has list, get, set, unset and path");
  }
  const auto number = static_cast<std::size_t>(verb - kVerbs.begin());
  if (words.size() - 1 != kWords[number])
    return usage("config " + words.front() +
                 (kWords[number] == 0   ? " takes no further arguments"
                  : kWords[number] == 1 ? " takes a KEY"
                                        : " takes a KEY and a VALUE"));
  Configure request{static_cast<Configure::Verb>(number)};
  if (words.size() > 1) request.key = words[1];
  if (words.size() > 2) request.value = words[2];
  return request;
}

namespace {

// Reports what set and unset would do, with the same checks.
Result<int> rehearse(const Environment& env, const Configure& request, bool json) {
  const bool sets = request.verb == Configure::Verb::set;
  HOLDFAST_TRY(check_own_setting(env, request.key, sets ? std::optional(request.value) : std::nullopt));
  HOLDFAST_LET(path, own_configuration_file(env));
  const std::string would = sets ? fmt::format("set {} to {} in {}", request.key, request.value, path)
                                 : fmt::format("remove {} from {}", request.key, path);
  JsonWriter out;
  out.begin_object().key("schema_version").int64(1).key("dry_run").boolean(true).key("would").string(would);
  HOLDFAST_TRY(json ? print_out(out.end_object().take() + "\n", OutputKind::json)
                    : print_out("would " + clean(would) + "\n", OutputKind::text));
  return 0;
}

}  // namespace

Result<int> run_config(const Configure& request, bool json) {
  const Environment env = process_environment();
  const bool changes = request.verb == Configure::Verb::set || request.verb == Configure::Verb::unset;
  if (request.dry_run && changes) return rehearse(env, request, json);
  switch (request.verb) {
    case Configure::Verb::list: return list(env, json);
    case Configure::Verb::get: return get(env, request.key, json);
    case Configure::Verb::set: HOLDFAST_TRY(set_own_setting(env, request.key, request.value)); break;
    case Configure::Verb::unset: HOLDFAST_TRY(set_own_setting(env, request.key, std::nullopt)); break;
    case Configure::Verb::path: {
      HOLDFAST_LET(path, own_configuration_file(env));
      const std::string quoted = JsonWriter().string(path).take();
      HOLDFAST_TRY(json ? print_out("{\"schema_version\":1,\"path\":" + quoted + "}\n", OutputKind::json)
                        : print_out(path + "\n", OutputKind::text));
      return 0;
    }
  }
  if (json) HOLDFAST_TRY(get(env, request.key, true));
  return 0;
}

}  // namespace holdfast::inline v1
