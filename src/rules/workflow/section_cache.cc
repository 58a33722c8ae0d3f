#include "rules/workflow/section_cache.h"

#include <optional>

#include "base/hash.h"
#include "base/time.h"
#include "index/fingerprint.h"
#include "rules/workflow/cache_entry.h"
#include "rules/workflow/project_sources.h"
#include "rules/workflow/specification.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

struct Entry {
  CachedSection section;
  Fingerprint source;
  std::string hash;  // of the whole source
  std::int64_t looked_ns = 0;
};

// Lopen has no subtrees: they get files that it does not look for.
std::string key_of(const std::string& full_path, const SectionRequest& request) {
  return full_path + "::" + request.header + (request.subtree ? "::subtree" : "");
}

std::string spell(const Entry& entry, const SectionRequest& request) {
  JsonWriter json;
  json.begin_object().key("content").string(entry.section.content);
  json.key("file_modified_utc").string(utc_ticks(entry.source.mtime_ns));
  json.key("cached_at_utc").string(utc_ticks(entry.looked_ns));
  json.key("path").string(entry.section.path).key("wanted").string(request.header);
  json.key("subtree").boolean(request.subtree).key("header").string(entry.section.header);
  json.key("level").int64(entry.section.level).key("hash").string(entry.hash);
  json.key("inode").uint64(entry.source.inode).key("size").uint64(entry.source.size);
  json.key("mtime_ns").int64(entry.source.mtime_ns).key("ctime_ns").int64(entry.source.ctime_ns);
  return json.key("looked_ns").int64(entry.looked_ns).end_object().take();
}

// Returns nullopt for an entry of another section with the same file name.
std::optional<Entry> parse(std::string_view json, const std::string& path, const SectionRequest& request) {
  Entry entry;
  bool same = true;
  const auto number = [](JsonView value) { return value.as_int64().value_or(-1); };
  for (const JsonItem& item : JsonView(json).fields()) {
    const JsonView value = item.value;
    if (item.key_is("content")) entry.section.content = value.as_string().value_or("");
    if (item.key_is("path")) same = same && value.is_string(path);
    if (item.key_is("wanted")) same = same && value.is_string(request.header);
    if (item.key_is("subtree")) same = same && value.as_bool() == request.subtree;
    if (item.key_is("header")) entry.section.header = value.as_string().value_or("");
    if (item.key_is("level")) entry.section.level = static_cast<int>(number(value));
    if (item.key_is("hash")) entry.hash = value.as_string().value_or("");
    if (item.key_is("inode")) entry.source.inode = static_cast<std::uint64_t>(number(value));
    if (item.key_is("size")) entry.source.size = static_cast<std::uint64_t>(number(value));
    if (item.key_is("mtime_ns")) entry.source.mtime_ns = number(value);
    if (item.key_is("ctime_ns")) entry.source.ctime_ns = number(value);
    if (item.key_is("looked_ns")) entry.looked_ns = number(value);
  }
  entry.section.path = path;
  return same ? std::optional(std::move(entry)) : std::nullopt;
}

}  // namespace

Result<CachedSection> read_section(const Context& context, Store& store, std::string_view project,
                                   const SectionRequest& request) {
  if (!request.module.empty()) HOLDFAST_TRY(check_module(request.module));
  HOLDFAST_LET(sources, project_sources(context, store, project));
  HOLDFAST_LET(path, request.module.empty()
                         ? source_path(sources, request.path)
                         : Result<std::string>(specification_path_of(module_directory(sources, request.module))));
  HOLDFAST_LET(file, CacheEntry::open(store, "section_cache", key_of(sources.full_path(path), request)));
  const std::int64_t looked = unix_ns(context.clock->now());
  HOLDFAST_LET(stat, sources.directory().stat_to_read(path));
  const Fingerprint now = Fingerprint::of(stat);

  std::optional<Entry> known;
  if (const auto json = file.read(); json && file.is_ours()) known = parse(*json, path, request);
  if (known) file.good();
  if (known && known->source == now && !now.racy(known->looked_ns)) {
    known->section.cached = true;
    return std::move(known->section);
  }

  HOLDFAST_LET(text, sources.read(path));
  Entry fresh{{}, now, xxh3_hex(text), looked};
  const bool same =
      known && known->source.mtime_ns == now.mtime_ns && known->source.size == now.size && known->hash == fresh.hash;
  if (same) {
    fresh.section = std::move(known->section);
    fresh.section.cached = true;
  } else {
    auto cut = extract_section(text, request.header, request.subtree);
    if (!cut) return fail(Code::not_found, "there is no section \"" + request.header + "\"", sources.full_path(path));
    fresh.section = {path, std::move(cut->header), cut->level, std::move(cut->content), false, {}};
  }
  // Do not rewrite an entry that would have to be compared again anyway.
  if (!same || known->source != now || !now.racy(looked)) file.keep(context, spell(fresh, request));
  if (file.finding()) fresh.section.findings.push_back(*file.finding());
  return std::move(fresh.section);
}

}  // namespace holdfast::inline v1
