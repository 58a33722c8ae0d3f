// The speed of reading logs: forwards with and without validation, compared with pread plus
// a newline scan of the same file; the last records, for several sizes of the log; and the
// memory of a reader. Processor time; the data is in the page cache.
#include <fmt/core.h>
#include <holdfast/log_reader.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <ctime>
#include <fstream>
#include <random>

#include "bench/jobs.h"

namespace holdfast::bench {
namespace {

constexpr int kRepeat = 5;

// A message of an agent, 1 to 6 KB, as dense as in real transcripts (5 MB of one agent,
// 1464 lines): 3.5 KB per line, an escape every 39 bytes, a quote every 33.
std::string make_record(std::mt19937_64& random, std::uint64_t number) {
  static constexpr std::string_view words[] = {"the ",        "file ",   "return ", "größe ", "{ x } ",
                                               "error ",      "0x7f3a ", "test ",   "value ", "😀 ",
                                               "src/a/b.cc ", "const ",  "int ",    "ok. "};
  std::string text;
  for (const std::size_t size = 700 + random() % 5000; text.size() < size;) {
    for (auto count = random() % 14; count > 0; --count) text += words[random() % std::size(words)];
    text += random() % 3 == 0 ? R"(\"name\": )" : R"(\n)";
  }
  std::string record =
      fmt::format(R"({{"id":"msg_{:08x}","n":{},"role":"assistant","content":[{{"type":"text","text":"{}"}}])",
                  random() & 0xFFFFFFFF, number, text);
  for (int field = 0; field < 10; ++field) {
    record += fmt::format(R"(,"key{}":{{"in":{},"cost":0.{:05},"of":"{:x}"}})", field, random() % 5000,
                          random() % 100000, random());
  }
  return record + "}";
}

void make_log(const std::string& path, std::uint64_t bytes) {
  std::ofstream out(path, std::ios::binary);
  std::mt19937_64 random(42);
  std::vector<std::string> pool;
  for (std::uint64_t number = 0; number < 2000; ++number) pool.push_back(make_record(random, number) + "\n");
  for (std::uint64_t written = 0; written < bytes;) {
    const std::string& line = pool[random() % pool.size()];
    out << line;
    written += line.size();
  }
  if (!out.flush()) stop("cannot write " + path);
}

// Processor time of this thread, so other programs do not count. Reading is from memory.
double seconds(const std::function<void()>& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

std::uint64_t scan_newlines(Directory& directory, const std::string& name) {
  auto file = need(directory.open(name, OpenMode::read));
  const std::size_t size = std::size_t{256} << 10;
  const auto buffer = std::make_unique_for_overwrite<char[]>(size);
  std::uint64_t lines = 0;
  for (std::uint64_t offset = 0;;) {
    const std::size_t count = need(file->read_at(offset, {buffer.get(), size}));
    if (count == 0) return lines;
    offset += count;
    const char* at = buffer.get();
    const char* const end = at + count;
    while ((at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)))) != nullptr) {
      ++lines;
      if (++at == end) break;
    }
  }
}

std::uint64_t iterate(Directory& directory, const std::string& name, Check check) {
  ReadOptions options;
  options.check = check;
  LogReader reader = need(LogReader::open({}, directory, name, options));
  Record record;
  std::uint64_t records = 0;
  while (need(reader.next(record))) ++records;
  if (!reader.damage().empty()) stop("the log is damaged");
  return records;
}

// Runs in a child, so the peak is that of the reader alone; in bytes over an idle child.
std::uint64_t peak_memory(const std::function<void()>& work) {
  int ends[2];
  if (pipe(ends) != 0) stop("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    rusage before{};
    rusage after{};
    getrusage(RUSAGE_SELF, &before);
    work();
    getrusage(RUSAGE_SELF, &after);
    const auto grown = static_cast<std::uint64_t>(after.ru_maxrss - before.ru_maxrss) * 1024;
    const bool sent = write(ends[1], &grown, sizeof grown) == sizeof grown;
    _exit(sent ? 0 : 1);
  }
  std::uint64_t grown = 0;
  const bool got = read(ends[0], &grown, sizeof grown) == sizeof grown;
  close(ends[0]);
  close(ends[1]);
  waitpid(child, nullptr, 0);
  if (!got) stop("the child failed");
  return grown;
}

