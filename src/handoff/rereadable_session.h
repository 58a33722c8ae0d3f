// A session that can be read several times, with the same messages each time: a
// hand-off first surveys it, then carries it. Thread-safety: one thread per object.
#pragma once

#include <holdfast/context.h>
#include <holdfast/store.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/hash.h"
#include "store/streamed_branch.h"

namespace holdfast::inline v1 {

class RereadableSession {
 public:
  virtual ~RereadableSession() = default;
  using Take = std::function<void(Message)>;
  // Passes the messages of the active branch. Returns false if they were not the active branch: then
  // discard them and call again. Fails with conflict if they differ from those of an earlier call.
  virtual Result<bool> tell(const Take& take) = 0;
  // Valid after tell(): the row of the session, and what could not be read.
  virtual const Session& session() const = 0;
  virtual const std::vector<Finding>& findings() const = 0;
  // Valid after tell(): what is not on the active branch. Empty for a session in memory, whose reader knows.
  virtual OffBranch off_branch() const { return {}; }
  // Valid after tell(): whether the last record is left out because it is not complete; it may still be being written.
  virtual bool ends_in_part() const { return false; }
};

// A session in memory; the transcript must outlive this object.
class RereadableTranscript final : public RereadableSession {
 public:
  explicit RereadableTranscript(const Transcript& transcript) : transcript_(transcript) {}
  Result<bool> tell(const Take& take) override;
  const Session& session() const override { return transcript_.session; }
  const std::vector<Finding>& findings() const override { return transcript_.findings; }

 private:
  const Transcript& transcript_;
};

// A session that is read each time and never held in memory, with its records and the bytes of its pictures.
// Messages appended after the first tell() are ignored. The store must outlive this object.
class RereadableStoreSession final : public RereadableSession {
 public:
  RereadableStoreSession(const Context& context, FileStore& store, SessionRef ref);
  Result<bool> tell(const Take& take) override;
  const Session& session() const override { return whole_ ? whole_->session : session_; }
  const std::vector<Finding>& findings() const override { return whole_ ? whole_->findings : findings_; }
  OffBranch off_branch() const override { return off_branch_; }
  bool ends_in_part() const override { return ends_in_part_; }

 private:
  const Context& context_;
  FileStore& store_;
  const SessionRef ref_;
  StreamedBranch branch_;
  Session session_;
  std::vector<Finding> findings_;
  OffBranch off_branch_;
  bool ends_in_part_ = false;
  std::optional<std::uint64_t> messages_;  // number of messages in the first tell()
  std::string fingerprint_;                // of their ids and offsets
  std::optional<Transcript> whole_;        // of a session that had to be read as a whole
};

}  // namespace holdfast::inline v1
