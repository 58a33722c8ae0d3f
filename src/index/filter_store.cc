#include "index/filter_store.h"

#include <algorithm>
#include <unordered_set>

#include "base/hash.h"
#include "base/version.h"
#include "index/cache_files.h"
#include "index/packed_files.h"
#include "index/session_index.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kMagic = "holdfast filters 12 " HOLDFAST_VERSION "\n";
constexpr std::uint64_t kBatch = 1 << 20;  // bytes waiting in memory
constexpr std::uint64_t kSlack = 4 << 20;  // tolerated stale bytes
// Reading a block takes as long as copying this many bytes.
constexpr std::uint64_t kReadCost = 8192;

std::uint64_t size_of(const SessionFilterEntry& entry) { return std::uint64_t{entry.shape.blocks} * kFilterBlock; }

SessionFilterEntry unpack(Unpacker& in) {
  SessionFilterEntry entry;
  entry.generation = in.fixed();
  entry.position = in.number();
  entry.sound = in.number();
  entry.files = unpack_files(in);
  entry.looked_ns = in.signed_number();
  entry.count = in.number();
  entry.shape.serial = in.fixed();
  entry.shape.blocks = static_cast<std::uint32_t>(in.number());
  entry.place.place = in.number();
  entry.place.stride = in.number();
  entry.place.offset = in.number();
  return entry;
}

// True if the unpacked entry is consistent, and its numbers are small enough to compute with.
bool is_one(const SessionFilterEntry& entry) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  return entry.shape.blocks > 0 && entry.shape.blocks % kFilterRows == 0 && entry.place.stride < kMost &&
         entry.place.place < entry.place.stride && entry.place.place + entry.shape.width() <= entry.place.stride &&
         entry.place.offset < kMost;
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
  out.number(entry.place.place);
  out.number(entry.place.stride);
  out.number(entry.place.offset);
  return out.take();
}

}  // namespace

FilterStore::FilterStore(FileSystem& file_system, const std::string& cache, const std::string& store)
    : file_system_(file_system),
      cache_(cache),
      bits_name_("filters-" + xxh3_hex(store) + ".bits"),
      list_(file_system, cache, "filters-" + xxh3_hex(store) + ".index", std::string(kMagic) + store + "\n") {
  const std::vector<Frame> frames = list_.load();
  entries_.reserve(frames.size());
  for (const Frame& frame : frames) {
    Unpacker in(frame.payload);
    SessionFilterEntry entry = unpack(in);
    if (in.done() && is_one(entry)) entries_[frame.key] = std::move(entry);
  }
  reopen();
}

void FilterStore::reopen() {
  CacheFile found = open_in_cache(file_system_, cache_, bits_name_);
  bits_ = std::move(found.file);
  written_ = found.size;
}

const SessionFilterEntry* FilterStore::find(const SessionKey& key) const { return entries_.find(key.hash); }

void FilterRows::begin(std::uint64_t offset, std::size_t asked) {
  offset_ = offset;
  asked_ = asked;
  one_read_ = false;
  for (Row& row : rows_) {
    row.asked = 0;
    row.bytes.clear();  // its memory is kept
  }
}

// Returns the block's bytes, or fewer if they cannot be read. Reads a whole row if that is less work than reading
// it block by block: the first row that is asked will be asked for all filters, the others for those that remain.
std::string_view FilterStore::block(const SessionFilterEntry& entry, std::uint32_t number, FilterRows& rows,
                                    std::span<char, kFilterBlock> into) const {
  const std::uint32_t row = number / entry.shape.width();
  const std::uint64_t at = entry.place.in_row(entry.shape, number);
  const std::uint64_t size = entry.place.row_size();
  FilterRows::Row& known = rows.rows_[row];
  const std::size_t left = rows.one_read_ ? known.asked : rows.asked_;
  ++known.asked;
  if (rows.offset_ == entry.place.offset && known.bytes.empty() && left * kReadCost > size) {
    rows.one_read_ = true;
    known.bytes.resize_and_overwrite(static_cast<std::size_t>(size), [&](char* bytes, std::size_t count) {
      return bits_->read_at(entry.place.row_at(row), {bytes, count}).value_or(0);
    });
  }
  if (rows.offset_ == entry.place.offset && at + kFilterBlock <= known.bytes.size())
    return std::string_view(known.bytes).substr(static_cast<std::size_t>(at), kFilterBlock);
  const auto count = bits_->read_at(entry.place.row_at(row) + at, into);
  return {into.data(), count.value_or(0)};
}

