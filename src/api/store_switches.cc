#include "api/store_switches.h"

#include "api/configuration_keys.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

Result<void> set_path(const Configuration& configuration, std::string_view name, std::string& into) {
  HOLDFAST_LET(path, configuration.path(name));
  if (!path.empty()) into = std::move(path);
  return {};
}

// [prices] of every file; a model that the first one names keeps that price.
Result<void> set_prices(const Configuration& configuration, PriceTable& into) {
  for (const auto& [path, json] : configuration.files()) {
    for (const JsonItem& model : configured(json, "prices").fields()) {
      TokenPrice price;
      for (const auto& [name, figure] :
           {std::pair("input", &price.input), std::pair("output", &price.output),
            std::pair("cache_read", &price.cache_read), std::pair("cache_write", &price.cache_write)}) {
        const JsonView value = model.value.find(name);
        if (!value) continue;
        const auto number = value.as_double();
        if (!number || *number < 0)
          return fail(Code::invalid_argument, "a price is US dollars for a million tokens", path);
        *figure = *number;
      }
      into.try_emplace(model.key(), price);
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
  return set_path(configuration, "spans_file", settings.spans_file);
}

}  // namespace holdfast::inline v1
