// A project that Lopen works on, on a simulated disk.
#pragma once

#include <algorithm>
#include <map>

#include "rules/rules_testing.h"
#include "rules/workflow/session_start.h"

namespace holdfast::inline v1 {

// A state.json as Lopen itself writes it: one line, no newline, seven digits, an offset.
inline std::string real_state(const std::string& id, const std::string& module, bool complete = false) {
  return R"({"session_id":")" + id + R"(","phase":"req-gathering","step":"draft-spec","module":")" + module +
         R"(","component":null,"created_at":"2026-02-16T10:30:00.1234567+00:00",)"
         R"("updated_at":"2026-02-16T10:30:00.1234567+00:00","is_complete":)" +
         (complete ? "true}" : "false}");
}

// The project at /store.
struct LopenProject : LayoutStore {
  LopenProject() : LayoutStore("lopen") {}

  std::string lopen(const std::string& path) { return bytes("/store/.lopen/" + path); }
  void put(const std::string& path, const std::string& bytes) { must(disk.put_file("/store/" + path, bytes)); }
  void put_session(const std::string& id, const std::string& bytes) {
    put(".lopen/sessions/" + id + "/state.json", bytes);
  }
  // Removes a path with everything below it, bypassing the store.
  void remove(const std::string& path) {
    const auto root = must(disk.open_directory("/store", false));
    remove_below(*root, path);
  }
  static void remove_below(Directory& root, const std::string& path) {
    for (const DirectoryEntry& entry : must(root.list(path))) {
      const std::string below = path + "/" + entry.name;
      if (entry.kind == FileKind::directory)
        remove_below(root, below);
      else
        must(root.remove(below));
    }
    must(root.remove_directory(path));
  }
  std::string latest() {
    for (const SimEntry& entry : disk.tree()) {
      if (entry.path == "/store/.lopen/sessions/latest") return entry.bytes;
    }
    return "<none>";
  }
  std::string start(const std::string& module = "auth") {
    return must(start_session(context, *store, {.module = module, .no_resume = true})).workflow.id;
  }
  void complete(const std::string& id) { must(save_workflow(context, *store, id, {.complete = true})); }
  std::vector<std::string> ids() {
    std::vector<std::string> all;
    for (const Session& session : must(store->list(context)).sessions) all.push_back(session.id);
    std::ranges::sort(all);
    return all;
  }
  // Everything except the side folder.
  std::map<std::string, std::string> tree() const {
    std::map<std::string, std::string> all;
    for (const SimEntry& entry : disk.tree()) {
      if (entry.kind != FileKind::directory && entry.path.find("/.holdfast/") == std::string::npos)
        all[entry.path] = entry.bytes;
    }
    return all;
  }
};

}  // namespace holdfast::inline v1
