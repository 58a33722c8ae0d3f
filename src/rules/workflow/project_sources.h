// The files of a project that specifications and research use. They belong to the
// project, not to the store: they keep their mode, and only research is ever written
// (decision 24). Thread-safety: as Root.
#pragma once

#include <holdfast/store.h>

#include <memory>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Where Lopen and compatible programs keep specifications: {module}/SPECIFICATION.md.
inline constexpr std::string_view kRequirementsFolder = "docs/requirements";

struct ProjectSources {
  // The project's directory. Opened for writing only on request; its side folder is the
  // store's own, or `.holdfast/.side/sources` if the store is elsewhere.
  std::shared_ptr<Root> root;
  bool only = false;  // the store belongs to this project alone

  Directory& directory() const { return root->directory(); }
  // Returns the contents of `path`. Fails with too_large above 64 MiB, with not_found.
  Result<std::string> read(std::string_view path) const;
  // Returns the absolute path, as other programs refer to the file.
  std::string full_path(std::string_view path) const { return root->path() + "/" + std::string(path); }
};

// `project` is an absolute path: required for a native store; for a store inside its
// project, empty or that project. Fails with unsupported for layouts whose agents have
// no specifications.
Result<ProjectSources> project_sources(const Context& context, Store& store, std::string_view project,
                                       bool write = false);

// Resolves a path from a caller: relative to the project, or absolute and inside it.
// Fails with unsafe_path if it leads out of the project.
Result<std::string> source_path(const ProjectSources& sources, std::string_view given);

}  // namespace holdfast::inline v1
