// A session open for writing: the log, the line writer and, if requested, the lease.
// Thread-safety: any thread; appends of several threads are synced together. close()
// waits for appends that have begun, and later ones are refused.
#pragma once

#include <holdfast/store.h>

#include <atomic>
#include <chrono>
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
  // Writes and syncs what append() has only accepted (Durability::none). Does nothing once the writer is closed.
  Result<void> flush(const Context& context);

 private:
  FileSessionWriter(std::shared_ptr<FileStore> store, SessionRef ref)
      : store_(std::move(store)), ref_(std::move(ref)) {}

  // A line, and the files that it refers to.
  struct LineDraft {
    Changes beside;
    std::vector<Place> refers_to = {};  // files that must exist already
    bool after_last = false;
    bool follows = false;  // continues the end of the log, because it names no parent itself
    std::function<Result<Spelling>(std::string_view last)> spell;  // called with line_writer_mutex_ held
  };
  Result<AppendedMessage> put(const Context& context, const LineDraft& saying, Durability durability);
  Result<AppendedMessage> put_now(const Context& context, const LineDraft& saying, Durability durability);
  Result<void> lay(const Context& context, const Changes& beside) const;
  // What must be hidden in its messages, as of now.
  Result<RedactOptions> redaction(const Context& context) const;
  // Adds a message that is a file of its own.
  Result<AppendedMessage> put_file(const Context& context, const FileStore::FormatMessage& spell);
  Result<void> check_lease() const;
  // The last record as readers see it, if the log does not end in `last`: only the layout can recognize a record
  // glued to half a line. If `follows`, also if `last` does not show the end of the conversation. Requires the
  // log's lock.
  std::optional<std::string> last_as_read(const Context& context, std::string_view last, bool follows) const;
  bool begun() const;  // the log is not empty
  bool has_log() const;
  Error was_closed() const;
  // True if the draft gives its id or its parent: only then the ids in the log matter.
  static bool names(const Message& draft);
  Result<void> check_files(const std::vector<Place>& files) const;
  Result<void> check_names(const Context& context, const Message& draft);
  Result<std::unique_ptr<AppendLog>> open_log(const Context& context, const std::shared_ptr<Root>& root,
                                              const std::string& path, LogOptions options) const;

  std::shared_ptr<FileStore> store_;
  SessionRef ref_;
  std::chrono::system_clock::time_point opened_;
  Gate gate_{LockRank::session};  // appends pass through it; log_ and lease_ stay while one is inside
  std::string thread_;            // the thread whose privacy settings apply; empty: only the store's options do
  Mutex line_writer_mutex_{LockRank::line_writer};
  std::unique_ptr<LineWriter> line_writer_;  // used under line_writer_mutex_
  KnownIds known_;             // guarded by line_writer_mutex_; read when a message first gives its id or parent
  std::optional<Error> mute_;  // set if sessions have no messages (lopen), although they have an owner
  std::unique_ptr<AppendLog> log_;
  std::atomic<std::uint64_t> own_end_ = 0;  // end of this writer's last write in the log
  std::optional<Lease> lease_;
};

}  // namespace holdfast::inline v1
