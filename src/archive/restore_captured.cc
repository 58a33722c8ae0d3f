#include "archive/restore_captured.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>
#include <vector>

#include "archive/find_text.h"
#include "archive/sync_parents.h"
#include "base/ascii.h"
#include "base/id.h"
#include "base/parent_path.h"
#include "base/safe_name.h"
#include "base/sort_stably.h"
#include "base/time.h"
#include "disk/file_times.h"
#include "disk/memory_file_system.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "layout/belongings.h"
#include "layout/serialized_rows.h"
#include "layout/title_file.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kMaxImport = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxEmpty = std::uint64_t{4} << 20;  // larger files are not empty
constexpr auto kYoung = std::chrono::hours(24);              // no agent deletes younger files

struct Planned {
  std::string path;  // destination
  const FileVersion* version;
  bool main;
  bool shared;
  std::string renewal = {};  // last line to append
};

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? std::string_view() : path.substr(0, slash));
}

class Restoring {
 public:
  Restoring(const Context& context, FileSystem& file_system, Packs& packs, const RestoreRequest& request)
      : context_(context), file_system_(file_system), packs_(packs), request_(request) {}

  Result<void> plan(const CaptureKey& key, const CapturedSession& session, const Layout& layout,
                    const Versions& memory) {
    const Belongings* const belongings = belongings_of(layout);
    if (belongings == nullptr)
      return fail(Code::unsupported,
                  "sessions of " + std::string(layout.agent()) + " cannot be restored from the archive");
    const std::string_view root = layout.roots().front().name;
    SessionPaths paths(*belongings, key.id);
    std::vector<std::string> mains;
    for (const auto& [place, version] : session.head) {
      if (place.root == root && paths.add_main(place.path)) mains.push_back(place.path);
    }
    for (const auto& [place, version] : session.head) {
      if (place.root == root && paths.is_memory(place.path)) continue;
      if (const auto last = session.last.find(place); last != session.last.end() && last->second->worse)
        done_.findings.push_back(
            {place.path, 0, 0, "older",
             "it was damaged, shorter or without some of its lines when last captured; this is the previous version",
             0});
      if (place.root == root && !mains.empty() && paths.is_one(place.path))
        planned_.push_back({place.path, version.get(), std::ranges::find(mains, place.path) != mains.end(),
                            paths.is_shared(place.path)});
      else
        done_.findings.push_back({place.path, 0, 0, "left_out", "a session of this agent has no such file here", 0});
    }
    if (const TitleFile* const file = title_file_of(key.layout); file != nullptr) {
      const JsonView row(session.row);
      title_file_ = file->path;
      title_ = row.find("title").as_string().value_or("");
      if (!title_.empty()) title_line_ = file->line(key.id, title_, row.find("updated_at").as_string().value_or(""));
    }
    if (mains.empty())
      return fail(Code::unsupported,
                  "the archive has no file of " + key.id + " that " + std::string(layout.agent()) + " would find");
    if (request_.renew) HOLDFAST_TRY(plan_renewal(*belongings));
    if (request_.memory) HOLDFAST_TRY(plan_memory(*belongings, paths, layout, memory));
    if (!request_.project.empty()) HOLDFAST_TRY(plan_move(*belongings, paths, layout));
    if (belongings->rows != nullptr && !belongings->rows().import_command().empty()) {
      HOLDFAST_TRY(plan_import(belongings->rows(), key, session));
    }
    // The name of the main file makes it a session, so the rest is written first.
    const bool last = does(Step::restore_main_last);
    sort_stably(planned_, [=](const Planned& a, const Planned& b) { return (a.main == last) < (b.main == last); });
    return {};
  }

