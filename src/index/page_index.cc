#include "index/page_index.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "base/version.h"
#include "disk/staged.h"
#include "index/frame_file.h"
#include "index/packed_files.h"
#include "index/session_entry.h"
#include "model/usage_figures.h"

namespace holdfast::inline v1 {
namespace {

// Must change when layouts report different messages.
constexpr std::string_view kMagic = "holdfast pages 11 " HOLDFAST_VERSION "\n";
constexpr std::uint64_t kAbandoned = std::uint64_t{1} << 63;

void pack_block(Packer& out, const Block& block) {
  out.byte(static_cast<std::uint8_t>(block.kind));
  for (const std::string* text : {&block.text, &block.id, &block.name, &block.json, &block.media_type, &block.blob,
                                  &block.signature, &block.spilled, &block.extra})
    out.text(*text);
  out.number(block.bytes);
  out.byte(block.is_error ? 1 : 0);
}

void put(std::string& bytes, std::uint64_t value) {
  for (unsigned shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(value >> shift);
}

std::uint64_t number_at(std::string_view bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < 8; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << 8 * i;
  return value;
}

}  // namespace

std::uint64_t content_hash(const Message& message) {
  Packer out;
  for (const std::string* text :
       {&message.id, &message.parent, &message.timestamp, &message.model, &message.stop_reason, &message.cost,
        &message.response, &message.extra, &message.context.cwd, &message.context.git_branch,
        &message.context.permission_mode, &message.context.version, &message.context.user_type, &message.agent})
    out.text(*text);
  out.byte(static_cast<std::uint8_t>(message.role));
  out.byte(static_cast<std::uint8_t>(message.origin));
  out.byte(static_cast<std::uint8_t>((message.side ? 1 : 0) + (message.failed ? 2 : 0) + (message.usage ? 4 : 0)));
  const Usage usage = message.usage.value_or(Usage());
  for (const auto figure : kUsageFigures) out.signed_number(usage.*figure);
  out.number(message.blocks.size());
  for (const Block& block : message.blocks) pack_block(out, block);
  return xxh3_64(out.take());
}

std::uint64_t identity_hash(const Message& message) {
  return message.id.empty() ? content_hash(message) : xxh3_64(message.id);
}

PageMark mark_of(const Message& message, std::uint64_t said) {
  return {message.offset, message.abandoned, said, identity_hash(message), message.ordinal};
}

std::int64_t PageIndex::ordinal_at(std::size_t number) const {
  const auto after = std::ranges::upper_bound(gaps_, number, {}, &Gap::number);
  if (after == gaps_.begin()) return static_cast<std::int64_t>(number);
  const Gap& gap = *std::prev(after);
  return gap.ordinal + static_cast<std::int64_t>(number - gap.number);
}

PageMark PageIndex::mark(std::size_t number) const {
  const std::size_t at = number * kMark;
  const std::uint64_t offset = number_at(marks_, at);
  return {offset & ~kAbandoned, (offset & kAbandoned) != 0, number_at(marks_, at + 8), number_at(marks_, at + 16),
          ordinal_at(number)};
}

void PageIndex::add(const PageMark& mark) {
  if (ordinal_at(size()) != mark.ordinal) gaps_.push_back({size(), mark.ordinal});
  put(marks_, mark.offset | (mark.abandoned ? kAbandoned : 0));
  put(marks_, mark.said);
  put(marks_, mark.name);
}

void PageIndex::cut(std::size_t count) {
  marks_.resize(count * kMark);
  std::erase_if(gaps_, [&](const Gap& gap) { return gap.number >= count; });
}

std::size_t PageIndex::at_ordinal(std::int64_t ordinal) const {
  std::size_t from = 0;
  for (std::size_t to = size(); from < to;) {
    const std::size_t middle = from + (to - from) / 2;
    if (ordinal_at(middle) < ordinal)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

std::optional<std::size_t> PageIndex::behind(std::uint64_t name, std::size_t before) const {
  if (before > 0 && before <= size() && mark(before - 1).name == name) return before;
  for (std::size_t number = size(); number > 0; --number) {
    if (mark(number - 1).name == name) return number;
  }
  return std::nullopt;
}

bool PageIndex::is_fresh(const RootDirectories& roots) const {
  return std::ranges::all_of(files,
                             [&](const auto& file) { return unchanged(roots, file.first, file.second, looked_ns); });
}

bool PageIndex::is_same_document(const RootDirectories& roots, const Place& place) const {
  const auto print = files.find(place);
  if (print == files.end()) return false;
  if (unchanged(roots, place, print->second, looked_ns)) return true;
  const auto known = young.find(place);
  const auto root = roots.find(place.root);
  if (known == young.end() || root == roots.end() || root->second == nullptr) return false;
  const auto stat = root->second->stat_to_read(place.path);
  if (!stat || Fingerprint::of(*stat) != print->second) return false;
  const auto bytes = read_whole(*root->second, place.path);
  return bytes && revision_of(*bytes) == known->second;
}

std::string PageIndex::pack() const {
  Packer out;
  out.signed_number(looked_ns);
  pack_files(out, files);
  out.number(young.size());
  for (const auto& [place, revision] : young) {
    out.text(place.root);
    out.text(place.path);
    out.text(revision);
  }
  out.number(findings.size());
  for (const PlacedFinding& finding : findings) pack_finding(out, finding);
  out.text(log.root);
  out.text(log.path);
  out.number(reading);
  out.number(checkpoints.size());
  for (const PageCheckpoint& checkpoint : checkpoints) {
    out.number(checkpoint.offset);
    out.text(checkpoint.state);
  }
  out.byte(line ? 1 : 0);
  if (line) {
    out.number(line->position);
    out.number(line->hashed);
    out.text(line->hash);
    out.text(last_id);
    out.byte(plain ? 1 : 0);
  }
  out.text(marks_);
  out.number(gaps_.size());
  for (const Gap& gap : gaps_) {
    out.number(gap.number);
    out.signed_number(gap.ordinal);
  }
  return out.take();
}

std::optional<PageIndex> PageIndex::unpack(std::string_view packed) {
  Unpacker in(packed);
  PageIndex index;
  index.looked_ns = in.signed_number();
  index.files = unpack_files(in);
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    Place place;
    place.root = in.text();
    place.path = in.text();
    index.young.insert_or_assign(std::move(place), in.text());
  }
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) index.findings.push_back(unpack_finding(in));
  index.log.root = in.text();
  index.log.path = in.text();
  index.reading = in.number();
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    PageCheckpoint& checkpoint = index.checkpoints.emplace_back();
    checkpoint.offset = in.number();
    checkpoint.state = in.text();
  }
  if (in.byte() != 0) {
    LogTrack& line = index.line.emplace();
    line.position = in.number();
    line.hashed = in.number();
    line.hash = in.text();
    index.last_id = in.text();
    index.plain = in.byte() != 0;
  }
  index.marks_ = in.text();
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    Gap& gap = index.gaps_.emplace_back();
    gap.number = in.number();
    gap.ordinal = in.signed_number();
  }
  if (!in.done() || index.marks_.size() % kMark != 0) return std::nullopt;
  return index;
}

