#include "rules/workflow/specification.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/safe_name.h"
#include "rules/workflow/project_sources.h"
#include "text/checklist.h"
#include "text/front_matter.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/markdown_sections.h"
#include "text/trim.h"
#include "text/yaml_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kBlank = " \t\r\n\f\v";

bool same_header(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, ascii_lower, ascii_lower);
}

std::string upper_hash(std::string_view text) { return in_upper_case(xxh3_hex(text)); }

void read_front_matter(std::string_view text, Specification& specification) {
  const FrontMatter front = split_front_matter(text);
  const auto json = front.found ? yaml_to_json(front.yaml) : Result<std::string>("null");
  if (!front.found)
    specification.missing.emplace_back("front matter");
  else if (!json)
    specification.missing.emplace_back("readable front matter: " + json.error().message);
  const JsonView fields(json ? std::string_view(*json) : std::string_view());
  specification.name = fields.find("name").as_string().value_or("");
  specification.description = fields.find("description").as_string().value_or("");
  if (specification.name.empty()) specification.missing.emplace_back("name");
  if (specification.description.empty()) specification.missing.emplace_back("description");
}

}  // namespace

Specification read_specification(std::string_view text) {
  Specification specification;
  read_front_matter(text, specification);
  bool titled = false;
  bool topics = false;
  for (const MarkdownHeading& heading : markdown_headings(text)) {
    const std::string_view body = trim(heading.section(text), kBlank);
    if (heading.level == 1 && !titled) specification.title = heading.text;
    titled = titled || heading.level == 1;
    topics = topics || heading.level == 2;
    specification.sections.push_back(
        {std::string(heading.text), heading.level, heading.at, body.size(), upper_hash(body)});
  }
  if (!titled) specification.missing.emplace_back("H1 title");
  if (!topics) specification.missing.emplace_back("H2 sections");
  for (const ChecklistItem& item : checklist(text)) {
    ++specification.criteria;
    if (item.marker == 'x' || item.marker == 'X') ++specification.ticked;
  }
  return specification;
}

std::optional<ExtractedSection> extract_section(std::string_view text, std::string_view header, bool subtree) {
  header = trim(header, kBlank);
  const std::vector<MarkdownHeading> headings = markdown_headings(text);
  for (const MarkdownHeading& heading : headings) {
    if (!same_header(heading.text, header)) continue;
    const std::string_view body = subtree ? heading.subtree(text) : heading.section(text);
    return ExtractedSection{std::string(heading.text), heading.level, std::string(trim(body, kBlank))};
  }
  return std::nullopt;
}

std::string specification_path_of(std::string_view module) {
  return std::string(kRequirementsFolder) + "/" + std::string(module) + "/SPECIFICATION.md";
}

Result<void> check_module(std::string_view module) {
  if (is_plain_name(module)) return {};
  return fail(Code::unsafe_path, "not a valid module name: " + std::string(module));
}

std::string module_directory(const ProjectSources& sources, std::string_view module) {
  const bool there = sources.directory().exists(std::string(kRequirementsFolder) + "/" + std::string(module));
  return there ? std::string(module) : in_lower_case(module);
}

Result<Specification> get_specification(const Context& context, Store& store, std::string_view project,
                                        std::string_view module) {
  HOLDFAST_TRY(check_module(module));
  HOLDFAST_LET(sources, project_sources(context, store, project));
  const std::string path = specification_path_of(module_directory(sources, module));
  const auto text = sources.read(path);
  if (!text && text.error().code == Code::not_found)
    return fail(Code::not_found, "module " + std::string(module) + " has no specification", path);
  if (!text) return fail(text.error());
  Specification specification = read_specification(*text);
  specification.module = module;
  specification.path = path;
  return specification;
}

Result<SpecificationList> list_specifications(const Context& context, Store& store, std::string_view project) {
  HOLDFAST_LET(sources, project_sources(context, store, project));
  SpecificationList list;
  auto entries = sources.directory().list_to_read(kRequirementsFolder);
  if (!entries && entries.error().code == Code::not_found) return list;
  if (!entries) return fail(std::move(entries).error());
  for (const DirectoryEntry& entry : *entries) {
    HOLDFAST_TRY(context.check());
    if (entry.kind != FileKind::directory || !is_plain_name(entry.name)) continue;
    const std::string path = specification_path_of(entry.name);
    const auto text = sources.read(path);
    if (!text) {
      if (text.error().code != Code::not_found)
        list.findings.push_back({path, 0, 0, std::string(code_name(text.error().code)), text.error().message, 0});
      continue;
    }
    Specification specification = read_specification(*text);
    specification.module = entry.name;
    specification.path = path;
    for (const std::string& part : specification.missing)
      list.findings.push_back({path, 0, 0, "missing_part", "this specification has no " + part, 0});
    list.specifications.push_back(std::move(specification));
  }
  return list;
}

std::string specification_json(const Specification& specification) {
  JsonWriter json;
  json.begin_object().key("module").string(specification.module).key("path").string(specification.path);
  json.key("name").string(specification.name).key("description").string(specification.description);
  json.key("title").string(specification.title).key("sections").begin_array();
  for (const SpecSection& section : specification.sections) {
    json.begin_object().key("header").string(section.header).key("level").int64(section.level);
    json.key("offset").uint64(section.at).key("bytes").uint64(section.size);
    json.key("hash").string(section.hash).end_object();
  }
  json.end_array().key("criteria").int64(specification.criteria).key("ticked").int64(specification.ticked);
  return json.key("missing").strings(specification.missing).end_object().take();
}

}  // namespace holdfast::inline v1
