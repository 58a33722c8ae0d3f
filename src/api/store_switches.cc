#include "api/store_switches.h"

#include <charconv>
#include <utility>

#include "api/configuration_keys.h"
#include "layout/layout.h"
#include "text/json_text.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

Result<void> set_path(const Configuration& configuration, std::string_view name, std::string& into) {
  HOLDFAST_LET(path, configuration.path(name));
  if (!path.empty()) into = std::move(path);
  return {};
}

// Reads [prices]; each figure of a model from the first file that has it.
Result<void> set_prices(const Configuration& configuration, PriceTable& into) {
  for (const auto& [path, json] : configuration.files()) {
    for (const JsonItem& model : configured(json, "prices").fields()) {
      if (model.value.kind() != JsonKind::object)
        return fail(Code::invalid_argument,
                    "prices." + model.key() + " must be a table: { input = 3, output = 15 }, for example", path);
      TokenPrice& price = into[model.key()];
      for (const auto& [name, figure] : kPriceFigures) {
        const JsonView value = model.value.find(name);
        if (!value) continue;
        const auto number = value.as_double();
        if (!number || *number < 0)
          return fail(Code::invalid_argument, "a price must be in US dollars per million tokens", path);
        if (!(price.*figure)) price.*figure = *number;
      }
    }
  }
  return {};
}

// Parses "2G", "500 MB" or a number of bytes; nullopt for anything else.
std::optional<std::uint64_t> size_in(JsonView value) {
  const std::string text = text_or_json(value);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  constexpr std::string_view kUnits = "KMGT";
  std::uint64_t factor = 1;
  if (!unit.empty() && kUnits.find(unit.front()) != std::string_view::npos) {
    factor = std::uint64_t{1} << (10 * (kUnits.find(unit.front()) + 1));
    unit.remove_prefix(1);
  }
  if (error != std::errc() || (!unit.empty() && unit != "B" && unit != "iB") || number > UINT64_MAX / factor)
    return std::nullopt;
  return number * factor;
}

// Reads [archive]; each key from the first file that has it.
Result<void> set_archive(const Configuration& configuration, StoreSettings& settings) {
  bool excluded = false, free = false, kept = false;
  for (const auto& [path, json] : configuration.files()) {
    if (const JsonView exclude = configured(json, "archive.exclude"); exclude && !std::exchange(excluded, true)) {
      if (exclude.kind() != JsonKind::array)
        return fail(Code::invalid_argument, "archive.exclude must be a list of agents and directories", path);
      for (const JsonItem& item : exclude.elements()) {
        std::string one = item.value.as_string().value_or("");
        if (find_layout(one) == nullptr && !one.starts_with('/') && !one.starts_with("~/"))
          return fail(Code::invalid_argument,
                      "archive.exclude names \"" + one + "\", which is neither an agent nor a directory", path);
        settings.archive_exclude.push_back(std::move(one));
      }
    }
    if (const JsonView days = configured(json, "archive.keep_days"); days && !std::exchange(kept, true)) {
      const auto number = days.as_int64();
      if (!number || *number < 0)
        return fail(Code::invalid_argument, "archive.keep_days must be a number of days", path);
      settings.archive_keep_days = *number;
    }
    if (const JsonView least = configured(json, "archive.min_free"); least && !std::exchange(free, true)) {
      const auto size = size_in(least);
      if (!size) return fail(Code::invalid_argument, "archive.min_free must be a size such as 500M or 2G", path);
      settings.archive_min_free = *size;
    }
  }
  return {};
}

}  // namespace

Result<void> read_store_switches(const Configuration& configuration, StoreSettings& settings) {
  HOLDFAST_TRY(configuration.flag("redact_inputs", settings.redact_inputs));
  HOLDFAST_TRY(configuration.flag("redact_outputs", settings.redact_outputs));
  HOLDFAST_TRY(configuration.flag("metrics", settings.metrics));
  HOLDFAST_TRY(configuration.flag("sync_enabled", settings.sync));
  HOLDFAST_TRY(configuration.flag("sync_redact", settings.sync_redact));
  HOLDFAST_TRY(set_path(configuration, "sync_directory", settings.sync_directory));
  HOLDFAST_TRY(set_path(configuration, "log_file", settings.log_file));
  HOLDFAST_TRY(set_prices(configuration, settings.prices));
  HOLDFAST_TRY(set_archive(configuration, settings));
  return set_path(configuration, "spans_file", settings.spans_file);
}

}  // namespace holdfast::inline v1
