#include "index/found_refs_cache.h"

#include "base/hash.h"
#include "base/version.h"
#include "index/packed_files.h"
#include "index/session_entry.h"

namespace holdfast::inline v1 {
namespace {

// Must change when layouts find different sessions.
constexpr std::string_view kMagic = "holdfast found 3 " HOLDFAST_VERSION "\n";

bool same_names(Unpacker& in, SeenFiles& seen) {
  std::vector<Place> directories;
  std::vector<std::uint64_t> digests;
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    Place& place = directories.emplace_back();
    place.root = in.text();
    place.path = in.text();
    digests.push_back(in.fixed());
  }
  if (!in.ok()) return false;
  seen.look_ahead(directories);
  for (std::size_t i = 0; i < directories.size(); ++i) {
    const Listing* const listing = seen.seen(directories[i].root, directories[i].path);
    if (listing == nullptr || listing->digest() != digests[i]) return false;
  }
  for (const Place& directory : directories) (void)seen.list(directory);
  return true;
}

bool same_documents(Unpacker& in, const RootDirectories& roots) {
  const std::int64_t looked_ns = in.signed_number();
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    const std::string_view root = in.view(), path = in.view();
    const Fingerprint print = unpack_print(in);
    if (!in.ok() || !unchanged(roots, root, path, print, looked_ns)) return false;
  }
  return in.ok();
}

}  // namespace

FoundRefsCache::FoundRefsCache(FileSystem& file_system, const std::string& cache, const std::string& store)
    : file_(file_system, cache, "sessions-" + xxh3_hex(store) + ".found", std::string(kMagic) + store + "\n") {}

std::optional<FoundRefs> FoundRefsCache::load(const RootDirectories& roots, SeenFiles& seen) {
  const std::vector<Frame> frames = file_.load();
  if (frames.size() != 1) return std::nullopt;
  Unpacker in(frames.front().payload);
  if (!same_names(in, seen) || !same_documents(in, roots)) return std::nullopt;
  const std::string_view packed = in.view();
  if (!in.done()) return std::nullopt;
  return FoundRefs::unpack(file_.bytes(), packed);
}

void FoundRefsCache::save(const FoundRefs& found, const SeenFiles& seen, const std::map<Place, Fingerprint>& documents,
                          std::int64_t looked_ns) {
  for (const auto& [place, print] : documents) {
    if (print != Fingerprint::missing() && print.racy(looked_ns)) return;  // it would not be trusted
  }
  Packer out;
  out.number(seen.listed().size());
  for (const Place& place : seen.listed()) {
    const Listing* const listing = seen.seen(place.root, place.path);
    if (listing == nullptr) return;
    out.text(place.root);
    out.text(place.path);
    out.fixed(listing->digest());
  }
  out.signed_number(looked_ns);
  pack_files(out, documents);
  out.text(found.packed());
  const std::string payload = out.take();
  const Frame frame{0, payload};
  file_.rewrite({&frame, 1});
}

}  // namespace holdfast::inline v1
