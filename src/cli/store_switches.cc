#include "cli/store_switches.h"

namespace holdfast::inline v1 {
namespace {

Result<void> set_path(const Configuration& configuration, std::string_view name, std::string& into) {
  HOLDFAST_LET(path, configuration.path(name));
  if (!path.empty()) into = std::move(path);
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
  return set_path(configuration, "spans_file", settings.spans_file);
}

}  // namespace holdfast::inline v1