  // Checks before anything is written that all bytes can be read and that no other file is in their place. The largest
  // file is read when it is staged, but a dry run may have no room for that.
  Result<void> check() {
    const auto largest = std::ranges::max_element(planned_, {}, [](const Planned& file) { return file.version->size; });
    for (auto file = planned_.begin(); does(Step::restore_check) && file != planned_.end(); ++file) {
      if (file == largest && !request_.look) continue;
      for (const FileBlock& block : file->version->blocks) {
        HOLDFAST_TRY(context_.check());
        HOLDFAST_TRY(packs_.read(block.name));
      }
    }
    auto opened = file_system_.open_directory(request_.root, false);
    if (!opened && opened.error().code == Code::not_found) return {};
    if (!opened) return fail(std::move(opened).error());
    std::string differences;
    for (const Planned& file : planned_) {
      const auto there = (*opened)->stat(file.path);
      if (!there) HOLDFAST_TRY(check_folder(**opened, folder_of(file.path)));
      if (!there && there.error().code == Code::not_found) continue;
      if (!there) return fail(there.error());
      HOLDFAST_LET(difference, differs(**opened, file, *there));
      if (difference.empty() || file.shared)
        done_.already.push_back(file.path);
      else
        differences += (differences.empty() ? "" : "; ") + file.path + ": " + difference;
    }
    if (!differences.empty())
      return fail(Code::already_exists, "a different file exists and is left as it is: " + differences, request_.root);
    return {};
  }

  Result<void> write() {
    auto written = write_all();
    if (!staged_.empty()) unstage();
    return written;
  }

  RestoredFiles take() { return std::move(done_); }

 private:
  Result<void> write_all() {
    for (const Planned& file : planned_) {
      if (file.version->holed != 0)
        done_.findings.push_back(
            {file.path, 0, 0, "holed", "some of its lines were forgotten; it is restored without them", 0});
    }
    if (planned_.empty()) return write_import();
    made_root_ = !file_system_.open_directory(request_.root, false);
    HOLDFAST_LET(directory, file_system_.open_directory(request_.root, true));
    if (does(Step::restore_folder_sync)) HOLDFAST_TRY(sync_parents(file_system_, request_.root));
    if (does(Step::restore_check)) HOLDFAST_TRY(stage_largest(*directory));
    HOLDFAST_TRY(write_title(*directory));
    for (const Planned& file : planned_) {
      if (std::ranges::find(done_.already, file.path) != done_.already.end()) {
        HOLDFAST_TRY(keep_there(*directory, file.path));
        continue;
      }
      HOLDFAST_TRY(make_folder(*directory, folder_of(file.path)));
      auto written = write_file(*directory, file);
      if (!written && written.error().code == Code::already_exists) {
        HOLDFAST_TRY(take_as_there(*directory, file));
        continue;
      }
      HOLDFAST_TRY(written);
      done_.written.push_back(file.path);
    }
    return import_.empty() ? Result<void>() : write_import();
  }

  Result<void> plan_renewal(const Belongings& belongings) {
    if (belongings.is_empty_conversation != nullptr) HOLDFAST_TRY(leave_out_empty(belongings));
    if (belongings.renewal == nullptr) return {};
    const auto now = context_.clock->now();
    for (Planned& file : planned_) {
      if (!file.main) continue;
      HOLDFAST_LET(changed, told_time(belongings, file));
      if (now.time_since_epoch() - changed <= kYoung) continue;
      file.renewal = belongings.renewal(file.path, iso8601(now));
      if (file.renewal.empty())
        done_.findings.push_back({file.path, 0, 0, "old",
                                  "its agent deletes old sessions by a time inside this file; continue it before you "
                                  "start the agent for anything else",
                                  0});
    }
    return {};
  }

  // The time of the last change as the agent sees it; the file time of a copy is newer.
  Result<std::chrono::nanoseconds> told_time(const Belongings& belongings, const Planned& file) {
    const std::chrono::nanoseconds of_file(file.version->mtime_ns);
    if (belongings.time_in_content == nullptr) return of_file;
    std::string time, line;
    const auto take = [&] {
      if (std::string said = belongings.time_in_content(line); !said.empty()) time = std::move(said);
      line.clear();
    };
    const bool lines = is_made_of_lines(file.path);
    if (!lines && file.version->size > kMaxImport) return of_file;
    const auto read = [&](std::string_view part) -> Result<void> {
      for (std::size_t at = 0; at < part.size();) {
        const std::size_t end = lines ? part.find('\n', at) : std::string_view::npos;
        line += part.substr(at, end == std::string_view::npos ? end : end - at);
        if (end == std::string_view::npos) break;
        take();
        at = end + 1;
      }
      return context_.check();
    };
    HOLDFAST_TRY(read_version(packs_, *file.version, read));
    take();
    const auto said = parse_iso8601(time);
    return said ? std::chrono::duration_cast<std::chrono::nanoseconds>(said->time_since_epoch()) : of_file;
  }

