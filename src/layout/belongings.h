// Which files belong to a session: what an archive keeps of it and what it may put
// back. Patterns are paths below the layout's first root, in which
//   {id}   is the id of the session, {id8} its first eight characters
//   *      is any part of one name; ** as a name of its own is any number of names
//   {1}    is what the first * of the main file's pattern stands for, if that is a
//          whole name; {dir} is the directory of the main file
// Thread-safety: constant data, pure functions.
#pragma once

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
class SpelledRows;  // layout/spelled_rows.h

struct Belongings {
  std::span<const std::string_view> main;         // of the files that a session is found by
  std::span<const std::string_view> beside = {};  // of what else is its own
  // Of files that several sessions need, such as what says which project they are of: put back where they are missing,
  // and never a conflict.
  std::span<const std::string_view> shared = {};
  // Of what the agent remembers of a whole project: kept with the session of it that changed last, and put back only
  // where somebody asks for it.
  std::span<const std::string_view> memory = {};
  // The folder ({1}) in which the agent looks for the sessions of a project; nullptr: a session stays where it is.
  Result<std::string> (*folder_of)(std::string_view project) = nullptr;
  // Further main files that the ref knows of.
  std::vector<std::string> (*more)(const SessionRef& ref) = nullptr;
  // Files that its main file names, which is read for it, and the patterns that those have.
  Result<std::vector<Place>> (*named)(Feed& feed, const SessionRef& ref) = nullptr;
  std::span<const std::string_view> named_as = {};
  // A line that ends a main file which is put back, where the agent deletes old sessions by what they say of themselves
  // and not by the times of files: "" for a file that has no lines. nullptr: it does not.
  std::string (*renewal)(std::string_view path, std::string_view time) = nullptr;
  // The time that the agent goes by then, in a line of such a file, or in all of one that has no lines: "" where it
  // says none, and then that of the file counts.
  std::string (*says_time)(std::string_view text) = nullptr;
  // Whether a main file holds nothing to go on with, so that the agent deletes the whole session for it. nullptr: it
  // does not.
  bool (*says_nothing)(std::string_view bytes) = nullptr;
  // Of sessions in a database; nullptr: there are none.
  const SpelledRows& (*rows)() = nullptr;
};

// nullptr: an archive keeps nothing of its sessions.
const Belongings* belongings_of(const Layout& layout);

// Keys, credentials, settings, locks, instructions: never kept and never put back, whatever a pattern says.
bool is_never_kept(std::string_view path);

// The session's files, the main ones first; nothing when it is found in no file of its own (a database).
// Names only: what is there may be a link, or gone.
Result<std::vector<Place>> files_of_session(const Belongings& belongings, Feed& feed, const SessionRef& ref);

// What there is of the memory of the session's project.
Result<std::vector<Place>> memory_beside(const Belongings& belongings, Feed& feed, const SessionRef& ref);

// Whether these files could be those of that session here: the main file's path decides what may stand beside it.
class SessionPaths {
 public:
  SessionPaths(const Belongings& belongings, std::string id) : belongings_(belongings), id_(std::move(id)) {}
  // False: no main file of that session.
  bool add_main(std::string_view path);
  bool is_one(std::string_view path) const;
  bool is_shared(std::string_view path) const;
  bool is_memory(std::string_view path) const;
  const std::vector<std::string>& beside() const { return beside_; }
  const std::vector<std::string>& memory() const { return memory_; }
  // "projects/-srv-p" of the first main file; empty: it lies in no folder of a project.
  const std::string& project_folder() const { return project_folder_; }
  // The path with that name for the project's folder; as it is where that does not matter.
  std::string in_folder(std::string_view path, std::string_view name) const;

 private:
  const Belongings& belongings_;
  std::string id_;
  std::vector<std::string> beside_, shared_;  // what is shared is among what lies beside
  std::vector<std::string> memory_;
  std::string project_folder_;
};

}  // namespace holdfast::inline v1
