#include "index/session_index.h"

#include <unordered_set>

#include "base/hash.h"

namespace holdfast::inline v1 {
namespace {

// Changes with the meaning of an entry: a reader that counts differently must not
// find the counts of its predecessor.
constexpr std::string_view kMagic = "holdfast index 4 " HOLDFAST_VERSION "\n";
constexpr std::uint64_t kSlack = 256 << 10;  // bytes that may be stale before a file is written anew

std::uint64_t hash_of(const SessionRef& ref) { return xxh3_64(SessionIndex::key_of(ref)); }

}  // namespace

std::string SessionIndex::key_of(const SessionRef& ref) {
  return ref.place.root + '\n' + ref.place.path + '\n' + ref.id + '\n' + ref.hint;
}

SessionIndex::SessionIndex(FileSystem& file_system, const std::string& cache, const std::string& store)
    : file_(file_system, cache, "sessions-" + xxh3_hex(store) + ".index", std::string(kMagic) + store + "\n") {
  for (const Frame& frame : file_.load()) {
    std::string_view& payload = payloads_[frame.key];
    live_ += frame.payload.size() - payload.size();
    payload = frame.payload;
  }
  written_ = file_.size();
}

std::optional<SessionEntry> SessionIndex::unpack(const SessionRef& ref, const RootDirectories* roots,
                                                 EntryWish wish) const {
  const auto found = payloads_.find(hash_of(ref));
  if (found == payloads_.end()) return std::nullopt;
  Unpacker in(found->second);
  if (in.view() != key_of(ref)) return std::nullopt;
  return unpack_entry(in, roots, wish);
}

std::optional<SessionEntry> SessionIndex::fresh(const SessionRef& ref, const RootDirectories& roots,
                                                EntryWish wish) const {
  return unpack(ref, &roots, wish);
}

std::optional<SessionEntry> SessionIndex::known(const SessionRef& ref) const {
  return unpack(ref, nullptr, EntryWish::counts);
}

void SessionIndex::put(const SessionRef& ref, const SessionEntry& entry) {
  Packer out;
  out.text(key_of(ref));
  pack_entry(out, entry);
  const std::uint64_t key = hash_of(ref);
  std::string_view& payload = payloads_[key];
  live_ -= payload.size();
  payload = added_.insert_or_assign(key, out.take()).first->second;
  live_ += payload.size();
  unsaved_.push_back(key);
}

void SessionIndex::keep_only(const std::vector<SessionRef>& refs) {
  if (payloads_.size() == refs.size()) {
    bool same = true;
    for (const SessionRef& ref : refs) same = same && payloads_.contains(hash_of(ref));
    if (same) return;
  }
  std::unordered_set<std::uint64_t> there;
  for (const SessionRef& ref : refs) there.insert(hash_of(ref));
  std::erase_if(payloads_, [&](const auto& entry) {
    if (there.contains(entry.first)) return false;
    live_ -= entry.second.size();
    return true;
  });
}

void SessionIndex::save() {
  const bool stale = written_ > 2 * live_ + kSlack;
  if (unsaved_.empty() && !stale) return;
  std::vector<Frame> frames;
  if (stale || file_.broken()) {
    for (const auto& [key, payload] : payloads_) frames.push_back({key, payload});
    file_.rewrite(frames);
    written_ = live_;
  } else {
    for (const std::uint64_t key : unsaved_) {
      if (const auto found = payloads_.find(key); found != payloads_.end()) frames.push_back({key, found->second});
    }
    file_.add(frames);
    for (const Frame& frame : frames) written_ += frame.payload.size();
  }
  unsaved_.clear();
}

}  // namespace holdfast::inline v1
