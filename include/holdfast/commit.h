// Several changes in one or more roots that become visible together or not at
// all, across a crash at any point. "All or none" holds after recovery, which
// runs at the next Root::open; a program that reads the files meanwhile may see
// an intermediate state (decision 4). Format and recovery rules:
// docs/formats/journal.md.
// Thread-safety: one thread a Commit; any number of commits at a time.
#pragma once

#include <holdfast/append_log.h>
#include <holdfast/document.h>
#include <holdfast/export.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct CommitResult {
  std::vector<Revision> revisions;  // of each put, in order
};

class HOLDFAST_EXPORT Commit {
 public:
  // The journal lies in the first root.
  explicit Commit(std::shared_ptr<Root> home);
  ~Commit();

  // Replaces or creates a document; `mode` as in ReplaceOptions.
  void put(std::shared_ptr<Root> root, std::string path, std::string bytes, std::optional<Revision> expected = {},
           std::uint32_t mode = 0600);
  // Removes a document or a symbolic link.
  void remove(std::shared_ptr<Root> root, std::string path, std::optional<Revision> expected = {});
  // Appends lines to a log. Each line must be unlike any other that the log
  // will ever hold (an id or a time in it): recovery looks for it (I-12).
  void append(std::shared_ptr<Root> root, std::string path, std::vector<std::string> records,
              LogMode mode = LogMode::ours);
  // Sets a symbolic link, replacing one that is there.
  void symlink(std::shared_ptr<Root> root, std::string path, std::string target);

  // Does it all, durably (power). conflict: an expected revision did not hold,
  // nothing was changed (or somebody else changed a file meanwhile; the message
  // says so). unfinished: it is committed, and the next one who takes the lock
  // does the rest; do not repeat it. durability_unknown: it may or may not be
  // there later. Any other error: nothing was changed, or what was has been taken
  // back, and it will not be carried out later (I-11).
  Result<CommitResult> run(const Context& context);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast::inline v1
