// Presents captured sessions as files, so a layout opens a captured store like any
// other and all readers work unchanged. A store appears at ARCHIVE/@LAYOUT/STORE,
// where the archive itself has no files. These paths are read-only; every other path
// refers to the real file system. Bytes of damaged blocks are read as NULs (HasCopyGaps). Lifetime: the real file
// system must outlive the object; handles may outlive it. Thread-safety: any thread.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "archive/archive.h"
#include "disk/copies.h"

namespace holdfast::inline v1 {

// Which part of a store appears at a path.
enum class Shelf {
  listed,
  kept,  // copies that are not listed because others represent their sessions
};

class CapturedFiles final : public FileSystem, public HoldsCopies {
 public:
  // `path` is the archive's.
  CapturedFiles(FileSystem& real, std::string path, std::unique_ptr<Archive> archive);
  ~CapturedFiles() override;

  // Switches to a newly opened archive. What is shown stays until the next show(). Must not run concurrently with
  // state() or show().
  void renew(std::unique_ptr<Archive> archive);
  const CaptureState& state() const;
  // Whether the archive has all bytes of a session. Those of another machine's session may be missing.
  bool holds(const CapturedSession& session) const;

  // The path at which a store of that layout appears.
  static std::string path_of(std::string_view archive, std::string_view layout, std::string_view store,
                             Shelf shelf = Shelf::listed);
  // Whether a path is inside such a store.
  static bool is_in(std::string_view archive, std::string_view path);

  // Shows exactly these sessions of the store, also in directories that are already open; `more`: besides those that
  // are shown.
  void show(const std::string& layout, const std::string& store, const std::set<std::string>& ids,
            Shelf shelf = Shelf::listed, bool more = false);

  std::optional<CopyNote> noted(std::string_view root, std::string_view id) override;

  Result<std::unique_ptr<Directory>> open_directory(std::string_view path, bool create) override;
  Result<FileSystemKind> kind_of(std::string_view path) override;
  std::uint64_t entropy() override;

  struct Shared;  // state shared with directories and files

 private:
  FileSystem& real_;
  const std::string path_;
  std::shared_ptr<Shared> shared_;
};

}  // namespace holdfast::inline v1
