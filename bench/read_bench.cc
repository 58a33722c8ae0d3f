// The speed of reading other agents' sessions, on a synthetic store (bench/synthetic_store.h),
// compared with jq and Node if they are installed.
//
//   read_bench [--dir DIR] [--megabytes 1000] [--rounds 3] [--only list|verify|show|page] [--json FILE]
#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>

#include "bench/options.h"
#include "bench/places.h"
#include "bench/read_jobs.h"

int main(int count, char** arguments) {
  using namespace holdfast::bench;
  if (count == 4 && std::string(arguments[1]) == "--child") {
    read_child(arguments[2], arguments[3]);
    return 0;
  }
  std::string base = std::filesystem::is_directory("build") ? "build" : ".";
  std::string only, json;
  std::uint64_t megabytes = 1000;
  int rounds = 3;
  parse_options(
      count, arguments,
      {{"--dir", into(base)},
       {"--only", into(only)},
       {"--json", into(json)},
       {"--megabytes", [&](const std::string& value) { megabytes = std::strtoull(value.c_str(), nullptr, 10); }},
       {"--rounds", [&](const std::string& value) { rounds = std::max(1, std::atoi(value.c_str())); }}});
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string holdfast = std::filesystem::path(program).replace_filename("holdfast").string();
  const auto wants = [&](std::string_view job) { return only.empty() || only == job; };
  Places places(base);
  std::vector<Group> groups;
  const auto add = [&](Group group) {
    print_group(group);
    groups.push_back(std::move(group));
  };
  if (wants("list") || wants("verify")) {
    const std::string store = places.disk() + "/store";
    const auto sessions =
        write_synthetic_store({.bytes = megabytes * 1'000'000, .sessions = megabytes * 5, .seed = 1}, store);
    std::uint64_t bytes = 0;
    for (const SyntheticSession& one : sessions) bytes += one.bytes;
    if (wants("list")) add(read_list_job(program, store, sessions, rounds));
    if (wants("verify")) add(read_verify_job(program, store, bytes, rounds));
  }
  if (wants("show") && std::filesystem::exists(holdfast)) add(read_show_job(holdfast, places.disk(), rounds));
  if (wants("page") && std::filesystem::exists(holdfast)) add(read_page_job(holdfast, places.disk(), rounds));
  print_sum(groups);
  if (!json.empty()) write_json(json, groups, "read");
  return 0;
}