  // Leaves out main files without content, unless all of them are empty.
  Result<void> leave_out_empty(const Belongings& belongings) {
    std::set<std::string> empty;
    std::size_t mains = 0;
    for (const Planned& file : planned_) {
      if (!file.main) continue;
      ++mains;
      if (file.version->size > kMaxEmpty) continue;
      std::string bytes;
      HOLDFAST_TRY(read_version(packs_, *file.version, [&](std::string_view part) -> Result<void> {
        bytes += part;
        return {};
      }));
      if (belongings.is_empty_conversation(bytes)) empty.insert(file.path);
    }
    if (empty.size() == mains) return {};
    for (const std::string& path : empty)
      done_.findings.push_back({path, 0, 0, "left_out",
                                "it holds no conversation, and the agent would delete the session because of it; use "
                                "--exact-times to restore it, too",
                                0});
    std::erase_if(planned_, [&](const Planned& file) { return empty.contains(file.path); });
    return {};
  }

  Result<void> plan_memory(const Belongings& belongings, const SessionPaths& paths, const Layout& layout,
                           const Versions& memory) {
    if (belongings.memory.empty())
      return fail(Code::unsupported,
                  "the archive keeps no memory of " + std::string(layout.agent()) + "; restore without --memory");
    for (const auto& [place, version] : memory) {
      if (!paths.is_memory(place.path)) continue;
      planned_.push_back({place.path, version.get(), false, false});
      ++done_.memory;
    }
    return {};
  }

  // Moves the session to another project folder; everything else stays.
  Result<void> plan_move(const Belongings& belongings, const SessionPaths& paths, const Layout& layout) {
    if (belongings.folder_of == nullptr || paths.project_folder().empty())
      return fail(Code::unsupported, "a session of " + std::string(layout.agent()) +
                                         " cannot be restored for another project; restore without --project");
    HOLDFAST_LET(name, belongings.folder_of(request_.project));
    if (!is_plain_name(name))
      return fail(Code::invalid_argument, "the path of that project does not make a valid folder name",
                  request_.project);
    for (Planned& file : planned_) file.path = paths.in_folder(file.path, name);
    return {};
  }

  // Rows are not restored to a file in the store but to one that the agent imports.
  Result<void> plan_import(const SerializedRows& rows, const CaptureKey& key, const CapturedSession& session) {
    std::string spelled;
    for (const Planned& file : planned_) {
      if (!file.main) continue;
      if (file.version->size > kMaxImport) return fail(Code::too_large, "the session is too large to be assembled");
      spelled.clear();
      HOLDFAST_TRY(read_version(packs_, *file.version, [&](std::string_view bytes) -> Result<void> {
        spelled += bytes;
        return {};
      }));
    }
    std::erase_if(planned_, [](const Planned& file) { return file.main; });
    HOLDFAST_LET(form, rows.import_form(spelled));
    import_ = std::move(form);
    import_name_ = key.layout + "-" + key.id + "-" + std::to_string(session.number) + ".json";
    done_.import_command = rows.import_command();
    return check_relative_path(import_name_);
  }

