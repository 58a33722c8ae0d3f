// What a store does, for those who operate it: named log lines, times and
// counters, spans (docs/formats/observability.md). Recorded only where the
// store's options name a file; a store without one has no Observer, and every
// call here is then one branch. Fields are ids, codes, sizes and times: never
// text of a message, never a secret. A file that cannot be written costs the
// record, never the operation.
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

// The counters and times that there are; MetricsBook has their names.
enum class Tick { write_failures, read_failures, sync_attempts };
enum class StorageTime { write, read };

// One step in the life of a session.
struct SpanNote {
  std::string_view name;     // "session", "session.create", "session.save", "session.resume"
  std::string_view session;  // its id
  std::chrono::system_clock::time_point begin;
  std::chrono::system_clock::time_point end;
  std::string_view error = {};  // a code's name; empty: it worked
};

class MetricsBook;  // store/metrics_book.h

class Observer {
 public:
  // nullptr when the options name no file.
  static std::unique_ptr<Observer> make(FileSystem& file_system, const StoreOptions& options, std::string store);
  ~Observer();  // what was counted goes to the file
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  bool spans() const;
  void note(std::chrono::system_clock::time_point now, std::string_view name, NoteFields fields);
  void count(Tick tick, std::uint64_t by = 1);
  void timed(StorageTime timing, double milliseconds);
  void span(const SpanNote& span);
  // What was counted and is not yet in the file.
  MetricsBook unwritten() const;
  // Everything that was counted so far is in the file; silently not when it cannot be written.
  void flush();

 private:
  struct Impl;
  explicit Observer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// nullptr when nothing is recorded.
Observer* observer_of(Store& store);

// A line of the store's log: storage.write.success, sync.enqueue, ...
// A name that ends in "failure" or "fail" is an error.
void note(const Context& context, Store& store, std::string_view name, NoteFields fields = {});
void count_tick(Store& store, Tick tick, std::uint64_t by = 1);

}  // namespace holdfast::inline v1
