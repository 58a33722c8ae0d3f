// What is known of one session: its row, what was found damaged, what it adds to
// statistics, and of which state of which files all that is true. As bytes, it is
// the payload of a frame of the index and a piece of the file of counts
// (docs/formats/index.md). Plain values.
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
  std::map<Place, Fingerprint> files = {};  // that went into it, as they were before they were read
  std::int64_t looked_ns = 0;               // before the first of them was looked at
  Session row = {};                         // without what only a look at living processes tells
  std::vector<PlacedFinding> findings = {};
  // Names what the main log held up to log.position; another one after every
  // reading from its start.
  std::uint64_t generation = 0;
  // How to go on when the main log has grown; nullopt: read it anew.
  std::optional<LogTrack> log = {};
  std::string state = {};  // of the layout (Events::rest); kept among the counts
  std::string tally = {};  // Tally::pack; kept among the counts
};

void pack_complaint(Packer& out, const PlacedFinding& complaint);
PlacedFinding unpack_complaint(Unpacker& in);

// Everything but the counts.
void pack_entry(Packer& out, const SessionEntry& entry);
std::optional<SessionEntry> unpack_entry(std::string_view packed);
// Its row alone; an empty one when the bytes are not an entry.
Session unpack_row(std::string_view packed);

// As much of an entry as a list of thousands needs, where it stands in the bytes.
struct SessionHead {
  RowHead row = {};
  std::uint64_t findings = 0;  // how many
  std::uint64_t generation = 0;
  std::uint64_t position = 0;    // of the log; 0: there is no going on
  std::string_view packed = {};  // the entry
};
std::optional<SessionHead> peek_entry(std::string_view packed);
// Nothing when a file has changed since.
std::optional<SessionHead> peek_fresh(std::string_view packed, const RootDirectories& roots, const SeenFiles& seen);

// A file that is as it was when it was looked at, and not so young that a second
// change could have left the same times.
bool unchanged(const RootDirectories& roots, std::string_view root, std::string_view path, const Fingerprint& print,
               std::int64_t looked_ns);
inline bool unchanged(const RootDirectories& roots, const Place& place, const Fingerprint& print,
                      std::int64_t looked_ns) {
  return unchanged(roots, place.root, place.path, print, looked_ns);
}

}  // namespace holdfast::inline v1
