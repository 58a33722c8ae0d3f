// The messages of one branch of a session, told while the session is read: nothing
// of it is kept but what is told next. Where the layout does not say at once what
// is on the active branch, a cheap reading before finds out (branch_plan.h).
// Thread-safety: one thread an object. Lifetime: the store outlives it.
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
  // Once, before the first message: id, layout, title, first prompt, project and
  // beginning of the session, as far as they are known without its end; of a session that is in the index, its row.
  virtual void begin(const Session& known) = 0;
  // With its ordinal. False: no more is wanted.
  virtual bool message(Message message) = 0;
};

class StreamedBranch {
 public:
  // `query` without `last`.
  StreamedBranch(const Context& context, FileStore& store, SessionRef ref, TranscriptQuery query)
      : context_(context), store_(store), ref_(std::move(ref)), query_(std::move(query)) {}

  // Only these messages are needed whole, by their ordinals, and the results of their calls; before tell().
  void need_only(std::int64_t from, std::int64_t to) { window_ = {from, to}; }

  enum class End {
    told,      // all of it
    unwanted,  // the listener wanted no more
    lost,      // what was told may not be the branch: read() knows. Nothing was told when no cheap reading can know it
  };
  Result<End> tell(BranchListener& listener);

  // After End::told: the row as read() answers with it, and what is damaged.
  const Session& session() const { return session_; }
  const std::vector<Finding>& findings() const { return findings_; }
  // And what the session has beside the branch.
  const OffBranch& off_branch() const { return off_branch_; }

  // What is on the branch; reads the session, once. nullptr: no cheap reading knows.
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
};

}  // namespace holdfast::inline v1
