// holdfast_lab [PART...] [--small|--ci|--check|--hours N] [--histories N] [--seed N] [--replay CASE] [--dir DIR]
// Exit: 0 all promises held, 1 one was broken, 2 usage, 77 every part was skipped.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "lab.h"
#include "loop_disk.h"
#include "rpc_process.h"
#include "storm_child.h"

namespace {

using namespace holdfast::lab;

// 0 unless it is a number.
std::uint64_t number_in(const std::string& word) {
  std::uint64_t number = 0;
  const char* const end = word.data() + word.size();
  return std::from_chars(word.data(), end, number).ptr == end ? number : 0;
}

int usage() {
  std::fputs(
      "holdfast_lab [PART...] [--small|--ci|--check|--hours N] [--histories N] [--seed N] [--replay CASE] [--dir DIR]\n"
      "  --histories: how many random ones to run, at least 1; only for archive and sync\n\n",
      stderr);
  for (const auto& part : parts())
    std::fprintf(stderr, "  %-5.*s %.*s\n", static_cast<int>(part.name.size()), part.name.data(),
                 static_cast<int>(part.title.size()), part.title.data());
  return 2;
}

struct Row {
  std::string name;
  Outcome outcome;
  double seconds = 0;
};

void print_table(const std::vector<Row>& rows) {
  std::printf("%-5s %12s %-8s %13s %6s %8s %11s %6s %8s\n", "part", "cases", "of", "acknowledged", "lost", "altered",
              "unopenable", "wrong", "seconds");
  for (const auto& [name, outcome, seconds] : rows) {
    if (!outcome.skipped.empty()) {
      std::printf("%-5s skipped: %s\n", name.c_str(), outcome.skipped.c_str());
      continue;
    }
    std::printf("%-5s %12llu %-8s %13llu %6llu %8llu %11llu %6llu %8.1f\n", name.c_str(),
                static_cast<unsigned long long>(outcome.cases), outcome.unit.c_str(),
                static_cast<unsigned long long>(outcome.acknowledged), static_cast<unsigned long long>(outcome.lost),
                static_cast<unsigned long long>(outcome.altered), static_cast<unsigned long long>(outcome.unopenable),
                static_cast<unsigned long long>(outcome.wrong), seconds);
    if (!outcome.note.empty()) std::printf("      %s\n", outcome.note.c_str());
    for (const auto& failure : outcome.failures) std::printf("      FAILED: %s\n", failure.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--child") return storm_child(argc - 2, argv + 2);
  if (argc > 1 && std::string_view(argv[1]) == "--rpc") return rpc_child(argc - 2, argv + 2);
  // Runs another program that must not outlive this one.
  if (argc > 2 && std::string_view(argv[1]) == "--with-parent") {
    die_with_parent();
    ::execvp(argv[2], argv + 2);
    std::perror(argv[2]);
    return 127;
  }
  Options options;
  options.program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::string base = std::filesystem::temp_directory_path().string();
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--small")
      options.size = Size::small;
    else if (word == "--ci")
      options.size = Size::ci;
    else if (word == "--check")
      options.size = Size::check;
    else if (word == "--hours" && more)
      options.size = Size::hours, options.hours = std::atof(argv[++i]);
    else if (word == "--histories" && more && number_in(argv[i + 1]) > 0)
      options.histories = number_in(argv[++i]);
    else if (word == "--seed" && more)
      options.seed = std::strtoull(argv[++i], nullptr, 0);
    else if (word == "--replay" && more)
      options.replay = argv[++i];
    else if (word == "--dir" && more)
      base = argv[++i];
    else if (word.starts_with("-"))
      return usage();
    else
      names.push_back(word);
  }
  std::vector<Part> chosen;
  for (const auto& part : parts())
    if (names.empty() || std::find(names.begin(), names.end(), part.name) != names.end()) chosen.push_back(part);
  if (chosen.empty() || (!names.empty() && chosen.size() != names.size())) return usage();
  if (options.histories > 0 && !std::ranges::all_of(chosen, &Part::has_histories)) return usage();

  std::vector<Row> rows;
  bool ok = true;
  bool ran = false;
  for (const auto& part : chosen) {
    std::string scratch = base + "/holdfast-lab-XXXXXX";
    if (::mkdtemp(scratch.data()) == nullptr) {
      std::perror(scratch.c_str());
      return 1;
    }
    options.scratch = scratch;
    const auto start = std::chrono::steady_clock::now();
    Row row{std::string(part.name), run_part(part, options), 0};
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::error_code ignored;
    std::filesystem::remove_all(scratch, ignored);
    ok = ok && row.outcome.ok();
    ran = ran || row.outcome.skipped.empty();
    rows.push_back(std::move(row));
  }
  print_table(rows);
  if (!ok) return 1;
  return ran ? 0 : 77;
}
