// The speed of the durable floor, compared with the disk itself.
//
//   disk_bench [--dir DIR] [--seconds 10] [--mb 1024] [--only append|threads|processes|documents|reading]
//              [--no-loop] [--json FILE]
//
// Prints missed goals as such; the exit code is 0 unless something failed.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "bench/jobs.h"
#include "bench/places.h"

namespace {

using namespace holdfast::bench;

struct Options {
  std::string base = std::filesystem::is_directory("build") ? "build" : ".";
  std::string only;
  std::string json;
  bool loop = true;
  Size size;
};

Options parse(int count, char** arguments) {
  Options options;
  for (int at = 1; at < count; ++at) {
    const std::string name = arguments[at];
    if (name == "--no-loop") {
      options.loop = false;
      continue;
    }
    if (++at == count) stop(name + " is unknown or lacks its value");
    const std::string value = arguments[at];
    if (name == "--dir")
      options.base = value;
    else if (name == "--seconds")
      options.size.seconds = std::max(0.1, std::atof(value.c_str()));
    else if (name == "--mb")
      options.size.megabytes = std::max<std::uint64_t>(2, std::strtoull(value.c_str(), nullptr, 10));
    else if (name == "--only")
      options.only = value;
    else if (name == "--json")
      options.json = value;
    else
      stop("unknown option " + name);
  }
  return options;
}

std::string load_note() {
  double load = 0;
  (void)::getloadavg(&load, 1);
  return fmt::format("{} processors, load average {:.1f} at the start",
                     static_cast<unsigned>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN))), load);
}

class Bench {
 public:
  explicit Bench(Options options) : options_(std::move(options)) {}

  void run() {
    Places places(options_.base);
    const std::string note = load_note();
    fmt::print("{}\n", note);
    if (wants("reading")) add(reading_job(places.disk(), options_.size));  // first: the process is still small
    on("this disk", places.disk());
    if (const auto loop = options_.loop ? places.loop() : std::nullopt)
      on("ext4 image in memory", *loop);
    else
      fmt::print("\n(no ext4 image in memory: that needs root and loop devices)\n");
    print_sum(groups_);
    if (!options_.json.empty()) write_json(options_.json, groups_, note);
  }

 private:
  bool wants(std::string_view job) const { return options_.only.empty() || options_.only == job; }

  void add(Group group) {
    print_group(group);
    groups_.push_back(std::move(group));
  }

  void on(const std::string& place, const std::string& directory) {
    if (wants("append")) add(append_job(place, directory, options_.size));
    if (wants("processes")) add(processes_job(place, directory, options_.size));
    if (wants("threads")) add(threads_job(place, directory, options_.size));
    if (wants("documents")) add(documents_job(place, directory, options_.size));
  }

  Options options_;
  std::vector<Group> groups_;
};

}  // namespace

int main(int count, char** arguments) {
  Bench(parse(count, arguments)).run();
  return 0;
}
