#include "archive/folding.h"

#include <algorithm>

#include "archive/log_lines.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> tail_of(Packs& packs, const FileVersion& version) {
  std::string tail;
  for (std::size_t i = version.sealed(); i < version.blocks.size(); ++i) {
    HOLDFAST_LET(bytes, packs.read(version.blocks[i].name));
    tail += bytes;
  }
  return tail;
}

// Whether the bytes of `with` are the first bytes of `whole`.
Result<bool> begins(Packs& packs, const FileVersion& with, const FileVersion& whole) {
  if (with.blocks == whole.blocks) return true;
  const std::size_t sealed = with.sealed();
  if (with.size > whole.size || whole.sealed() < sealed) return false;
  if (!std::equal(with.blocks.begin(), with.blocks.begin() + static_cast<std::ptrdiff_t>(sealed), whole.blocks.begin()))
    return false;
  HOLDFAST_LET(tail, tail_of(packs, with));
  if (tail.empty()) return true;
  std::string next;
  if (whole.sealed() > sealed) {
    HOLDFAST_LET(block, packs.read(whole.blocks[sealed].name));
    next = std::move(block);
  } else {
    HOLDFAST_LET(rest, tail_of(packs, whole));
    next = std::move(rest);
  }
  return next.starts_with(tail);
}

}  // namespace

Result<void> Folding::give_up() {
  given_up_ = true;
  return {};
}

Result<void> Folding::take(const CaptureLine& line) {
  HOLDFAST_LET(files, files_in(line, writer_.packs()));
  Capture capture = line.capture;
  static const Versions kNone;
  HOLDFAST_LET(changes, read_files(files, session_.number == capture.base ? session_.last : kNone));
  for (const FileChange& change : changes) {
    if (change.moved || change.version->worse) return give_up();
    const auto before = session_.last.find(change.place);
    if (before == session_.last.end()) continue;
    HOLDFAST_LET(grown, begins(writer_.packs(), *before->second, *change.version));
    if (!grown) return give_up();
  }
  capture.files = std::move(changes);
  fold(capture, session_);
  last_ = capture;
  ++count_;
  return {};
}

Result<std::optional<Capture>> Folding::folded() {
  if (given_up_ || count_ == 0) return std::nullopt;
  Capture whole = last_;
  whole.base = 0;
  whole.first_at = session_.first_at;
  whole.files.clear();
  for (const auto& [place, version] : session_.last) {
    auto sealed = std::make_shared<FileVersion>(*version);
    if (version->blocks.size() > version->sealed() + 1) {
      HOLDFAST_LET(tail, tail_of(writer_.packs(), *version));
      HOLDFAST_LET(name, writer_.add_chunk(context_, tail));
      sealed->blocks.resize(version->sealed());
      sealed->blocks.push_back({std::move(name), static_cast<std::uint32_t>(tail.size())});
    }
    whole.files.push_back({place, std::move(sealed)});
  }
  return whole;
}

}  // namespace holdfast::inline v1
