// Arbitrary bytes as log, index and pack of an archive: read, verified, restored from, opened for writing.
// Chunks that are read must hash to their names, and nothing may be written outside the given directory.
#include "archive/archive_writer.h"
#include "archive/restore_captured.h"
#include "archive/verify_archive.h"
#include "base/hash.h"
#include "fuzz_store.h"

namespace {

using namespace holdfast;
using fuzz::Input, fuzz::require;

constexpr char kPath[] = "/data/archive";
constexpr char kFile[] = "projects/-p/aaaaaaaa-0000-4000-8000-00000000000a.jsonl";

// An archive with one session of Claude Code in it.
const SimFileSystem& whole() {
  static SimFileSystem disk;
  static const bool made = [] {
    require(disk.put_file("/data/keep", "mine").has_value());
    auto writer = ArchiveWriter::open({}, disk, kPath);
    require(writer.has_value());
    FileVersion version;
    const std::string bytes = "{\"type\":\"user\"}\n";
    version.blocks.push_back({(*writer)->add_chunk({}, bytes).value(), static_cast<std::uint32_t>(bytes.size())});
    version.size = bytes.size();
    Capture capture;
    capture.session = {"claude-code", "/home/me/.claude", "aaaaaaaa-0000-4000-8000-00000000000a"};
    capture.files.push_back({{"home", kFile}, std::make_shared<FileVersion>(version)});
    require((*writer)->add({}, std::move(capture)).has_value());
    return (*writer)->close({}).has_value();
  }();
  require(made);
  return disk;
}

// Changes some of the bytes.
void edit(Input& input, std::string& bytes) {
  for (int edits = input.byte() % 4; edits > 0; --edits) {
    const std::size_t at = bytes.empty() ? 0 : (input.byte() | std::size_t{input.byte()} << 8U) % bytes.size();
    const std::string with = input.bytes();
    bytes.replace(at, std::min<std::size_t>(bytes.size() - at, input.byte()), with);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const auto disk = whole().clone();
  for (const std::string name : {"log.jsonl", "packs/000001.zst", "packs/000001.idx"}) {
    const std::string path = std::string(kPath) + "/" + name;
    std::string bytes = input.byte() % 8 == 0 ? input.bytes() : disk->read_file(path).value_or("");
    edit(input, bytes);
    require(disk->put_file(path, bytes).has_value());
  }
  auto archive = Archive::open({}, *disk, kPath);
  if (archive) {
    for (const auto& [name, place] : (*archive)->packs().all()) {
      const auto plain = (*archive)->packs().read(name);
      require(!plain || sha256_hex(*plain) == name);
    }
    require(verify_archive({}, **archive).has_value());
    for (const auto& [key, session] : (*archive)->state().sessions) {
      if (const Layout* const layout = find_layout(key.layout))
        (void)restore_captured({}, *disk, (*archive)->packs(), key, session, *layout,
                               memory_of_project((*archive)->state(), key, session, *layout),
                               {.root = "/data/restored", .imports = "/data/restored/imports", .memory = true});
    }
  }
  if (auto writer = ArchiveWriter::open({}, *disk, kPath)) (void)(*writer)->close({});
  for (const SimEntry& entry : disk->tree())
    require(entry.kind == FileKind::directory || entry.path == "/data/keep" ||
            entry.path.starts_with("/data/archive/") || entry.path.starts_with("/data/restored/"));
  require(disk->read_file("/data/keep").value_or("") == "mine");
  return 0;
}
