// Locks of a store that another process holds: what they guard waits, and is
// refused in the end. The other process has the lock before, or takes it at any
// call on a file that got the name meanwhile.
#include <functional>

#include "sim_interleaving.h"
#include "sim_parts.h"
#include "sim_session.h"
#include "store/metrics_file.h"

namespace holdfast::lab {
namespace {

// Another process in the middle of its work.
class Holder {
 public:
  explicit Holder(SimFileSystem& disk) : disk_(disk) {}

  // Like a process that repairs a log or tidies up: while holding the old file's lock, gives the name
  // to a new, locked file.
  bool take(const std::string& path, bool anew) {
    const auto slash = path.rfind('/');
    auto directory = disk_.open_directory(path.substr(0, slash), false);
    if (!directory) return false;
    const std::string name = path.substr(slash + 1);
    auto file = (*directory)->open(name, OpenMode::update);
    if (!file || !(*file)->try_lock(LockKind::exclusive).value_or(false)) return false;
    held_ = std::move(*file);
    if (!anew) return true;
    auto fresh = (*directory)->open("fresh", OpenMode::create_update);
    if (!fresh || !(*fresh)->write_at(0, disk_.read_file(path).value_or("")) ||
        !(*fresh)->try_lock(LockKind::exclusive).value_or(false) || !(*directory)->rename("fresh", name))
      return false;
    held_ = std::move(*fresh);
    return true;
  }

 private:
  SimFileSystem& disk_;
  std::unique_ptr<File> held_;
};

struct Guarded {
  const char* name;
  std::function<void(SimFileSystem&)> prepare;
  std::function<std::string(SimFileSystem&)> lock;               // path of the lock
  std::function<Result<void>(SimFileSystem&, FileSystem&)> act;  // done by the second process
  std::function<bool(SimFileSystem&)> done;
};

std::uint64_t meet(const Guarded& guarded, std::uint64_t at, Outcome& outcome) {
  ++outcome.cases;
  SimFileSystem disk;
  guarded.prepare(disk);
  const std::string lock = guarded.lock(disk);
  InterleavingFileSystem way(disk);
  Holder holder(disk);
  bool held = false;
  if (at == 0)
    held = holder.take(lock, false);
  else
    way.meet(at - 1, [&] { held = !guarded.done(disk) && holder.take(lock, true); });
  const auto acted = guarded.act(disk, way);
  way.clear_visits();
  const std::string when = std::string(guarded.name) + ", taken at call " + std::to_string(at) + ": ";
  if (at == 0 && !held) outcome.fail(&Outcome::wrong, when + "nobody can take the lock " + lock);
  if (held && (acted || guarded.done(disk))) outcome.fail(&Outcome::wrong, when + "done while another holds it");
  if (held && !acted && acted.error().code != Code::busy) outcome.fail(&Outcome::wrong, when + acted.error().text());
  if (!held && !acted) outcome.fail(&Outcome::wrong, when + "nobody holds it: " + acted.error().text());
  return way.calls();
}

// In this layout sessions are logs; in others they are folders, and a log in one moves with it.
constexpr const char* kLogs = "open-agent";
constexpr const char* kRecords = "holdfast";

Result<void> call(FileSystem& files, const char* layout, std::string_view method, const std::string& with) {
  LibraryDoor door(files, layout, kStoreTop, false);
  door.hurry();
  HOLDFAST_TRY(door.call(method, with));
  return {};
}

std::string log_of(SimFileSystem& disk) {
  for (const std::string& path : disk.paths())
    if (path.find(kId) != std::string::npos && path.ends_with(".jsonl") && !path.contains("/.holdfast/")) return path;
  return {};
}

void one_session(SimFileSystem& disk) {
  (void)call(disk, kLogs, "session.create", params({{"id", kId}, {"title", "t"}, {"project", kProject}}));
  (void)call(disk, kLogs, "message.append", params({{"session", kId}, {"text", "one"}}));
  (void)call(disk, kLogs, "session.trash", params({{"id", kId}}));  // so that the lock exists
  (void)call(disk, kLogs, "session.restore", params({{"id", kId}}));
}

Guarded removal(const char* name, std::function<std::string(SimFileSystem&)> lock) {
  return {name, &one_session, std::move(lock),
          [](SimFileSystem&, FileSystem& files) { return call(files, kLogs, "session.trash", params({{"id", kId}})); },
          [](SimFileSystem& disk) { return log_of(disk).empty(); }};
}

std::string mission(std::string_view text) { return params({{"project", kProject}, {"text", text}}); }

}  // namespace

void run_locks(Outcome& outcome) {
  const auto side = [](const char* name) {
    return [end = std::string("/locks/") + name](SimFileSystem& disk) {
      for (const std::string& path : disk.paths())
        if (path.starts_with(kStoreTop) && path.ends_with(end)) return path;
      return std::string("/none") + end;
    };
  };
  const Guarded all[] = {
      removal("the lock of a log that is moved", &log_of),
      removal("the lock of the sessions", side("sessions")),
      {"the lock of the records",
       [](SimFileSystem& disk) { (void)call(disk, kRecords, "mission.set", mission("first")); }, side("records"),
       [](SimFileSystem&, FileSystem& files) { return call(files, kRecords, "mission.set", mission("second")); },
       [](SimFileSystem& disk) {
         for (const SimEntry& entry : disk.tree())
           if (!entry.path.contains("/.side/") && entry.bytes.contains("second")) return true;
         return false;
       }},
      {"the lock of the metrics", [](SimFileSystem& disk) { (void)disk.put_file("/m/metrics", ""); },
       [](SimFileSystem&) { return std::string("/m/metrics"); },
       [](SimFileSystem&, FileSystem& files) {
         MetricsBook book;
         book.count(Tick{}, 1);
         return add_to_metrics_file(files, "/m/metrics", book);
       },
       [](SimFileSystem& disk) { return !disk.read_file("/m/metrics").value_or("").empty(); }},
  };
  for (const Guarded& guarded : all) {
    std::uint64_t calls = 1;
    for (std::uint64_t at = 0; at <= calls; ++at) calls = std::max(calls, meet(guarded, at, outcome));
  }
}

}  // namespace holdfast::lab