  Result<void> write_import() {
    HOLDFAST_LET(directory, file_system_.open_directory(request_.imports, true));
    done_.import_file = request_.imports + "/" + import_name_;
    if (directory->exists(import_name_)) {
      HOLDFAST_LET(file, directory->open(import_name_, OpenMode::read));
      std::string there(import_.size() + 1, '\0');
      HOLDFAST_LET(count, file->read_at(0, there));
      if (std::string_view(there).substr(0, count) != import_)
        return fail(Code::already_exists, "a different file exists and is left as it is", done_.import_file);
      done_.already.push_back(done_.import_file);
      return {};
    }
    const std::string temporary = ".holdfast-restore-" + base32_letters(file_system_.entropy(), 12);
    const auto fill = [&]() -> Result<void> {
      HOLDFAST_LET(made, directory->open(temporary, OpenMode::create_update));
      HOLDFAST_TRY(made->write_at(0, import_));
      HOLDFAST_TRY(made->sync());
      return directory->make_link(temporary, import_name_);
    };
    auto done = fill();
    (void)directory->remove(temporary);
    if (!done && done.error().code == Code::already_exists) return write_import();  // now it is compared
    if (done) done = directory->sync_directory("");
    if (done) done_.written.push_back(done_.import_file);
    return done;
  }

  // Empty if the bytes are the same.
  Result<std::string> differs(Directory& directory, const Planned& file, const FileStat& there) {
    if (there.kind != FileKind::file)
      return std::string(there.kind == FileKind::symlink ? "a symbolic link there" : "not a plain file");
    HOLDFAST_LET(opened, directory.open(file.path, OpenMode::read));
    std::uint64_t at = 0;
    std::string found;
    const auto compare = [&](std::string_view want) -> Result<void> {
      if (!found.empty()) return {};
      std::string is(want.size(), '\0');
      HOLDFAST_LET(count, opened->read_at(at, is));
      is.resize(count);
      if (is != want) {
        const auto [a, b] = std::ranges::mismatch(is, want);
        found = std::to_string(there.size) + " bytes there, " + std::to_string(file.version->size) +
                " in the archive, different from byte " +
                std::to_string(at + static_cast<std::uint64_t>(a - is.begin())) + " on";
      }
      at += want.size();
      return {};
    };
    HOLDFAST_TRY(read_version(packs_, *file.version, compare));
    if (found.empty() && there.size != at && !is_renewed(*opened, file, at, there.size))
      found = std::to_string(there.size) + " bytes there; the first " + std::to_string(at) +
              " are the same as in the archive";
    return found;
  }

  // Whether the file ends with the line of an earlier restore, which differs only in its time.
  static bool is_renewed(File& there, const Planned& file, std::uint64_t from, std::uint64_t size) {
    if (file.renewal.empty() || size - from > file.renewal.size() + 1) return false;
    std::string rest(size - from, '\0');
    rest.resize(there.read_at(from, rest).value_or(0));
    if (rest.starts_with('\n')) rest.erase(0, 1);
    return std::ranges::equal(rest, file.renewal,
                              [&](char a, char b) { return a == b || (is_ascii_digit(a) && is_ascii_digit(b)); });
  }

  // Neither it nor a folder above it is anything else, such as a link.
  Result<void> check_folder(Directory& directory, const std::string& folder) {
    if (folder.empty()) return {};
    HOLDFAST_TRY(check_folder(directory, folder_of(folder)));
    const auto there = directory.stat(folder);
    if (!there || there->kind == FileKind::directory) return {};
    std::string what = "a file is in the place of a folder of the session; move it away";
    if (there->kind == FileKind::symlink)
      what = "a symbolic link to " + directory.read_symlink(folder).value_or("?") +
             " is in the place of a folder of the session, and restore writes through no link; restore with --to DIR "
             "and move the files to where the link leads, or put a folder in its place";
    return fail(Code::unsafe_path, std::move(what), request_.root + "/" + folder);
  }

  Result<void> make_folder(Directory& directory, const std::string& folder) {
    if (folder.empty() || durable_.contains(folder)) return {};
    HOLDFAST_TRY(make_folder(directory, folder_of(folder)));
    HOLDFAST_TRY(check_folder(directory, folder));
    const auto there = directory.stat(folder);
    Result<void> made;
    if (!there) made = directory.make_directory(folder);
    if (!made && made.error().code != Code::already_exists) return made;
    if (!there && made) made_.push_back(folder);
    // Sync also if it existed: its creator may have crashed before doing so (I-18).
    auto synced = does(Step::restore_folder_sync) ? directory.sync_directory(folder_of(folder)) : Result<void>();
    // The next sync may lie (I-7): a retry must create the folder anew.
    if (!synced && !there && made && does(Step::restore_undone)) (void)directory.remove_directory(folder);
    if (synced) durable_.insert(folder);
    return synced;
  }

