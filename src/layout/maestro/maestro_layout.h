// Maestro's session storage, as specified and as its program writes it. Format:
// docs/formats/maestro.md.
#pragma once

#include "layout/layout.h"
#include "layout/record_shape.h"

namespace holdfast::inline v1 {

const Layout& maestro_layout();

namespace maestro {

inline constexpr std::string_view kRoot = "root";

// Threads, sessions, messages, the index and the queue as records.
std::span<const RecordShape> maestro_shapes();

// Reports sessions that only messages name.
const SessionRescue& rescue();

// The threads with messages of this session, for a session whose record cannot be read. Reads all messages.
Result<std::vector<std::string>> threads_naming(Feed& feed, std::string_view session);

// What may be sent to a remote.
const SyncMap& maestro_sync();

inline Place at(std::string path) { return {std::string(kRoot), std::move(path)}; }
inline Place thread_place(std::string_view id) { return at("threads/" + std::string(id) + ".json"); }
inline Place session_place(std::string_view id) { return at("sessions/" + std::string(id) + ".json"); }
inline constexpr std::string_view kCorruptFolder = "corrupt";
// Where a bad record is after a writer has moved it aside.
inline Place corrupt_place(std::string_view id) {
  return at(std::string(kCorruptFolder) + "/" + std::string(id) + ".json");
}
inline Place message_folder(std::string_view thread) { return at("messages/" + std::string(thread)); }
inline Place message_place(std::string_view thread, std::string_view id) {
  return at("messages/" + std::string(thread) + "/" + std::string(id) + ".json");
}

}  // namespace maestro
}  // namespace holdfast::inline v1
