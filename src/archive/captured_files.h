// Captured sessions as files to read: a store in here is opened by its layout like
// any other, so everything that reads works on it unchanged. A store lies at
// ARCHIVE/@LAYOUT/STORE, where the archive itself has nothing. Nothing can be written
// there; every other path is that of the real file system.
// Lifetime: the real file system outlives it; handles may outlive it.
// Thread-safety: any thread.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "archive/archive.h"
#include "disk/copies.h"

namespace holdfast::inline v1 {

class CapturedFiles final : public FileSystem, public HoldsCopies {
 public:
  // `path`: of the archive.
  CapturedFiles(FileSystem& real, std::string path, std::unique_ptr<Archive> archive);
  ~CapturedFiles() override;

  // The archive as it is now; what is shown stays until somebody shows other sessions. Not beside state() or show().
  void renew(std::unique_ptr<Archive> archive);
  const CaptureState& state() const;
  // Whether all bytes of a session are in the archive; of another machine's they may not be.
  bool holds(const CapturedSession& session) const;

  // Where a store of that layout lies in here.
  static std::string path_of(std::string_view archive, std::string_view layout, std::string_view store);
  // Whether the path is one of these.
  static bool is_in(std::string_view archive, std::string_view path);

  // Shows these sessions of the store and no others, also to those who have opened it.
  void show(const std::string& layout, const std::string& store, const std::set<std::string>& ids);

  std::optional<Noted> noted(std::string_view root, std::string_view id) override;

  Result<std::unique_ptr<Directory>> open_directory(std::string_view path, bool create) override;
  Result<FileSystemKind> kind_of(std::string_view path) override;
  std::uint64_t entropy() override;

  struct Shared;  // what directories and files need

 private:
  FileSystem& real_;
  const std::string path_;
  std::shared_ptr<Shared> shared_;
};

}  // namespace holdfast::inline v1
