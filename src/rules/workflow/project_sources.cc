#include "rules/workflow/project_sources.h"

#include "base/safe_name.h"
#include "disk/staged.h"
#include "store/engine.h"

namespace holdfast::inline v1 {

Result<std::string> ProjectSources::read(std::string_view path) const {
  constexpr std::uint64_t kLimit = std::uint64_t{64} << 20;
  HOLDFAST_LET(stat, directory().stat_to_read(path));
  if (stat.kind != FileKind::file) return fail(Code::not_found, "not a file", full_path(path));
  if (stat.size > kLimit)
    return fail(Code::too_large, "a file of " + std::to_string(stat.size) + " bytes", full_path(path));
  return read_whole(directory(), path);
}

Result<ProjectSources> project_sources(const Context& context, Store& store, std::string_view project, bool write) {
  HOLDFAST_LET(files, engine_of(store));
  const Layout& layout = files->layout();
  const std::shared_ptr<Root>& first = files->roots().first();
  if (layout.shape("specification") != nullptr) {
    if (!project.empty() && project != first->path())
      return fail(Code::invalid_argument, "this store belongs to " + first->path(), std::string(project));
    return ProjectSources{first, true};
  }
  if (!layout.traits().owns_logs)
    return fail(Code::unsupported, "layout " + std::string(layout.name()) + " cannot hold: specifications");
  if (project.empty()) return fail(Code::invalid_argument, "specifications need a project");
  RootOptions options;
  options.side = ".holdfast/.side/sources";
  options.write = write;
  HOLDFAST_LET(root, Root::open(context, first->file_system(), std::string(project), options));
  return ProjectSources{std::move(root), false};
}

Result<std::string> source_path(const ProjectSources& sources, std::string_view given) {
  const std::string& top = sources.root->path();
  std::string_view path = given;
  if (path.starts_with('/')) {
    if (!path.starts_with(top) || path.size() <= top.size() || path[top.size()] != '/')
      return fail(Code::unsafe_path, "this file is not in the project " + top, std::string(given));
    path.remove_prefix(top.size() + 1);
  }
  while (path.starts_with("./")) path.remove_prefix(2);
  while (path.ends_with('/')) path.remove_suffix(1);
  HOLDFAST_TRY(check_relative_path(path));
  return std::string(path);
}

}  // namespace holdfast::inline v1
