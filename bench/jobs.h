// The jobs of `./dev bench disk`. Each gets a directory to write in and returns a
// group of rows. Variants take turns in short batches, so drift of the disk and
// of the machine affects all alike; compare only within one group.
#pragma once

#include <holdfast/append_log.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/table.h"

namespace holdfast::bench {

struct Size {
  double seconds = 10;             // per job, approximately
  std::uint64_t megabytes = 1024;  // of the log that is read
};

Group append_job(const std::string& place, const std::string& directory, const Size& size);
Group threads_job(const std::string& place, const std::string& directory, const Size& size);
Group processes_job(const std::string& place, const std::string& directory, const Size& size);
Group documents_job(const std::string& place, const std::string& directory, const Size& size);
Group reading_job(const std::string& directory, const Size& size);

// ---- shared by the jobs ----

template <typename T>
T need(Result<T> result) {
  if (!result) stop(result.error().text());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

std::shared_ptr<Root> open_root(const std::string& directory);

// A message of 1 KiB including its newline; each one is different.
std::string message_of(std::uint64_t number);

// A plain file opened for appending, as any program would do it.
class RawFile {
 public:
  explicit RawFile(const std::string& path);
  ~RawFile();
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;
  void append(const std::string& line, bool sync) const;

 private:
  int fd_;
};

// Appends a message to a new file of that name, as any program would do it.
std::function<void(std::uint64_t)> raw_writer(const std::string& path, bool sync);

struct Variant {
  std::string name;
  std::function<void(std::uint64_t number)> once;
  std::vector<double> samples;  // microseconds
};

// Runs batches of `batch` calls in turns, for about `seconds`. The first call of each
// batch still pays for what the previous variant left behind and does not count.
void take_turns(std::vector<Variant>& variants, double seconds, int batch);

// Peers: empty if the library was missing at build time.
std::function<void(std::uint64_t)> sqlite_insert(const std::string& directory);
std::function<void(std::uint64_t)> leveldb_put(const std::string& directory);

}  // namespace holdfast::bench
