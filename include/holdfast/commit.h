// Several changes in one or more roots that become visible together or not at
// all, across a crash at any point. "All or none" holds after recovery, which
// runs at the next Root::open; a program that reads the files before that may see
// an intermediate state (decision 4). Format and recovery rules:
// docs/formats/journal.md.
// Thread-safety: one thread per Commit; any number of commits at a time.
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
  // The journal is kept in `home`.
  explicit Commit(std::shared_ptr<Root> home);
  ~Commit();

  // Replaces or creates a document; `mode` as in ReplaceOptions.
  void put(std::shared_ptr<Root> root, std::string path, std::string bytes, std::optional<Revision> expected = {},
           std::uint32_t mode = 0600);
  // Removes a document or a symbolic link.
  void remove(std::shared_ptr<Root> root, std::string path, std::optional<Revision> expected = {});
  // Appends lines to a log. Each line must differ from all others that the log will
  // ever contain (have an id or a time): recovery searches for the line (I-12).
  void append(std::shared_ptr<Root> root, std::string path, std::vector<std::string> records,
              LogMode mode = LogMode::ours);
  // Creates a symbolic link, or replaces an existing one.
  void symlink(std::shared_ptr<Root> root, std::string path, std::string target);

  // Makes all changes, durable (power) on return. Errors: conflict: an expected
  // revision did not match and nothing was changed (or another program changed a
  // file meanwhile; the message says so). unfinished: committed, and the next
  // owner of the lock does the rest; do not repeat it. durability_unknown: the
  // changes may or may not survive. Any other error: nothing was changed, or all
  // changes were undone; none of them will be made later (I-11).
  Result<CommitResult> run(const Context& context);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast::inline v1
