#include "rules/runs/config.h"

#include "disk/staged.h"
#include "layout/record_shape.h"
#include "store/engine.h"
#include "store/record_text.h"
#include "text/toml_value.h"

namespace holdfast::inline v1 {

std::vector<std::string> config_candidates(const ConfigPlaces& places) {
  std::vector<std::string> files;
  if (!places.named.empty()) files.push_back(places.named);
  if (!places.working.empty()) {
    files.push_back(places.working + "/linggen-agent.runtime.toml");
    files.push_back(places.working + "/linggen-agent.toml");
  }
  if (!places.linggen_home.empty()) {
    files.push_back(places.linggen_home + "/config/linggen-agent.runtime.toml");
    files.push_back(places.linggen_home + "/config/linggen-agent.toml");
  }
  if (!places.home.empty()) {
    files.push_back(places.home + "/.config/linggen-agent/linggen-agent.toml");
    files.push_back(places.home + "/.local/share/linggen-agent/linggen-agent.toml");
  }
  return files;
}

std::vector<std::string> config_places(Store& store, const std::function<std::string(std::string_view)>& variable,
                                       const std::string& working, const std::string& home) {
  const std::string root(std::string_view(store.name()).substr(store.layout_name().size() + 1));
  if (store.layout_name() == "linggen") {
    std::string named = variable ? variable("LINGGEN_CONFIG") : std::string();
    if (!named.empty() && !named.starts_with('/')) named = working + "/" + named;
    return config_candidates({.named = named, .working = working, .linggen_home = root, .home = home});
  }
  const auto files = engine_of(store);
  const RecordShape* const shape = files ? (*files)->layout().shape("config") : nullptr;
  if (shape == nullptr) return {};
  return {root + "/" + std::string(shape->path)};
}

std::string configured_key(std::string_view config_json, std::string_view model) {
  for (const JsonItem& item : JsonView(config_json).find("models").elements()) {
    if (item.value.find("id").is_string(model)) return item.value.find("api_key").as_string().value_or("");
  }
  return {};
}

Result<std::optional<FoundConfig>> find_config(const Context& context, FileSystem& file_system,
                                               const std::vector<std::string>& candidates) {
  for (const std::string& path : candidates) {
    HOLDFAST_TRY(context.check());
    const std::size_t slash = path.rfind('/');
    if (!path.starts_with('/')) return fail(Code::invalid_argument, "not an absolute path", path);
    auto directory = file_system.open_directory(slash == 0 ? "/" : path.substr(0, slash), false);
    if (!directory) {
      if (directory.error().code == Code::not_found) continue;
      return fail(std::move(directory).error());
    }
    auto bytes = read_whole(**directory, path.substr(slash + 1));
    if (!bytes) {
      if (bytes.error().code == Code::not_found) continue;
      return fail(std::move(bytes).error());
    }
    auto json = toml_to_json(*bytes);
    if (!json) return fail(json.error().code, json.error().message, path);
    return FoundConfig{path, std::move(*json)};
  }
  return std::nullopt;
}

Result<std::string> load_config(const Context& context, Store& store) {
  auto record = store.get_record(context, {"config", {}, {}});
  if (!record && record.error().code == Code::not_found) return std::string("{}");
  return record;
}

Result<void> save_config(const Context& context, Store& store, std::string_view fields_json) {
  if (JsonView(fields_json).kind() != JsonKind::object)
    return fail(Code::invalid_argument, "a configuration must be a JSON object");
  return store.edit_records(context, [&](const Store::Look&) -> Result<Edits> {
    return Edits{{RecordEdit::Kind::put, {"config", {}, {}}, std::string(fields_json)}};
  });
}

}  // namespace holdfast::inline v1
