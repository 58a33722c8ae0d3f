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

TEST(MemoryFileSystem, MatchesSimulatedFileSystem) {
  using Deed = std::function<std::string(Directory&)>;
  const std::vector<Deed> deeds = {
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
  const auto memory = make_memory_file_system();
  SimFileSystem simulated;
  const auto here = must(memory->open_directory("/some/where", true));
  const auto there = must(simulated.open_directory("/some/where", true));
  for (std::size_t i = 0; i < deeds.size(); ++i) {
    EXPECT_EQ(deeds[i](*here), deeds[i](*there)) << "deed " << i;
    ASSERT_EQ(told(*here), told(*there)) << "deed " << i;
  }
  EXPECT_NE(told(*here), "");
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
