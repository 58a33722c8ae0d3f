// What is deleted for good leaves nothing in the side folder: backups of its documents, files that its logs have
// replaced, its bytes in quarantine and its cleared logs go too. So do the backups of documents that the deletion
// changed, because their previous versions (an index) tell of what was deleted.
//
// Crash-safety: what is to be deleted is noted before anything goes, and the copies go once the deletion is durable.
// Whoever takes the sessions lock next finishes what a crash interrupted (settle_deletions). A copy of a file that is
// in its place is never removed.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "layout/change.h"
#include "store/trash_folder.h"

namespace holdfast::inline v1 {

struct DeletedFiles {
  std::set<Place> files;    // single files, also those below `trees`
  std::set<Place> trees;    // directories, with everything that ever was in them
  std::set<Place> former;   // files that were gone before, and belong to what is deleted
  std::set<Place> changed;  // documents that were replaced
  std::set<std::string> sessions;
};

// One deletion. Requires the exclusive sessions lock from before note() until after end().
class Deletion {
 public:
  explicit Deletion(FileStore& engine) : engine_(engine) {}

  // For the plan, in this order; a plan that is made again begins again.
  void begin() {
    deleted_ = {};
    leaves_copies_ = false;
  }
  void add_session(const std::string& id) { deleted_.sessions.insert(id); }
  void add_former(std::span<const Place> files) { deleted_.former.insert(files.begin(), files.end()); }
  Result<void> add(const Changes& changes);
  // Durable on return, unless nothing can be left, or the medium refuses: a full disk does not prevent a deletion.
  Result<void> note(const Context& context);

  // Call with the result of the change, and return what this returns: unfinished if a copy could not be removed yet.
  Result<void> end(const Context& context, Result<void> done);

 private:
  FileStore& engine_;
  DeletedFiles deleted_;
  bool leaves_copies_ = false;
  std::string note_;
};

// Finishes deletions that were interrupted. What cannot be done now is left to the next caller. Requires the exclusive
// sessions lock, and that no move to or from the trash is unfinished.
void settle_deletions(const Context& context, FileStore& engine);

// For a session in the trash that is about to be deleted. Requires the exclusive sessions lock.
Result<void> drop_copies_of_trashed(const Context& context, FileStore& engine, const TrashFolder& found);

}  // namespace holdfast::inline v1
