#include "sync/home_notes.h"

#include "base/hash.h"
#include "sync/home_lock.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr const char* kForgotten = "forgotten/sessions.json";

Result<std::shared_ptr<Root>> root_of(const Context& context, const SyncHome& home, bool write) {
  return Root::open(context, home.files(), home.path(), {.side = std::string(kSyncSide), .write = write});
}

// Empty: there is none.
Result<std::string> load(const Context& context, const SyncHome& home, const std::string& path) {
  HOLDFAST_LET(root, root_of(context, home, false));
  auto loaded = load_document(context, *root, path);
  if (!loaded && loaded.error().code == Code::not_found) return std::string();
  if (!loaded) return fail(std::move(loaded).error());
  return std::move(loaded->bytes);
}

Result<void> replace(const Context& context, const SyncHome& home, const std::string& path, const std::string& json) {
  HOLDFAST_LET(root, root_of(context, home, true));
  HOLDFAST_TRY(root->ensure_directory(path.substr(0, path.rfind('/'))));
  HOLDFAST_TRY(replace_document(context, *root, path, json + "\n", {.backup = false}));
  return {};
}

std::set<std::string> names_at(JsonView list) {
  std::set<std::string> names;
  for (const JsonItem& item : list.elements()) names.insert(item.value.as_string().value_or(""));
  return names;
}

void write_names(JsonWriter& json, std::string_view key, const std::set<std::string>& names) {
  json.key(key).begin_array();
  for (const std::string& name : names) json.string(name);
  json.end_array();
}

}  // namespace

Result<std::set<std::string>> forgotten_sessions(const Context& context, const SyncHome& home) {
  HOLDFAST_LET(text, load(context, home, kForgotten));
  return names_at(JsonView(text).find("sessions"));
}

Result<void> save_forgotten_sessions(const Context& context, const SyncHome& home, const std::set<std::string>& names) {
  JsonWriter json;
  json.begin_object();
  write_names(json, "sessions", names);
  return replace(context, home, kForgotten, json.end_object().take());
}

std::string forgotten_name(std::string_view device, const CaptureKey& session) {
  return sha256_hex("holdfast forgotten\n" + std::string(device) + "\n" + session.layout + "\n" + session.store + "\n" +
                    session.id + "\n");
}

}  // namespace holdfast::inline v1
