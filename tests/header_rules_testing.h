// Which file may include which third-party or system header, with the reason: a part of the table of arrows_test.cc.
#pragma once

#include <cstddef>
#include <regex>
#include <string_view>
#include <vector>

namespace {

struct HeaderRule {
  std::string_view header;  // regular expression for the whole name between < and >
  std::vector<std::string_view>
      files;            // regular expressions for whole paths that may include it; so may any test; empty: nobody
  std::size_t at_most;  // how many files, tests not counted; 0 = any number
  std::string_view reason;
};

const std::vector<HeaderRule> kHeaders = {
    {"simdjson\\.h",
     {"src/text/\\w+\\.cc"},
     1,
     "simdjson costs 1.6 s a file to compile and can be replaced only while one file knows it"},
    {"yaml-cpp/.*",
     {"src/text/yaml_events\\.cc"},
     1,
     "yaml-cpp throws and sorts out types by rules of its own: one file turns it into events, the rest decides itself"},
    {"toml\\+\\+/.*",
     {"src/text/toml_\\w+\\.cc"},
     1,
     "toml++ costs 4 s a file to compile and is set up without exceptions by macros that must be the same everywhere"},
    {"re2/.*",
     {"src/text/secret_rules\\.cc", "src/find/matcher\\.cc"},
     2,
     "RE2 matches what the table of secrets says, and what a search looks for; nothing else needs it"},
    {"openssl/.*|xxhash\\.h",
     {"src/base/hash\\.cc"},
     1,
     "hashes have one place, base/hash.h; which library computes them is its secret"},
    {"fmt/.*",
     {"src/(demo|doors/cli)/.*\\.cc", "(crash|bench|tests)/.*\\.cc"},
     0,
     "fmt is for programs, in .cc files; the library never prints"},
    {"sqlite3\\.h",
     {"src/source/(connection|read_only_vfs)\\.cc", "(bench|crash|tests)/.*\\.cc", "fuzz/database_store\\.h"},
     0,
     "SQLite reads the databases of other agents, in one room, and is what Holdfast is compared with; it keeps "
     "nothing"},
    {"md4c\\.h",
     {"src/transfer/markdown_html\\.cc"},
     1,
     "md4c reads Markdown for exported pages, in the one file that sees to it that nothing in it is HTML"},
    {"zstd(_errors)?\\.h",
     {"src/source/compressed\\.cc", "src/archive/chunk\\.cc"},
     2,
     "zstd reads the compressed logs of other agents, in one file, and makes and reads the chunks of the archive, in "
     "another"},
    {"sodium\\.h",
     {"src/sync/seal\\.cc"},
     1,
     "signatures and encryption have one place, sync/seal.h, where every choice about them can be read at once"},
    {"boost/.*",
     {"src/doors/http/server\\.cc"},
     1,
     "Beast costs 4 s a file to compile, and throws: one file turns it into plain requests and answers"},
    {"dlfcn\\.h",
     {"src/sync/pq_library\\.cc"},
     1,
     "libpq alone is loaded when it is needed: most people have no PostgreSQL, and nobody's start should pay for it"},
    {"leveldb/.*", {"bench/.*\\.cc"}, 0, "LevelDB is what Holdfast is compared with, not what it is made of"},
    {"benchmark/.*", {"bench/.*\\.cc"}, 0, "Google Benchmark is for benchmarks"},
    {"fuse3/.*|fuse.*\\.h", {"crash/.*\\.cc"}, 0, "FUSE plays the failing disk in the laboratory only"},
    {"gmock/.*", {}, 0, "./dev installs GoogleTest without it"},
    {"(gtest|rapidcheck)/.*|rapidcheck\\.h",
     {".*_test\\.cc", ".*/testing/.*", ".*_testing\\.h"},
     0,
     "test libraries are for tests"},
    {"fcntl\\.h|stdio\\.h|unistd\\.h|dirent\\.h|poll\\.h|sys/"
     "(stat|file|inotify|mman|uio|statfs|statvfs|vfs|xattr|ioctl|syscall|sendfile|mount)\\.h|"
     "linux/(fs|magic|openat2|stat|falloc)\\.h|filesystem|fstream",
     {"src/disk/(real_\\w+|watch)\\.cc", "src/source/database_state\\.cc", "src/(doors|demo)/.*",
      "src/sync/pq_connection\\.cc", "(crash|bench|tests)/.*"},
     0,
     "FileSystem is the only way to the operating system, so that the laboratory can put a simulated disk under "
     "everything"},
    {"malloc\\.h",
     {"src/doors/cli/main\\.cc"},
     1,
     "how memory is asked for is a matter of the program, not of the library"},
    {"iostream|print|syslog\\.h", {"src/(doors|demo)/.*", "(crash|bench|tests)/.*"}, 0, "the library never prints"},
};

// System headers that any .cc of ours may include; everything else needs a row above.
const std::regex kFreeHeaders(
    "[a-z_]+|holdfast(/\\w+)?\\.h|"
    "sys/(auxv|random|types|sysmacros|time|wait|resource|utsname|prctl|socket|un|eventfd|signalfd|epoll)\\.h|"
    "(errno|limits|pthread|sched|signal|spawn|time|stdint|string|stdlib|termios|arm_acle|arm_neon|[a-z]*mmintrin|"
    "immintrin)"
    "\\.h");

}  // namespace
