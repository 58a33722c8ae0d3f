// The epochs at a remote that were written with the keys of this home: by it, or by a copy of it.
// Hostile input: whoever may write to the remote can give anything the name of an epoch of this device. Only what is
// signed with its key is one.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <cstdint>
#include <vector>

#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// The key of this home that an epoch is written with; nullptr if it is none of this home. An epoch has one number among
// all devices of a home, so one that its present device has written is not that of another.
const SigningKey* writer_of(const std::vector<SigningKey>& keys, const std::vector<RemoteStream>& heads,
                            const StreamId& stream);

// Whether its first segment is signed with that key.
Result<bool> is_home_epoch(const Context& context, const std::vector<SigningKey>& keys, const RemoteSettings& settings,
                           Remote& remote, const std::vector<RemoteStream>& heads, const StreamId& stream);

// The number of an epoch that is to begin: after `last` and those of this home, and none that something has there.
Result<std::uint64_t> next_epoch(const Context& context, const std::vector<SigningKey>& keys,
                                 const RemoteSettings& settings, Remote& remote, const std::vector<RemoteStream>& heads,
                                 std::uint64_t last);

}  // namespace holdfast::inline v1
