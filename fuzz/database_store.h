// A real database of an agent with some of its bytes changed: the input is a list
// of patches (three bytes of position, one of value). Whatever the result, a
// reader must return an answer or an error that says what is wrong.
#pragma once

#include <holdfast/file_system.h>
#include <sqlite3.h>
#include <stdlib.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "index/directory_feed.h"
#include "layout/layout.h"
#include "model/tally.h"

namespace holdfast::fuzz {

class PatchedDatabase {
 public:
  // `path` is relative to the root of the layout.
  PatchedDatabase(const Layout& layout, const std::string& path, const std::string& sql) : layout_(layout) {
    std::string name = (std::filesystem::temp_directory_path() / "holdfast-fuzz-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    folder_ = name;
    file_ = folder_ + "/" + path;
    std::filesystem::create_directories(std::filesystem::path(file_).parent_path());
    sqlite3* database = nullptr;
    if (sqlite3_open(file_.c_str(), &database) != SQLITE_OK) std::abort();
    if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) std::abort();
    sqlite3_close(database);
    std::ifstream file(file_, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }
  PatchedDatabase(const PatchedDatabase&) = delete;
  PatchedDatabase& operator=(const PatchedDatabase&) = delete;
  ~PatchedDatabase() { std::filesystem::remove_all(folder_); }

  void read(const std::uint8_t* data, std::size_t size) {
    std::string patched = bytes_;
    for (std::size_t at = 0; at + 4 <= size && at < 256; at += 4) {
      const std::size_t place = data[at] + std::size_t{256} * data[at + 1] + std::size_t{65536} * data[at + 2];
      patched[place % patched.size()] = static_cast<char>(data[at + 3]);
    }
    std::ofstream(file_, std::ios::binary | std::ios::trunc) << patched;
    // Make the file look old: a reader would wait for a file that was just written.
    std::filesystem::last_write_time(file_, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    auto directory = real_file_system().open_directory(folder_, false);
    if (!directory) std::abort();
    const RootDirectories roots{{std::string(layout_.roots()[0].name), directory->get()}};
    const Context context;
    DirectoryFeed feed(context, roots);
    std::vector<SessionRef> refs;
    require_error_text(layout_.find(feed, [&](SessionRef ref) {
      refs.push_back(std::move(ref));
      return refs.size() < 64;
    }));
    for (const SessionRef& ref : refs) {
      Tally tally;
      require_error_text(layout_.read(feed, ref, {.history = true}, tally));
    }
  }

 private:
  static void require_error_text(const Result<void>& result) {
    if (!result && (result.error().code == Code::internal || result.error().message.empty())) std::abort();
  }

  const Layout& layout_;
  std::string folder_, file_, bytes_;
};

}  // namespace holdfast::fuzz