void speed(Directory& directory, const std::string& folder, const Size& size, std::vector<Row>& rows) {
  make_log(folder + "/log", size.megabytes << 20);
  const double gigabytes = static_cast<double>(need(directory.stat("log")).size) / 1e9;
  std::vector<double> scan;
  std::vector<double> framing;
  std::vector<double> whole;
  for (int round = 0; round < kRepeat; ++round) {
    std::uint64_t lines = 0;
    scan.push_back(gigabytes / seconds([&] { lines = scan_newlines(directory, "log"); }));
    framing.push_back(gigabytes / seconds([&] {
                        if (iterate(directory, "log", Check::framing) != lines) stop("records are missing");
                      }));
    whole.push_back(gigabytes / seconds([&] {
                      if (iterate(directory, "log", Check::whole) != lines) stop("records are missing");
                    }));
  }
  const Row base{"pread and newline scan", percentile(scan, 0.5), NAN, "GB/s", NAN, {}, {}, {}};
  Row fast{"iterate records, framing", percentile(framing, 0.5), NAN, "GB/s", NAN, {}, {}, {}};
  Row full{"iterate records, validating", percentile(whole, 0.5), NAN, "GB/s", NAN, {}, ">= 0.8 GB/s", {}};
  at_least(fast, base, 1.0 / 3);
  against(full, base).met = full.p50 >= 0.8;
  rows.insert(rows.end(), {base, fast, full});
}

void last_records(Directory& directory, const std::string& folder, const Size& size, std::vector<Row>& rows) {
  constexpr double kNoise = 1.5;  // the cost must not depend on the size of the log
  std::optional<Row> first;
  for (const std::uint64_t megabytes : {std::uint64_t{1}, std::uint64_t{100}, size.megabytes}) {
    const bool whole = megabytes == size.megabytes;
    if (!whole) make_log(folder + "/small", megabytes << 20);
    std::vector<double> times;
    for (int round = 0; round < 40 * kRepeat; ++round)
      times.push_back(1e6 * seconds([&] {
                        if (need(read_last({}, directory, whole ? "log" : "small", 100)).records.size() != 100)
                          stop("records are missing");
                      }));
    Row row = timing(fmt::format("last 100 records of {} MB", megabytes), std::move(times));
    if (first) at_most(row, *first, kNoise);
    if (!first) first = row;
    rows.push_back(row);
  }
}

void memory(Directory& directory, const std::string& folder, std::vector<Row>& rows) {
  const std::size_t line = std::size_t{64} << 20;
  {
    std::ofstream out(folder + "/long", std::ios::binary);
    const std::string text(line - 9, 'x');
    for (int count = 0; count < 3; ++count) out << "{\"a\":1}\n{\"t\":\"" << text << "\"}\n";
    if (!out.flush()) stop("cannot write a log with long lines");
  }
  for (const Check check : {Check::framing, Check::whole}) {
    const bool framing = check == Check::framing;
    const std::uint64_t grown = peak_memory([&] { iterate(directory, "long", check); });
    const std::uint64_t limit = (framing ? 2 : 16) * std::uint64_t{line} + (8U << 20);
    rows.push_back({framing ? "peak memory, 64 MiB lines, framing" : "peak memory, 64 MiB lines, validating",
                    static_cast<double>(grown) / (1 << 20),
                    NAN,
                    "MiB",
                    NAN,
                    {},
                    fmt::format("<= {} MiB", limit >> 20),
                    grown <= limit});
  }
}

}  // namespace

Group reading_job(const std::string& directory, const Size& size) {
  const std::string folder = directory + "/reading";
  const auto opened = need(real_file_system().open_directory(folder, true));
  Group group{fmt::format("reading a log of {} MB from the page cache, one core", size.megabytes), {}};
  memory(*opened, folder, group.rows);
  speed(*opened, folder, size, group.rows);
  last_records(*opened, folder, size, group.rows);
  for (const char* const name : {"log", "small", "long"}) (void)opened->remove(name);
  return group;
}

}  // namespace holdfast::bench
