// A copy of one agent's store from the corpus, read through the real Feed.
#pragma once

#include <holdfast/context.h>
#include <holdfast/file_system.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "index/directory_feed.h"
#include "layout/layout.h"
#include "model/tally.h"

namespace holdfast::corpus {

// Every entry below a directory with its bytes, inode and times.
std::map<std::string, std::string> snapshot(const std::filesystem::path& directory);

// What a layout reports about one session: the row, and every message.
struct Reading : Events {
  SessionRef ref;
  Session session;
  std::vector<Message> messages;
  std::string leaf_id;
  std::set<std::string> files;  // files that were read, relative to the root
  std::vector<PlacedFinding> findings;

  void facts(const SessionFacts& facts) override { tally.facts(facts); }
  bool message(Message message) override {
    messages.push_back(message);
    return tally.message(std::move(message));
  }
  void leaf(std::string_view id) override { leaf_id = id; }

  Tally tally;
};

class Store {
 public:
  // Copies `from` to a new directory and opens it there.
  Store(const Layout& layout, const std::filesystem::path& from);
  ~Store();

  const std::filesystem::path& path() const { return copy_; }
  bool recognised();
  // Everything that failed since the store was opened.
  const std::vector<std::string>& errors() const { return errors_; }
  std::vector<std::unique_ptr<Reading>> read_all(const Layout::ReadOptions& options = {});

 private:
  const Layout& layout_;
  std::filesystem::path copy_;
  Context context_;
  std::unique_ptr<Directory> directory_;
  RootDirectories roots_;
  std::vector<std::string> errors_;
};

}  // namespace holdfast::corpus
