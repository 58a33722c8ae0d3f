#include "sync/sync_home.h"

#include <algorithm>
#include <functional>

#include "archive/archive_writer.h"
#include "base/own_folder.h"
#include "base/safe_name.h"
#include "base/time.h"
#include "sync/charter.h"
#include "sync/home_lock.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kDevices = "devices", kJson = ".json";

std::string folder(const std::string& remote) { return "remotes/" + remote; }
std::string key_path(const std::string& machine) { return std::string(kDevices) + "/" + machine + std::string(kJson); }

std::string text_at(JsonView json, std::string_view key) { return json.find(key).as_string().value_or(""); }
std::uint64_t number_at(JsonView json, std::string_view key) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(json.find(key).as_int64().value_or(0), 0));
}

void write_names(JsonWriter& json, std::string_view key, const std::set<std::string>& names) {
  json.key(key).begin_array();
  for (const std::string& name : names) json.string(name);
  json.end_array();
}

std::set<std::string> read_names(JsonView list) {
  std::set<std::string> names;
  for (const JsonItem& item : list.elements()) names.insert(item.value.as_string().value_or(""));
  return names;
}

void write_streams(JsonWriter& json, std::string_view key, const std::map<StreamId, std::uint64_t>& streams) {
  json.key(key).begin_array();
  for (const auto& [id, seq] : streams) json.begin_array().string(id.device).uint64(id.epoch).uint64(seq).end_array();
  json.end_array();
}

void write_mark(JsonWriter& json, const std::optional<LogMark>& mark) {
  if (mark) json.key("log").begin_object().key("bytes").uint64(mark->bytes).key("crc").uint64(mark->crc).end_object();
}

std::optional<LogMark> read_mark(JsonView json) {
  const JsonView mark = json.find("log");
  if (!mark) return std::nullopt;
  return LogMark{number_at(mark, "bytes"), static_cast<std::uint32_t>(number_at(mark, "crc"))};
}

std::map<StreamId, std::uint64_t> read_streams(JsonView list) {
  std::map<StreamId, std::uint64_t> streams;
  for (const JsonItem& item : list.elements()) {
    std::vector<JsonView> parts;
    for (const JsonItem& part : item.value.elements()) parts.push_back(part.value);
    if (parts.size() != 3) continue;
    const StreamId id{parts[0].as_string().value_or(""),
                      static_cast<std::uint64_t>(std::max<std::int64_t>(parts[1].as_int64().value_or(0), 0))};
    if (!is_device_id(id.device)) continue;
    streams[id] = static_cast<std::uint64_t>(std::max<std::int64_t>(parts[2].as_int64().value_or(0), 0));
  }
  return streams;
}

std::string write_settings(const RemoteSettings& settings) {
  JsonWriter json(JsonLayout::pretty);
  json.begin_object().key("schema_version").int64(1).key("name").string(settings.name).key("url").string(settings.url);
  json.key("id").string(settings.id).key("machine").string(settings.machine);
  if (!settings.secret.empty()) json.key("secret").string(to_hex(settings.secret));
  if (!settings.keys.empty()) {
    json.key("keys").begin_array();
    for (const LaterKey& later : settings.keys) {
      json.begin_object().key("secret").string(to_hex(later.secret)).key("write").boolean(later.write);
      write_names(json, "readers", later.readers);
      write_names(json, "given", later.given);
      json.end_object();
    }
    json.end_array();
  }
  if (const auto& safe = settings.last_safe_key; safe) {
    json.key("last_safe_key").begin_object().key("lock").string(safe->lock);
    json.key("earlier").string(to_hex(safe->earlier)).end_object();
  }
  json.key("shares").begin_array();
  for (const ProjectShare& share : settings.shares) {
    json.begin_object().key("identity").string(share.identity).key("project").string(share.project);
    json.key("policy").string(share.policy).end_object();
  }
  json.end_array().key("devices").begin_array();
  for (const auto& [id, device] : settings.devices) {
    json.begin_object().key("id").string(id).key("name").string(device.name).key("named").string(device.named);
    json.key("trust").string(trust_name(device.trust)).key("since").string(device.since);
    json.key("key").string(to_hex(device.key)).end_object();
  }
  json.end_array();
  if (settings.narrowed) json.key("narrowed").boolean(true);
  return json.end_object().take() + "\n";
}

