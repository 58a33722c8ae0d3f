// Which files belong to a session: what an archive keeps of it and may restore.
// Patterns are paths below the layout's first root, in which
//   {id}   is the id of the session, {id8} its first eight characters
//   *      is any part of one name; a name that is ** is any number of names
//   {1}    is what the first * of the main file's pattern stands for, if that is a
//          whole name; {dir} is the directory of the main file
// Thread-safety: constant data, pure functions.
#pragma once

#include <holdfast/context.h>
#include <holdfast/error.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layout/feed.h"
#include "layout/place.h"

namespace holdfast::inline v1 {

struct SessionRef;
class Layout;
class SerializedRows;  // layout/serialized_rows.h

struct Belongings {
  std::span<const std::string_view> main;         // patterns of the files that identify a session
  std::span<const std::string_view> beside = {};  // patterns of its other files
  // Patterns of files that several sessions need, such as the record of their project. Restored where they are
  // missing; never a conflict.
  std::span<const std::string_view> shared = {};
  // Patterns of what the agent remembers about a whole project. Kept with the project's most recently changed
  // session, and restored only on request.
  std::span<const std::string_view> memory = {};
  // Returns the folder ({1}) in which the agent looks for the sessions of a project; nullptr if sessions do not move.
  Result<std::string> (*folder_of)(std::string_view project) = nullptr;
  // Returns further main files that the ref knows about.
  std::vector<std::string> (*more)(const SessionRef& ref) = nullptr;
  // Reads the main file and returns the files that it names; `named_as` has their patterns.
  Result<std::vector<Place>> (*named)(Feed& feed, const SessionRef& ref) = nullptr;
  std::span<const std::string_view> named_as = {};
  // Returns the line to append to a restored main file if the agent deletes old sessions by a time in their content
  // instead of the file times; "" for a file without lines. nullptr if the agent does not do that.
  std::string (*renewal)(std::string_view path, std::string_view time) = nullptr;
  // Returns that time from one line, or from the whole text of a file without lines; "" if there is none, and then
  // the time of the file counts.
  std::string (*time_in_content)(std::string_view text) = nullptr;
  // Returns whether a main file contains nothing to resume, so that the agent deletes the whole session because of
  // it. nullptr if the agent does not do that.
  bool (*is_empty_conversation)(std::string_view bytes) = nullptr;
  // For sessions in a database; nullptr if there are none.
  const SerializedRows& (*rows)() = nullptr;
};

// nullptr if an archive keeps nothing of the layout's sessions.
const Belongings* belongings_of(const Layout& layout);

// True for keys, credentials, settings, locks and instructions: never kept or restored, whatever a pattern says.
bool is_excluded_file(std::string_view path);

// Ids come from names that other programs chose. An id with a * or a / would match more than itself, and nothing is
// kept of its session.
bool is_usable_id(std::string_view id);

// Whether a session could be found by a file of that name.
bool is_main_name(const Belongings& belongings, std::string_view path);

// Where the files of sessions are looked for. Whoever looks for those of many sessions can remember the directories.
class FileNames {
 public:
  virtual ~FileNames() = default;
  // Names that begin with `begin`, in byte order; none if the directory is missing.
  virtual Result<std::vector<FeedEntry>> list(const Place& directory, std::string_view begin) = 0;
  // Whether the directory certainly has no such name; false if that is not known yet.
  virtual bool lacks(const Place& directory, std::string_view name) = 0;
  virtual bool is_link(const Place& name) = 0;
};

// The session's files, main files first; empty for a session in a database. These are names only: a file
// may be a link, or may be gone. A link to a directory, unless it is on the way to a main file, is not entered: it
// stands for the files behind it.
Result<std::vector<Place>> files_of_session(const Context& context, const Belongings& belongings, FileNames& names,
                                            const SessionRef& ref);
Result<std::vector<Place>> files_of_session(const Context& context, const Belongings& belongings, Feed& feed,
                                            const SessionRef& ref);

// The existing memory files of the session's project; links as above.
Result<std::vector<Place>> memory_beside(const Context& context, const Belongings& belongings, FileNames& names,
                                         const SessionRef& ref);
Result<std::vector<Place>> memory_beside(const Context& context, const Belongings& belongings, Feed& feed,
                                         const SessionRef& ref);

// Checks whether files can belong to a session. The paths of its main files determine which other files may.
class SessionPaths {
 public:
  SessionPaths(const Belongings& belongings, std::string id) : belongings_(belongings), id_(std::move(id)) {}
  // Returns false if the path is not a main file of this session.
  bool add_main(std::string_view path);
  bool is_one(std::string_view path) const;
  bool is_shared(std::string_view path) const;
  bool is_memory(std::string_view path) const;
  const std::vector<std::string>& beside() const { return beside_; }
  const std::vector<std::string>& memory() const { return memory_; }
  // "projects/-srv-p", from the first main file; empty if the file is not in a project folder.
  const std::string& project_folder() const { return project_folder_; }
  // The path with the project folder renamed to `name`; unchanged if it is not in the project folder.
  std::string in_folder(std::string_view path, std::string_view name) const;

 private:
  const Belongings& belongings_;
  std::string id_;
  std::vector<std::string> beside_, shared_;  // shared_ is a subset of beside_
  std::vector<std::string> memory_;
  std::string project_folder_;
};

}  // namespace holdfast::inline v1
