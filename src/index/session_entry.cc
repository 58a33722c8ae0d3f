#include "index/session_entry.h"

#include "index/packed_files.h"

namespace holdfast::inline v1 {
namespace {

// `holds` is called for each file; returns false to stop.
template <typename Holds>
std::optional<SessionHead> peek(std::string_view packed, const Holds& holds) {
  Unpacker in(packed);
  SessionHead head{.packed = packed};
  const std::int64_t looked_ns = in.signed_number();
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    const std::string_view root = in.view(), path = in.view();
    const Fingerprint print = unpack_print(in);
    if (!in.ok() || !holds(root, path, print, looked_ns)) return std::nullopt;
  }
  head.row = peek_session(in);
  head.findings = in.number();
  for (std::uint64_t left = head.findings; left > 0 && in.ok(); --left) unpack_complaint(in);
  head.generation = in.fixed();
  if (in.number() != 0) {
    head.position = in.number();
    in.number();
    in.view();
  }
  if (!in.done()) return std::nullopt;
  return head;
}

}  // namespace

void pack_complaint(Packer& out, const PlacedFinding& complaint) {
  for (const std::string* text :
       {&complaint.place.root, &complaint.place.path, &complaint.kind, &complaint.consequence})
    out.text(*text);
  out.number(complaint.offset);
  out.number(complaint.length);
  out.number(complaint.salvaged);
}

PlacedFinding unpack_complaint(Unpacker& in) {
  PlacedFinding complaint;
  for (std::string* text : {&complaint.place.root, &complaint.place.path, &complaint.kind, &complaint.consequence})
    *text = in.text();
  complaint.offset = in.number();
  complaint.length = in.number();
  complaint.salvaged = static_cast<std::uint32_t>(in.number());
  return complaint;
}

bool unchanged(const RootDirectories& roots, std::string_view root_name, std::string_view path,
               const Fingerprint& print, std::int64_t looked_ns) {
  const auto root = roots.find(root_name);
  if (root == roots.end() || root->second == nullptr) return false;
  if (print == Fingerprint::missing()) return !root->second->exists(path);
  const auto stat = root->second->stat_to_read(path);
  return stat && Fingerprint::of(*stat) == print && !print.racy(looked_ns);
}

void pack_entry(Packer& out, const SessionEntry& entry) {
  out.signed_number(entry.looked_ns);
  pack_files(out, entry.files);
  pack_session(out, entry.row);
  out.number(entry.findings.size());
  for (const PlacedFinding& complaint : entry.findings) pack_complaint(out, complaint);
  out.fixed(entry.generation);
  out.number(entry.log ? 1 : 0);
  if (entry.log) {
    out.number(entry.log->position);
    out.number(entry.log->hashed);
    out.text(entry.log->hash);
  }
}

std::optional<SessionEntry> unpack_entry(std::string_view packed) {
  Unpacker in(packed);
  std::optional<SessionEntry> made(std::in_place);
  SessionEntry& entry = *made;
  entry.looked_ns = in.signed_number();
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    Place place;
    place.root = in.text();
    place.path = in.text();
    const Fingerprint print = unpack_print(in);
    entry.files.emplace_hint(entry.files.end(), std::move(place), print);
  }
  unpack_session(in, entry.row);
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) entry.findings.push_back(unpack_complaint(in));
  entry.generation = in.fixed();
  if (in.number() != 0) {
    entry.log.emplace();
    entry.log->position = in.number();
    entry.log->hashed = in.number();
    entry.log->hash = in.text();
  }
  if (!in.done()) made.reset();
  return made;
}

Session unpack_row(std::string_view packed) {
  Unpacker in(packed);
  skip_identity(in);
  Session row;
  unpack_session(in, row);
  return row;
}

std::optional<SessionHead> peek_entry(std::string_view packed) {
  return peek(packed, [](std::string_view, std::string_view, const Fingerprint&, std::int64_t) { return true; });
}

std::optional<SessionHead> peek_fresh(std::string_view packed, const RootDirectories& roots, const SeenFiles& seen) {
  return peek(packed,
              [&](std::string_view root, std::string_view path, const Fingerprint& print, std::int64_t looked_ns) {
                switch (seen.ask(root, path, print)) {
                  case SeenFiles::Answer::same: return print == Fingerprint::missing() || !print.racy(looked_ns);
                  case SeenFiles::Answer::other: return false;
                  case SeenFiles::Answer::unknown: break;
                }
                return unchanged(roots, root, path, print, looked_ns);
              });
}

}  // namespace holdfast::inline v1