RemoteSettings read_settings(std::string_view text) {
  const JsonView json(text);
  RemoteSettings settings{text_at(json, "name"), text_at(json, "url"), text_at(json, "id")};
  settings.machine = text_at(json, "machine");
  settings.narrowed = json.find("narrowed").as_bool().value_or(false);
  settings.secret = from_hex(text_at(json, "secret")).value_or("");
  for (const JsonItem& item : json.find("keys").elements())
    settings.keys.push_back({from_hex(text_at(item.value, "secret")).value_or(""),
                             item.value.find("write").as_bool().value_or(false), read_names(item.value.find("readers")),
                             read_names(item.value.find("given"))});
  std::erase_if(settings.keys, [](const LaterKey& later) { return later.secret.size() != kPhraseBytes; });
  if (const JsonView safe = json.find("last_safe_key"); safe)
    settings.last_safe_key = {text_at(safe, "lock"), from_hex(text_at(safe, "earlier")).value_or("")};
  for (const JsonItem& item : json.find("shares").elements())
    settings.shares.push_back(
        {text_at(item.value, "identity"), text_at(item.value, "project"), text_at(item.value, "policy")});
  for (const JsonItem& item : json.find("devices").elements()) {
    KnownDevice& device = settings.devices[text_at(item.value, "id")];
    device.name = text_at(item.value, "name");
    device.named = text_at(item.value, "named");
    device.since = text_at(item.value, "since");
    device.key = from_hex(text_at(item.value, "key")).value_or("");
    for (const DeviceTrust trust : {DeviceTrust::trusted, DeviceTrust::revoked})
      if (text_at(item.value, "trust") == trust_name(trust)) device.trust = trust;
  }
  return settings;
}

}  // namespace

std::string_view trust_name(DeviceTrust trust) {
  return trust == DeviceTrust::seen ? "seen" : trust == DeviceTrust::trusted ? "trusted" : "revoked";
}

RemoteSecret RemoteSettings::key() const {
  RemoteSecret key{id, std::nullopt};
  if (secret.empty()) return key;
  key.key = remote_key(secret, id);
  for (const LaterKey& later : keys) {
    std::string its = remote_key(later.secret, id);
    std::string lock = key_id(its, id);
    if (later.write) {
      std::swap(*key.key, its);
      std::swap(key.lock, lock);
    }
    key.others.insert_or_assign(std::move(lock), std::move(its));
  }
  return key;
}

std::string RemoteSettings::machine_of(const std::string& device) const {
  const auto known = devices.find(device);
  return known == devices.end() || known->second.name.empty() ? device : known->second.name;
}

std::set<std::string> RemoteSettings::revoked() const {
  std::set<std::string> all;
  for (const auto& [device, known] : devices)
    if (known.trust == DeviceTrust::revoked) all.insert(device);
  return all;
}

Result<std::unique_ptr<SyncHome>> SyncHome::open(const Context& context, FileSystem& file_system,
                                                 const std::string& path, bool create) {
  HOLDFAST_LET(root, own_folder(Root::open(context, file_system, path,
                                           {.side = std::string(kSyncSide), .create = create, .write = create})));
  return std::unique_ptr<SyncHome>(new SyncHome(std::move(root)));
}

Result<std::unique_ptr<File>> SyncHome::lock() const { return lock_in(*root_, "sync", "another process is syncing"); }

Result<std::optional<std::string>> SyncHome::load(const Context& context, const std::string& path) const {
  auto loaded = load_document(context, *root_, path);
  if (!loaded && loaded.error().code == Code::not_found) return std::optional<std::string>();
  if (!loaded) return fail(std::move(loaded).error());
  return std::optional(std::move(loaded->bytes));
}

Result<void> SyncHome::replace(const Context& context, const std::string& path, std::string_view json) const {
  HOLDFAST_TRY(root_->ensure_directory(path.substr(0, path.rfind('/'))));
  HOLDFAST_TRY(replace_document(context, *root_, path, json, {.backup = false}));
  return {};
}

Result<void> SyncHome::save_key(const Context& context, const SigningKey& key) const {
  JsonWriter json(JsonLayout::pretty);
  json.begin_object().key("device").string(device_id(key.public_key)).key("secret").string(to_hex(key.seed));
  json.key("since").string(iso8601(context.clock->now())).end_object();
  return replace(context, key_path(machine_id(files())), json.take() + "\n");
}

