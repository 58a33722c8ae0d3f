#include "sync/remote_keys.h"

#include <algorithm>
#include <set>

#include "sync/remote_abilities.h"

namespace holdfast::inline v1 {
namespace {

std::string lock_of(const RemoteSettings& settings, const LaterKey& later) {
  return key_id(remote_key(later.secret, settings.id), settings.id);
}

// The name of the chunk, among those of the giving device, that contains the key `lock` for a reader.
std::string box_name(const RemoteSettings& settings, const std::string& writer, const std::string& reader,
                     const std::string& lock) {
  return to_hex(keyed_hash(remote_key(settings.secret, settings.id),
                           "holdfast box\n" + writer + "\n" + reader + "\n" + lock + "\n"));
}

std::string about_earlier(const std::string& remote) { return "holdfast earlier keys\n" + remote + "\n"; }
std::string earlier_name(const std::string& key, const std::string& remote) {
  return to_hex(keyed_hash(key, about_earlier(remote)));
}

std::set<std::string> allowed(const RemoteSettings& settings) {
  std::set<std::string> devices;
  for (const auto& [id, device] : settings.devices)
    if (device.trust != DeviceTrust::revoked) devices.insert(id);
  return devices;
}

// Reads it from the stream if the device was met before its key was remembered.
Result<std::string> public_key_of(const Context& context, const RemoteSettings& settings, Remote& remote,
                                  const std::vector<RemoteStream>& heads, const std::string& device) {
  if (const auto known = settings.devices.find(device); known != settings.devices.end() && !known->second.key.empty())
    return known->second.key;
  for (const RemoteStream& stream : heads) {
    if (stream.id.device != device) continue;
    HOLDFAST_LET(segments, remote.read_after(context, stream.id, 0));
    if (segments.empty()) continue;
    if (const auto header = check_segment(segments.front(), settings.id, stream.id, {})) return header->key;
  }
  return std::string();
}

// Returns false if this device does not have the key.
bool write_with(RemoteSettings& settings, const std::string& lock) {
  const auto held = std::ranges::find(settings.keys, lock, [&](const LaterKey& one) { return lock_of(settings, one); });
  if (held == settings.keys.end()) return false;
  std::rotate(held, held + 1, settings.keys.end());
  settings.keys.back().write = true;
  settings.last_safe_key.reset();
  return true;
}

}  // namespace

CurrentKey current_key(const RemoteSettings& settings) {
  if (settings.last_safe_key) return *settings.last_safe_key;
  CurrentKey current;
  std::string earlier = settings.secret;
  for (const LaterKey& later : settings.keys) {
    const std::string key = remote_key(later.secret, settings.id);
    if (later.write) current = {key_id(key, settings.id), seal(key, about_earlier(settings.id), earlier)};
    earlier += later.secret;
  }
  return current;
}

bool may_be_known_to_revoked(const RemoteSettings& settings) {
  return settings.last_safe_key.has_value() && !settings.revoked().empty();
}

std::string rotate_key(RemoteSettings& settings) {
  settings.last_safe_key.reset();
  settings.keys.push_back({random_secret(kPhraseBytes), true, allowed(settings)});
  return settings.keys.back().secret;
}

bool adopt_key(RemoteSettings& settings, const std::string& lock) {
  if (!write_with(settings, lock)) return false;
  settings.keys.back().readers = allowed(settings);
  return true;
}

void allow_reader(RemoteSettings& settings, const std::string& device) {
  for (LaterKey& later : settings.keys) later.readers.insert(device);
}

Result<void> give_keys(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                       const std::vector<RemoteStream>& heads) {
  HOLDFAST_LET(own_key, home.device(context));
  const std::string own = device_id(own_key.public_key);
  std::vector<RemoteChunk> chunks;
  std::string earlier = settings.secret;
  std::vector<LaterKey> given = settings.keys;
  for (LaterKey& later : given) {
    const std::string key = remote_key(later.secret, settings.id), lock = key_id(key, settings.id);
    if (later.write && later.given.insert(own).second)
      chunks.push_back({earlier_name(key, settings.id), seal(key, about_earlier(settings.id), earlier)});
    earlier += later.secret;
    if (!later.write) continue;
    for (const std::string& reader : later.readers) {
      if (later.given.contains(reader)) continue;
      HOLDFAST_LET(public_key, public_key_of(context, settings, remote, heads, reader));
      const auto box = seal_for(public_key, later.secret);
      if (!box) continue;
      chunks.push_back({box_name(settings, own, reader, lock), *box});
      later.given.insert(reader);
    }
  }
  if (chunks.empty()) return {};
  HOLDFAST_LET(stream, home.own_stream(context, settings.name));
  HOLDFAST_TRY(check_writable(context, remote, {own, stream.epoch}));
  for (std::size_t at = 0; at < chunks.size(); at += kMaxChunksAtOnce) {
    const auto some = std::span(chunks).subspan(at, std::min(kMaxChunksAtOnce, chunks.size() - at));
    HOLDFAST_LET(outcome, remote.store_chunks(context, own, some));
    if (outcome != RemoteOutcome::done)
      return fail(Code::sync_transport_failed,
                  "the remote did not confirm that it has the new key; the next sync asks again");
  }
  settings.keys = std::move(given);
  return home.save(context, settings);
}

Result<bool> ask_for_key(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                         const std::string& writer, const std::string& lock) {
  HOLDFAST_LET(own_key, home.device(context));
  const std::string name = box_name(settings, writer, device_id(own_key.public_key), lock);
  const std::string asked[] = {name};
  HOLDFAST_LET(boxes, remote.read_chunks(context, writer, asked));
  if (boxes.size() != 1 || !boxes[0]) return false;
  const auto secret = unseal_for(own_key, *boxes[0]);
  if (!secret || secret->size() != kPhraseBytes) return false;
  LaterKey later{*secret};
  if (lock_of(settings, later) != lock) return false;
  settings.keys.insert(settings.keys.begin(), std::move(later));
  // It is given to nobody: which of the devices that this home has met since joined before the key was made is not
  // known.
  if (settings.last_safe_key && settings.last_safe_key->lock == lock) write_with(settings, lock);
  HOLDFAST_TRY(home.save(context, settings));
  return true;
}

Result<bool> is_given(const Context& context, const RemoteSettings& settings, Remote& remote,
                      const std::vector<RemoteStream>& heads, const std::string& reader, const std::string& lock) {
  std::set<std::string> writers;
  for (const RemoteStream& stream : heads) writers.insert(stream.id.device);
  for (const std::string& writer : writers) {
    const std::string asked[] = {box_name(settings, writer, reader, lock)};
    HOLDFAST_LET(boxes, remote.read_chunks(context, writer, asked));
    if (boxes.size() == 1 && boxes[0]) return true;
  }
  return false;
}

namespace {

// nullopt unless `sealed` contains the secrets before this one.
std::optional<std::vector<std::string>> secrets_up_to(std::string_view secret, std::string_view sealed,
                                                      const Charter& charter) {
  const auto all = unseal(remote_key(secret, charter.id), about_earlier(charter.id), sealed);
  if (!all || all->empty() || all->size() % kPhraseBytes != 0) return std::nullopt;
  std::vector<std::string> secrets;
  for (std::size_t at = 0; at < all->size(); at += kPhraseBytes) secrets.push_back(all->substr(at, kPhraseBytes));
  if (key_check(remote_key(secrets[0], charter.id), charter.id) != charter.check) return std::nullopt;
  secrets.emplace_back(secret);
  return secrets;
}

}  // namespace

Result<std::optional<std::vector<std::string>>> earlier_secrets(const Context& context, Remote& remote,
                                                                const Charter& charter, std::string_view secret,
                                                                std::string_view here) {
  if (auto all = secrets_up_to(secret, here, charter)) return all;
  const std::string asked[] = {earlier_name(remote_key(secret, charter.id), charter.id)};
  HOLDFAST_LET(heads, remote.heads(context));
  std::set<std::string> devices;
  for (const RemoteStream& stream : heads) devices.insert(stream.id.device);
  for (const std::string& device : devices) {
    HOLDFAST_LET(found, remote.read_chunks(context, device, asked));
    if (found.size() != 1 || !found[0]) continue;
    if (auto all = secrets_up_to(secret, *found[0], charter)) return all;
  }
  return std::optional<std::vector<std::string>>();
}

}  // namespace holdfast::inline v1
