#include "demo/oracle.h"

#include <fmt/core.h>
#include <holdfast/document.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace holdfast::inline v1 {
namespace {

// "20261115T031500Z.torn.1234.k7f3ab.NAME": the name contains kind and offset.
DemoDamage moved_aside(const std::string& folder, const std::string& name, std::uint64_t length) {
  DemoDamage damage{{}, 0, length, "unknown", folder + "/" + name};
  std::vector<std::string_view> parts;
  std::string_view rest = name;
  for (int part = 0; part < 4 && rest.find('.') != std::string_view::npos; ++part) {
    parts.push_back(rest.substr(0, rest.find('.')));
    rest.remove_prefix(parts.back().size() + 1);
  }
  if (parts.size() < 4) return damage;
  damage.kind = parts[1];
  (void)std::from_chars(parts[2].data(), parts[2].data() + parts[2].size(), damage.offset);
  damage.file = rest;
  return damage;
}

Result<void> list_quarantine(Root& root, std::vector<DemoDamage>& into) {
  const std::string folder = root.side("corrupt");
  auto entries = root.directory().list(folder);
  if (!entries && entries.error().code == Code::not_found) return {};
  if (!entries) return fail(std::move(entries).error());
  for (const auto& entry : *entries) {
    HOLDFAST_LET(stat, root.directory().stat(folder + "/" + entry.name));
    into.push_back(moved_aside(folder, entry.name, stat.size));
  }
  return {};
}

}  // namespace

void Oracle::acknowledge(const std::string& log, const MessageId& id, std::uint64_t offset, std::uint64_t end) {
  logs_[log][offset] = {id, end};
  ++messages_;
  bytes_ += end - offset;
}

void Oracle::acknowledge_document(const std::string& path, std::uint32_t writer, std::uint64_t number) {
  Version& version = versions_[path];
  version.writer = writer;
  version.number = std::max(version.number, number);
  ++documents_;
}

Result<void> Oracle::verify_log(const Context& context, Root& root, const std::string& log, const Places& places,
                                Findings& findings) {
  HOLDFAST_LET(reader, LogReader::open(context, root.directory(), log));
  std::set<MessageId> seen;
  std::set<std::uint64_t> present;
  Record record;
  while (true) {
    HOLDFAST_TRY(context.check());
    HOLDFAST_LET(more, reader.next(record));
    if (!more) break;
    ++findings.records;
    const auto id = id_of(record.bytes);
    const std::string where = fmt::format("{} at byte {}", log, record.offset);
    if (!id || record.bytes != make_message(*id))
      findings.altered.push_back(where + " is not what was written");
    else if (!seen.insert(*id).second)
      findings.altered.push_back(fmt::format("{} occurs twice, again in {}", id_text(*id), where));
    const auto place = places.find(record.offset);
    if (place == places.end())
      ++findings.unacknowledged;
    else if (id && place->second.id == *id && place->second.end == record.offset + record.bytes.size() + 1)
      present.insert(record.offset);
  }
  for (const auto& [offset, place] : places)
    if (!present.contains(offset))
      findings.lost.push_back(fmt::format("{}, acknowledged at byte {} of {}", id_text(place.id), offset, log));
  for (const auto& damage : reader.damage())
    findings.damage.push_back({log, damage.offset, damage.length, std::string(damage_kind_name(damage.kind)), {}});
  return {};
}

void Oracle::verify_document(const Context& context, Root& root, const std::string& path, const Version& version,
                             Findings& findings) {
  LoadOptions options;
  options.use_backup = false;  // the file itself must be whole
  const auto loaded = load_document(context, root, path, options);
  const auto number = loaded ? document_number(loaded->bytes) : std::nullopt;
  if (!number || *number < version.number)
    findings.lost.push_back(fmt::format("version {} of {}", version.number, path));
  else if (loaded->bytes != make_document(version.writer, *number))
    findings.altered.push_back(path + " is not what was written");
}

Result<Findings> Oracle::verify(const Context& context, Root& root) const {
  Findings findings;
  for (const auto& [log, places] : logs_) HOLDFAST_TRY(verify_log(context, root, log, places, findings));
  for (const auto& [path, version] : versions_) verify_document(context, root, path, version, findings);
  HOLDFAST_TRY(list_quarantine(root, findings.damage));
  return findings;
}

}  // namespace holdfast::inline v1