Result<std::vector<SigningKey>> SyncHome::devices(const Context& context) const {
  std::vector<std::pair<std::string, std::string>> seeds;  // with when they were noted; the newest first
  const auto entries = root_->directory().list(kDevices);
  if (!entries && entries.error().code != Code::not_found) return fail(entries.error());
  for (const DirectoryEntry& entry : entries.value_or(std::vector<DirectoryEntry>())) {
    if (!entry.name.ends_with(kJson)) continue;
    const std::string name = std::string(kDevices) + "/" + entry.name;
    HOLDFAST_LET(text, load(context, name));
    if (!text) continue;
    const auto seed = from_hex(text_at(JsonView(*text), "secret"));
    if (!seed || seed->size() != kSecretBytes)
      return fail(Code::corrupt, "the key of this device is damaged", path() + "/" + name);
    seeds.emplace_back(text_at(JsonView(*text), "since"), *seed);
  }
  std::ranges::sort(seeds, std::greater());
  std::vector<SigningKey> keys;
  for (const auto& [since, seed] : seeds)
    if (std::ranges::none_of(keys, [&](const SigningKey& key) { return key.seed == seed; }))
      keys.push_back(signing_key(seed));
  if (!keys.empty()) return keys;
  keys.push_back(signing_key(random_secret(kSecretBytes)));
  HOLDFAST_TRY(save_key(context, keys.front()));
  return keys;
}

Result<SigningKey> SyncHome::device(const Context& context) const {
  HOLDFAST_LET(keys, devices(context));
  return std::move(keys.front());
}

Result<std::set<std::string>> SyncHome::own_ids(const Context& context) const {
  HOLDFAST_LET(keys, devices(context));
  std::set<std::string> ids;
  for (const SigningKey& key : keys) ids.insert(device_id(key.public_key));
  return ids;
}

Result<std::vector<RemoteSettings>> SyncHome::remotes(const Context& context) const {
  std::vector<RemoteSettings> all;
  const auto entries = root_->directory().list("remotes");
  if (!entries && entries.error().code == Code::not_found) return all;
  if (!entries) return fail(entries.error());
  for (const DirectoryEntry& entry : *entries) {
    HOLDFAST_LET(text, load(context, folder(entry.name) + "/remote.json"));
    if (text) all.push_back(read_settings(*text));
  }
  return all;
}

Result<RemoteSettings> SyncHome::remote(const Context& context, const std::string& name) const {
  if (is_safe_name(name)) {
    HOLDFAST_LET(text, load(context, folder(name) + "/remote.json"));
    if (text) return read_settings(*text);
  }
  return fail(Code::not_found, "there is no remote " + name + "; see holdfast remote list");
}

Result<void> SyncHome::save(const Context& context, const RemoteSettings& settings) const {
  return replace(context, folder(settings.name) + "/remote.json", write_settings(settings));
}

namespace {

Result<void> clear(Directory& directory, const std::string& path) {
  HOLDFAST_LET(entries, directory.list(path));
  for (const DirectoryEntry& entry : entries) {
    const std::string inner = path + "/" + entry.name;
    HOLDFAST_TRY(entry.kind == FileKind::directory ? clear(directory, inner) : directory.remove(inner));
  }
  return directory.remove_directory(path);
}

}  // namespace

Result<void> SyncHome::forget(const Context& context, const std::string& name) const {
  HOLDFAST_TRY(remote(context, name));
  // Without its settings it is no longer a remote; the next removal cleans up what a crash leaves of the rest.
  HOLDFAST_TRY(remove_document(context, *root_, folder(name) + "/remote.json"));
  HOLDFAST_TRY(clear(root_->directory(), folder(name)));
  return root_->directory().sync_directory("remotes");
}

Result<void> SyncHome::clear_scratch(const std::string& remote) const {
  auto cleared = clear(root_->directory(), folder(scratch(remote)));
  if (!cleared && cleared.error().code != Code::not_found) return cleared;
  return {};
}

