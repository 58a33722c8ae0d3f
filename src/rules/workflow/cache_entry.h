// One file of derived data in a store's cache: kept without waiting for the
// medium, dropped without a word when it is damaged, made again by whoever needs
// it (L14). Only when that fails three times in a row is somebody told.
// Thread-safety: one thread an object; any number of processes.
#pragma once

#include <holdfast/store.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

class CacheEntry {
 public:
  // `kind` is a row of the layout's table ("section_cache"), `key` whatever names
  // the entry: the file is {first 16 upper-case hex digits of its SHA-256}.json.
  static Result<CacheEntry> open(Store& store, std::string_view kind, std::string_view key);

  // The JSON object; nullopt: there is none, or it is damaged (then it counts as a failure).
  std::optional<std::string> read();
  // Entries of other programs are JSON objects without our checksum: never damaged, never trusted.
  bool is_ours() const { return ours_; }

  // It was good: failures before it are forgotten.
  void good();
  // Replaces the entry. A store that was opened for reading keeps nothing. Never
  // fails: a cache that cannot be written is slow, not wrong.
  void keep(const Context& context, std::string_view json);

  // Why the entry could not be kept, from the third time on; else nothing.
  const std::optional<Finding>& finding() const { return finding_; }

 private:
  CacheEntry(std::shared_ptr<Root> root, std::string path, std::string mark, bool writable)
      : root_(std::move(root)), path_(std::move(path)), mark_(std::move(mark)), writable_(writable) {}
  void failed(std::string_view why);

  std::shared_ptr<Root> root_;
  std::string path_;
  std::string mark_;  // how often it failed, in the side folder
  bool writable_ = false;
  bool ours_ = false;
  bool counted_ = false;  // one call is one failure at most
  std::optional<Finding> finding_;
};

// `2026-11-15T03:15:00.1234567Z`, as .NET writes times.
std::string utc_ticks(std::int64_t ns);

}  // namespace holdfast::inline v1
