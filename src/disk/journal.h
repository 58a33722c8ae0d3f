// The redo journal of a root: one file in its side folder, overwritten in place
// by each commit. Grammar, worked example and recovery rules:
// docs/formats/journal.md. All functions: only under the root's lock, except
// where they say otherwise.
#pragma once

#include <holdfast/commit.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct JournalRoot {
  std::string path;  // absolute
  std::string side;
};

enum class StepKind { put, remove, append, symlink };

// One change, described so that it can be done any number of times.
struct JournalStep {
  StepKind kind = StepKind::put;
  std::size_t root = 0;  // index into Journal::roots
  std::string path;
  Revision before;                 // what the name held (see name_revision)
  Revision after;                  // what it will hold
  std::string staged;              // put: the new version, beside its place
  std::string target;              // symlink
  LogMode mode = LogMode::ours;    // append
  std::uint64_t from = 0;          // append: our lines are nowhere before this offset
  std::vector<std::string> lines;  // append
};

struct Journal {
  std::string transaction;
  std::vector<JournalRoot> roots;  // the first is the one that the journal lies in
  std::vector<JournalStep> changes;
  std::optional<JournalRoot> home;  // a pointer only: the journal lies there
};

enum class JournalState {
  none,     // no file, or nothing in it
  applied,  // done: everything it said is durable, and this mark too
  closing,  // done, but perhaps this mark is not durable: its writer died over the sync, or the power failed after it
  pending,  // to be done
  undoing,  // to be taken back: decided, because it could not be done whole
  damaged,  // half written, or flipped: was never acknowledged, or was done
};

struct JournalRead {
  JournalState state = JournalState::none;
  Journal journal;
};

// May be called without the lock: the state of one moment.
Result<JournalRead> read_journal(Root& root);

// True unless the journal is absent or applied; looks at the header only.
// Without the lock too.
bool commit_pending(Root& root);

// Durable when it returns. On an error the old journal or nothing valid is there.
Result<void> write_pending(Root& root, const Journal& journal);

// Durable when it returns, with `sync`. Until then others see `closing`.
Result<void> write_applied(Root& root, std::string_view transaction, bool sync);

// The commit that the journal holds will be taken back, not finished. Durable
// when it returns; on an error either may be found.
Result<void> write_undo(Root& root, const Journal& journal);

// Ends what is in the journal, and makes sure that no power loss brings it back, whatever sync has failed before: for
// what may bring a document back to what it was before a commit. Takes the root's lock.
Result<void> renew_journal(const Context& context, Root& root);

// Nothing is left to do for the commit in the journal. Durable when it returns
// (unless a mutant says no), also when the sync of an earlier attempt failed.
Result<void> close_journal(Root& root, std::string_view transaction, bool sync = true);

// After write_pending failed: the journal counts for nothing, durably, and the
// next one begins with a new file, because a second sync could lie (I-7).
Result<void> take_back(Root& root, std::string_view transaction);

// Of whatever is at the name: kAbsent, the hash of a file's bytes, or
// "link:TARGET" for a symbolic link. unsafe_path for anything else.
Result<Revision> name_revision(Root& root, std::string_view path);

}  // namespace holdfast::inline v1
