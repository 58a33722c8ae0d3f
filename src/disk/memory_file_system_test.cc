// Compares the file system in memory with the simulated disk, which other tests compare with the real one.
#include "disk/memory_file_system.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "crash/disk/sim_testing.h"
#include "disk/real_testing.h"

namespace holdfast::inline v1 {
namespace {

// The contents of a directory, including links and files: "a=1 d/ d/b=2 l->a ".
std::string told(Directory& directory, const std::string& path = "") {
  std::string out;
  for (const DirectoryEntry& entry : must(directory.list(path))) {
    const std::string name = path.empty() ? entry.name : path + "/" + entry.name;
    if (entry.kind == FileKind::directory) out += name + "/ " + told(directory, name);
    if (entry.kind == FileKind::symlink) out += name + "->" + must(directory.read_symlink(name)) + " ";
    if (entry.kind != FileKind::file) continue;
    auto file = must(directory.open(name, OpenMode::read));
    std::string bytes(must(file->stat()).size, '\0');
    must(file->read_at(0, bytes));
    out += name + "=" + bytes + "x" + std::to_string(must(directory.stat(name)).links) + " ";
  }
  return out;
}

template <typename T>
std::string code(const Result<T>& result) {
  return result ? "ok" : std::string(code_name(result.error().code));
}

Result<void> write(Directory& directory, std::string_view path, OpenMode mode, std::string_view bytes) {
  HOLDFAST_LET(file, directory.open(path, mode));
  if (mode == OpenMode::append || mode == OpenMode::create_append) {
    HOLDFAST_TRY(file->append(bytes));
    return {};
  }
  return file->write_at(2, bytes);
}

using Deed = std::function<std::string(Directory&)>;
const std::vector<Deed> kDeeds = {
    [](Directory& at) { return code(write(at, "a", OpenMode::create_append, "one")); },
    [](Directory& at) { return code(write(at, "a", OpenMode::create_append, "two")); },
    [](Directory& at) { return code(write(at, "a", OpenMode::append, "two")); },
    [](Directory& at) { return code(write(at, "a", OpenMode::update, "-")); },
    [](Directory& at) { return code(write(at, "b", OpenMode::append, "no")); },
    [](Directory& at) { return code(write(at, "no/b", OpenMode::create_append, "no")); },
    [](Directory& at) { return code(write(at, "../b", OpenMode::create_append, "no")); },
    [](Directory& at) { return code(at.make_directory("d")); },
    [](Directory& at) { return code(at.make_directory("d")); },
    [](Directory& at) { return code(at.make_directory("d/e")); },
    [](Directory& at) { return code(at.open("d", OpenMode::read)); },
    [](Directory& at) { return code(write(at, "d/e/f", OpenMode::create_update, "late")); },
    [](Directory& at) { return code(at.make_symlink("../a", "d/l")); },
    [](Directory& at) { return code(at.open("d/l", OpenMode::read)); },
    [](Directory& at) { return code(at.open("d/l", OpenMode::append)); },
    [](Directory& at) { return code(at.make_symlink("loop", "loop")); },
    [](Directory& at) { return code(at.open("loop", OpenMode::read)); },
    [](Directory& at) { return code(at.make_link("a", "d/a")); },
    [](Directory& at) { return code(write(at, "a", OpenMode::append, "no")); },
    [](Directory& at) { return code(at.rename("d", "d/e/g")); },
    [](Directory& at) { return code(at.rename("a", "d")); },
    [](Directory& at) { return code(at.rename("d", "a")); },
    [](Directory& at) { return code(at.rename("a", "d/a")); },
    [](Directory& at) { return code(at.rename("no", "a")); },
    [](Directory& at) { return code(at.remove("d")); },
    [](Directory& at) { return code(at.remove_directory("d")); },
    [](Directory& at) { return code(at.remove("d/a")); },
    [](Directory& at) { return code(at.remove("d/a")); },
    [](Directory& at) { return code(at.rename("a", "d/e/f")); },
    [](Directory& at) { return code(at.rename("d/e", "e")); },
    [](Directory& at) { return code(at.make_directory("empty")); },
    [](Directory& at) { return code(at.rename("e", "empty")); },
    [](Directory& at) { return code(at.remove_directory("empty/f")); },
    [](Directory& at) { return code(at.list("empty/f")); },
    [](Directory& at) { return code(at.list("no")); },
    [](Directory& at) { return code(at.read_symlink("empty")); },
    [](Directory& at) { return code(at.sync_directory("d")); },
    [](Directory& at) { return code(at.sync_directory("no")); },
};

void expect_same(Directory& here, Directory& there, std::size_t from = 0) {
  for (std::size_t i = from; i < kDeeds.size(); ++i) {
    EXPECT_EQ(kDeeds[i](here), kDeeds[i](there)) << "deed " << i;
    ASSERT_EQ(told(here), told(there)) << "deed " << i;
  }
  EXPECT_NE(told(here), "");
}

TEST(MemoryFileSystem, MatchesSimulatedFileSystem) {
  const auto memory = make_memory_file_system();
  SimFileSystem simulated;
  expect_same(*must(memory->open_directory("/some/where", true)), *must(simulated.open_directory("/some/where", true)));
}

// An overlay does not know that two names below are links to one file.
bool links_a_file_twice(Directory& directory) {
  const auto stat = directory.stat("a");
  return stat && stat->links > 1;
}

TEST(Overlay, MatchesSimulatedFileSystemAndChangesNothingBelow) {
  std::size_t tried = 0;
  for (std::size_t before = 0; before <= kDeeds.size(); ++before) {
    SimFileSystem below, simulated;
    const auto base = must(below.open_directory("/some/where", true));
    const auto there = must(simulated.open_directory("/some/where", true));
    for (std::size_t i = 0; i < before; ++i) EXPECT_EQ(kDeeds[i](*base), kDeeds[i](*there));
    if (links_a_file_twice(*base)) continue;
    const std::string unchanged = told(*base);
    const auto overlay = make_overlay(below);
    expect_same(*must(overlay->open_directory("/some/where", true)), *there, before);
    EXPECT_EQ(told(*base), unchanged) << "after deed " << before;
    ++tried;
  }
  EXPECT_GT(tried, 25u);
}

TEST(Overlay, WritesOverTheBytesBelow) {
  SimFileSystem below;
  const auto base = must(below.open_directory("/s", true));
  must(write(*base, "log", OpenMode::create_append, "one two"));
  must(base->make_directory("d"));
  must(write(*base, "d/x", OpenMode::create_append, "x"));
  const auto overlay = make_overlay(below);
  const auto directory = must(overlay->open_directory("/s", false));
  const auto all = [&](std::string_view path) {
    const auto file = must(directory->open(path, OpenMode::read));
    std::string bytes(must(file->stat()).size, '\0');
    EXPECT_EQ(must(file->read_at(0, bytes)), bytes.size());
    return bytes;
  };
  must(write(*directory, "log", OpenMode::append, " three"));
  EXPECT_EQ(all("log"), "one two three");
  must(must(directory->open("log", OpenMode::append))->truncate(5));
  EXPECT_EQ(all("log"), "one t");
  must(write(*directory, "log", OpenMode::append, "en"));
  must(write(*directory, "log", OpenMode::update, "E"));
  EXPECT_EQ(all("log"), "onE ten");
  must(directory->rename("d", "e"));
  EXPECT_EQ(all("e/x"), "x");
  EXPECT_FALSE(directory->exists("d"));
  EXPECT_EQ(told(*base), "d/ d/x=xx1 log=one twox1 ");
}

TEST(Overlay, CreatesNoDirectoryBelow) {
  SimFileSystem below;
  const auto overlay = make_overlay(below);
  EXPECT_FALSE(overlay->open_directory("/new/store", false));
  must(write(*must(overlay->open_directory("/new/store", true)), "a", OpenMode::create_append, "1"));
  EXPECT_EQ(told(*must(overlay->open_directory("/new/store", false))), "a=1x1 ");
  EXPECT_FALSE(below.open_directory("/new", false));
}

TEST(Overlay, KeepsNoMoreThanItsBudget) {
  SimFileSystem below;
  must(write(*must(below.open_directory("/s", true)), "log", OpenMode::create_append, "one two"));
  const auto overlay = make_overlay(below, 10);
  const auto directory = must(overlay->open_directory("/s", false));
  must(write(*directory, "log", OpenMode::append, " three"));
  // Changing a byte copies the whole file.
  const auto smaller = must(make_overlay(below, 7)->open_directory("/s", false));
  EXPECT_EQ(code(write(*smaller, "log", OpenMode::update, "E")), "disk_full");
  EXPECT_FALSE(overlay->is_full());
  EXPECT_EQ(code(write(*directory, "log", OpenMode::append, " four")), "disk_full");
  EXPECT_TRUE(overlay->is_full());
  EXPECT_EQ(told(*directory), "log=one two threex1 ");
  EXPECT_EQ(code(must(directory->open("log", OpenMode::update))->truncate(100)), "disk_full");
}

TEST(Overlay, CreatesNothingWhereNothingCanBeCreated) {
  const auto overlay = make_overlay(real_file_system());
  EXPECT_FALSE(overlay->open_directory("/proc/holdfast/store", true));
  EXPECT_FALSE(overlay->open_directory("/proc/holdfast/store", false));
}

TEST(MemoryFileSystem, HandleOutlivesNameAndFileSystem) {
  auto memory = make_memory_file_system();
  const auto directory = must(memory->open_directory("/s", true));
  const auto file = must(directory->open("a", OpenMode::create_append));
  must(file->append("one"));
  must(directory->remove("a"));
  memory.reset();
  must(file->append("two"));
  EXPECT_EQ(must(file->stat()).size, 6u);
  EXPECT_EQ(must(file->stat()).links, 0u);
  EXPECT_EQ(file->append_end(), 6u);
}

TEST(MemoryFileSystem, LocksBelongToOpenFiles) {
  const auto memory = make_memory_file_system();
  const auto directory = must(memory->open_directory("/s", true));
  auto one = must(directory->open("a", OpenMode::create_update));
  const auto two = must(directory->open("a", OpenMode::read));
  EXPECT_TRUE(must(one->try_lock(LockKind::shared)));
  EXPECT_TRUE(must(two->try_lock(LockKind::shared)));
  EXPECT_FALSE(must(two->try_lock(LockKind::exclusive)));
  one.reset();
  EXPECT_TRUE(must(two->try_lock(LockKind::exclusive)));
  EXPECT_FALSE(must(must(directory->open("a", OpenMode::read))->try_lock(LockKind::shared)));
}

TEST(MemoryFileSystem, EveryAppendAdvancesModificationTime) {
  const auto memory = make_memory_file_system();
  const auto directory = must(memory->open_directory("/s", true));
  const auto file = must(directory->open("a", OpenMode::create_append));
  auto before = must(file->stat()).mtime_ns;
  for (int i = 0; i < 3; ++i) {
    must(file->append("x"));
    EXPECT_GT(must(file->stat()).mtime_ns, before);
    before = must(file->stat()).mtime_ns;
  }
  EXPECT_FALSE(memory->open_directory("/missing", false));
  EXPECT_FALSE(memory->open_directory("relative", true));
}

}  // namespace
}  // namespace holdfast::inline v1
