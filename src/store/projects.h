// Projects: the directories that a store keeps sessions, runs and missions for.
// Rules of the seeds, for all layouts that hold projects (decision 19).
// Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <functional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Says what directory a path really means (links followed): disk/resolve.h has
// the real one; the store itself never looks outside its roots.
using ResolvePath = std::function<std::string(std::string_view path)>;

// "/a//b/./c/../d/" is "/a/b/d"; nothing is looked up.
std::string tidy_path(std::string_view path);

// The path under which the store knows this directory already, by whatever
// spelling through links; the resolved path when it does not.
Result<std::string> find_project(const Context& context, Store& store, std::string_view path,
                                 const ResolvePath& resolve = {});

// Makes the project known; one that is known stays as it is. An empty name is
// the last part of the path. The record, with the project's key as "id".
Result<std::string> add_project(const Context& context, Store& store, std::string_view path, std::string_view name = {},
                                const ResolvePath& resolve = {});

// Newest added first.
Result<RecordList> list_projects(const Context& context, Store& store);

// Deletes the project with its sessions, runs and missions. not_found when this
// store has no such project; conflict when its folder also holds what another
// path left there, which two paths of one encoding can do to a foreign program.
Result<void> remove_project(const Context& context, Store& store, std::string_view path,
                            const ResolvePath& resolve = {});

}  // namespace holdfast::inline v1
