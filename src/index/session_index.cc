#include "index/session_index.h"

#include <limits>
#include <unordered_set>

#include "base/hash.h"
#include "base/version.h"

namespace holdfast::inline v1 {
namespace {

// Must change with the meaning of an entry: a version that counts differently
// must not find the counts of its predecessor.
constexpr std::string_view kMagic = "holdfast index 21 " HOLDFAST_VERSION "\n";
constexpr std::uint64_t kSlack = 256 << 10;      // stale bytes before a file is rewritten
constexpr std::uint64_t kCountsSlack = 4 << 20;  // the same for counts
constexpr std::uint64_t kBatch = 4 << 20;        // bytes of counts waiting in memory

// Includes an estimate of a frame's overhead.
std::uint64_t size_of(std::string_view packed) { return packed.size() + 40; }

CountsName name_of(const SessionKey& key, const SessionHead& head) {
  return {key.hash, head.generation, head.position};
}

}  // namespace

SessionIndex::SessionIndex(FileSystem& file_system, const std::string& cache, const std::string& store)
    : file_(file_system, cache, "sessions-" + xxh3_hex(store) + ".index", std::string(kMagic) + store + "\n"),
      counts_(file_system, cache, "sessions-" + xxh3_hex(store) + ".counts"),
      keeps_(!cache.empty()) {
  const std::vector<Frame> frames = file_.load();
  entries_.reserve(frames.size());
  for (const Frame& frame : frames) {
    Unpacker in(frame.payload);
    Known known;
    known.check = in.fixed();
    known.packed = in.view();
    known.counts.offset = in.number();
    known.counts.size = in.number();
    if (!in.done()) continue;
    Known& there = entries_[frame.key];
    if (!there.packed.empty()) live_ -= size_of(there.packed);
    live_ += size_of(known.packed);
    there = std::move(known);
  }
  written_ = file_.size();
}

const SessionIndex::Known* SessionIndex::find(const SessionKey& key) const {
  const Known* const known = entries_.find(key.hash);
  return known == nullptr || known->check != key.check ? nullptr : known;
}

std::optional<SessionHead> SessionIndex::fresh(const SessionKey& key, const RootDirectories& roots,
                                               const SeenFiles& seen) const {
  const Known* const known = find(key);
  if (known == nullptr) return std::nullopt;
  return peek_fresh(known->packed, roots, seen);
}

std::optional<SessionEntry> SessionIndex::known(const SessionKey& key) const {
  const Known* const known = find(key);
  if (known == nullptr) return std::nullopt;
  const auto head = peek_entry(known->packed);
  std::string buffer;
  const auto counts = head ? this->counts(key, *head, buffer) : std::nullopt;
  if (!counts) return std::nullopt;
  auto entry = unpack_entry(known->packed);
  if (!entry) return std::nullopt;
  entry->state = counts->state;
  entry->tally = counts->tally;
  return entry;
}

std::optional<SessionCounts> SessionIndex::counts(const SessionKey& key, const SessionHead& head,
                                                  std::string& buffer) const {
  {
    const ScopedLock guard(mutex_);
    if (const auto piece = pieces_.find(key.hash); piece != pieces_.end()) {
      buffer = piece->second;
      return unpack_counts(name_of(key, head), buffer);
    }
  }
  const Known* const known = find(key);
  if (known == nullptr) return std::nullopt;
  return counts_.get(name_of(key, head), known->counts, buffer);
}

SessionHead SessionIndex::put(const SessionKey& key, const SessionEntry& entry) {
  Packer out;
  pack_entry(out, entry);
  const auto own = std::make_shared<const std::string>(out.take());
  Known known{key.check, *own, {}, own};
  const SessionHead head = peek_entry(known.packed).value_or(SessionHead{.packed = known.packed});
  std::string piece = pack_counts(name_of(key, head), {entry.state, entry.tally});
  const ScopedLock guard(mutex_);
  waiting_ += piece.size();
  pieces_.insert_or_assign(key.hash, std::move(piece));
  added_[key.hash] = std::move(known);
  if (waiting_ >= kBatch) write_counts(added_);
  return head;
}

// For these sessions. Counts that cannot be written stay in memory. Requires
// mutex_.
void SessionIndex::write_counts(Entries& sessions) HOLDFAST_NOT_ANALYSED {
  waiting_ = 0;
  if (!keeps_) return;
  std::string bytes;
  for (const auto& [key, piece] : pieces_) {
    if (sessions.find(key) != nullptr) bytes += piece;
  }
  const auto offset = counts_.add(bytes);
  if (!offset) return;
  std::uint64_t at = *offset;
  std::erase_if(pieces_, [&](const auto& piece) {
    Known* const known = sessions.find(piece.first);
    if (known == nullptr) return false;
    known->counts = {at, piece.second.size()};
    at += piece.second.size();
    return true;
  });
}

void SessionIndex::settle() {
  const ScopedLock guard(mutex_);
  if (added_.empty()) return;
  for (auto& [key, added] : added_) {
    Known& there = entries_[key];
    if (!there.packed.empty()) live_ -= size_of(there.packed);
    there = std::move(added);
    live_ += size_of(there.packed);
    unsaved_.push_back(key);
  }
  added_.clear();
  counts_.reopen_file();
}

void SessionIndex::keep_only(std::span<const FoundRef> there) {
  std::unordered_set<std::uint64_t> keys;
  for (const FoundRef& session : there) keys.insert(session.key.hash);
  const std::size_t before = entries_.size();
  entries_.erase_if([&](const auto& entry) {
    if (keys.contains(entry.first)) return false;
    live_ -= size_of(entry.second.packed);
    return true;
  });
  // Remove dropped sessions from the file too: the user may have asked to forget their texts.
  if (entries_.size() != before) written_ = std::numeric_limits<std::uint64_t>::max();
  const ScopedLock guard(mutex_);
  std::erase_if(pieces_, [&](const auto& piece) { return !keys.contains(piece.first); });
}

SessionIndex::Holders SessionIndex::holders() const {
  Holders all{file_.bytes()};
  for (const auto& [key, known] : entries_) {
    if (known.own) all.push_back(known.own);
  }
  return all;
}

std::string SessionIndex::frame_of(const Known& known) const {
  Packer out;
  out.fixed(known.check);
  out.text(known.packed);
  out.number(known.counts.offset);
  out.number(known.counts.size);
  return out.take();
}

void SessionIndex::compact_counts() {
  std::vector<CountsFile::Live> live;
  live.reserve(entries_.size());
  for (auto& [key, known] : entries_) {
    const auto head = peek_entry(known.packed);
    if (head) live.push_back({{key, head->generation, head->position}, &known.counts});
  }
  counts_.compact(live);
}

void SessionIndex::save() {
  bool stale = written_ > live_ + live_ / 2 + kSlack;  // every list reads this file
  if (unsaved_.empty() && !stale) return;
  {
    const ScopedLock guard(mutex_);
    if (!pieces_.empty()) write_counts(entries_);
  }
  counts_.reopen_file();
  std::uint64_t counted = 0;
  for (const auto& [key, known] : entries_) counted += known.counts.size;
  // Counts contain titles: those of removed sessions must leave the file too.
  const bool some_went = written_ == std::numeric_limits<std::uint64_t>::max();
  if (counts_.size() > 2 * counted + kCountsSlack || (some_went && counts_.size() > counted)) {
    compact_counts();
    stale = true;
  }
  std::vector<std::string> payloads;
  std::vector<Frame> frames;
  payloads.reserve(entries_.size() + unsaved_.size());
  const auto add = [&](std::uint64_t key, const Known& known) {
    frames.push_back({key, payloads.emplace_back(frame_of(known))});
  };
  if (stale || file_.broken()) {
    for (const auto& [key, known] : entries_) add(key, known);
    file_.rewrite(frames);
    written_ = live_;
  } else {
    for (const std::uint64_t key : unsaved_) {
      if (const Known* const found = entries_.find(key)) add(key, *found);
    }
    file_.add(frames);
    for (const Frame& frame : frames) written_ += frame.payload.size();
  }
  unsaved_.clear();
}

}  // namespace holdfast::inline v1
