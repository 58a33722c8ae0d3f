// Follows one session: what it says, each message once and in order, and then what is
// said since; of a message that is completed later, what was added. A log that only grows is read from its last line
// on; anything else (documents, databases, logs whose records change earlier messages) is read again, but only when one
// of its files has changed. A log that was cut or replaced is begun anew, without what was told before. Thread-safety:
// one thread a follower.
#pragma once

#include <holdfast/store.h>
#include <holdfast/watch.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "index/page_index.h"
#include "store/file_store.h"
#include "store/told_blocks.h"

namespace holdfast::inline v1 {

struct Followed {
  enum class Kind {
    message,   // said since
    changed,   // a message that was told says something else by now
    restarted  // the session was cut or replaced; what follows was not told before
  };
  Kind kind = Kind::message;
  Message message = {};           // whole; its ordinal is its number among all messages of the session's own files
  std::vector<Block> added = {};  // blocks, and rests of blocks, that were not told before
  std::size_t messages = 0;       // restarted: how many the session has now
};

class SessionFollower {
 public:
  // `id` as Store::read takes it.
  static Result<SessionFollower> open(const Context& context, std::shared_ptr<FileStore> store, std::string_view id);

  const std::string& id() const { return ref_.id; }

  // The first time the last `count` messages, then what has come about since.
  // not_found while the session is gone; it may come back.
  Result<std::vector<Followed>> look(const Context& context, std::size_t count);

  // Until there may be something new. What comes about between open() and here counts.
  Result<void> wait(const Context& context);

 private:
  // Where reading goes on.
  struct Resume {
    std::uint64_t offset = 0;  // of a line
    std::string state = {};    // of the layout
    std::size_t count = 0;     // messages that were told before it
  };
  struct Log {
    Place place;
    std::uint64_t reading = 0;
    std::uint64_t inode = 0;
    Resume resume;
    std::uint64_t before = 0;  // hash of the bytes right before `resume.offset`
  };

  SessionFollower(std::shared_ptr<FileStore> store, SessionRef ref, Watch watch)
      : store_(std::move(store)), ref_(std::move(ref)), watch_(std::move(watch)) {}

  bool is_unchanged() const;
  // The messages from `begin` on.
  struct Told;
  Result<Told> read_from(const Context& context, const Resume* begin);
  bool can_go_on() const;
  void remember(const Told& told);
  // Goes on where `told` begins; nullopt: it does not follow what was told.
  std::optional<std::vector<Followed>> go_on(Told& told, std::size_t from);
  // nullopt: it is being rewritten.
  std::optional<std::vector<Followed>> compare(Told& told);
  Followed take(Message message, std::uint64_t key);

  std::shared_ptr<FileStore> store_;
  SessionRef ref_;
  Watch watch_;
  bool begun_ = false;
  std::map<Place, Fingerprint> files_;
  std::int64_t looked_ns_ = 0;
  struct Mark {
    std::uint64_t key = 0;   // what it is known by: its id, or its place
    std::uint64_t said = 0;  // said_hash
    std::uint64_t name = 0;  // name_hash
  };
  std::vector<Mark> told_;
  ToldBlocks blocks_;
  std::unordered_map<std::uint64_t, std::size_t> earlier_;  // told before it was begun anew, and not met again yet
  std::optional<Log> log_;                                  // nullopt: read again
};

}  // namespace holdfast::inline v1