bool FilterStore::may_contain(const SessionFilterEntry& entry, std::span<const std::uint32_t> trigrams) const {
  FilterRows none;
  return may_contain(entry, trigrams, none);
}

bool FilterStore::may_contain(const SessionFilterEntry& entry, std::span<const std::uint32_t> trigrams,
                              FilterRows& rows) const {
  if (!bits_) return true;
  for (const std::uint32_t trigram : trigrams) {
    char into[kFilterBlock];
    const std::string_view bytes = block(entry, block_of(entry.shape, trigram), rows, into);
    if (bytes.size() != kFilterBlock) return true;
    switch (ask_block(entry.shape, std::span<const char, kFilterBlock>(bytes), trigram)) {
      case FilterAnswer::no: return false;
      case FilterAnswer::broken: return true;
      case FilterAnswer::maybe: break;
    }
  }
  return true;
}

std::optional<std::string> FilterStore::bits_of(const SessionFilterEntry& entry) const {
  const std::uint64_t end = entry.place.row_at(kFilterRows);
  if (!bits_ || end > written_) return std::nullopt;
  std::string bits(static_cast<std::size_t>(size_of(entry)), '\0');
  const std::size_t part = entry.shape.width() * kFilterBlock;
  for (std::uint32_t row = 0; row < kFilterRows; ++row) {
    const std::uint64_t at = entry.place.row_at(row) + entry.place.in_row(entry.shape, 0);
    const auto count = bits_->read_at(at, std::span(bits).subspan(row * part, part));
    if (!count || *count != part) return std::nullopt;
  }
  std::string again = bits;
  add_to_filter(entry.shape, again, {});  // computes the correct checksums
  if (again != bits) return std::nullopt;
  return bits;
}

void FilterStore::put(const SessionKey& key, SessionFilterEntry entry, std::string_view bits) {
  if (cache_.empty()) return;
  waiting_.add(entry.shape, bits);
  unsaved_.push_back({key.hash, std::move(entry)});
  if (waiting_.size() >= kBatch) write_bits();
}

// Drops filters that cannot be written.
void FilterStore::write_bits() {
  const FilterBatch::Rows rows = waiting_.take();
  const auto offset = append_to_cache(file_system_, cache_, bits_name_, rows.bytes);
  if (!offset) unsaved_.resize(first_waiting_);
  for (auto place = rows.places.begin(); first_waiting_ < unsaved_.size(); ++first_waiting_, ++place) {
    unsaved_[first_waiting_].entry.place = *place;
    unsaved_[first_waiting_].entry.place.offset = *offset;
  }
}

void FilterStore::save(const std::vector<std::uint64_t>& keys) {
  if (unsaved_.empty()) return;
  if (!waiting_.empty()) write_bits();
  if (entries_.size() > keys.size()) {
    const std::unordered_set<std::uint64_t> there(keys.begin(), keys.end());
    entries_.erase_if([&](const auto& entry) { return !there.contains(entry.first); });
  }
  reopen();
  std::vector<std::string> payloads;
  std::vector<Frame> frames;
  payloads.reserve(unsaved_.size());
  for (Unsaved& one : unsaved_) {
    frames.push_back({one.key, payloads.emplace_back(packed(one.entry))});
    entries_[one.key] = std::move(one.entry);
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

// Writes a bits file without stale data. Readers that still have the old list
// find blocks with checksums of another filter, and do not trust them.
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
    FilterBatch batch;
    std::vector<SessionFilterEntry*> batched;
    const auto write = [&] {
      const FilterBatch::Rows rows = batch.take();
      for (std::size_t n = 0; n < batched.size(); ++n) {
        batched[n]->place = rows.places[n];
        batched[n]->place.offset = at;
      }
      batched.clear();
      at += rows.bytes.size();
      const auto count = (*file)->append(rows.bytes);
      return count && *count == rows.bytes.size();
    };
    for (auto& [key, entry] : entries_) {
      if (!whole) break;
      const auto bits = bits_of(entry);
      if (!bits) {
        entry.shape.blocks = 0;  // dropped below
        continue;
      }
      batch.add(entry.shape, *bits);
      batched.push_back(&entry);
      if (batch.size() >= kBatch) whole = write();
    }
    whole = whole && (batch.empty() || write());
    entries_.erase_if([](const auto& entry) { return entry.second.shape.blocks == 0; });
  }
  if (!whole || !(*directory)->rename(fresh, bits_name_)) {
    (void)(*directory)->remove(fresh);
    entries_.clear();
  }
  reopen();
  write_list();
}

}  // namespace holdfast::inline v1
