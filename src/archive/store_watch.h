// The files of stores as they change, so that the archive takes what is new before it is gone: a file that has changed
// is held open until it has been captured, and can be read when its agent removes it meanwhile.
// Thread-safety: one thread an object. Lifetime: holds no store, only paths and open files.
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

  // Watches the directories below `root` in which a session of that layout may begin, also where there is none yet.
  // Before what is there is captured, so that nothing comes in between.
  void expect(FileSystem& files, const Layout& layout, const std::string& root);
  // Watches the store's directories in which the archive knows a file, and those above them. There are limits on how
  // many can be watched: what cannot be is left to the next look.
  void add(const FileStore& store, const CaptureState& state);

  // Until something has changed and `quiet` has passed without more, or `longest` since; or `every` has passed.
  struct Pace {
    std::chrono::nanoseconds quiet = std::chrono::milliseconds(300);
    std::chrono::nanoseconds longest = std::chrono::seconds(2);
    std::chrono::nanoseconds every = std::chrono::minutes(1);
  };
  Result<void> wait(const Context& context, const Pace& pace);

  // The file that was there when it changed last; nullptr: it is not held.
  File* held(const std::string& path) const;

 private:
  explicit StoreWatch(Watch watch) : watch_(std::move(watch)) {}
  void watch(const std::string& directory);
  void expect_below(Directory& root, const std::string& folder, std::string_view pattern);
  void hold(const std::string& path);

  Watch watch_;
  std::unordered_set<std::string> watched_;
  std::map<std::string, std::unique_ptr<Directory>> roots_;  // by path
  struct Held {
    std::string path;
    std::unique_ptr<File> file;
  };
  std::list<Held> held_;  // changed last first
  std::unordered_map<std::string, std::list<Held>::iterator> by_path_;
};

}  // namespace holdfast::inline v1
