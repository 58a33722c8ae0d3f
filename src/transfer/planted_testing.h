// A small session in one of five layouts, as lines that a test can damage: a prompt, an
// answer that calls a tool, its result, and three answers with "words".
#pragma once

#include <gtest/gtest.h>
#include <holdfast/store.h>

#include <algorithm>
#include <string>
#include <vector>

#include "crash/disk/sim_testing.h"

namespace holdfast::inline v1 {

struct PlantOptions {
  bool spilled = false;  // the result is a preview of `side_file`
  bool fork = false;     // continues a session that does not exist
};

struct Planted {
  std::string layout, root, log, id;
  std::vector<std::string> lines = {};
  std::size_t call_line = 0, result_line = 0;
  std::size_t victim = 0;      // an answer with "words" in the middle
  std::string side_file = {};  // below the root

  std::string bytes() const { return joined(lines); }
  std::string with_line(std::size_t number, const std::string& line) const {
    auto changed = lines;
    changed[number] = line;
    return joined(changed);
  }
  std::string without_line(std::size_t number) const {
    auto changed = lines;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(number));
    return joined(changed);
  }
  std::uint64_t offset_of(std::size_t number) const {
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < number; ++i) offset += lines[i].size() + 1;
    return offset;
  }

 private:
  static std::string joined(const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& line : all) text += line + "\n";
    return text;
  }
};

// Writes the session to `files`, below a root of its own.
Planted plant(SimFileSystem& files, const Context& context, const std::string& layout,
              const PlantOptions& request = {});

}  // namespace holdfast::inline v1
