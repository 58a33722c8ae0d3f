// A session that can be told again and again, the same each time: a hand-off first
// finds out what there is, then carries it. Thread-safety: one thread an object.
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

class ToldSession {
 public:
  virtual ~ToldSession() = default;
  using Take = std::function<void(Message)>;
  // The messages of the active branch. False: what was told is not what there is; telling it once more is.
  // conflict: it is not what was told before.
  virtual Result<bool> tell(const Take& take) = 0;
  // After it was told: its row, and what of it could not be read.
  virtual const Session& session() const = 0;
  virtual const std::vector<Finding>& findings() const = 0;
  // The same: what it has beside the active branch. Of one that is in memory, who read it knows.
  virtual OffBranch off_branch() const { return {}; }
};

// One that is in memory, and outlives this.
class ToldTranscript final : public ToldSession {
 public:
  explicit ToldTranscript(const Transcript& transcript) : transcript_(transcript) {}
  Result<bool> tell(const Take& take) override;
  const Session& session() const override { return transcript_.session; }
  const std::vector<Finding>& findings() const override { return transcript_.findings; }

 private:
  const Transcript& transcript_;
};

// One that is read each time and never held, with its records and the bytes of its pictures. What is added to it
// after it was told first is not told. The store outlives this.
class ToldFromStore final : public ToldSession {
 public:
  ToldFromStore(const Context& context, FileStore& store, SessionRef ref);
  Result<bool> tell(const Take& take) override;
  const Session& session() const override { return whole_ ? whole_->session : session_; }
  const std::vector<Finding>& findings() const override { return whole_ ? whole_->findings : findings_; }
  OffBranch off_branch() const override { return off_branch_; }

 private:
  const Context& context_;
  FileStore& store_;
  const SessionRef ref_;
  StreamedBranch branch_;
  Session session_;
  std::vector<Finding> findings_;
  OffBranch off_branch_;
  std::optional<std::uint64_t> messages_;  // told the first time
  std::string fingerprint_;                // of which ones
  std::optional<Transcript> whole_;        // of a session that takes a whole reading
};

}  // namespace holdfast::inline v1
