// How fast logs are read: forwards with and without validation against pread plus a newline
// scan of the same file, the last records against the size of the log, and the memory of a
// reader. Processor time, medians, and ratios inside one run; the medium is the page cache.
//
//   read_bench [--mb 1024] [--dir DIR] [--repeat 5] [--json FILE]
#include <fmt/core.h>
#include <holdfast/file_system.h>
#include <holdfast/log_reader.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace holdfast;

struct Options {
  std::uint64_t megabytes = 1024;
  std::string directory = ".";
  int repeat = 5;
  std::string json;
};

struct Row {
  std::string name;
  double value = 0;
  std::string unit;
  std::string goal;
  bool met = true;
};

[[noreturn]] void stop(const std::string& why) {
  fmt::print(stderr, "read_bench: {}\n", why);
  std::exit(1);
}

template <typename T>
T need(Result<T> result) {
  if (!result) stop(result.error().text());
  return std::move(*result);
}

// A message of an agent, 1 to 6 KB. As dense as real transcripts are (5 MB of one agent,
// 1464 lines): 3.5 KB a line, an escape every 39 bytes, a quote every 33.
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

// Of this thread on the processor: other programs do not count. Reading is from memory.
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

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
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

// In a child, so that the peak is that of the reader alone; in bytes over an idle child.
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

class Bench {
 public:
  Bench(Options options, std::string folder) : options_(std::move(options)), folder_(std::move(folder)) {
    directory_ = need(real_file_system().open_directory(folder_, false));
  }

  std::vector<Row> run() {
    memory();  // first: the address space is still small
    speed();
    last_records();
    return std::move(rows_);
  }

 private:
  void speed() {
    const std::uint64_t bytes = options_.megabytes << 20;
    make_log(folder_ + "/log", bytes);
    const double gigabytes = static_cast<double>(need(directory_->stat("log")).size) / 1e9;
    std::vector<double> scan;
    std::vector<double> framing;
    std::vector<double> whole;
    for (int round = 0; round < options_.repeat; ++round) {  // in turn, so that noise hits all alike
      std::uint64_t lines = 0;
      scan.push_back(gigabytes / seconds([&] { lines = scan_newlines(*directory_, "log"); }));
      framing.push_back(gigabytes / seconds([&] {
                          if (iterate(*directory_, "log", Check::framing) != lines) stop("records are missing");
                        }));
      whole.push_back(gigabytes / seconds([&] {
                        if (iterate(*directory_, "log", Check::whole) != lines) stop("records are missing");
                      }));
    }
    const double ratio = median(framing) / median(scan);
    rows_.push_back({"pread and newline scan", median(scan), "GB/s", "baseline"});
    rows_.push_back({"iterate, framing", median(framing), "GB/s", ""});
    rows_.push_back({"  of the baseline", ratio, "", ">= 0.333", ratio >= 1.0 / 3});
    rows_.push_back({"iterate, whole", median(whole), "GB/s", ">= 0.8", median(whole) >= 0.8});
  }

  void last_records() {
    std::vector<std::pair<std::string, double>> medians;
    std::vector<std::uint64_t> sizes{1, 100, options_.megabytes};
    for (const std::uint64_t megabytes : sizes) {
      if (megabytes != options_.megabytes) make_log(folder_ + "/small", megabytes << 20);
      const std::string name = megabytes == options_.megabytes ? "log" : "small";
      std::vector<double> times;
      for (int round = 0; round < 40 * options_.repeat; ++round) {
        times.push_back(1e6 * seconds([&] {
                          if (need(read_last({}, *directory_, name, 100)).records.size() != 100)
                            stop("records are missing");
                        }));
      }
      medians.emplace_back(fmt::format("last 100 of {} MB", megabytes), median(times));
    }
    for (const auto& [name, time] : medians) {
      const double ratio = time / medians.front().second;
      rows_.push_back({name, time, "us", fmt::format("{:.2f} x the first", ratio), ratio < 1.5});
    }
  }

  void memory() {
    const std::size_t line = std::size_t{64} << 20;
    {
      std::ofstream out(folder_ + "/long", std::ios::binary);
      const std::string text(line - 9, 'x');
      for (int count = 0; count < 3; ++count) out << "{\"a\":1}\n{\"t\":\"" << text << "\"}\n";
    }
    for (const Check check : {Check::framing, Check::whole}) {
      const std::uint64_t grown = peak_memory([&] { iterate(*directory_, "long", check); });
      const std::uint64_t limit = (check == Check::framing ? 2 : 16) * std::uint64_t{line} + (8U << 20);
      rows_.push_back(
          {check == Check::framing ? "peak memory, 64 MiB lines, framing" : "peak memory, 64 MiB lines, whole",
           static_cast<double>(grown) / (1 << 20), "MiB", fmt::format("<= {}", limit >> 20), grown <= limit});
    }
  }

  Options options_;
  std::string folder_;
  std::unique_ptr<Directory> directory_;
  std::vector<Row> rows_;
};

Options parse(int count, char** arguments) {
  Options options;
  for (int at = 1; at + 1 < count; at += 2) {
    const std::string name = arguments[at];
    const std::string value = arguments[at + 1];
    if (name == "--mb") {
      options.megabytes = std::max<std::uint64_t>(1, std::strtoull(value.c_str(), nullptr, 10));
    } else if (name == "--dir") {
      options.directory = value;
    } else if (name == "--repeat") {
      options.repeat = std::max(1, std::atoi(value.c_str()));
    } else if (name == "--json") {
      options.json = value;
    } else {
      stop("unknown option " + name);
    }
  }
  return options;
}

void write_json(const std::string& path, const std::vector<Row>& rows) {
  std::ofstream out(path);
  out << "[\n";
  for (const Row& row : rows) {
    out << fmt::format(R"(  {{"name":"{}","value":{:.4f},"unit":"{}","goal":"{}","met":{}}}{})", row.name, row.value,
                       row.unit, row.goal, row.met, &row == &rows.back() ? "\n" : ",\n");
  }
  out << "]\n";
}

}  // namespace

int main(int count, char** arguments) {
  const Options options = parse(count, arguments);
  char* const absolute = realpath(options.directory.c_str(), nullptr);
  if (absolute == nullptr) stop("no such directory: " + options.directory);
  std::string folder = std::string(absolute) + "/holdfast-read-bench-XXXXXX";
  std::free(absolute);
  if (mkdtemp(folder.data()) == nullptr) stop("cannot make a directory in " + options.directory);

  const std::vector<Row> rows = Bench(options, folder).run();
  for (const char* name : {"/log", "/small", "/long"}) unlink((folder + name).c_str());
  rmdir(folder.c_str());

  fmt::print("{:<38} {:>10} {:<5} {}\n", "", "median", "", "goal");
  for (const Row& row : rows) {
    fmt::print("{:<38} {:>10.3f} {:<5} {} {}\n", row.name, row.value, row.unit, row.goal, row.met ? "" : "NOT MET");
  }
  if (!options.json.empty()) write_json(options.json, rows);
  return std::ranges::all_of(rows, &Row::met) ? 0 : 2;
}
