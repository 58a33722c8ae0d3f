// Where the messages of one session's list are in its log, so a page is read at the cost
// of the page (docs/formats/index.md). One derived file per session in the cache
// directory: without it, or if any byte of it is wrong, the session is read completely and
// the file is made again. It holds no text, only the offset and hashes of each message.
// Thread-safety: plain values; the functions one thread per file.
#pragma once

#include <holdfast/document.h>
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
  bool abandoned = false;    // as in the whole session; its record may not show it
  std::uint64_t said = 0;    // content_hash, or xxh3_64 of the record (LayoutTraits::one_record_each)
  std::uint64_t name = 0;    // identity_hash
  std::int64_t ordinal = 0;  // among all messages of the same reading; greater than those before it in the list

  bool operator==(const PageMark&) const = default;
};

// Hash of everything in the message, wherever it is.
std::uint64_t content_hash(const Message& message);
// Hash of what identifies the message when more is added after it: its id, or its contents.
std::uint64_t identity_hash(const Message& message);

PageMark mark_of(const Message& message, std::uint64_t said);
inline PageMark mark_of(const Message& message) { return mark_of(message, content_hash(message)); }

struct PageCheckpoint {
  std::uint64_t offset = 0;  // of a record (Events::checkpoint)
  std::string state = {};
};

class PageIndex {
 public:
  // What the index depends on, as in SessionEntry.
  std::map<Place, Fingerprint> files = {};
  std::int64_t looked_ns = 0;
  // Of those documents that were too young to be trusted by their times.
  std::map<Place, Revision> young = {};
  std::vector<PlacedFinding> findings = {};
  Place log = {};             // the log that contains every message
  std::uint64_t reading = 0;  // which of the layout's reads of that log reports the messages, from 0
  std::vector<PageCheckpoint> checkpoints = {};
  // How to continue when the log has grown. Set if the list contains everything in the log, each
  // message following the one before it; nullopt if the session must be read completely then.
  std::optional<LogTrack> line = {};
  std::string last_id = {};  // of the last message that has an id
  bool plain = false;        // its messages have no parents

  std::size_t size() const { return marks_.size() / kMark; }
  PageMark mark(std::size_t number) const;
  void add(const PageMark& mark);
  void cut(std::size_t count);
  // The number after the message of that name; looks first where it was before.
  std::optional<std::size_t> behind(std::uint64_t name, std::size_t before) const;
  // The number of the first message with that ordinal or a greater one.
  std::size_t at_ordinal(std::int64_t ordinal) const;
  // True if the document has the times and the contents that it had.
  bool is_same_document(const RootDirectories& roots, const Place& place) const;
  // True if nothing that the index depends on has changed.
  bool is_fresh(const RootDirectories& roots) const;

  std::string pack() const;
  static std::optional<PageIndex> unpack(std::string_view packed);

 private:
  std::int64_t ordinal_at(std::size_t number) const;

  static constexpr std::size_t kMark = 24;  // bytes
  // Ordinals count up from 0, except where one follows another message's by more than 1.
  struct Gap {
    std::uint64_t number = 0;  // of the message after it
    std::int64_t ordinal = 0;  // its ordinal
  };
  std::string marks_;
  std::vector<Gap> gaps_;
};

// The file of one session's lists; `variant` names the list.
class PageFile {
 public:
  // `cache` as in FrameFile.
  PageFile(FileSystem& file_system, const std::string& cache, const std::string& store, const SessionKey& session);
  std::optional<PageIndex> load(std::string_view variant) const;
  void save(std::string_view variant, const PageIndex& index) const;

 private:
  FileSystem& file_system_;
  std::string cache_, name_, head_;
};

}  // namespace holdfast::inline v1
