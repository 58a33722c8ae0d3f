// Stores of the layout open-agent for tests, on real files: empty or copied
// from tests/fixtures/open_agent.
#pragma once

#include <gtest/gtest.h>
#include <holdfast/store.h>

#include <map>
#include <string>
#include <vector>

#include "base/paths_testing.h"
#include "crash/disk/sim_testing.h"
#include "disk/real_testing.h"
#include "disk/staged.h"

namespace holdfast::inline v1 {

inline Message said(Role role, std::string text) {
  Message message;
  message.role = role;
  message.origin = role == Role::assistant ? Origin::model : Origin::typed;
  message.blocks.push_back({.kind = BlockKind::text, .text = std::move(text)});
  return message;
}

inline Message tool_output(std::string call, std::string text) {
  Message message;
  message.role = Role::tool;
  message.origin = Origin::tool;
  message.blocks.push_back({.kind = BlockKind::tool_result, .text = std::move(text), .id = std::move(call)});
  return message;
}

inline void each_file(Directory& directory, const std::string& path,
                      const std::function<void(const std::string&, const std::string&)>& take) {
  for (const DirectoryEntry& entry : must(directory.list(path))) {
    const std::string inner = path.empty() ? entry.name : path + "/" + entry.name;
    if (entry.kind == FileKind::directory) {
      each_file(directory, inner, take);
    } else {
      take(inner, must(read_whole(directory, inner)));
    }
  }
}

// A temporary directory that tests examine and modify behind the store's back.
// Paths begin with "/", which is the temporary directory itself.
class RealDisk {
 public:
  Result<std::unique_ptr<Directory>> open_directory(std::string_view path, bool create) const {
    return real_file_system().open_directory(scratch_.path() + std::string(path), create);
  }
  std::string root(std::string_view path) const { return scratch_.path() + std::string(path); }

  // Creates a new file, like programs that rewrite theirs.
  Result<void> put_file(const std::string& path, std::string_view bytes) {
    const std::string inner = path.substr(1);
    for (auto slash = inner.find('/'); slash != std::string::npos; slash = inner.find('/', slash + 1))
      (void)top_->make_directory(inner.substr(0, slash));
    (void)top_->remove(inner);
    HOLDFAST_LET(file, top_->open(inner, OpenMode::create_update));
    return file->write_at(0, bytes);
  }
  Result<void> foreign_append(const std::string& path, std::string_view bytes) {
    HOLDFAST_LET(file, top_->open(path.substr(1), OpenMode::append));
    HOLDFAST_TRY(file->append(bytes));
    return {};
  }
  Result<std::string> read_file(const std::string& path) const { return read_whole(*top_, path.substr(1)); }
  bool exists(const std::string& path) const { return top_->exists(path.substr(1)); }
  // Every file, including the side folder.
  std::vector<SimEntry> tree() const {
    std::vector<SimEntry> all;
    each_file(*top_, "", [&](const std::string& path, const std::string& bytes) {
      SimEntry entry;
      entry.path = "/" + path;
      entry.kind = FileKind::file;
      entry.bytes = bytes;
      all.push_back(std::move(entry));
    });
    return all;
  }

 private:
  TemporaryDirectory scratch_;
  std::unique_ptr<Directory> top_ = must(real_file_system().open_directory(scratch_.path(), false));
};

struct OaStore {
  RealDisk disk;
  Context context;
  std::shared_ptr<Store> store;

  // `fixture` is a folder of tests/fixtures/open_agent; empty for a new store.
  explicit OaStore(const std::string& fixture = {}) {
    if (!fixture.empty()) {
      const auto from =
          must(real_file_system().open_directory(paths::source() + "/tests/fixtures/open_agent/" + fixture, false));
      each_file(*from, "", [&](const std::string& path, const std::string& bytes) {
        must(disk.put_file("/home/" + path, bytes));
      });
    }
    reopen();
  }

  void reopen(bool write = true) {
    store.reset();
    StoreOptions options;
    options.layout = "open-agent";
    options.roots[""] = disk.root("/home");
    options.write = options.create = write;
    store = must(Store::open(context, real_file_system(), options));
  }
  // Leaves the store as the next program finds it, with indexes written.
  void close() { store.reset(); }

  void put(const std::string& path, std::string_view bytes) { must(disk.put_file("/home/" + path, bytes)); }
  std::string file(const std::string& path) { return disk.read_file("/home/" + path).value_or("<none>"); }
  bool has(const std::string& path) { return disk.exists("/home/" + path); }
  // Everything except the side folder.
  std::map<std::string, std::string> files() {
    std::map<std::string, std::string> all;
    for (const SimEntry& entry : disk.tree()) {
      if (entry.kind == FileKind::file && entry.path.find("/.holdfast/") == std::string::npos)
        all.emplace(entry.path.substr(6), entry.bytes);
    }
    return all;
  }
  std::string create(SessionDraft draft = {.project = "/home/me/p", .model = "gpt-4o", .provider = "openai"}) {
    return must(store->create(context, draft));
  }
  AppendedMessage append(const std::string& id, const Message& message) {
    auto writer = must(store->write(context, id));
    return must(writer->append(context, message));
  }
  Transcript read(const std::string& id, const TranscriptQuery& query = {}) {
    return must(store->read(context, id, query));
  }
  std::vector<std::string> lines(const std::string& path) {
    std::vector<std::string> all;
    const std::string text = file(path);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      all.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return all;
  }
};

inline std::vector<std::string> texts(const Transcript& transcript) {
  std::vector<std::string> all;
  for (const Message& message : transcript.messages) all.push_back(message.text());
  return all;
}

inline bool found(const std::vector<Finding>& findings, std::string_view kind, std::string_view file) {
  for (const Finding& finding : findings) {
    if (finding.kind == kind && finding.file.find(file) != std::string::npos && !finding.consequence.empty())
      return true;
  }
  return false;
}

}  // namespace holdfast::inline v1
