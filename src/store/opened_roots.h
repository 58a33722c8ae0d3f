// The directories of one store, opened: a Root for each named root that exists.
// Thread-safety: constant once opened.
#pragma once

#include <holdfast/root.h>
#include <holdfast/store.h>

#include <map>
#include <memory>
#include <string>

#include "index/directory_feed.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

class OpenedRoots {
 public:
  // not_found, with the root's meaning, when a required one is missing.
  static Result<OpenedRoots> open(const Context& context, FileSystem& file_system, const Layout& layout,
                                  const StoreOptions& options);

  const RootDirectories& directories() const { return directories_; }
  bool writable() const { return writable_; }
  // not_found when this store has none of that name; why one that is not required could not be opened.
  Result<std::shared_ptr<Root>> root(std::string_view name) const;
  const std::shared_ptr<Root>& first() const { return first_; }
  const std::map<std::string, std::shared_ptr<Root>, std::less<>>& all() const { return roots_; }

 private:
  bool writable_ = false;
  std::map<std::string, std::shared_ptr<Root>, std::less<>> roots_;
  std::map<std::string, Error, std::less<>> failed_;
  std::shared_ptr<Root> first_;
  RootDirectories directories_;
};

}  // namespace holdfast::inline v1
