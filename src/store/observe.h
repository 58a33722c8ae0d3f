// Records what a store does, for its operators: named log lines, times and
// counters, spans (docs/formats/observability.md). Recorded only if the store's
// options name a file; a store without one has no Observer, and every call here
// is then one branch. Fields are ids, codes, sizes and times: never the text of
// a message, never a secret. If a file cannot be written, the entry is lost,
// but the operation goes on.
// Thread-safety: any thread.
#pragma once

#include <holdfast/store.h>

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace holdfast::inline v1 {

struct NoteField {
  std::string_view key;
  std::variant<std::string_view, std::int64_t, double> value;
};
using NoteFields = std::initializer_list<NoteField>;

// All counters and times; MetricsBook has their names.
enum class Tick { write_failures, read_failures, sync_attempts };
enum class StorageTime { write, read };

// One step in the life of a session.
struct SpanNote {
  std::string_view name;     // "session", "session.create", "session.save", "session.resume"
  std::string_view session;  // id of the session
  std::chrono::system_clock::time_point begin;
  std::chrono::system_clock::time_point end;
  std::string_view error = {};  // name of an error code; empty if it succeeded
};

class MetricsBook;  // store/metrics_book.h

class Observer {
 public:
  // nullptr if the options name no file.
  static std::unique_ptr<Observer> make(FileSystem& file_system, const StoreOptions& options, std::string store);
  ~Observer();  // writes the counts to the file
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  bool spans() const;
  void note(std::chrono::system_clock::time_point now, std::string_view name, NoteFields fields);
  void count(Tick tick, std::uint64_t by = 1);
  void timed(StorageTime timing, double milliseconds);
  void span(const SpanNote& span);
  // Counts that are not in the file yet.
  MetricsBook unwritten() const;
  // Writes all counts to the file; ignores failures.
  void flush();

 private:
  struct Impl;
  explicit Observer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// nullptr if nothing is recorded.
Observer* observer_of(Store& store);

// Adds a line to the store's log: storage.write.success, sync.enqueue, ... A
// name that ends in "failure" or "fail" is an error.
void note(const Context& context, Store& store, std::string_view name, NoteFields fields = {});
void count_tick(Store& store, Tick tick, std::uint64_t by = 1);

}  // namespace holdfast::inline v1
