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
  for (std::uint64_t left = head.findings; left > 0 && in.ok(); --left) unpack_finding(in);
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

void pack_finding(Packer& out, const PlacedFinding& finding) {
  for (const std::string* text : {&finding.place.root, &finding.place.path, &finding.kind, &finding.consequence})
    out.text(*text);
  out.number(finding.offset);
  out.number(finding.length);
  out.number(finding.salvaged);
}

PlacedFinding unpack_finding(Unpacker& in) {
  PlacedFinding finding;
  for (std::string* text : {&finding.place.root, &finding.place.path, &finding.kind, &finding.consequence})
    *text = in.text();
  finding.offset = in.number();
  finding.length = in.number();
  finding.salvaged = static_cast<std::uint32_t>(in.number());
  return finding;
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
  for (const PlacedFinding& finding : entry.findings) pack_finding(out, finding);
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
  entry.files = unpack_files(in);
  unpack_session(in, entry.row);
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) entry.findings.push_back(unpack_finding(in));
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
