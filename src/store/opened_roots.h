// The opened directories of one store: a Root for each named root that exists.
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
  // Fails with not_found, naming the root's purpose, if a required root is missing.
  static Result<OpenedRoots> open(const Context& context, FileSystem& file_system, const Layout& layout,
                                  const StoreOptions& options);

  const RootDirectories& directories() const { return directories_; }
  bool writable() const { return writable_; }
  // Fails with not_found if this store has no root of that name, or with the reason why an optional one could not be
  // opened.
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
