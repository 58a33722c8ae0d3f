#include "archive/heal_chunks.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "archive/continuation.h"
#include "base/hash.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxStretches = 64;  // per damaged chunk; more of them are hardly ever different

// Blocks of a version that follow each other.
struct Stretch {
  std::uint64_t from = 0;  // in the file
  std::vector<FileBlock> blocks = {};
  bool operator==(const Stretch&) const = default;
};

struct DamagedFile {
  std::uint64_t newest = 0;  // the last capture with a version of it
  // By where a damaged chunk is in a version, and its name: its size, and what is there in other versions.
  struct Wanted {
    std::uint32_t size = 0;
    std::vector<Stretch> stretches = {};
  };
  std::map<std::pair<std::uint64_t, std::string>, Wanted> wanted = {};
};
using DamagedFiles = std::map<std::pair<CaptureKey, Place>, DamagedFile>;

template <typename Take>
Result<void> for_each_version(const Context& context, ArchiveWriter& writer, const Take& take) {
  const auto seen = [&](const Capture& capture, const CapturedSession& /*folded*/) {
    for (const FileChange& file : capture.files)
      if (!file.moved) take(capture, file);
  };
  HOLDFAST_TRY(load_captures(context, writer.root().directory(), writer.packs(), {.until = {}, .seen = seen}));
  return {};
}

void note_wanted(const FileVersion& version, const std::set<std::string>& damaged, DamagedFile& file) {
  std::uint64_t offset = 0;
  for (const FileBlock& block : version.blocks) {
    if (damaged.contains(block.name)) file.wanted[{offset, block.name}].size = block.size;
    offset += block.size;
  }
}

void note_stretches(const FileVersion& version, const std::set<std::string>& damaged, DamagedFile& file) {
  std::vector<std::uint64_t> begins;
  std::uint64_t end = 0;
  for (const FileBlock& block : version.blocks) {
    begins.push_back(end);
    end += block.size;
  }
  for (auto& [place, wanted] : file.wanted) {
    const std::uint64_t from = place.first, to = from + wanted.size;
    if (to > end || wanted.size == 0 || wanted.stretches.size() == kMaxStretches) continue;
    const auto first = std::prev(std::ranges::upper_bound(begins, from));
    const auto last = std::ranges::lower_bound(begins, to);
    const auto blocks = version.blocks.begin();
    Stretch stretch{*first, {blocks + (first - begins.begin()), blocks + (last - begins.begin())}};
    const auto is_damaged = [&](const FileBlock& block) { return damaged.contains(block.name); };
    if (std::ranges::none_of(stretch.blocks, is_damaged) &&
        std::ranges::find(wanted.stretches, stretch) == wanted.stretches.end())
      wanted.stretches.push_back(std::move(stretch));
  }
}

Result<void> heal(const Context& context, ArchiveWriter& writer, std::uint64_t from, const std::string& name,
                  const DamagedFile::Wanted& wanted) {
  const ReadBlock read = [&](const FileBlock& block) { return read_if_there(writer.packs(), block); };
  for (const Stretch& stretch : wanted.stretches) {
    HOLDFAST_TRY(context.check());
    FileVersion version;
    version.blocks = stretch.blocks;
    const auto bytes = bytes_in(read, version, from - stretch.from, from - stretch.from + wanted.size);
    if (!bytes || sha256_hex(*bytes) != name) continue;
    HOLDFAST_TRY(writer.add_chunk(context, *bytes));
    return {};
  }
  return {};
}

}  // namespace

Result<void> heal_from_other_versions(const Context& context, ArchiveWriter& writer) {
  const std::uint64_t tried = writer.healing_tried(), last = writer.state().last_number;
  if (writer.damaged().empty() || tried == last) return {};
  HOLDFAST_TRY(writer.commit(context));  // what was captured just now may have the bytes
  const std::set<std::string> damaged = writer.damaged();
  DamagedFiles files;
  HOLDFAST_TRY(for_each_version(context, writer, [&](const Capture& capture, const FileChange& file) {
    const std::pair key(capture.session, file.place);
    if (writer.is_damaged(*file.version)) note_wanted(*file.version, damaged, files[key]);
    if (const auto its = files.find(key); its != files.end()) its->second.newest = capture.number;
  }));
  std::erase_if(files, [&](const auto& file) { return file.second.newest <= tried; });
  const std::uint64_t healed = writer.healed();
  if (!files.empty()) {
    HOLDFAST_TRY(for_each_version(context, writer, [&](const Capture& capture, const FileChange& file) {
      if (const auto its = files.find({capture.session, file.place}); its != files.end())
        note_stretches(*file.version, damaged, its->second);
    }));
  }
  for (const auto& [key, file] : files) {
    for (const auto& [place, wanted] : file.wanted)
      if (writer.damaged().contains(place.second))
        HOLDFAST_TRY(heal(context, writer, place.first, place.second, wanted));
  }
  // What was healed may be part of others.
  if (writer.healed() == healed) writer.note_healing_tried(last);
  return {};
}

}  // namespace holdfast::inline v1
