#include "rules/workflow/drift.h"

#include <holdfast/document.h>

#include <map>
#include <optional>

#include "base/safe_name.h"
#include "base/time.h"
#include "disk/staged.h"
#include "index/fingerprint.h"
#include "rules/workflow/project_sources.h"
#include "rules/workflow/specification.h"
#include "store/engine.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// Sections with the same header are distinguished by their order.
using SectionHashes = std::vector<std::pair<std::string, std::string>>;

struct Kept {
  std::string module;
  std::int64_t looked_ns = 0;
  Fingerprint source;
  SectionHashes sections;
};

std::string path_of(const Root& root, std::string_view session) {
  return root.side("drift", encode_name(session) + ".json");
}

std::optional<Kept> read_kept(Root& root, std::string_view session) {
  const auto bytes = read_whole(root.directory(), path_of(root, session));
  if (!bytes || !check_json(*bytes).ok()) return std::nullopt;
  const JsonView json(*bytes);
  const auto number = [&](std::string_view key) { return json.find(key).as_int64().value_or(-1); };
  Kept kept;
  kept.module = json.find("module").as_string().value_or("");
  kept.looked_ns = number("looked_ns");
  kept.source = {static_cast<std::uint64_t>(number("inode")), static_cast<std::uint64_t>(number("size")),
                 number("mtime_ns"), number("ctime_ns")};
  for (const JsonItem& item : json.find("sections").elements())
    kept.sections.emplace_back(item.value.find("header").as_string().value_or(""),
                               item.value.find("hash").as_string().value_or(""));
  return kept;
}

std::string spell_kept(const Kept& kept) {
  JsonWriter json;
  json.begin_object().key("schema_version").int64(1).key("module").string(kept.module);
  json.key("looked_ns").int64(kept.looked_ns).key("inode").uint64(kept.source.inode);
  json.key("size").uint64(kept.source.size).key("mtime_ns").int64(kept.source.mtime_ns);
  json.key("ctime_ns").int64(kept.source.ctime_ns).key("sections").begin_array();
  for (const auto& [header, hash] : kept.sections)
    json.begin_object().key("header").string(header).key("hash").string(hash).end_object();
  return json.end_array().end_object().take();
}

Result<Fingerprint> source_now(const ProjectSources& sources, const std::string& path) {
  auto stat = sources.directory().stat_to_read(path);
  if (stat) return Fingerprint::of(*stat);
  if (stat.error().code == Code::not_found) return Fingerprint::missing();
  return fail(std::move(stat).error());
}

Result<SectionHashes> sections_now(const ProjectSources& sources, const std::string& path) {
  SectionHashes sections;
  auto text = sources.read(path);
  if (!text && text.error().code == Code::not_found) return sections;
  if (!text) return fail(std::move(text).error());
  for (SpecSection& section : read_specification(*text).sections)
    sections.emplace_back(std::move(section.header), std::move(section.hash));
  return sections;
}

using Numbered = std::map<std::pair<std::string, int>, std::string>;

Numbered numbered(const SectionHashes& sections) {
  Numbered all;
  std::map<std::string, int> times;
  for (const auto& [header, hash] : sections) all.emplace(std::pair(header, times[header]++), hash);
  return all;
}

std::vector<DriftedSection> compare(const SectionHashes& before, const SectionHashes& now) {
  std::vector<DriftedSection> drifted;
  const Numbered then = numbered(before);
  const Numbered current = numbered(now);
  std::map<std::string, int> times;
  for (const auto& [header, hash] : now) {
    const auto at = then.find({header, times[header]++});
    if (at == then.end() || at->second != hash)
      drifted.push_back({header, at == then.end() ? std::string() : at->second, hash});
  }
  times.clear();
  for (const auto& [header, hash] : before) {
    if (!current.contains({header, times[header]++})) drifted.push_back({header, hash, {}});
  }
  return drifted;
}

// One directory may be spelled in several ways.
bool names_same(const ProjectSources& sources, std::string_view one, std::string_view other) {
  return one == other || (check_module(one) && module_directory(sources, one) == module_directory(sources, other));
}

}  // namespace

Result<void> record_section_hashes(const Context& context, Store& store, std::string_view project,
                                   std::string_view session, std::string_view module) {
  HOLDFAST_TRY(check_module(module));
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_LET(sources, project_sources(context, store, project));
  Root& root = *files->roots().first();
  const std::string path = specification_path_of(module_directory(sources, module));
  Kept now;
  now.module = module;
  now.looked_ns = unix_ns(context.clock->now());
  HOLDFAST_LET(source, source_now(sources, path));
  now.source = source;
  const auto kept = read_kept(root, session);
  const bool same_module = kept && names_same(sources, kept->module, module);
  const bool same_file = same_module && kept->source == source;
  if (same_file && !source.racy(kept->looked_ns)) return {};
  HOLDFAST_LET(sections, sections_now(sources, path));
  now.sections = std::move(sections);
  // Only the hashes must be durable; a later look at an unchanged file is just an optimization.
  const bool same = same_module && kept->sections == now.sections;
  if (same && same_file && source.racy(now.looked_ns)) return {};
  ReplaceOptions options;
  options.backup = false;
  options.durability = same ? Durability::process : Durability::power;
  HOLDFAST_TRY(replace_document(context, root, path_of(root, session), spell_kept(now), options));
  return {};
}

Result<DriftReport> find_drift(const Context& context, Store& store, std::string_view project, std::string_view session,
                               std::string_view module) {
  HOLDFAST_TRY(check_module(module));
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_LET(sources, project_sources(context, store, project));
  DriftReport report;
  report.specification = specification_path_of(module_directory(sources, module));
  const auto kept = read_kept(*files->roots().first(), session);
  if (!kept || !names_same(sources, kept->module, module)) return report;
  report.known = true;
  HOLDFAST_LET(now, sections_now(sources, report.specification));
  report.sections = compare(kept->sections, now);
  return report;
}

Result<void> remove_section_hashes(const Context& context, Store& store, std::string_view session) {
  HOLDFAST_LET(files, engine_of(store));
  Root& root = *files->roots().first();
  auto removed = remove_document(context, root, path_of(root, session));
  if (!removed && removed.error().code != Code::not_found) return removed;
  return {};
}

std::string drift_json(const DriftReport& report) {
  JsonWriter json;
  json.begin_object().key("known").boolean(report.known).key("specification").string(report.specification);
  json.key("sections").begin_array();
  const auto hash = [&](std::string_view text) { text.empty() ? json.null() : json.string(text); };
  for (const DriftedSection& section : report.sections) {
    json.begin_object().key("header").string(section.header).key("previous_hash");
    hash(section.previous_hash);
    json.key("current_hash");
    hash(section.current_hash);
    json.key("is_new").boolean(section.is_new()).key("is_removed").boolean(section.is_removed()).end_object();
  }
  return json.end_array().end_object().take();
}

}  // namespace holdfast::inline v1
