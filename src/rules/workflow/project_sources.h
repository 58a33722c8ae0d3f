// The files of a project that the rules over specifications and research work
// on. They belong to the project, not to the store: they keep their mode, and
// only research is ever written (decision 24). Thread-safety: as Root.
#pragma once

#include <holdfast/store.h>

#include <memory>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Where Lopen, and all who follow it, keep specifications: {module}/SPECIFICATION.md.
inline constexpr std::string_view kRequirementsFolder = "docs/requirements";

struct ProjectSources {
  // The project's directory. Opened for writing only on request; its side folder
  // is the store's own, or `.holdfast/.side/sources` where the store lies elsewhere.
  std::shared_ptr<Root> root;
  bool only = false;  // the store is this project's and no other's

  Directory& directory() const { return root->directory(); }
  // What is at `path`; too_large above 64 MiB, not_found.
  Result<std::string> read(std::string_view path) const;
  // Absolute, as other programs name the file.
  std::string full_path(std::string_view path) const { return root->path() + "/" + std::string(path); }
};

// `project` is an absolute path: needed for a native store, and for a store that
// lies in its project empty or that project. unsupported for layouts whose agents
// know no specifications.
Result<ProjectSources> project_sources(const Context& context, Store& store, std::string_view project,
                                       bool write = false);

// A path that a caller gives: relative to the project, or absolute and inside it.
// unsafe_path when it leads out.
Result<std::string> source_path(const ProjectSources& sources, std::string_view given);

}  // namespace holdfast::inline v1