  // Writes the title that a person gave to a new file where the agent looks for it. No file of an agent is edited.
  Result<void> write_title(Directory& directory) {
    if (title_line_.empty()) return {};
    auto there = read_whole(directory, title_file_);
    if (!there && there.error().code == Code::not_found) {
      const std::string temporary = ".holdfast-restore-" + base32_letters(file_system_.entropy(), 12);
      const auto fill = [&]() -> Result<void> {
        HOLDFAST_LET(made, directory.open(temporary, OpenMode::create_update));
        HOLDFAST_TRY(made->write_at(0, title_line_));
        HOLDFAST_TRY(made->sync());
        return directory.make_link(temporary, title_file_);
      };
      auto done = fill();
      (void)directory.remove(temporary);
      if (done) done = directory.sync_directory("");
      if (done) done_.written.push_back(title_file_);
      if (done || done.error().code != Code::already_exists) return done;
      there = read_whole(directory, title_file_);
    }
    if (!there || !there->contains(JsonWriter().string(title_).take()))
      done_.findings.push_back({title_file_, 0, 0, "title",
                                "the title \"" + title_ + "\" is not restored: no file of an agent is edited", 0});
    return {};
  }

  // The file appeared meanwhile, perhaps from another restore of the same session.
  Result<void> take_as_there(Directory& directory, const Planned& file) {
    HOLDFAST_LET(there, directory.stat(file.path));
    HOLDFAST_LET(difference, differs(directory, file, there));
    if (!difference.empty() && !file.shared)
      return fail(Code::already_exists,
                  "a different file exists and is left as it is: " + file.path + ": " + difference, request_.root);
    done_.already.push_back(file.path);
    return keep_there(directory, file.path);
  }

  // Whoever created the file may have crashed before it was durable (I-18).
  Result<void> keep_there(Directory& directory, const std::string& path) {
    if (!does(Step::restore_again_sync)) return {};
    HOLDFAST_TRY(make_folder(directory, folder_of(path)));
    HOLDFAST_LET(file, directory.open(path, OpenMode::read));
    HOLDFAST_TRY(file->sync());
    return directory.sync_directory(folder_of(path));
  }

  std::string temporary_beside(const std::string& path) const {
    const std::string folder = folder_of(path);
    return (folder.empty() ? "" : folder + "/") + ".holdfast-restore-" + base32_letters(file_system_.entropy(), 12);
  }

  // Writes the largest file under a temporary name before any file gets its own: if it cannot be read to its end,
  // nothing is restored, and it is read only once.
  Result<void> stage_largest(Directory& directory) {
    const Planned* largest = nullptr;
    for (const Planned& file : planned_) {
      if (largest == nullptr || largest->version->size < file.version->size) largest = &file;
    }
    if (largest == nullptr || std::ranges::find(done_.already, largest->path) != done_.already.end()) return {};
    HOLDFAST_TRY(make_folder(directory, folder_of(largest->path)));
    staged_ = temporary_beside(largest->path);
    staged_file_ = largest;
    auto filled = fill(directory, staged_, *largest);
    if (!filled) unstage();
    return filled;
  }

  // Also removes the folders that were made for it, unless something is in them.
  void unstage() {
    if (const auto directory = file_system_.open_directory(request_.root, false)) {
      (void)(*directory)->remove(staged_);
      for (; !made_.empty() && done_.written.empty(); made_.pop_back())
        (void)(*directory)->remove_directory(made_.back());
    }
    staged_.clear();
    if (!made_root_ || !done_.written.empty()) return;
    if (const auto above = file_system_.open_directory(absolute_parent(request_.root), false))
      (void)(*above)->remove_directory(std::string_view(request_.root).substr(request_.root.rfind('/') + 1));
  }

