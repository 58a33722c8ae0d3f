// One file of derived data in a store's cache: written without a sync, dropped silently
// if damaged, and computed again by the next caller (L14). Only after three failures in
// a row is there a finding.
// Thread-safety: one thread per object; any number of processes.
#pragma once

#include <holdfast/store.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

class CacheEntry {
 public:
  // `kind` is a row of the layout's table ("section_cache"), `key` is any name of the
  // entry: the file is {first 16 upper-case hex digits of its SHA-256}.json.
  static Result<CacheEntry> open(Store& store, std::string_view kind, std::string_view key);

  // Returns the JSON object; nullopt if there is none, or if it is damaged (which counts as a failure).
  std::optional<std::string> read();
  // Entries of other programs are JSON objects without our checksum: never considered damaged, never trusted.
  bool is_ours() const { return ours_; }

  // Call if the entry was good: resets the count of failures.
  void good();
  // Replaces the entry. Does nothing if the store was opened for reading. Never fails:
  // a cache that cannot be written is slow, not wrong.
  void keep(const Context& context, std::string_view json);

  // Why the entry could not be stored, from the third failure on; else nullopt.
  const std::optional<Finding>& finding() const { return finding_; }

 private:
  CacheEntry(std::shared_ptr<Root> root, std::string path, std::string mark, bool writable)
      : root_(std::move(root)), path_(std::move(path)), mark_(std::move(mark)), writable_(writable) {}
  void failed(std::string_view why);

  std::shared_ptr<Root> root_;
  std::string path_;
  std::string mark_;  // counts the failures, in the side folder
  bool writable_ = false;
  bool ours_ = false;
  bool counted_ = false;  // count at most one failure per object
  std::optional<Finding> finding_;
};

// `2026-11-15T03:15:00.1234567Z`, as .NET writes times.
std::string utc_ticks(std::int64_t ns);

}  // namespace holdfast::inline v1
