// Undoes changes that were refused halfway (I-11): remembers what was in their
// places before, and which names were moved.
// Thread-safety: one thread.
#pragma once

#include <holdfast/commit.h>

#include <optional>
#include <string>
#include <vector>

#include "layout/change.h"
#include "store/opened_roots.h"

namespace holdfast::inline v1 {

// Call after a rename: makes the new name durable before the old one is gone for good.
Result<void> sync_move(Root& root, std::string_view from, std::string_view to);

class ChangeUndo {
 public:
  // The state before a change is carried out.
  struct Before {
    const Change* change = nullptr;
    std::shared_ptr<Root> root;
    Revision revision;                 // as returned by name_revision
    std::optional<std::string> bytes;  // contents, for a document
  };
  static Result<Before> look(const Context& context, const OpenedRoots& roots, const Change& change);

  // Record what has been carried out so far.
  void replaced(Before before) { side_.push_back(std::move(before)); }
  void committed(std::vector<Before> before) { commit_ = std::move(before); }
  void moved(std::shared_ptr<Root> root, std::string from, std::string to) {
    moves_.push_back({std::move(root), std::move(from), std::move(to)});
  }

  // Undoes the moves, then the commit, then the replaced documents. Returns `cause`, or durability_unknown if something
  // could not be undone.
  Error take_back(const Context& context, Error cause) const;

 private:
  struct Move {
    std::shared_ptr<Root> root;
    std::string from, to;
  };
  Result<void> move_back() const;
  Result<void> commit_back(const Context& context) const;
  Result<void> replace_back(const Context& context) const;

  std::vector<Before> side_;
  std::vector<Before> commit_;
  std::vector<Move> moves_;
};

}  // namespace holdfast::inline v1
