// T14: whatever is planted where the library writes, nothing outside changes.
#include "unsafe_paths.h"

#include <holdfast/root.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/safe_name.h"
#include "disk/journal.h"
#include "parts.h"
#include "storm_process.h"

namespace holdfast::lab {
namespace {

namespace fs = std::filesystem;
constexpr unsigned kPatience = 60;  // seconds per case, on a busy machine

enum class Plant {
  link_to_file,
  link_to_torn_file,
  link_to_directory,
  link_to_nothing,
  link_to_itself,
  hard_link,
  fifo,
  device,
  socket,
  directory,
  full_directory,
  plain_file,
  foreign_file,
  count
};
constexpr const char* kPlantNames[] = {"a link to a file",
                                       "a link to a file without a newline",
                                       "a link to a directory",
                                       "a link to a name that is free",
                                       "a link to itself",
                                       "a hard link",
                                       "a FIFO",
                                       "a device",
                                       "a socket",
                                       "an empty directory",
                                       "a directory with files",
                                       "a plain file",
                                       "a file of another user"};

bool plant(const World& world, const std::string& path, Plant kind) {
  std::error_code ignored;
  fs::create_directories(fs::path(path).parent_path(), ignored);
  fs::remove_all(path, ignored);
  switch (kind) {
    case Plant::link_to_file: return ::symlink(world.outside("file.txt").c_str(), path.c_str()) == 0;
    case Plant::link_to_torn_file: return ::symlink(world.outside("torn.txt").c_str(), path.c_str()) == 0;
    case Plant::link_to_directory: return ::symlink(world.outside("directory").c_str(), path.c_str()) == 0;
    case Plant::link_to_nothing: return ::symlink(world.outside("empty/made").c_str(), path.c_str()) == 0;
    case Plant::link_to_itself: return ::symlink(path.c_str(), path.c_str()) == 0;
    case Plant::hard_link: return ::link(world.outside("file.txt").c_str(), path.c_str()) == 0;
    case Plant::fifo: return ::mkfifo(path.c_str(), 0600) == 0;
    case Plant::device: return ::mknod(path.c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0;
    case Plant::socket: {
      sockaddr_un address{};
      address.sun_family = AF_UNIX;
      std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
      const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
      const bool bound = ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
      ::close(socket);
      return bound;
    }
    case Plant::directory: return ::mkdir(path.c_str(), 0700) == 0;
    case Plant::full_directory: return ::mkdir(path.c_str(), 0700) == 0 && std::ofstream(path + "/file").good();
    case Plant::plain_file: return static_cast<bool>(std::ofstream(path) << "something else");
    case Plant::foreign_file:
      return static_cast<bool>(std::ofstream(path) << "{\"theirs\":1}\n") && ::chown(path.c_str(), 12345, 12345) == 0;
    case Plant::count: break;
  }
  return false;
}

// Every name that a write touches, below store `a` or beside it.
std::vector<std::string> touched_names(const Names& names) {
  std::vector<std::string> all{"d", names.log, names.shared, names.document, names.link, ".holdfast", "../b/.holdfast"};
  for (const char* name : {"tmp", "backup", "journal", "lock", "poison", "counters", "leases", "sums", "corrupt"})
    all.push_back(".holdfast/" + std::string(name));
  for (const char* folder : {"backup", "poison", "sums"})
    for (const std::string& name : {names.log, names.shared, names.document})
      all.push_back(".holdfast/" + std::string(folder) + "/" + encode_name(name));
  all.push_back(".holdfast/counters/" + encode_name(names.counter));
  all.push_back(".holdfast/poison/" + encode_name(".holdfast/counters/" + encode_name(names.counter)));
  all.push_back(".holdfast/leases/" + encode_name(names.lease));
  all.push_back(".holdfast/tmp/orphan");
  all.push_back("../b/.holdfast/journal");
  all.push_back("../b/.holdfast/tmp");
  all.push_back("../b/" + names.document);
  return all;
}

struct Case {
  World world;
  Names names;
  std::uint64_t round = 1;
};

Answers work_on(const void* argument) {
  const auto& each = *static_cast<const Case*>(argument);
  return write_everything(each.world, each.names, each.round);
}

struct Totals {
  std::uint64_t cases = 0, worked = 0, unsafe = 0, other = 0;
};

void try_case(const Case& each, const std::string& what, Totals& totals, Outcome& outcome) {
  const auto before = each.world.look();
  Answers answers;
  const std::string wrong = in_child(kPatience, answers, work_on, &each);
  if (!wrong.empty()) outcome.fail(&Outcome::wrong, what + ": " + wrong);
  expect_untouched(before, each.world.look(), what, outcome);
  ++totals.cases;
  totals.worked += answers.worked;
  totals.unsafe += answers.unsafe;
  totals.other += answers.other;
}

void plant_everywhere(const World& world, Totals& totals, Outcome& outcome) {
  const Names names;
  for (const std::string& name : touched_names(names)) {
    for (int kind = 0; kind < static_cast<int>(Plant::count); ++kind) {
      for (const bool used : {false, true}) {  // in a new store, and in one that contains everything
        world.clear();
        Case each{world, names};
        if (used) write_everything(world, names, each.round++);
        const std::string path = fs::path(world.store(name)).lexically_normal();
        const std::string what = std::string(kPlantNames[kind]) + " at " + name + (used ? " of a used store" : "");
        if (plant(world, path, static_cast<Plant>(kind))) try_case(each, what, totals, outcome);
      }
    }
  }
}

void try_names(const World& world, Totals& totals, Outcome& outcome) {
  for (const std::string& name : {std::string("../outside/file.txt"),
                                  std::string(".."),
                                  std::string("."),
                                  std::string(),
                                  std::string("d/../../outside/x"),
                                  world.outside("file.txt"),
                                  std::string("//outside/x"),
                                  std::string("d//x"),
                                  std::string("./x"),
                                  std::string("d/./x"),
                                  std::string("d/.."),
                                  std::string("d/"),
                                  std::string("a\0b", 3),
                                  std::string("CON"),
                                  std::string("nul.txt"),
                                  std::string("COM1"),
                                  std::string("~"),
                                  std::string("$HOME/x"),
                                  std::string("..."),
                                  std::string("-rf"),
                                  std::string("\xff\xfe"),
                                  std::string("a\nb"),
                                  std::string(300, 'x'),
                                  std::string(5000, '/'),
                                  std::string(".holdfast/journal"),
                                  std::string(".holdfast/lock"),
                                  std::string(".holdfast/tmp/x"),
                                  std::string("/proc/self/fd/1"),
                                  std::string("/dev/null")}) {
    for (std::string Names::* member :
         {&Names::log, &Names::shared, &Names::document, &Names::link, &Names::counter, &Names::lease}) {
      world.clear();
      Case each{world, {}};
      each.names.*member = name;
      each.names.tear = false;
      try_case(each, "the name '" + name.substr(0, 40) + "'", totals, outcome);
    }
  }
}

// Anybody who can write into the store can plant a journal there, with roots
// elsewhere, where no commit of ours ever was.
void plant_journals(const World& world, Totals& totals, Outcome& outcome) {
  for (const StepKind kind : {StepKind::append, StepKind::symlink, StepKind::remove, StepKind::put}) {
    world.clear();
    RootOptions options;
    options.create = true;
    const auto root = Root::open({}, real_file_system(), world.store(), options);
    if (!root) return;
    Journal journal;
    journal.transaction = "abcdefghijkl";
    journal.roots = {{world.store(), ".holdfast"}, {world.outside(), ".holdfast"}};
    JournalStep change;
    change.kind = kind;
    change.root = 1;
    change.path = kind == StepKind::append    ? "file.txt"
                  : kind == StepKind::symlink ? "empty/link"
                                              : "directory/file.txt";
    change.before = kind == StepKind::symlink ? Revision(kAbsent) : revision_of("untouched\n");
    change.after = kind == StepKind::symlink ? "link:nowhere"
                   : kind == StepKind::put   ? revision_of("{\"outside\":3}\n")
                                             : Revision(kAbsent);
    change.target = "nowhere";
    change.staged = "directory/document.json";
    change.mode = LogMode::shared;
    change.lines = {"{\"planted\":true}"};
    journal.changes = {change};
    if (!write_pending(**root, journal)) return;
    try_case({world, {}}, "a planted journal (change " + std::to_string(static_cast<int>(kind)) + ")", totals, outcome);
  }
}

}  // namespace

Outcome run_t14(const Options& options) {
  if (::geteuid() != 0) return cannot_run("needs root to plant devices and files of others");
  Outcome outcome;
  outcome.unit = "swaps";
  Totals totals;
  // In memory if there is room: each write syncs, and the medium does not matter here.
  const ScratchDirectory directory(memory_directory(options.scratch));
  const World world = World::make(directory.path() + "/world");
  plant_everywhere(world, totals, outcome);
  try_names(world, totals, outcome);
  plant_journals(world, totals, outcome);
  race_with_links(options, world, pick<std::uint64_t>(options, 5'000, 100'000, 1'000'000), outcome);
  outcome.note = std::to_string(totals.cases) + " planted cases (" + std::to_string(totals.worked) +
                 " writes worked, " + std::to_string(totals.unsafe) + " refused as unsafe_path, " +
                 std::to_string(totals.other) + " refused otherwise)" + outcome.note;
  return outcome;
}

}  // namespace holdfast::lab
