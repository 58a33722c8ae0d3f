// What a layout wants written. The engine makes all changes visible together or not at
// all. If the layout read a document through the same Feed and somebody has changed it
// since, the whole step is planned again.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "layout/place.h"

namespace holdfast::inline v1 {

enum class ChangeKind {
  put,          // replace or create a document
  create,       // a document that must not exist yet (already_exists)
  append,       // lines to a log
  remove,       // a document, if it exists
  remove_tree,  // a directory with everything in it, via the trash in the side folder
  move_tree,    // a directory with everything in it, or a file, to an unused name below the same root
  symlink,
};

struct Change {
  ChangeKind kind = ChangeKind::put;
  Place place;
  std::string bytes;               // content for put and create; target of symlink; destination of move_tree
  std::vector<std::string> lines;  // for append; for move_tree, a folder that moves along, and where to
  bool source = false;             // a file of the project, not of the store: its mode is kept (decision 24)
  bool derived = false;            // can be made again: no backup is kept of what it said before
};

class Changes {
 public:
  void put(Place place, std::string bytes) {
    list_.push_back({ChangeKind::put, std::move(place), std::move(bytes), {}});
  }
  // The same for a file of the project itself.
  void put_source(Place place, std::string bytes) {
    list_.push_back({ChangeKind::put, std::move(place), std::move(bytes), {}, true});
  }
  // The same for an index that is made from other files.
  void put_derived(Place place, std::string bytes) {
    list_.push_back({ChangeKind::put, std::move(place), std::move(bytes), {}, false, true});
  }
  void create(Place place, std::string bytes) {
    list_.push_back({ChangeKind::create, std::move(place), std::move(bytes), {}});
  }
  void append(Place place, std::vector<std::string> lines) {
    list_.push_back({ChangeKind::append, std::move(place), {}, std::move(lines)});
  }
  void remove(Place place) { list_.push_back({ChangeKind::remove, std::move(place), {}, {}}); }
  void remove_tree(Place place) { list_.push_back({ChangeKind::remove_tree, std::move(place), {}, {}}); }
  void move_tree(Place place, std::string to) {
    list_.push_back({ChangeKind::move_tree, std::move(place), std::move(to), {}});
  }
  void symlink(Place place, std::string target) {
    list_.push_back({ChangeKind::symlink, std::move(place), std::move(target), {}});
  }
  void add(Change change) { list_.push_back(std::move(change)); }
  void add(Changes other) {
    for (Change& change : other.list_) list_.push_back(std::move(change));
  }

  const std::vector<Change>& list() const { return list_; }
  bool empty() const { return list_.empty(); }

 private:
  std::vector<Change> list_;
};

}  // namespace holdfast::inline v1