PageFile::PageFile(FileSystem& file_system, const std::string& cache, const std::string& store,
                   const SessionKey& session)
    : file_system_(file_system), cache_(cache) {
  std::string key;
  put(key, session.hash);
  put(key, session.check);
  name_ = "pages-" + xxh3_hex(store + "\n" + key) + ".index";
  head_ = std::string(kMagic) + store + "\n" + key;
}

std::optional<PageIndex> PageFile::load(std::string_view variant) const {
  FrameFile file(file_system_, cache_, name_, head_);
  const std::uint64_t key = xxh3_64(variant);
  const std::vector<Frame> frames = file.load();
  const auto last = std::find_if(frames.rbegin(), frames.rend(), [&](const Frame& frame) { return frame.key == key; });
  return last == frames.rend() ? std::nullopt : PageIndex::unpack(last->payload);
}

// Keeps lists of a few other variants; the limit prevents a reader of every branch from filling the cache.
void PageFile::save(std::string_view variant, const PageIndex& index) const {
  constexpr std::size_t kMost = 4;
  if (cache_.empty()) return;
  FrameFile file(file_system_, cache_, name_, head_);
  const std::uint64_t key = xxh3_64(variant);
  std::vector<Frame> frames = file.load();
  std::erase_if(frames, [&](const Frame& frame) { return frame.key == key; });
  if (frames.size() >= kMost) frames.erase(frames.begin(), frames.end() - (kMost - 1));
  const std::string packed = index.pack();
  frames.push_back({key, packed});
  file.rewrite(frames);
}

}  // namespace holdfast::inline v1
