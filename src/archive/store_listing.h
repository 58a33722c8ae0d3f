// The directories of one store as one run sees them: each is listed once, with the states of its files, however many
// sessions have files in it. What changes later is for the next run. Lifetime: the store must outlive the object.
// Thread-safety: one thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "archive/capture.h"
#include "index/seen_files.h"
#include "layout/belongings.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

class StoreListing final : public FileNames {
 public:
  explicit StoreListing(FileStore& store) : store_(store), seen_(store.roots().directories()) {}

  // All sessions. Cheap after FileStore::rows, which looks for them, too. Adds what could not be read.
  Result<std::vector<SessionRef>> find(const Context& context, std::vector<Finding>& findings);

  Result<std::vector<FeedEntry>> list(const Place& directory, std::string_view begin) override;
  bool lacks(const Place& directory, std::string_view name) override;
  bool is_link(const Place& name) override;

  // Names that are neither files nor directories, such as FIFOs and links to nothing.
  const std::set<Place>& special() const { return special_; }
  // Directories that could not be listed, and are treated as empty.
  const std::set<Place>& unlisted() const { return unlisted_; }
  // False if the listings cannot tell.
  bool is_missing(const Place& file) const;
  bool is_unchanged(const Place& file, const FileVersion& last) const;
  // Whether it is there and something else, such as a link.
  bool is_no_folder(const Place& folder);

 private:
  std::optional<FileKind> kind_of(const Place& name);  // nullopt if it is missing

  FileStore& store_;
  SeenFiles seen_;
  std::set<Place> special_, unlisted_;
  std::map<Place, std::optional<FileKind>> kinds_;
};

}  // namespace holdfast::inline v1
