// A section of a 1 MB specification: cut from the file, and found in the cache.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "bench/jobs.h"
#include "bench/store_jobs.h"
#include "rules/workflow/section_cache.h"
#include "rules/workflow/specification.h"

namespace holdfast::bench {
namespace {

constexpr std::size_t kSections = 256;  // of 4 KiB each

void write_specification(const std::string& path) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << "---\nname: big\ndescription: one megabyte\n---\n\n# Big\n";
  for (std::size_t section = 0; section < kSections; ++section) {
    file << "\n## Section " << section << "\n\n";
    for (int line = 0; line < 64; ++line) file << "The quick brown fox jumps over the lazy dog, again and again.\n";
  }
}

template <typename Work>
Row repeated(const std::string& name, int rounds, const Work& work) {
  std::vector<double> samples;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    work(round);
    samples.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  return timing(name, std::move(samples));
}

void measure(Group& group, const std::string& layout, const std::string& store_path, const std::string& project) {
  const auto store = open_store(layout, store_path);
  const std::string path = "docs/requirements/big/SPECIFICATION.md";
  const std::string given = layout == "lopen" ? std::string() : project;
  const auto read = [&](bool cached) {
    return [&, cached](int round) {
      const std::string header = "Section " + std::to_string(static_cast<std::size_t>(round) % kSections);
      const CachedSection section = need(read_section({}, *store, given, {path, header, false}));
      if (section.cached != cached || section.content.size() < 3900) stop("not the section that was asked for");
    };
  };
  const std::size_t base = group.rows.size();
  group.rows.push_back(repeated(layout + ": miss: cut and kept", kSections, read(false)));
  group.rows.push_back(repeated(layout + ": cut, not kept", 200, [&](int round) {
    std::ifstream file(project + "/" + path, std::ios::binary);
    std::string text(std::filesystem::file_size(project + "/" + path), '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!extract_section(text, "Section " + std::to_string(round), false)) stop("not there");
  }));
  group.rows.push_back(repeated(layout + ": hit", 2000, read(true)));
  // The rows are times, so a speedup goal becomes its inverse.
  at_most(group.rows[base + 2], group.rows[base + 1], 1.0 / 20);
}

}  // namespace

Group store_section_job(const std::string& directory) {
  const std::string project = directory + "/sections";
  write_specification(project + "/docs/requirements/big/SPECIFICATION.md");
  // A file that has just changed is compared by its bytes (decision 34).
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  Group group{"a 4 KB section of a 1 MB specification", {}};
  measure(group, "lopen", project, project);
  measure(group, "holdfast", directory + "/sections-native", project);
  return group;
}

}  // namespace holdfast::bench
