#include "index/filter_store.h"

#include <algorithm>
#include <unordered_set>

#include "base/hash.h"
#include "index/cache_files.h"
#include "index/packed_files.h"
#include "index/session_index.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kMagic = "holdfast filters 3 " HOLDFAST_VERSION "\n";
constexpr std::uint64_t kBatch = 1 << 20;  // bytes that wait in memory
constexpr std::uint64_t kSlack = 4 << 20;  // stale bytes that do not matter

std::uint64_t size_of(const SessionFilterEntry& entry) { return std::uint64_t{entry.shape.blocks} * kFilterBlock; }

SessionFilterEntry unpack(Unpacker& in) {
  SessionFilterEntry entry;
  entry.generation = in.fixed();
  entry.position = in.number();
  entry.sound = in.number();
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    Place place;
    place.root = in.text();
    place.path = in.text();
    const Fingerprint print = unpack_print(in);
    entry.files.emplace_hint(entry.files.end(), std::move(place), print);
  }
  entry.looked_ns = in.signed_number();
  entry.count = in.number();
  entry.shape.serial = in.fixed();
  entry.shape.blocks = static_cast<std::uint32_t>(in.number());
  entry.offset = in.number();
  return entry;
}

std::string packed(const SessionFilterEntry& entry) {
  Packer out;
  out.fixed(entry.generation);
  out.number(entry.position);
  out.number(entry.sound);
  pack_files(out, entry.files);
  out.signed_number(entry.looked_ns);
  out.number(entry.count);
  out.fixed(entry.shape.serial);
  out.number(entry.shape.blocks);
  out.number(entry.offset);
  return out.take();
}

}  // namespace

FilterStore::FilterStore(FileSystem& file_system, const std::string& cache, const std::string& store)
    : file_system_(file_system),
      cache_(cache),
      bits_name_("filters-" + xxh3_hex(store) + ".bits"),
      list_(file_system, cache, "filters-" + xxh3_hex(store) + ".index", std::string(kMagic) + store + "\n") {
  for (const Frame& frame : list_.load()) {
    Unpacker in(frame.payload);
    SessionFilterEntry entry = unpack(in);
    if (in.done() && entry.shape.blocks > 0) entries_.insert_or_assign(frame.key, std::move(entry));
  }
  reopen();
}

void FilterStore::reopen() {
  bits_.reset();
  written_ = 0;
  if (cache_.empty()) return;
  const auto directory = file_system_.open_directory(cache_, false);
  if (!directory) return;
  auto file = (*directory)->open(bits_name_, OpenMode::read);
  if (!file) return;
  if (const auto stat = (*file)->stat()) written_ = stat->size;
  bits_ = std::move(*file);
}

const SessionFilterEntry* FilterStore::find(const SessionKey& key) const {
  const auto found = entries_.find(key.hash);
  return found == entries_.end() ? nullptr : &found->second;
}

bool FilterStore::may_hold(const SessionFilterEntry& entry, std::span<const std::uint32_t> trigrams) const {
  if (!bits_) return true;
  for (const std::uint32_t trigram : trigrams) {
    char block[kFilterBlock];
    const std::uint64_t at = entry.offset + std::uint64_t{block_of(entry.shape, trigram)} * kFilterBlock;
    const auto count = bits_->read_at(at, block);
    if (!count || *count != kFilterBlock) return true;
    switch (ask_block(entry.shape, std::span<const char, kFilterBlock>(block), trigram)) {
      case FilterSays::no: return false;
      case FilterSays::broken: return true;
      case FilterSays::maybe: break;
    }
  }
  return true;
}

std::optional<std::string> FilterStore::bits_of(const SessionFilterEntry& entry) const {
  if (!bits_ || entry.offset > written_ || size_of(entry) > written_ - entry.offset) return std::nullopt;
  std::string bits(static_cast<std::size_t>(size_of(entry)), '\0');
  const auto count = bits_->read_at(entry.offset, bits);
  if (!count || *count != bits.size()) return std::nullopt;
  std::string again = bits;
  add_to_filter(entry.shape, again, {});  // makes the checks that it should have
  if (again != bits) return std::nullopt;
  return bits;
}

void FilterStore::put(const SessionKey& key, SessionFilterEntry entry, std::string_view bits) {
  if (cache_.empty()) return;
  entry.offset = waiting_.size();
  unsaved_.push_back({key.hash, std::move(entry)});
  waiting_ += bits;
  if (waiting_.size() >= kBatch) write_bits();
}

// Those that cannot be written are forgotten.
void FilterStore::write_bits() {
  const auto offset = append_to_cache(file_system_, cache_, bits_name_, waiting_);
  if (!offset) unsaved_.resize(first_waiting_);
  for (; first_waiting_ < unsaved_.size(); ++first_waiting_)
    unsaved_[first_waiting_].entry.offset += offset.value_or(0);
  waiting_.clear();
}

void FilterStore::save(const std::vector<std::uint64_t>& keys) {
  if (unsaved_.empty()) return;
  if (!waiting_.empty()) write_bits();
  if (entries_.size() > keys.size()) {
    const std::unordered_set<std::uint64_t> there(keys.begin(), keys.end());
    std::erase_if(entries_, [&](const auto& entry) { return !there.contains(entry.first); });
  }
  reopen();
  std::vector<std::string> payloads;
  std::vector<Frame> frames;
  payloads.reserve(unsaved_.size());
  for (Unsaved& one : unsaved_) {
    frames.push_back({one.key, payloads.emplace_back(packed(one.entry))});
    entries_.insert_or_assign(one.key, std::move(one.entry));
  }
  unsaved_.clear();
  first_waiting_ = 0;
  std::uint64_t live = 0;
  for (const auto& [key, entry] : entries_) live += size_of(entry);
  if (written_ > 2 * live + kSlack) return compact();
  if (!list_.broken()) return list_.add(frames);
  write_list();
}

void FilterStore::write_list() {
  std::vector<std::string> payloads;
  std::vector<Frame> frames;
  payloads.reserve(entries_.size());
  for (const auto& [key, entry] : entries_) frames.push_back({key, payloads.emplace_back(packed(entry))});
  list_.rewrite(frames);
}

// A file of bits with nothing stale in it. Whoever still has the old list finds
// blocks whose checks are of another filter, and does not trust them.
void FilterStore::compact() {
  const auto directory = file_system_.open_directory(cache_, true);
  if (!directory) return;
  remove_unfinished(**directory, bits_name_);
  const std::string fresh = unfinished_name(bits_name_, file_system_.entropy());
  bool whole = true;
  {
    const auto file = (*directory)->open(fresh, OpenMode::create_append);
    if (!file) return;
    std::uint64_t at = 0;
    for (auto entry = entries_.begin(); entry != entries_.end() && whole;) {
      const auto bits = bits_of(entry->second);
      if (!bits) {
        entry = entries_.erase(entry);
        continue;
      }
      const auto count = (*file)->append(*bits);
      whole = count && *count == bits->size();
      entry->second.offset = at;
      at += bits->size();
      ++entry;
    }
  }
  if (!whole || !(*directory)->rename(fresh, bits_name_)) {
    (void)(*directory)->remove(fresh);
    entries_.clear();
  }
  reopen();
  write_list();
}

}  // namespace holdfast::inline v1
