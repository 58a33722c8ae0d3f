// Follows one session: reports each message once and in order, then what is added; for a message that is completed
// later, the added part. A log that only grows is read from its last line on; anything else (documents, databases, logs
// whose records change earlier messages) is read again, but only if one of its files has changed. If a log was cut or
// replaced, following restarts, without repeating what was reported before.
// Thread-safety: one thread per follower.
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
#include "store/reported_blocks.h"

namespace holdfast::inline v1 {

struct Followed {
  enum class Kind {
    message,   // a new message
    changed,   // a message that was reported has changed
    restarted  // the session was cut or replaced; the items after this were not reported before
  };
  Kind kind = Kind::message;
  Message message = {};           // complete; its ordinal counts all messages of the session's own files
  std::vector<Block> added = {};  // blocks, and parts of blocks, that were not reported before
  std::size_t messages = 0;       // restarted: number of messages in the session now
};

class SessionFollower {
 public:
  // `id` as in Store::read.
  static Result<SessionFollower> open(const Context& context, std::shared_ptr<FileStore> store, std::string_view id);

  const std::string& id() const { return ref_.id; }

  // The first call returns the last `count` messages, later calls what is new
  // since. Fails with not_found while the session is gone; it may come back.
  Result<std::vector<Followed>> look(const Context& context, std::size_t count);

  // Waits until there may be something new, while the session is gone for half a second at most. Anything that
  // happened since open() counts.
  Result<void> wait(const Context& context);

 private:
  // Where the next read starts.
  struct Resume {
    std::uint64_t offset = 0;  // start of a line
    std::string state = {};    // state of the layout
    std::size_t count = 0;     // messages reported before it
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

  // Watches the folder of ref_, again if it was removed or renamed.
  Result<void> watch_folder();
  Result<std::vector<Followed>> read_new(const Context& context, std::size_t count);
  bool is_unchanged() const;
  // What read_from found: the messages from `begin` on.
  struct Told;
  Result<Told> read_from(const Context& context, const Resume* begin);
  bool can_go_on() const;
  void remember(const Told& told);
  // Continues with `told`, whose first message has number `from`; nullopt if it does not continue what was reported.
  std::optional<std::vector<Followed>> go_on(Told& told, std::size_t from);
  // nullopt if the session is being rewritten.
  std::optional<std::vector<Followed>> compare(Told& told);
  Followed take(Message message, std::uint64_t key);
  struct Mark;
  // True if the message is the one of `old`, which got another id while it grew. It is then known by `key`.
  bool is_renamed(Mark& old, const Message& message, std::uint64_t key);

  std::shared_ptr<FileStore> store_;
  SessionRef ref_;
  Watch watch_;
  std::string folder_;  // what is watched; empty: nothing
  bool lost_ = false;   // its name may lead to another folder now
  bool gone_ = false;   // the last look found no session
  bool begun_ = false;
  std::map<Place, Fingerprint> files_;
  std::int64_t looked_ns_ = 0;
  struct Mark {
    std::uint64_t key = 0;    // identity: hash of its id, or of its place
    std::uint64_t said = 0;   // content_hash
    std::uint64_t name = 0;   // identity_hash
    std::uint64_t place = 0;  // its ordinal and role
  };
  std::vector<Mark> told_;
  ReportedBlocks blocks_;
  std::unordered_map<std::uint64_t, std::size_t> earlier_;  // reported before the restart and not seen again yet
  std::int64_t inherited_ = 0;                              // messages before a fork, in other files
  std::optional<Log> log_;                                  // nullopt: read everything again
};

}  // namespace holdfast::inline v1
