// What is known about one session: its row, the damage found, what it adds to
// statistics, and the files, in a certain state, that all of this depends on.
// Packed, it is the payload of a frame of the index and a piece of the counts
// file (docs/formats/index.md). Plain values.
#pragma once

#include <holdfast/session.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/directory_feed.h"
#include "index/fingerprint.h"
#include "index/session_packing.h"

namespace holdfast::inline v1 {

struct SessionEntry {
  std::map<Place, Fingerprint> files = {};  // that it was made from, as they were before they were read
  std::int64_t looked_ns = 0;               // before the first of them was examined
  Session row = {};                         // without what only living processes show
  std::vector<PlacedFinding> findings = {};
  // Identifies the contents of the main log up to log.position; changes
  // whenever the log is read from its start.
  std::uint64_t generation = 0;
  // How to continue when the main log has grown; nullopt if it must be read again.
  std::optional<LogTrack> log = {};
  std::string state = {};  // state of the layout (Events::rest); stored with the counts
  std::string tally = {};  // Tally::pack; stored with the counts
};

void pack_finding(Packer& out, const PlacedFinding& finding);
PlacedFinding unpack_finding(Unpacker& in);

// Packs everything except the counts.
void pack_entry(Packer& out, const SessionEntry& entry);
std::optional<SessionEntry> unpack_entry(std::string_view packed);
// Unpacks the row alone; empty if the bytes are not an entry.
Session unpack_row(std::string_view packed);

// The part of an entry that long lists need, as views into the bytes.
struct SessionHead {
  RowHead row = {};
  std::uint64_t findings = 0;  // how many
  std::uint64_t generation = 0;
  std::uint64_t position = 0;    // of the log; 0 if reading cannot continue
  std::string_view packed = {};  // the entry
};
std::optional<SessionHead> peek_entry(std::string_view packed);
// nullopt if a file has changed since.
std::optional<SessionHead> peek_fresh(std::string_view packed, const RootDirectories& roots, const SeenFiles& seen);

// True if the file is unchanged since it was examined, and not so young that a
// second change could have left the same times.
bool unchanged(const RootDirectories& roots, std::string_view root, std::string_view path, const Fingerprint& print,
               std::int64_t looked_ns);
inline bool unchanged(const RootDirectories& roots, const Place& place, const Fingerprint& print,
                      std::int64_t looked_ns) {
  return unchanged(roots, place.root, place.path, print, looked_ns);
}

}  // namespace holdfast::inline v1
