#include "tests/corpus/fixtures.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/paths_testing.h"
#include "model/model_json.h"

namespace holdfast::corpus {
namespace fs = std::filesystem;

std::map<std::string, std::string> fixture_files(const std::string& name) {
  std::map<std::string, std::string> files;
  const fs::path root = fs::path(paths::source()) / "tests" / "fixtures" / name;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    files[fs::relative(entry.path(), root).generic_string()] = {std::istreambuf_iterator<char>(file), {}};
  }
  return files;
}

MemoryFeed fixture_feed(const Layout& layout, const std::string& name) {
  return {std::string(layout.roots()[0].name), fixture_files(name)};
}

Readings read_sessions(const Layout& layout, Feed& feed, const Layout::ReadOptions& options,
                       std::vector<std::string>* failures) {
  Readings readings;
  const auto note = [&](const Result<void>& result) {
    if (!result && failures != nullptr) failures->push_back(result.error().text());
  };
  note(layout.find(feed, [&](SessionRef ref) {
    auto& reading = readings[ref.id];
    reading = std::make_unique<Reading>();
    reading->ref = std::move(ref);
    return true;
  }));
  for (auto& [id, reading] : readings) {
    note(layout.read(feed, reading->ref, options, *reading));
    reading->session.id = id;
    reading->tally.finish(reading->session);
  }
  return readings;
}

std::vector<std::string> script(const Reading& reading) {
  std::vector<std::string> lines;
  for (const Message& message : reading.messages) {
    std::string line(role_name(message.role));
    (line += ' ') += origin_name(message.origin);
    if (message.abandoned) line += " abandoned";
    if (message.failed) line += " failed";
    line += ':';
    for (const Block& block : message.blocks) {
      if (block.kind == BlockKind::text) line += " " + block.text;
      if (block.kind == BlockKind::thinking) line += " [thinks " + block.text + "]";
      if (block.kind == BlockKind::tool_call) line += " [call " + block.name + " " + block.id + " " + block.json + "]";
      if (block.kind == BlockKind::tool_result) {
        line += std::string(" [") + (block.is_error ? "error " : "result ") + block.id + " " + block.text + "]";
      }
      if (block.kind == BlockKind::image) line += " [image " + block.media_type + "]";
      if (block.kind == BlockKind::other) line += " [other]";
    }
    if (message.usage) line += " (" + std::to_string(message.usage->output) + ")";
    lines.push_back(line);
  }
  return lines;
}

}  // namespace holdfast::corpus
