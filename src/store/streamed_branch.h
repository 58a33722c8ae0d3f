// Reports the messages of one branch of a session while the session is read: keeps
// only what is needed next. If the layout cannot tell at once what is on the
// active branch, a cheap first pass finds out (branch_plan.h).
// Thread-safety: one thread per object. Lifetime: the store must outlive it.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "layout/layout.h"
#include "store/branch_plan.h"
#include "store/file_store.h"
#include "store/off_branch.h"

namespace holdfast::inline v1 {

class BranchListener {
 public:
  virtual ~BranchListener() = default;
  // Called once, before the first message, with the id, layout, title, first prompt, project and start of the
  // session, as far as they are known without reading to the end; for a session in the index, with its row.
  virtual void begin(const Session& known) = 0;
  // The message has its ordinal. Return false to stop.
  virtual bool message(Message message) = 0;
};

class StreamedBranch {
 public:
  // `query.last` is ignored.
  StreamedBranch(const Context& context, FileStore& store, SessionRef ref, TranscriptQuery query)
      : context_(context), store_(store), ref_(std::move(ref)), query_(std::move(query)) {}

  // Call before tell(): only these messages, by their ordinals, and the results of their calls are needed in full.
  void need_only(std::int64_t from, std::int64_t to) { window_ = {from, to}; }

  enum class End {
    told,      // everything was reported
    unwanted,  // the listener stopped
    lost,      // the messages reported may not be the branch: use read(). None was reported if no cheap pass can tell
  };
  Result<End> tell(BranchListener& listener);

  // After End::told: the row as read() returns it, and the damage found.
  const Session& session() const { return session_; }
  const std::vector<Finding>& findings() const { return findings_; }
  // After End::told: what the session contains besides the branch.
  const OffBranch& off_branch() const { return off_branch_; }
  // After End::told: whether the last record is not whole and was left out, and may still be being written: then it is
  // no finding.
  bool ends_in_part() const { return ends_in_part_; }

  // What is on the branch; reads the session, once. nullptr if no cheap pass can tell.
  const BranchPlan* sight();

 private:
  Result<bool> plan();
  bool is_known_at_once() const;
  std::vector<bool> needed() const;

  const Context& context_;
  FileStore& store_;
  SessionRef ref_;
  TranscriptQuery query_;
  std::optional<std::pair<std::int64_t, std::int64_t>> window_;
  bool planned_ = false;
  std::optional<BranchPlan> plan_;
  Session session_;
  std::vector<Finding> findings_;
  OffBranch off_branch_;
  bool ends_in_part_ = false;
};

}  // namespace holdfast::inline v1
