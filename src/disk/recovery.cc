#include "disk/recovery.h"

#include <utility>

#include "disk/apply.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

// A root of the journal other than its own: no lock, no recovery of its own.
// While our journal is pending nobody changes anything there (I-13).
Result<std::shared_ptr<Root>> attach(const Context& context, FileSystem& file_system, const JournalRoot& where) {
  RootOptions options;
  options.side = where.side;
  options.write = false;
  return Root::open(context, file_system, where.path, std::move(options));
}

Result<void> redo(const Context& context, Root& root, const Journal& journal, std::vector<Finding>& findings) {
  std::vector<std::shared_ptr<Root>> roots{root.shared_from_this()};
  for (std::size_t i = 1; i < journal.roots.size(); ++i) {
    HOLDFAST_LET(other, attach(context, root.file_system(), journal.roots[i]));
    roots.push_back(std::move(other));
  }
  OpenLogs logs;
  HOLDFAST_TRY(apply_journal(context, journal, roots, logs, findings));
  return write_applied(root, journal.transaction, true);
}

Result<void> discard(const Context& context, Root& root, const JournalRead& read, std::vector<Finding>& findings) {
  Finding finding{root.side("journal"), 0, read.bytes.size(), "journal",
                  "an unfinished commit journal was set aside; its commit was never acknowledged", {}};
  // A copy is good to have, but the journal holds nothing that was promised.
  if (auto moved = root.quarantine(context, finding.path, 0, read.bytes, "journal")) finding.moved_to = *moved;
  findings.push_back(std::move(finding));
  return write_applied(root, std::string(12, '0'), true);
}

// A pointer counts only while the journal that it points to is pending with the
// same transaction.
Result<bool> pending_at_home(const Context& context, Root& root, const Journal& pointer) {
  auto home = attach(context, root.file_system(), *pointer.home);
  if (!home) return home.error().code == Code::not_found ? Result<bool>(false) : fail(std::move(home).error());
  HOLDFAST_LET(read, read_journal(**home));
  return read.state == JournalState::pending && read.journal.transaction == pointer.transaction;
}

}  // namespace

Result<std::optional<JournalRoot>> recover_commit(const Context& context, Root& root, std::vector<Finding>& findings) {
  HOLDFAST_LET(read, read_journal(root));
  switch (read.state) {
    case JournalState::none:
    case JournalState::applied: return std::nullopt;
    case JournalState::damaged: HOLDFAST_TRY(discard(context, root, read, findings)); return std::nullopt;
    case JournalState::pending: break;
  }
  if (!read.journal.home) {
    HOLDFAST_TRY(redo(context, root, read.journal, findings));
    return std::nullopt;
  }
  HOLDFAST_LET(pending, pending_at_home(context, root, read.journal));
  if (pending) return std::optional(*read.journal.home);
  HOLDFAST_TRY(write_applied(root, read.journal.transaction, true));
  return std::nullopt;
}

Result<void> recover_home(const Context& context, Root& root, const JournalRoot& home) {
  RootOptions options;
  options.side = home.side;
  options.allow_network = root.options().allow_network;
  HOLDFAST_LET(other, Root::open(context, root.file_system(), home.path, std::move(options)));
  HOLDFAST_LET(held, other->lock(context));  // recovers, or says why it cannot
  return {};
}

}  // namespace holdfast::inline v1
