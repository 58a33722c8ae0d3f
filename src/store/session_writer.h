// A session open for writing: the log, the line_writer and, when wished, the lease.
// Thread-safety: any thread; appends of several threads are synced together. close()
// waits for appends that have begun, and later ones are refused.
#pragma once

#include <holdfast/store.h>

#include <atomic>
#include <cstdint>
#include <optional>

#include "base/gate.h"
#include "layout/change.h"
#include "layout/writable_layout.h"
#include "store/file_store.h"
#include "store/known_ids.h"

namespace holdfast::inline v1 {

class FileSessionWriter final : public SessionWriter {
 public:
  static Result<std::unique_ptr<SessionWriter>> open(const Context& context, std::shared_ptr<FileStore> store,
                                                     SessionRef ref, const WriterOptions& options);
  ~FileSessionWriter() override;

  const std::string& id() const override { return ref_.id; }
  Result<AppendedMessage> append(const Context& context, const Message& draft, Durability durability) override;
  Result<AppendedMessage> append_raw(const Context& context, std::string_view line, Durability durability) override;
  Result<void> close(const Context& context) override;

 private:
  FileSessionWriter(std::shared_ptr<FileStore> store, SessionRef ref)
      : store_(std::move(store)), ref_(std::move(ref)) {}

  // A line, and what it only refers to.
  struct Saying {
    Changes beside;
    std::vector<Place> refers_to = {};  // what must be there already
    bool after_last = false;
    bool follows = false;                                          // what the log says, as it names no parent itself
    std::function<Result<Spelling>(std::string_view last)> spell;  // line_writer_mutex_ is held
  };
  Result<AppendedMessage> put(const Context& context, const Saying& saying, Durability durability);
  Result<AppendedMessage> put_now(const Context& context, const Saying& saying, Durability durability);
  Result<void> lay(const Context& context, const Changes& beside) const;
  // What of its messages is to be hidden, as of now.
  Result<RedactOptions> redaction(const Context& context) const;
  // A message that is a file of its own.
  Result<AppendedMessage> put_file(const Context& context, const FileStore::SpellMessage& spell);
  Result<void> check_lease() const;
  // The last record as readers see it, where the log ends in something else than `last`: a record that is glued to
  // half a line is known by its layout only. For one that `follows`, also where `last` does not tell the end of the
  // conversation. Under the log's lock.
  std::optional<std::string> last_as_read(const Context& context, std::string_view last, bool follows) const;
  bool begun() const;  // something is in the log
  Error was_closed() const;
  // Whether the draft says its id or what it follows: only then the ids of the log matter.
  static bool names(const Message& draft);
  Result<void> check_files(const std::vector<Place>& files) const;
  Result<void> check_names(const Context& context, const Message& draft);
  Result<std::unique_ptr<AppendLog>> open_log(const Context& context, const std::shared_ptr<Root>& root,
                                              const std::string& path, LogOptions options) const;

  std::shared_ptr<FileStore> store_;
  SessionRef ref_;
  Gate gate_{LockRank::session};  // appends go through it; log_ and lease_ stay while one is inside
  std::string thread_;            // whose privacy counts; empty: only the store's switches do
  Mutex line_writer_mutex_{LockRank::line_writer};
  std::unique_ptr<LineWriter> line_writer_;  // spells under line_writer_mutex_
  KnownIds known_;             // guarded by line_writer_mutex_; read once a message names itself or its parent
  std::optional<Error> mute_;  // the session has no messages (lopen), but an owner all the same
  std::unique_ptr<AppendLog> log_;
  std::atomic<std::uint64_t> own_end_ = 0;  // of the log, behind what this writer wrote last
  std::optional<Lease> lease_;
};

}  // namespace holdfast::inline v1
