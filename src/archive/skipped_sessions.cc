#include "archive/skipped_sessions.h"

#include <algorithm>

#include "archive/capture_file.h"
#include "base/safe_name.h"
#include "layout/serialized_rows.h"
#include "store/engine.h"
#include "store/session_rows.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

Finding not_captured(const Place& place, const Error& error) {
  return {place.path, 0, 0, std::string(code_name(error.code)), error.message + "; this file is not captured", 0};
}

Error not_plain_file() { return {.code = Code::unsafe_path, .message = kNotPlainFile}; }

std::optional<Error> name_fault(const SessionRef& ref) {
  const std::string_view path = ref.place.path;
  const bool usable = is_usable_id(ref.id) || !path.contains(ref.id);
  if (usable && is_plain_name(path.substr(path.rfind('/') + 1))) return std::nullopt;
  return Error{.code = Code::unsafe_path, .message = "its name has characters that the archive does not keep"};
}

std::vector<Place> replaced_files(const FileStore& store, const Belongings& belongings, const ArchiveRules& rules,
                                  const CaptureState& state, const std::set<std::string, std::less<>>& found,
                                  const StoreListing* listing) {
  std::vector<Place> replaced;
  if (belongings.rows != nullptr) return replaced;
  const CaptureKey first{std::string(store.layout_name()), store_root(store.name()), {}};
  for (auto at = state.sessions.lower_bound(first);
       at != state.sessions.end() && at->first.layout == first.layout && at->first.store == first.store; ++at) {
    const auto& [key, session] = *at;
    const auto is_missing = [&](const auto& file) { return listing != nullptr && listing->is_missing(file.first); };
    if (found.contains(key.id) || std::ranges::all_of(session.head, is_missing) ||
        is_excluded(rules, key.layout, JsonView(session.row).find("project").as_string().value_or("")))
      continue;
    SessionPaths paths(belongings, key.id);
    for (const auto& [place, version] : session.head) {
      const auto root = store.roots().directories().find(place.root);
      if (root == store.roots().directories().end() || root->second == nullptr || !paths.add_main(place.path)) continue;
      const auto stat = root->second->stat_to_read(place.path);
      if (stat && stat->kind != FileKind::file) replaced.push_back(place);
    }
  }
  return replaced;
}

SkippedSessions without_files(const FileStore& store, std::uint64_t sessions) {
  const bool ours = store.layout().writable();
  return {store.name(), sessions,
          ours ? "the archive does not copy sessions of this layout yet" : "its files are not known"};
}

Result<std::vector<SkippedSessions>> find_skipped_sessions(const Context& context, Store& store,
                                                           const ArchiveRules& rules,
                                                           const std::set<CaptureKey>& forgotten,
                                                           const CaptureState& state, std::vector<Finding>& findings) {
  std::vector<SkippedSessions> all;
  auto* const engine = engine_or_null(store);
  if (engine == nullptr || is_excluded(rules, store.layout_name(), {})) return all;
  std::vector<Finding> ignored;
  std::set<Place> special;
  HOLDFAST_LET(refs, engine->find_all(context, ignored, &special));
  const Belongings* const belongings = belongings_of(engine->layout());
  if (belongings == nullptr) {
    if (!refs.empty()) all.push_back(without_files(*engine, refs.size()));
    return all;
  }
  for (const Place& place : special) {
    if (is_main_name(*belongings, place.path)) findings.push_back(not_captured(place, not_plain_file()));
  }
  std::set<std::string, std::less<>> ids;
  for (const SessionRef& ref : refs) ids.insert(ref.id);
  for (const Place& place : replaced_files(*engine, *belongings, rules, state, ids)) {
    if (!special.contains(place)) findings.push_back(not_captured(place, not_plain_file()));
  }
  std::uint64_t unknown = 0;
  std::vector<std::pair<const SessionRef*, Error>> faults;
  for (const SessionRef& ref : refs) {
    if (forgotten.contains({std::string(store.layout_name()), store_root(store.name()), ref.id})) continue;
    if (belongings->rows != nullptr && belongings->rows().place(ref)) continue;
    if (SessionPaths(*belongings, ref.id).add_main(ref.place.path)) {
      const auto root = engine->roots().directories().find(ref.place.root);
      if (root == engine->roots().directories().end() || root->second == nullptr) continue;
      const auto stat = root->second->stat(ref.place.path);
      if (stat && stat->kind != FileKind::file) faults.emplace_back(&ref, not_plain_file());
    } else if (auto fault = name_fault(ref)) {
      faults.emplace_back(&ref, *std::move(fault));
    } else {
      ++unknown;
    }
  }
  if (unknown > 0) all.push_back(without_files(*engine, unknown));
  if (faults.empty()) return all;
  SessionFilter filter;
  filter.inner = true;
  HOLDFAST_LET(rows, engine->rows(context, filter));
  std::set<std::string> excluded;
  for (const SessionRow& row : rows.all) {
    if (is_excluded(rules, store.layout_name(), row.session().project)) excluded.emplace(row.found.id);
  }
  for (const auto& [ref, fault] : faults) {
    if (!excluded.contains(ref->id)) findings.push_back(not_captured(ref->place, fault));
  }
  return all;
}

}  // namespace holdfast::inline v1
