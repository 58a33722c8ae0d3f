#include "rules/workflow/research.h"

#include <holdfast/commit.h>

#include <optional>

#include "base/ascii.h"
#include "base/safe_name.h"
#include "layout/lopen/paths.h"
#include "rules/workflow/project_sources.h"
#include "rules/workflow/specification.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kPrefix = "RESEARCH-";
constexpr std::string_view kSuffix = ".md";

std::string folder_of(std::string_view module) { return std::string(kRequirementsFolder) + "/" + std::string(module); }

std::string note_path(std::string_view module, std::string_view slug) {
  return folder_of(module) + "/" + std::string(kPrefix) + std::string(slug) + std::string(kSuffix);
}

Result<std::optional<std::string>> read_if_there(const ProjectSources& sources, std::string_view path) {
  auto text = sources.read(path);
  if (text) return std::move(*text);
  if (text.error().code == Code::not_found) return std::nullopt;
  return fail(std::move(text).error());
}

Revision revision_of_text(const std::optional<std::string>& text) {
  return text ? revision_of(*text) : Revision(kAbsent);
}

Result<std::vector<std::string>> slugs_in(const ProjectSources& sources, std::string_view module) {
  std::vector<std::string> slugs;
  auto entries = sources.directory().list_to_read(folder_of(module));
  if (!entries && entries.error().code == Code::not_found) return slugs;
  if (!entries) return fail(std::move(entries).error());
  for (const DirectoryEntry& entry : *entries) {
    const std::string_view name = entry.name;
    if (entry.kind != FileKind::file || name.size() <= kPrefix.size() + kSuffix.size()) continue;
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    slugs.emplace_back(name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size()));
  }
  return slugs;
}

Result<std::string> next_text(const ResearchRequest& request, const std::optional<std::string>& present,
                              const std::string& path) {
  if (present && !request.replace) return fail(Code::already_exists, "research on this topic already exists", path);
  if (request.body) return request.body->ends_with('\n') ? *request.body : *request.body + "\n";
  return present ? change_research(*present, request.parts) : new_research(request.topic, request.parts);
}

// One attempt; fails with conflict if another writer was faster.
Result<void> write_note(const Context& context, const ProjectSources& sources, const ResearchRequest& request,
                        const std::string& slug) {
  const std::string path = note_path(request.module, slug);
  const std::string index_path = folder_of(request.module) + "/RESEARCH.md";
  HOLDFAST_LET(present, read_if_there(sources, path));
  HOLDFAST_LET(index, read_if_there(sources, index_path));
  HOLDFAST_LET(slugs, slugs_in(sources, request.module));
  HOLDFAST_LET(text, next_text(request, present, path));
  if (!present) slugs.push_back(slug);
  const std::string next_index = research_index(index.value_or(""), std::move(slugs));
  Commit commit(sources.root);
  const bool new_text = present != text;
  const bool new_index = index != next_index;
  if (new_text) commit.put(sources.root, path, text, revision_of_text(present), kKeepMode);
  if (new_index) commit.put(sources.root, index_path, next_index, revision_of_text(index), kKeepMode);
  if (!new_text && !new_index) return {};
  HOLDFAST_TRY(commit.run(context));
  return {};
}

Result<ResearchFile> read_note(const ProjectSources& sources, std::string_view module, std::string_view slug) {
  ResearchFile file;
  file.module = module;
  file.path = note_path(module, slug);
  HOLDFAST_LET(text, sources.read(file.path));
  file.note = read_research(slug, text);
  file.text = std::move(text);
  return file;
}

Result<std::string> slug_of(std::string_view topic) {
  std::string slug = research_slug(topic);
  if (slug.empty() || slug.size() > 200)
    return fail(Code::invalid_argument, "not a topic that can name a file: " + std::string(topic.substr(0, 200)));
  return slug;
}

// Returns warnings about a module or section that may be misspelled.
std::vector<std::string> research_warnings(const ProjectSources& sources, const ResearchRequest& request) {
  std::vector<std::string> doubts;
  if (!sources.directory().exists(folder_of(request.module)))
    doubts.push_back("there was no directory " + folder_of(request.module) + "; it was created");
  if (!request.parts.section) return doubts;
  const std::string path = specification_path_of(request.module);
  const auto text = sources.read(path);
  if (!text)
    doubts.push_back("the section \"" + *request.parts.section + "\" belongs to no specification: there is no " + path);
  else if (!extract_section(*text, *request.parts.section, false))
    doubts.push_back(path + " has no section \"" + *request.parts.section + "\"");
  return doubts;
}

}  // namespace

Result<ResearchFile> add_research(const Context& context, Store& store, std::string_view project,
                                  const ResearchRequest& request) {
  HOLDFAST_TRY(check_module(request.module));
  HOLDFAST_TRY(lopen::check_module_name(in_lower_case(request.module)));
  HOLDFAST_LET(slug, slug_of(request.topic));
  HOLDFAST_LET(sources, project_sources(context, store, project, true));
  ResearchRequest spelled = request;
  spelled.module = module_directory(sources, request.module);
  std::vector<std::string> doubts = research_warnings(sources, spelled);
  for (int attempt = 1;; ++attempt) {
    HOLDFAST_TRY(context.check());
    auto done = write_note(context, sources, spelled, slug);
    if (done) break;
    if (done.error().code != Code::conflict || attempt == 50) return fail(std::move(done).error());
    context.clock->sleep(std::chrono::milliseconds(attempt));
  }
  HOLDFAST_LET(file, read_note(sources, spelled.module, slug));
  file.warnings = std::move(doubts);
  return file;
}

Result<ResearchFile> get_research(const Context& context, Store& store, std::string_view project,
                                  std::string_view module, std::string_view topic) {
  HOLDFAST_TRY(check_module(module));
  HOLDFAST_LET(slug, slug_of(topic));
  HOLDFAST_LET(sources, project_sources(context, store, project));
  return read_note(sources, module_directory(sources, module), slug);
}

Result<ResearchList> list_research(const Context& context, Store& store, std::string_view project,
                                   std::string_view module) {
  HOLDFAST_LET(sources, project_sources(context, store, project));
  std::vector<std::string> modules;
  if (!module.empty()) {
    HOLDFAST_TRY(check_module(module));
    modules.push_back(module_directory(sources, module));
  } else {
    auto entries = sources.directory().list_to_read(kRequirementsFolder);
    if (!entries && entries.error().code != Code::not_found) return fail(std::move(entries).error());
    for (const DirectoryEntry& entry : entries.value_or(std::vector<DirectoryEntry>()))
      if (entry.kind == FileKind::directory && is_plain_name(entry.name)) modules.push_back(entry.name);
  }
  ResearchList list;
  for (const std::string& name : modules) {
    HOLDFAST_TRY(context.check());
    HOLDFAST_LET(slugs, slugs_in(sources, name));
    for (const std::string& slug : slugs) {
      auto file = read_note(sources, name, slug);
      if (!file) {
        list.findings.push_back(
            {note_path(name, slug), 0, 0, std::string(code_name(file.error().code)), file.error().message, 0});
        continue;
      }
      file->text.clear();
      list.notes.push_back(std::move(*file));
    }
  }
  return list;
}

std::string research_json(const ResearchFile& file) {
  JsonWriter json;
  json.begin_object().key("module").string(file.module).key("topic").string(file.note.topic);
  json.key("path").string(file.path).key("title").string(file.note.title);
  json.key("spec_section").string(file.note.section).key("missing").strings(file.note.missing);
  if (!file.text.empty()) json.key("text").string(file.text);
  return json.end_object().take();
}

}  // namespace holdfast::inline v1
