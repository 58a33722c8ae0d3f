// Where the messages of one session's list lie in its log, so that a page of them is
// read at the cost of the page (docs/formats/index.md). A derived file a session in
// the cache directory: without it, or with any byte of it wrong, the session is read
// whole and it is made anew. It holds no text: of each message its offset and hashes.
// Thread-safety: plain values; the functions one thread a file.
#pragma once

#include <holdfast/message.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/directory_feed.h"
#include "index/fingerprint.h"
#include "index/session_key.h"

namespace holdfast::inline v1 {

struct PageMark {
  std::uint64_t offset = 0;  // of the message's record
  bool abandoned = false;    // as the whole session shows it, which its record may not
  std::uint64_t said = 0;    // said_hash
  std::uint64_t name = 0;    // name_hash

  bool operator==(const PageMark&) const = default;
};

// Of everything that the message says, wherever it stands.
std::uint64_t said_hash(const Message& message);
// Of what it is known by when more is said after it: its id, or all that it says.
std::uint64_t name_hash(const Message& message);

PageMark mark_of(const Message& message);

struct PageCheckpoint {
  std::uint64_t offset = 0;  // of a record (Events::checkpoint)
  std::string state = {};
};

class PageIndex {
 public:
  // As SessionEntry has them: what all of it rests on.
  std::map<Place, Fingerprint> files = {};
  std::int64_t looked_ns = 0;
  std::vector<PlacedFinding> findings = {};
  Place log = {};             // that every message comes from
  std::uint64_t reading = 0;  // which of the layout's readings of that log tells the messages, from 0
  std::vector<PageCheckpoint> checkpoints = {};
  // The list is all that the log tells, each message following the one before it; and
  // how to go on when the log has grown. nullopt: it has to be read whole then.
  std::optional<LogTrack> line = {};
  std::string last_id = {};  // of the list's last message with one
  bool plain = false;        // its messages name none before them

  std::size_t size() const { return marks_.size() / kMark; }
  PageMark mark(std::size_t number) const;
  void add(const PageMark& mark);
  void cut(std::size_t count) { marks_.resize(count * kMark); }
  // The number behind the message of that name, looked for first where it was before.
  std::optional<std::size_t> behind(std::uint64_t name, std::size_t before) const;
  // Nothing that it rests on has changed.
  bool is_fresh(const RootDirectories& roots) const;

  std::string pack() const;
  static std::optional<PageIndex> unpack(std::string_view packed);

 private:
  static constexpr std::size_t kMark = 24;  // bytes
  std::string marks_;
};

// The file of one session's lists; `variant` tells apart what of it is listed.
class PageFile {
 public:
  // `cache` as FrameFile.
  PageFile(FileSystem& file_system, const std::string& cache, const std::string& store, const SessionKey& session);
  std::optional<PageIndex> load(std::string_view variant) const;
  void save(std::string_view variant, const PageIndex& index) const;

 private:
  FileSystem& file_system_;
  std::string cache_, name_, head_;
};

}  // namespace holdfast::inline v1
