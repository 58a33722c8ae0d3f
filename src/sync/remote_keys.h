// Later keys of an encrypted remote: one is made when a device is revoked, given to those that go on reading, and used
// for all that follows. docs/formats/sync.md, "Later keys".
// Hostility: a key is believed when it is the one that a signed header names.
// Crash-safety: a key is in the settings before anything is encrypted with it, and given before that is published.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sync/charter.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// A key for what follows, for all that are known and not revoked. Its secret, for people to write down as a phrase.
std::string change_key(RemoteSettings& settings);
// Goes on with a key that another device made; false: it is not here.
bool adopt_key(RemoteSettings& settings, const std::string& lock);
// This device may read all that is written here, as soon as the next sync gives it the keys.
void let_read(RemoteSettings& settings, const std::string& device);

// Gives what is not given yet, and saves that it is. A device of which the remote has nothing waits.
Result<void> give_keys(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                       const std::vector<RemoteStream>& heads);
// The key of another device's segments, if it gave it to this one; then it is saved with the settings.
Result<bool> ask_for_key(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                         const std::string& writer, const std::string& lock);
// Whether some device has given that one the key `lock`.
Result<bool> is_given(const Context& context, const RemoteSettings& settings, Remote& remote,
                      const std::vector<RemoteStream>& heads, const std::string& reader, const std::string& lock);

// All secrets of a remote up to this later one, the first of them first; nullopt: it opens nothing there.
Result<std::optional<std::vector<std::string>>> earlier_secrets(const Context& context, Remote& remote,
                                                                const Charter& charter, std::string_view secret);

}  // namespace holdfast::inline v1