  Result<void> write_file(Directory& directory, const Planned& file) {
    const bool is_staged = !staged_.empty() && staged_file_ == &file;
    const std::string temporary = is_staged ? std::exchange(staged_, {}) : temporary_beside(file.path);
    auto done = is_staged ? Result<void>() : fill(directory, temporary, file);
    const auto made = directory.stat(temporary);
    // A link never replaces a file, even if another process was first.
    if (done)
      done = does(Step::restore_new_only) ? directory.make_link(temporary, file.path)
                                          : directory.rename(temporary, file.path);
    (void)directory.remove(temporary);
    if (!done || !does(Step::restore_name_sync)) return done;
    done = directory.sync_directory(folder_of(file.path));
    // The next sync may lie (I-7): a retry must create the file anew.
    if (const auto now = directory.stat(file.path); !done && made && now && made->same_file(*now))
      if (does(Step::restore_undone)) (void)directory.remove(file.path);
    return done;
  }

  Result<void> fill(Directory& directory, const std::string& path, const Planned& file) {
    HOLDFAST_LET(made, directory.open(path, OpenMode::create_update));
    std::uint64_t at = 0;
    char last = '\n';
    const auto write = [&](std::string_view bytes) -> Result<void> {
      HOLDFAST_TRY(context_.check());
      HOLDFAST_TRY(made->write_at(at, bytes));
      at += bytes.size();
      if (!bytes.empty()) last = bytes.back();
      return {};
    };
    HOLDFAST_TRY(read_version(packs_, *file.version, write));
    if (!file.renewal.empty()) HOLDFAST_TRY(write((last == '\n' ? "" : "\n") + file.renewal));
    if (request_.exact_times) HOLDFAST_TRY(set_modified(*made, file.version->mtime_ns));
    return does(Step::restore_sync) ? made->sync() : Result<void>();
  }

  const Context& context_;
  FileSystem& file_system_;
  Packs& packs_;
  const RestoreRequest& request_;
  std::vector<Planned> planned_;
  std::set<std::string> durable_;  // synced directories
  std::vector<std::string> made_;  // directories that did not exist
  std::string staged_;             // temporary name of staged_file_; empty if there is none
  const Planned* staged_file_ = nullptr;
  bool made_root_ = false;
  std::string import_, import_name_;
  std::string title_, title_line_, title_file_;
  RestoredFiles done_;
};

constexpr std::uint64_t kMaxRehearsed = std::uint64_t{192}
                                        << 20;  // bytes; of a larger session, a dry run writes a part

}  // namespace

Versions memory_of_project(const CaptureState& state, const CaptureKey& key, const CapturedSession& session,
                           const Layout& layout) {
  Versions newest;
  const Belongings* const belongings = belongings_of(layout);
  if (belongings == nullptr || belongings->memory.empty()) return newest;
  SessionPaths paths(*belongings, key.id);
  for (const auto& [place, version] : session.head) paths.add_main(place.path);
  for (const auto& [other, captured] : state.sessions) {
    if (other.layout != key.layout || other.store != key.store) continue;
    for (const auto& [place, version] : captured.head) {
      if (!paths.is_memory(place.path)) continue;
      auto& known = newest[place];
      if (!known || known->mtime_ns < version->mtime_ns) known = version;
    }
  }
  return newest;
}

Result<RestoredFiles> restore_captured(const Context& context, FileSystem& file_system, Packs& packs,
                                       const CaptureKey& key, const CapturedSession& session, const Layout& layout,
                                       const Versions& memory, const RestoreRequest& request) {
  // A dry run writes to memory, where times cannot be set.
  std::unique_ptr<Overlay> memory_only;
  if (request.look) memory_only = make_overlay(file_system, kMaxRehearsed);
  RestoreRequest meant = request;
  meant.exact_times = request.exact_times && !request.look;
  Restoring restoring(context, request.look ? *memory_only : file_system, packs, meant);
  HOLDFAST_TRY(restoring.plan(key, session, layout, memory));
  HOLDFAST_TRY(restoring.check());
  if (const auto written = restoring.write(); !written && !(memory_only && memory_only->is_full()))
    return fail(written.error());
  return restoring.take();
}

}  // namespace holdfast::inline v1
