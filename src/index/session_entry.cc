#include "index/session_entry.h"

#include <algorithm>

#include "index/packed_files.h"
#include "index/session_packing.h"

namespace holdfast::inline v1 {
namespace {

void pack_complaint(Packer& out, const Complaint& complaint) {
  for (const std::string* text :
       {&complaint.place.root, &complaint.place.path, &complaint.kind, &complaint.consequence})
    out.text(*text);
  out.number(complaint.offset);
  out.number(complaint.length);
  out.number(complaint.salvaged);
}

Complaint unpack_complaint(Unpacker& in) {
  Complaint complaint;
  for (std::string* text : {&complaint.place.root, &complaint.place.path, &complaint.kind, &complaint.consequence})
    *text = in.text();
  complaint.offset = in.number();
  complaint.length = in.number();
  complaint.salvaged = static_cast<std::uint32_t>(in.number());
  return complaint;
}

}  // namespace

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
  out.number(entry.complaints.size());
  for (const Complaint& complaint : entry.complaints) pack_complaint(out, complaint);
  out.fixed(entry.generation);
  out.number(entry.log ? 1 : 0);
  if (entry.log) {
    out.number(entry.log->position);
    out.number(entry.log->hashed);
    out.text(entry.log->hash);
  }
  out.text(entry.state);
  out.text(entry.tally);
}

std::optional<SessionEntry> unpack_entry(Unpacker& in, const RootDirectories* only_if_it_holds, EntryWish wish) {
  std::optional<SessionEntry> made(std::in_place);
  SessionEntry& entry = *made;
  entry.looked_ns = in.signed_number();
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    const std::string_view root = in.view(), path = in.view();
    const Fingerprint print = unpack_print(in);
    if (!in.ok()) return std::nullopt;
    if (only_if_it_holds != nullptr && !unchanged(*only_if_it_holds, root, path, print, entry.looked_ns))
      return std::nullopt;
    if (wish != EntryWish::row)
      entry.files.emplace_hint(entry.files.end(), Place{std::string(root), std::string(path)}, print);
  }
  unpack_session(in, entry.row);
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) entry.complaints.push_back(unpack_complaint(in));
  entry.generation = in.fixed();
  if (in.number() != 0) {
    entry.log.emplace();
    entry.log->position = in.number();
    entry.log->hashed = in.number();
    const std::string_view hash = in.view();
    if (wish == EntryWish::counts) entry.log->hash = hash;
  }
  const std::string_view state = in.view(), tally = in.view();
  if (!in.done()) return std::nullopt;
  if (wish == EntryWish::counts) {
    entry.state = state;
    entry.tally = tally;
  }
  return made;
}

}  // namespace holdfast::inline v1
