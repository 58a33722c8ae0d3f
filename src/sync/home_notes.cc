#include "sync/home_notes.h"

#include "base/hash.h"
#include "base/time.h"
#include "sync/home_lock.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr const char* kForgotten = "forgotten/sessions.json";

constexpr auto kCheckPause = std::chrono::minutes(10);

std::string text_there_path(const std::string& id) { return "forgotten/at-" + id + ".json"; }

std::string damage_path(const std::string& remote) { return "remotes/" + remote + "/damaged.json"; }

Result<std::shared_ptr<Root>> root_of(const Context& context, const SyncHome& home, bool write) {
  return Root::open(context, home.files(), home.path(), {.side = std::string(kSyncSide), .write = write});
}

// Empty if there is no such document.
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

// It need not exist.
Result<void> remove_note(const Context& context, const SyncHome& home, const std::string& path) {
  HOLDFAST_LET(root, root_of(context, home, true));
  auto removed = remove_document(context, *root, path);
  if (!removed && removed.error().code != Code::not_found) return removed;
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

Result<OwnDamage> own_damage(const Context& context, const SyncHome& home, const std::string& remote) {
  OwnDamage damage;
  HOLDFAST_LET(text, load(context, home, damage_path(remote)));
  const JsonView json(text);
  damage.epoch = static_cast<std::uint64_t>(json.find("epoch").as_int64().value_or(0));
  damage.broken = json.find("broken").as_bool().value_or(false);
  for (const JsonItem& item : json.find("bodies").elements())
    damage.bodies.insert(static_cast<std::uint64_t>(item.value.as_int64().value_or(0)));
  damage.chunks = names_at(json.find("chunks"));
  return damage;
}

Result<void> save_own_damage(const Context& context, const SyncHome& home, const std::string& remote,
                             const OwnDamage& damage) {
  if (damage.empty()) return remove_note(context, home, damage_path(remote));
  JsonWriter json;
  json.begin_object().key("epoch").uint64(damage.epoch).key("broken").boolean(damage.broken).key("bodies");
  json.begin_array();
  for (const std::uint64_t seq : damage.bodies) json.uint64(seq);
  json.end_array();
  write_names(json, "chunks", damage.chunks);
  return replace(context, home, damage_path(remote), json.end_object().take());
}

Result<std::vector<Finding>> left_readable(const Context& context, const SyncHome& home, const std::string& remote) {
  HOLDFAST_LET(text, load(context, home, "remotes/" + remote + "/left_readable.json"));
  std::vector<Finding> all;
  for (const JsonItem& item : JsonView(text).find("left").elements())
    all.push_back({item.value.find("place").as_string().value_or(""), 0, 0, "left",
                   item.value.find("why").as_string().value_or(""), 0});
  return all;
}

Result<void> save_left_readable(const Context& context, const SyncHome& home, const std::string& remote,
                                const std::vector<Finding>& findings) {
  const std::string path = "remotes/" + remote + "/left_readable.json";
  HOLDFAST_LET(known, load(context, home, path));
  if (findings.empty()) return known.empty() ? Result<void>() : remove_note(context, home, path);
  JsonWriter json;
  json.begin_object().key("left").begin_array();
  for (const Finding& one : findings)
    json.begin_object().key("place").string(one.file).key("why").string(one.consequence).end_object();
  const std::string now = json.end_array().end_object().take();
  return known == now + "\n" ? Result<void>() : replace(context, home, path, now);
}

Result<std::set<std::string>> withdrawn_names(const Context& context, const SyncHome& home, const std::string& remote) {
  HOLDFAST_LET(text, load(context, home, "remotes/" + remote + "/withdrawn.json"));
  return names_at(JsonView(text).find("names"));
}

Result<void> save_withdrawn_names(const Context& context, const SyncHome& home, const std::string& remote,
                                  const std::set<std::string>& names) {
  JsonWriter json;
  json.begin_object();
  write_names(json, "names", names);
  return replace(context, home, "remotes/" + remote + "/withdrawn.json", json.end_object().take());
}

namespace {

using EpochNames = std::set<std::pair<std::uint64_t, std::string>>;

EpochNames epoch_names_at(JsonView list) {
  EpochNames all;
  for (const JsonItem& item : list.elements()) {
    const auto epoch = static_cast<std::uint64_t>(item.value.find("epoch").as_int64().value_or(0));
    for (const std::string& name : names_at(item.value.find("names"))) all.insert({epoch, name});
  }
  return all;
}

void write_epoch_names(JsonWriter& json, std::string_view key, const EpochNames& all) {
  std::map<std::uint64_t, std::set<std::string>> by_epoch;
  for (const auto& [epoch, name] : all) by_epoch[epoch].insert(name);
  json.key(key).begin_array();
  for (const auto& [epoch, names] : by_epoch) {
    json.begin_object().key("epoch").uint64(epoch);
    write_names(json, "names", names);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

Result<TextThere> text_there(const Context& context, const SyncHome& home, const std::string& id) {
  HOLDFAST_LET(text, load(context, home, text_there_path(id)));
  return epoch_names_at(JsonView(text).find("sessions"));
}

Result<void> save_text_there(const Context& context, const SyncHome& home, const std::string& id,
                             const TextThere& all) {
  if (all.empty()) return remove_note(context, home, text_there_path(id));
  JsonWriter json;
  json.begin_object();
  write_epoch_names(json, "sessions", all);
  return replace(context, home, text_there_path(id), json.end_object().take());
}

Result<EarlierEpochs> earlier_epochs(const Context& context, const SyncHome& home, const std::string& remote) {
  HOLDFAST_LET(text, load(context, home, "remotes/" + remote + "/earlier.json"));
  return EarlierEpochs{names_at(JsonView(text).find("published")), epoch_names_at(JsonView(text).find("told"))};
}

Result<void> save_earlier_epochs(const Context& context, const SyncHome& home, const std::string& remote,
                                 const EarlierEpochs& all) {
  JsonWriter json;
  json.begin_object();
  write_names(json, "published", all.published);
  write_epoch_names(json, "told", all.told);
  return replace(context, home, "remotes/" + remote + "/earlier.json", json.end_object().take());
}

Result<RemovedRemote> removed_remote(const Context& context, const SyncHome& home, const std::string& id) {
  RemovedRemote removed;
  HOLDFAST_LET(text, load(context, home, "removed/" + id + ".json"));
  for (const JsonItem& item : JsonView(text).find("epochs").elements()) {
    Erasures& one = removed.epochs.emplace_back();
    one.epoch = static_cast<std::uint64_t>(item.value.find("epoch").as_int64().value_or(0));
    for (const JsonItem& body : item.value.find("bodies").elements())
      one.bodies.insert(static_cast<std::uint64_t>(body.value.as_int64().value_or(0)));
    one.chunks = names_at(item.value.find("chunks"));
  }
  for (const JsonItem& item : JsonView(text).find("withheld").elements())
    removed.withheld.push_back({item.value.find("identity").as_string().value_or(""),
                                item.value.find("project").as_string().value_or(""), std::string(kWithheld)});
  for (const JsonItem& item : JsonView(text).find("revoked").elements()) {
    const auto at = [&](std::string_view key) { return item.value.find(key).as_string().value_or(""); };
    removed.revoked[at("id")] = {at("name"), at("named"), DeviceTrust::revoked, at("since"),
                                 from_hex(at("key")).value_or("")};
  }
  removed.published = names_at(JsonView(text).find("published"));
  const JsonView key = JsonView(text).find("key");
  removed.key = {key.find("lock").as_string().value_or(""),
                 from_hex(key.find("earlier").as_string().value_or("")).value_or("")};
  return removed;
}

Result<void> save_removed_remote(const Context& context, const SyncHome& home, const std::string& id,
                                 const RemovedRemote& removed) {
  const std::string path = "removed/" + id + ".json";
  if (removed.empty()) return remove_note(context, home, path);
  JsonWriter json;
  json.begin_object().key("epochs").begin_array();
  for (const Erasures& one : removed.epochs) {
    json.begin_object().key("epoch").uint64(one.epoch).key("bodies").begin_array();
    for (const std::uint64_t seq : one.bodies) json.uint64(seq);
    json.end_array();
    write_names(json, "chunks", one.chunks);
    json.end_object();
  }
  json.end_array().key("withheld").begin_array();
  for (const ProjectShare& one : removed.withheld)
    json.begin_object().key("identity").string(one.identity).key("project").string(one.project).end_object();
  json.end_array().key("revoked").begin_array();
  for (const auto& [device, known] : removed.revoked) {
    json.begin_object().key("id").string(device).key("name").string(known.name).key("named").string(known.named);
    json.key("since").string(known.since).key("key").string(to_hex(known.key)).end_object();
  }
  json.end_array();
  write_names(json, "published", removed.published);
  if (!removed.key.lock.empty()) {
    json.key("key").begin_object().key("lock").string(removed.key.lock);
    json.key("earlier").string(to_hex(removed.key.earlier)).end_object();
  }
  return replace(context, home, path, json.end_object().take());
}

namespace {

void write_all(JsonWriter& json, std::string_view key, const std::set<std::pair<StreamId, std::string>>& all) {
  json.key(key).begin_array();
  for (const auto& [stream, about] : all)
    json.begin_array().string(stream.device).uint64(stream.epoch).string(about).end_array();
  json.end_array();
}

std::set<std::pair<StreamId, std::string>> read_all(JsonView list) {
  std::set<std::pair<StreamId, std::string>> all;
  for (const JsonItem& item : list.elements()) {
    std::vector<JsonView> parts;
    for (const JsonItem& part : item.value.elements()) parts.push_back(part.value);
    if (parts.size() == 3)
      all.insert({{parts[0].as_string().value_or(""), static_cast<std::uint64_t>(parts[1].as_int64().value_or(0))},
                  parts[2].as_string().value_or("")});
  }
  return all;
}

}  // namespace

Result<Revocations> revocations(const Context& context, const SyncHome& home, const std::string& remote) {
  HOLDFAST_LET(text, load(context, home, "remotes/" + remote + "/revocations.json"));
  Revocations all;
  for (const JsonItem& item : JsonView(text).fields()) all[item.key()] = names_at(item.value);
  return all;
}

Result<void> save_revocations(const Context& context, const SyncHome& home, const std::string& remote,
                              const Revocations& all) {
  JsonWriter json;
  json.begin_object();
  for (const auto& [device, revoked] : all) write_names(json, device, revoked);
  return replace(context, home, "remotes/" + remote + "/revocations.json", json.end_object().take());
}

Result<Complaints> complaints(const Context& context, const SyncHome& home, const std::string& remote) {
  HOLDFAST_LET(text, load(context, home, "remotes/" + remote + "/complaints.json"));
  return Complaints{read_all(JsonView(text).find("open")), read_all(JsonView(text).find("told"))};
}

Result<void> save_complaints(const Context& context, const SyncHome& home, const std::string& remote,
                             const Complaints& all) {
  JsonWriter json;
  json.begin_object();
  write_all(json, "open", all.open);
  write_all(json, "told", all.told);
  return replace(context, home, "remotes/" + remote + "/complaints.json", json.end_object().take());
}

Result<void> complain(const Context& context, const SyncHome& home, const std::string& remote, const StreamId& stream,
                      const std::string& about) {
  HOLDFAST_LET(all, complaints(context, home, remote));
  if (all.told.contains({stream, about}) || !all.open.insert({stream, about}).second) return {};
  return save_complaints(context, home, remote, all);
}

bool OwnCheckState::is_due(const Context& context) const {
  const auto last = parse_iso8601(at);
  return asked && (!last || *last > context.clock->now() || context.clock->now() - *last >= kCheckPause);
}

Result<OwnCheckState> own_check_state(const Context& context, const SyncHome& home, const std::string& remote) {
  HOLDFAST_LET(text, load(context, home, "remotes/" + remote + "/checked.json"));
  return OwnCheckState{JsonView(text).find("asked").as_bool().value_or(false),
                       JsonView(text).find("at").as_string().value_or("")};
}

Result<void> save_own_check_state(const Context& context, const SyncHome& home, const std::string& remote,
                                  const OwnCheckState& state) {
  JsonWriter json;
  json.begin_object().key("asked").boolean(state.asked).key("at").string(state.at);
  return replace(context, home, "remotes/" + remote + "/checked.json", json.end_object().take());
}

}  // namespace holdfast::inline v1
