#include "rules/workflow/assessment_cache.h"

#include "base/time.h"
#include "model/time_formats.h"
#include "rules/workflow/cache_entry.h"
#include "rules/workflow/project_sources.h"
#include "rules/workflow/scope_state.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

struct Scope {
  ProjectSources sources;
  std::vector<std::string> paths;
};

Result<Scope> scope_of(const Context& context, Store& store, std::string_view project, const AssessmentScope& request) {
  if (request.key.empty()) return fail(Code::invalid_argument, "an assessment needs a name for its scope");
  HOLDFAST_LET(sources, project_sources(context, store, project));
  Scope scope{std::move(sources), {}};
  for (const std::string& given : request.paths) {
    if (given == "." || given == scope.sources.root->path()) {
      scope.paths.emplace_back();
      continue;
    }
    HOLDFAST_LET(path, source_path(scope.sources, given));
    scope.paths.push_back(std::move(path));
  }
  if (scope.paths.empty()) scope.paths.emplace_back();
  return scope;
}

// Two projects may use the same key.
std::string key_of(const ProjectSources& sources, const AssessmentScope& request) {
  return sources.only ? request.key : sources.root->path() + "::" + request.key;
}

std::string paths_json(const std::vector<std::string>& paths) { return JsonWriter().strings(paths).take(); }

std::string spell(const AssessmentScope& request, const Scope& scope, std::string_view content,
                  std::string_view cached_at, const ScopeState& state) {
  JsonWriter json;
  json.begin_object().key("content").string(content).key("cached_at_utc").string(cached_at);
  json.key("file_timestamps").begin_object();
  for (const auto& [path, mtime_ns] : state.modified)
    json.key(scope.sources.full_path(path)).string(utc_ticks(mtime_ns));
  json.end_object().key("scope").string(request.key).key("paths").raw(paths_json(scope.paths));
  return json.key("state").string(state.token()).end_object().take();
}

}  // namespace

Result<CachedAssessment> find_assessment(const Context& context, Store& store, std::string_view project,
                                         const AssessmentScope& request) {
  HOLDFAST_LET(scope, scope_of(context, store, project, request));
  HOLDFAST_LET(file, CacheEntry::open(store, "assessment_cache", key_of(scope.sources, request)));
  const auto json = file.read();
  const JsonView entry(json && file.is_ours() ? std::string_view(*json) : std::string_view());
  if (entry) file.good();
  const std::string token = entry.find("state").as_string().value_or("");
  const bool meant = entry.find("scope").is_string(request.key) && entry.find("paths").raw() == paths_json(scope.paths);
  const auto look = [&](std::int64_t looked_ns) {
    return compute_scope_state(context, scope.sources.directory(), scope.paths, looked_ns);
  };
  CachedAssessment answer;
  const auto hit = [&](const ScopeState& then) {
    if (!meant || then.token() != token) return false;
    answer.content = entry.find("content").as_string();
    answer.cached_at = to_iso_time(entry.find("cached_at_utc").as_string().value_or(""));
    return answer.content.has_value();
  };
  HOLDFAST_LET(then, look(token_time(token)));
  answer.state = token;
  if (!hit(then) || then.racy) {
    // Take the new state before comparing once more, so a change in between is noticed.
    HOLDFAST_LET(now, look(unix_ns(context.clock->now())));
    answer.state = now.token();
    HOLDFAST_LET(again, look(token_time(token)));
    if (!hit(again)) {
      answer.content.reset();
    } else if (!now.racy) {  // settled meanwhile: the next look needs no bytes
      file.keep(context,
                spell(request, scope, *answer.content, entry.find("cached_at_utc").as_string().value_or(""), now));
    }
  }
  if (file.finding()) answer.findings.push_back(*file.finding());
  return answer;
}

Result<CachedAssessment> store_assessment(const Context& context, Store& store, std::string_view project,
                                          const AssessmentScope& request, std::string_view content,
                                          std::string_view state) {
  HOLDFAST_LET(scope, scope_of(context, store, project, request));
  HOLDFAST_LET(file, CacheEntry::open(store, "assessment_cache", key_of(scope.sources, request)));
  const std::int64_t looked = state.empty() ? unix_ns(context.clock->now()) : token_time(state);
  HOLDFAST_LET(now, compute_scope_state(context, scope.sources.directory(), scope.paths, looked));
  if (!state.empty() && now.token() != state)
    return fail(Code::conflict, "files of this scope changed while it was assessed: nothing was stored", request.key);
  CachedAssessment answer;
  answer.content = content;
  answer.state = now.token();
  const std::string cached_at = utc_ticks(unix_ns(context.clock->now()));
  answer.cached_at = to_iso_time(cached_at);
  file.keep(context, spell(request, scope, content, cached_at, now));
  if (file.finding()) answer.findings.push_back(*file.finding());
  return answer;
}

}  // namespace holdfast::inline v1
