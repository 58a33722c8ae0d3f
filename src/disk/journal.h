// The redo journal of a root: one file in its side folder, overwritten in place
// by each commit. Grammar, worked example and recovery rules:
// docs/formats/journal.md. All functions require the root's lock unless they
// say otherwise.
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

// One change, described so that it can be applied any number of times.
struct JournalStep {
  StepKind kind = StepKind::put;
  std::size_t root = 0;  // index into Journal::roots
  std::string path;
  Revision before;                 // what the name held (see name_revision)
  Revision after;                  // what it will hold
  std::string staged;              // put: path of the new version, staged in the root
  std::string target;              // symlink: what it points to
  LogMode mode = LogMode::ours;    // append
  std::uint64_t from = 0;          // append: none of our lines is before this offset
  std::vector<std::string> lines;  // append
};

struct Journal {
  std::string transaction;
  std::vector<JournalRoot> roots;  // the first is the root that contains the journal
  std::vector<JournalStep> changes;
  std::optional<JournalRoot> home;  // this is only a pointer: the journal is in that root
};

enum class JournalState {
  none,     // no file, or an empty one
  applied,  // done: everything in it is durable, and so is this mark
  closing,  // done, but this mark may not be durable: its writer died during the sync, or the power failed after it
  pending,  // must be carried out
  undoing,  // must be undone: decided, because it could not be carried out completely
  damaged,  // torn or corrupted: either never acknowledged, or already done
};

struct JournalRead {
  JournalState state = JournalState::none;
  Journal journal;
};

// May be called without the lock; the answer is a snapshot.
Result<JournalRead> read_journal(Root& root);

// True unless the journal is absent or applied. Reads only the header. May be
// called without the lock.
bool commit_pending(Root& root);

// Durable on return. After an error, the file holds the old journal or nothing valid.
Result<void> write_pending(Root& root, const Journal& journal);

// Durable on return if `sync`. Until then other processes see `closing`.
Result<void> write_applied(Root& root, std::string_view transaction, bool sync);

// Records that the commit in the journal will be undone, not finished. Durable
// on return; after an error, recovery may find either state.
Result<void> write_undo(Root& root, const Journal& journal);

// Finishes the commit in the journal, if any, and ensures that no power loss brings it back, even if a sync failed
// before. Call this before a document may return to the version that it had before a commit. Takes the root's lock.
Result<void> renew_journal(const Context& context, Root& root);

// Marks the commit in the journal as done. Durable on return unless `sync` is
// false (only mutants pass that), even if the sync of an earlier attempt failed.
Result<void> close_journal(Root& root, std::string_view transaction, bool sync = true);

// Call after write_pending failed. Invalidates the journal durably; the next journal
// starts in a new file, because a second sync of the old one cannot be trusted (I-7).
Result<void> take_back(Root& root, std::string_view transaction);

// Returns kAbsent, the hash of a file's bytes, or "link:TARGET" for a symbolic
// link. Fails with unsafe_path for anything else.
Result<Revision> name_revision(Root& root, std::string_view path);

}  // namespace holdfast::inline v1