Result<OwnStream> SyncHome::own_stream(const Context& context, const std::string& remote) const {
  OwnStream stream;
  HOLDFAST_LET(text, load(context, folder(remote) + "/stream.json"));
  if (!text) return stream;
  const JsonView json(*text);
  stream.epoch = std::max<std::uint64_t>(number_at(json, "epoch"), 1);
  stream.head = {number_at(json, "seq"), text_at(json, "hash")};
  stream.log = read_mark(json);
  stream.content = number_at(json, "content");
  stream.last_op = number_at(json, "op");
  stream.told = read_streams(json.find("told"));
  stream.revoked = read_names(json.find("revoked"));
  for (const JsonItem& item : json.find("left").elements())
    stream.left.insert(static_cast<std::uint64_t>(item.value.as_int64().value_or(0)));
  for (const JsonItem& item : json.find("ends").elements())
    stream.ends[number_at(item.value, "epoch")] = number_at(item.value, "seq");
  stream.forgotten = number_at(json, "forgotten");
  return stream;
}

Result<void> SyncHome::save(const Context& context, const std::string& remote, const OwnStream& stream) const {
  JsonWriter json;
  json.begin_object().key("epoch").uint64(stream.epoch).key("seq").uint64(stream.head.seq);
  json.key("hash").string(stream.head.hash).key("op").uint64(stream.last_op);
  json.key("content").uint64(stream.content);
  write_mark(json, stream.log);
  write_streams(json, "told", stream.told);
  write_names(json, "revoked", stream.revoked);
  json.key("left").begin_array();
  for (const std::uint64_t epoch : stream.left) json.uint64(epoch);
  json.end_array().key("ends").begin_array();
  for (const auto& [epoch, seq] : stream.ends)
    json.begin_object().key("epoch").uint64(epoch).key("seq").uint64(seq).end_object();
  json.end_array().key("forgotten").uint64(stream.forgotten);
  return replace(context, folder(remote) + "/stream.json", json.end_object().take() + "\n");
}

Result<std::optional<StreamSegment>> SyncHome::pending(const Context& context, const std::string& remote) const {
  HOLDFAST_LET(text, load(context, folder(remote) + "/pending.json"));
  if (!text) return std::optional<StreamSegment>();
  const JsonView json(*text);
  StreamSegment segment{number_at(json, "seq"), text_at(json, "hash"), text_at(json, "header"),
                        from_hex(text_at(json, "body"))};
  return std::optional(std::move(segment));
}

Result<void> SyncHome::save_pending(const Context& context, const std::string& remote,
                                    const StreamSegment& segment) const {
  JsonWriter json;
  json.begin_object().key("seq").uint64(segment.seq).key("hash").string(segment.hash);
  json.key("header").string(segment.header).key("body").string(to_hex(*segment.body));
  return replace(context, folder(remote) + "/pending.json", json.end_object().take() + "\n");
}

Result<void> SyncHome::drop_pending(const Context& context, const std::string& remote) const {
  auto removed = remove_document(context, *root_, folder(remote) + "/pending.json");
  if (!removed && removed.error().code != Code::not_found) return removed;
  return {};
}

Result<Erasures> SyncHome::erasures(const Context& context, const std::string& remote) const {
  Erasures erasures;
  HOLDFAST_LET(text, load(context, folder(remote) + "/erase.json"));
  if (!text) return erasures;
  erasures.epoch = number_at(JsonView(*text), "epoch");
  for (const JsonItem& item : JsonView(*text).find("bodies").elements())
    erasures.bodies.insert(static_cast<std::uint64_t>(item.value.as_int64().value_or(0)));
  for (const JsonItem& item : JsonView(*text).find("chunks").elements())
    erasures.chunks.insert(item.value.as_string().value_or(""));
  return erasures;
}

Result<void> SyncHome::save(const Context& context, const std::string& remote, const Erasures& erasures) const {
  JsonWriter json;
  json.begin_object().key("epoch").uint64(erasures.epoch).key("bodies").begin_array();
  for (const std::uint64_t seq : erasures.bodies) json.uint64(seq);
  json.end_array().key("chunks").begin_array();
  for (const std::string& name : erasures.chunks) json.string(name);
  return replace(context, folder(remote) + "/erase.json", json.end_array().end_object().take() + "\n");
}

std::string SyncHome::published(const std::string& remote, std::uint64_t epoch) const {
  return path() + "/" + folder(remote) + "/published/" + std::to_string(epoch);
}

