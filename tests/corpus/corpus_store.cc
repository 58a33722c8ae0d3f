#include "tests/corpus/corpus_store.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "model/lineage.h"

namespace holdfast::corpus {
namespace fs = std::filesystem;

std::map<std::string, std::string> snapshot(const fs::path& directory) {
  std::map<std::string, std::string> all;
  std::vector<fs::path> paths{directory};
  for (const auto& entry : fs::recursive_directory_iterator(directory)) paths.push_back(entry.path());
  for (const fs::path& path : paths) {
    struct stat info{};
    ::stat(path.c_str(), &info);
    std::string bytes;
    if (S_ISREG(info.st_mode)) {
      std::ifstream file(path, std::ios::binary);
      bytes.assign(std::istreambuf_iterator<char>(file), {});
    }
    all[path.string()] =
        "inode " + std::to_string(info.st_ino) + ", bytes " + std::to_string(std::hash<std::string>()(bytes)) +
        ", written " + std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec) + ", changed " +
        std::to_string(info.st_ctim.tv_sec) + "." + std::to_string(info.st_ctim.tv_nsec);
  }
  return all;
}

Store::Store(const Layout& layout, const fs::path& from) : layout_(layout) {
  std::string name = (fs::temp_directory_path() / "holdfast-corpus-XXXXXX").string();
  copy_ = ::mkdtemp(name.data());
  fs::copy(from, copy_, fs::copy_options::recursive);
  auto opened = real_file_system().open_directory(copy_.string(), false);
  if (opened) directory_ = std::move(*opened);
  roots_[std::string(layout.roots()[0].name)] = directory_.get();
}

Store::~Store() { fs::remove_all(copy_); }

bool Store::recognised() {
  DirectoryFeed feed(context_, roots_);
  return layout_.recognise(feed).value_or(false);
}

std::vector<std::unique_ptr<Reading>> Store::read_all(const Layout::ReadOptions& options) {
  std::vector<std::unique_ptr<Reading>> all;
  DirectoryFeed finder(context_, roots_);
  const auto found = layout_.find(finder, [&](SessionRef ref) {
    all.push_back(std::make_unique<Reading>());
    all.back()->ref = std::move(ref);
    return true;
  });
  if (!found) errors_.push_back(found.error().text());
  for (auto& reading : all) {
    DirectoryFeed feed(context_, roots_);
    const auto read = layout_.read(feed, reading->ref, options, *reading);
    if (!read) errors_.push_back(reading->ref.id + ": " + read.error().text());
    reading->session.id = reading->ref.id;
    reading->tally.finish(reading->session);
    for (const auto& [place, fingerprint] : feed.read_files()) reading->files.insert(place.path);
    reading->findings = feed.findings();
  }
  std::vector<Session> rows;
  for (const auto& reading : all) rows.push_back(reading->session);
  infer_parents(rows);
  for (std::size_t i = 0; i < all.size(); ++i) all[i]->session.parent = rows[i].parent;
  return all;
}

}  // namespace holdfast::corpus
