// Golden stores of tests/fixtures/linggen on a simulated disk.
#pragma once

#include <map>

#include "base/paths_testing.h"
#include "disk/staged.h"
#include "store/layout_store_testing.h"

namespace holdfast::inline v1 {

inline void read_fixture(Directory& top, const std::string& path, std::map<std::string, std::string>& files) {
  for (const DirectoryEntry& entry : must(top.list(path))) {
    const std::string below = path.empty() ? entry.name : path + "/" + entry.name;
    if (entry.kind == FileKind::directory) {
      read_fixture(top, below, files);
    } else {
      files[below] = must(read_whole(top, below));
    }
  }
}

inline std::map<std::string, std::string> fixture_files(const std::string& name) {
  const std::string top = paths::source() + "/tests/fixtures/linggen/" + name;
  std::map<std::string, std::string> files;
  read_fixture(*must(real_file_system().open_directory(top, false)), "", files);
  return files;
}

// Linggen's home at /store, the workspace at /ws.
struct LinggenStore : LayoutStore {
  explicit LinggenStore(const std::string& fixture = {}) : LayoutStore("linggen") {
    if (fixture.empty()) return;
    for (const auto& [path, bytes] : fixture_files(fixture)) {
      const bool home = path.starts_with("home/");
      must(disk.put_file(home ? "/store/" + path.substr(5) : "/ws/" + path.substr(10), bytes));
    }
    reopen();
  }
  // Everything except the side folders.
  std::map<std::string, std::string> tree() const {
    std::map<std::string, std::string> all;
    for (const SimEntry& entry : disk.tree()) {
      if (entry.kind == FileKind::file && entry.path.find("/.holdfast/") == std::string::npos)
        all[entry.path] = entry.bytes;
    }
    return all;
  }
};

inline Message said(Role role, std::string text, std::string agent = {}) {
  Message message;
  message.role = role;
  message.agent = std::move(agent);
  message.origin = role == Role::assistant ? Origin::model : Origin::typed;
  message.blocks.push_back({.kind = BlockKind::text, .text = std::move(text)});
  return message;
}

}  // namespace holdfast::inline v1