std::string SyncHome::from(const std::string& remote, const StreamId& stream) const {
  return path() + "/" + folder(remote) + "/from/" + stream.device + "-" + std::to_string(stream.epoch);
}

Result<void> SyncHome::drop_published(const std::string& remote, std::uint64_t epoch) const {
  auto cleared = clear(root_->directory(), published(remote, epoch).substr(path().size() + 1));
  if (!cleared && cleared.error().code != Code::not_found) return cleared;
  return {};
}

Result<std::vector<StreamId>> SyncHome::streams(const std::string& remote) const {
  std::vector<StreamId> all;
  const auto entries = root_->directory().list(folder(remote) + "/cursors");
  if (!entries && entries.error().code == Code::not_found) return all;
  if (!entries) return fail(entries.error());
  for (const DirectoryEntry& entry : *entries) {
    const std::string_view name = entry.name;
    if (name.size() < 39 || name[32] != '-' || !is_device_id(name.substr(0, 32)) || !name.ends_with(".json")) continue;
    std::uint64_t epoch = 0;
    for (const char c : name.substr(33, name.size() - 38))
      epoch = c >= '0' && c <= '9' ? epoch * 10 + static_cast<std::uint64_t>(c - '0') : 0;
    if (epoch > 0) all.push_back({std::string(name.substr(0, 32)), epoch});
  }
  return all;
}

namespace {

std::string cursor_path(const std::string& remote, const StreamId& stream) {
  return folder(remote) + "/cursors/" + stream.device + "-" + std::to_string(stream.epoch) + ".json";
}

}  // namespace

Result<StreamCursor> SyncHome::cursor(const Context& context, const std::string& remote, const StreamId& stream) const {
  StreamCursor cursor;
  HOLDFAST_LET(text, load(context, cursor_path(remote, stream)));
  if (!text) return cursor;
  const JsonView json(*text);
  cursor.head = {number_at(json, "seq"), text_at(json, "hash")};
  cursor.log = read_mark(json);
  cursor.content = number_at(json, "content");
  cursor.machine = text_at(json, "machine");
  for (const JsonItem& item : json.find("names").fields()) {
    std::vector<std::string>& keys = cursor.names[item.key()];
    if (const auto only = item.value.as_string()) keys.push_back(from_hex(*only).value_or(""));
    for (const JsonItem& key : item.value.elements())
      keys.push_back(from_hex(key.value.as_string().value_or("")).value_or(""));
  }
  cursor.seen = read_streams(json.find("seen"));
  cursor.withdrawn = read_names(json.find("withdrawn"));
  for (const JsonItem& item : json.find("narrowed").fields())
    cursor.forms[item.key()] = item.value.as_string().value_or("");
  cursor.lost = json.find("lost").as_bool().value_or(false);
  return cursor;
}

Result<void> SyncHome::save(const Context& context, const std::string& remote, const StreamId& stream,
                            const StreamCursor& cursor) const {
  JsonWriter json;
  json.begin_object().key("seq").uint64(cursor.head.seq).key("hash").string(cursor.head.hash);
  write_mark(json, cursor.log);
  json.key("content").uint64(cursor.content).key("machine").string(cursor.machine).key("names").begin_object();
  for (const auto& [policy, keys] : cursor.names) {
    json.key(policy).begin_array();
    for (const std::string& key : keys) json.string(to_hex(key));
    json.end_array();
  }
  json.end_object();
  write_streams(json, "seen", cursor.seen);
  write_names(json, "withdrawn", cursor.withdrawn);
  json.key("narrowed").begin_object();
  for (const auto& [full, redacted] : cursor.forms) json.key(full).string(redacted);
  json.end_object();
  if (cursor.lost) json.key("lost").boolean(true);
  return replace(context, cursor_path(remote, stream), json.end_object().take() + "\n");
}

Result<void> SyncHome::drop_stream(const Context& context, const std::string& remote, const StreamId& stream) const {
  auto cleared = clear(root_->directory(), from(remote, stream).substr(path().size() + 1));
  if (!cleared && cleared.error().code != Code::not_found) return cleared;
  return remove_document(context, *root_, cursor_path(remote, stream));
}

}  // namespace holdfast::inline v1
