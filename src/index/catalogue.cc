#include "index/catalogue.h"

#include <set>

#include "base/hash.h"
#include "index/session_packing.h"

namespace holdfast::inline v1 {
namespace {

// Changes with the meaning of a row: a reader that counts differently must not
// find the counts of its predecessor.
constexpr std::string_view kMagic = "holdfast catalogue 2 " HOLDFAST_VERSION "\n";
constexpr std::size_t kHash = 32;

}  // namespace

Catalogue Catalogue::from_bytes(std::string_view store, std::string_view bytes) {
  Catalogue empty(store);
  if (bytes.size() < kMagic.size() + kHash || !bytes.starts_with(kMagic)) return empty;
  const std::string_view body = bytes.substr(0, bytes.size() - kHash);
  if (xxh3_hex(body) != bytes.substr(bytes.size() - kHash)) return empty;
  Unpacker in(body.substr(kMagic.size()));
  if (in.text() != store) return empty;
  Catalogue catalogue(store);
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    std::string key = in.text();
    Row row;
    row.looked_ns = in.signed_number();
    for (std::uint64_t files = in.number(); files > 0 && in.ok(); --files) {
      Place place;
      place.root = in.text();
      place.path = in.text();
      Fingerprint print;
      print.inode = in.number();
      print.size = in.number();
      print.mtime_ns = in.signed_number();
      print.ctime_ns = in.signed_number();
      row.files.emplace(std::move(place), print);
    }
    row.session = unpack_session(in);
    catalogue.rows_.emplace_hint(catalogue.rows_.end(), std::move(key), std::move(row));
  }
  return in.done() ? std::move(catalogue) : empty;
}

std::string Catalogue::to_bytes() {
  Packer out;
  out.text(store_);
  out.number(rows_.size());
  for (const auto& [key, row] : rows_) {
    out.text(key);
    out.signed_number(row.looked_ns);
    out.number(row.files.size());
    for (const auto& [place, print] : row.files) {
      out.text(place.root);
      out.text(place.path);
      out.number(print.inode);
      out.number(print.size);
      out.signed_number(print.mtime_ns);
      out.signed_number(print.ctime_ns);
    }
    pack_session(out, row.session);
  }
  changed_ = false;
  const std::string body = std::string(kMagic) + out.take();
  return body + xxh3_hex(body);
}

const Session* Catalogue::fresh(const SessionRef& ref, const RootDirectories& roots) const {
  const auto at = rows_.find(key_of(ref));
  if (at == rows_.end()) return nullptr;
  for (const auto& [place, print] : at->second.files) {
    const auto root = roots.find(place.root);
    if (root == roots.end() || root->second == nullptr) return nullptr;
    const auto stat = root->second->stat_to_read(place.path);
    if (!stat && stat.error().code != Code::not_found) return nullptr;
    const Fingerprint now = stat ? Fingerprint::of(*stat) : Fingerprint::missing();
    if (now != print || (stat && now.racy(at->second.looked_ns))) return nullptr;
  }
  return &at->second.session;
}

void Catalogue::put(const SessionRef& ref, const std::map<Place, Fingerprint>& files, std::int64_t looked_ns,
                    Session row) {
  rows_.insert_or_assign(key_of(ref), Row{files, looked_ns, std::move(row)});
  changed_ = true;
}

void Catalogue::keep_only(const std::vector<SessionRef>& refs) {
  std::set<std::string> known;
  for (const SessionRef& ref : refs) known.insert(key_of(ref));
  changed_ = std::erase_if(rows_, [&](const auto& row) { return !known.contains(row.first); }) > 0 || changed_;
}

}  // namespace holdfast::inline v1
