// Projects: the directories that a store keeps sessions, runs and missions for.
// Rules of the seeds, for all layouts that have projects (decision 19).
// Thread-safety: that of Store.
#pragma once

#include <holdfast/store.h>

#include <functional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Resolves the real directory behind a path (follows links). disk/resolve.h has
// the real implementation; the store itself never looks outside its roots.
using ResolvePath = std::function<std::string(std::string_view path)>;

// "/a//b/./c/../d/" becomes "/a/b/d"; does not access the disk.
std::string normalize_path(std::string_view path);

// Whether a directory is that project or below it, as the two are spelled or behind links. False unless both are
// absolute.
bool is_in_project(std::string_view directory, std::string_view project, const ResolvePath& resolve = {});

// The path under which the store already knows this directory, whatever links
// `path` goes through; the resolved path if it does not know it.
Result<std::string> find_project(const Context& context, Store& store, std::string_view path,
                                 const ResolvePath& resolve = {});

// Makes the project known; a known one stays as it is. An empty name means the
// last part of the path. Returns the record, with the project's key as "id".
Result<std::string> add_project(const Context& context, Store& store, std::string_view path, std::string_view name = {},
                                const ResolvePath& resolve = {});

// Most recently added first.
Result<RecordList> list_projects(const Context& context, Store& store);

// Deletes the project with its sessions, runs and missions. Fails with not_found if
// this store has no such project; with busy while a living process owns one of its
// sessions or runs; with conflict if its folder also contains files of
// another path, which happens when a foreign program encodes two paths the same way.
Result<void> remove_project(const Context& context, Store& store, std::string_view path,
                            const ResolvePath& resolve = {});

}  // namespace holdfast::inline v1
