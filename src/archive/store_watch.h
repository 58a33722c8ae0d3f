// Watches the files of stores, so the archive captures new data before it is gone: a changed file is held
// open until it has been captured, and can be read even if its agent removes it meanwhile.
// Thread-safety: one thread per object. Lifetime: holds no store, only paths and open files.
#pragma once

#include <holdfast/watch.h>

#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "archive/archive.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

class StoreWatch {
 public:
  static Result<StoreWatch> create();

  // Watches the directories below `root` in which a session of that layout may appear, also if there is none
  // yet. Must be called before the store is captured, so that no change falls in between. A directory that is removed,
  // renamed or replaced later, `root` included, is watched again as soon as there is one of that name.
  void expect(FileSystem& files, const Layout& layout, const std::string& root);
  // Watches the store's directories in which the archive knows a file, and their parents. The number of
  // watches is limited; changes in the other directories are found by the next run.
  void add(const FileStore& store, const CaptureState& state);

  // wait() returns when something changed and `quiet` has passed without more, or `longest` in total; or after `every`.
  struct Pace {
    std::chrono::nanoseconds quiet = std::chrono::seconds(1);
    std::chrono::nanoseconds longest = std::chrono::seconds(2);
    std::chrono::nanoseconds every = std::chrono::minutes(1);
  };
  Result<void> wait(const Context& context, const Pace& pace);

  // The file that was at `path` when it last changed; nullptr if it is not held.
  File* held(const std::string& path) const;

 private:
  explicit StoreWatch(Watch watch) : watch_(std::move(watch)) {}
  void watch(const std::string& directory);
  void watch_again(std::string_view directory);
  bool take(const Changed& changed);
  void expect_below(Directory& root, const std::string& folder, std::string_view pattern);
  void hold(const std::string& path);

  Watch watch_;
  std::unordered_set<std::string> watched_;
  std::unordered_set<std::string> lost_;                     // were watched, and do not exist now
  std::unordered_set<std::string> parents_;                  // of roots: only the roots in them matter
  std::map<std::string, std::unique_ptr<Directory>> roots_;  // by path
  struct Held {
    std::string path;
    std::unique_ptr<File> file;
  };
  std::list<Held> held_;  // most recently changed first
  std::unordered_map<std::string, std::list<Held>::iterator> by_path_;
};

}  // namespace holdfast::inline v1
