// Later keys of an encrypted remote: a key is created when a device is revoked, given to the devices that may go on
// reading, and used for everything that follows. docs/formats/sync.md, "Later keys".
// Hostile input: a key is accepted only if a signed header names it.
// Crash-safety: a key is in the settings before anything is encrypted with it, and given before that is published.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sync/charter.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// Creates a new key for all known devices that are not revoked. Returns its secret, for people to write down as a
// phrase.
std::string rotate_key(RemoteSettings& settings);
// Switches to a key that another device created. Returns false if this device does not have it.
bool adopt_key(RemoteSettings& settings, const std::string& lock);
// Allows the device to read everything written here. The next sync gives it the keys.
void allow_reader(RemoteSettings& settings, const std::string& device);

// Gives keys that are not given yet, and saves that. A device without a stream at the remote has to wait.
Result<void> give_keys(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                       const std::vector<RemoteStream>& heads);
// Asks for the key of another device's segments. If that device gave it to this one, saves it in the settings.
Result<bool> ask_for_key(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                         const std::string& writer, const std::string& lock);
// Whether some device has given `reader` the key `lock`.
Result<bool> is_given(const Context& context, const RemoteSettings& settings, Remote& remote,
                      const std::vector<RemoteStream>& heads, const std::string& reader, const std::string& lock);

// The newest key that this home wrote with there and that no revoked device has.
CurrentKey current_key(const RemoteSettings& settings);
// Whether what is written here might be read by a device that was revoked, because it may have the key.
bool may_be_known_to_revoked(const RemoteSettings& settings);

// All secrets of a remote up to this later one, the oldest first; nullopt if the secret opens nothing there, nor
// `here`, the earlier ones that this home has kept (empty: none).
Result<std::optional<std::vector<std::string>>> earlier_secrets(const Context& context, Remote& remote,
                                                                const Charter& charter, std::string_view secret,
                                                                std::string_view here);

}  // namespace holdfast::inline v1
