// Arbitrary bytes as the journals of two roots, mostly with a header of the
// right length and hash, as an attacker would write it, so that recovery is
// reached. The store must open whatever they say, and nothing outside the two
// roots may be touched.
#include <holdfast/append_log.h>

#include "base/hash.h"
#include "fuzz_store.h"

namespace {

using namespace holdfast;
using namespace holdfast::fuzz;

constexpr std::string_view kDocument = "{\"generation\":1}\n";

// "holdfast-journal 1 pending <12 letters> <20 digits> <32 hex>\n", see docs/formats/journal.md.
std::string sealed(std::string_view state, std::string_view transaction, const std::string& payload) {
  std::string header = "holdfast-journal 1 " + std::string(state) + " " + std::string(transaction) + " ";
  const std::string digits = std::to_string(payload.size());
  header += std::string(20 - digits.size(), '0') + digits + " ";
  return header + xxh3_hex(header + payload) + "\n" + payload;
}

const std::string& pick(Input& input, const std::vector<std::string>& from) { return from[input.byte() % from.size()]; }

std::string path_of(Input& input) {
  static const std::vector<std::string> paths{"one.json",
                                              "sub/two.json",
                                              "../outside/secret.json",
                                              "/outside/secret.json",
                                              "sub/../../outside/x",
                                              "..",
                                              ".",
                                              "",
                                              ".holdfast/lock",
                                              ".holdfast/journal",
                                              ".holdfast/tmp/new.x",
                                              "link",
                                              "link/secret.json",
                                              "log.jsonl",
                                              "link/log.jsonl",
                                              "a\\u0000b",
                                              "//x",
                                              "sub",
                                              "\\ud800",
                                              ".holdfast"};
  return pick(input, paths);
}

std::string change_of(Input& input) {
  static const std::vector<std::string> kinds{"put", "remove", "append", "symlink", "explode"};
  static const std::vector<std::string> roots{"0", "1", "2", "18446744073709551616", "-1"};
  const std::vector<std::string> revisions{"absent", xxh3_hex(kDocument), "link:/outside", "", "link:", "0"};
  static const std::vector<std::string> targets{"/outside", "../outside/secret.json", "one.json", "", "."};
  static const std::vector<std::string> lines{"", "{\\\"l\\\":1}", "not json", "{\\\"a\\\":1}\\n{\\\"b\\\":2}",
                                              "\\u0000"};
  std::string text =
      "{\"do\":\"" + pick(input, kinds) + "\",\"root\":" + pick(input, roots) + ",\"path\":\"" + path_of(input);
  text += "\",\"before\":\"" + pick(input, revisions) + "\",\"after\":\"" + pick(input, revisions);
  text += "\",\"staged\":\"" + path_of(input) + "\",\"target\":\"" + pick(input, targets);
  text += "\",\"mode\":\"" + std::string((input.byte() & 1) != 0 ? "ours" : "shared") +
          "\",\"from\":" + std::to_string(input.byte());
  return text + ",\"lines\":[\"" + pick(input, lines) + "\"]}\n";
}

std::string root_of(Input& input) {
  static const std::vector<std::string> roots{"/a", "/b", "/outside", "/", "a", "/a/../outside", "/nowhere", ""};
  static const std::vector<std::string> sides{".holdfast", "..", "", "/outside", "sub", "../outside"};
  return pick(input, roots) + "\",\"side\":\"" + (input.byte() % 4 != 0 ? sides[0] : pick(input, sides));
}

std::string journal_of(Input& input) {
  static const std::vector<std::string> transactions{"aaaaaaaaaaaa", "bbbbbbbbbbbb"};
  const std::uint8_t choice = input.byte();
  if (choice % 8 == 0) return input.bytes();
  const std::string& transaction = pick(input, transactions);
  const std::string_view state = choice % 8 == 1 ? "applied" : "pending";
  if (choice % 8 == 2) return sealed(state, transaction, input.bytes());
  if (choice % 8 == 3) return sealed(state, transaction, "{\"home\":\"" + root_of(input) + "\"}\n");
  std::string payload = "{\"roots\":[{\"path\":\"" + root_of(input) + "\"}";
  for (int i = input.byte() % 3; i > 0; --i) payload += ",{\"path\":\"" + root_of(input) + "\"}";
  payload += "]}\n";
  for (int i = input.byte() % 4; i >= 0; --i) payload += change_of(input);
  return sealed(state, transaction, payload);
}

// Everything that is not below one of the two roots.
std::vector<SimEntry> outside(const SimFileSystem& disk) {
  auto tree = disk.tree();
  std::erase_if(tree,
                [](const SimEntry& each) { return each.path.starts_with("/a/") || each.path.starts_with("/b/"); });
  return tree;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const std::uint8_t order = input.byte();
  SimFileSystem disk(1);
  for (const char* path :
       {"/a/one.json", "/a/sub/two.json", "/b/one.json", "/outside/secret.json", "/a/.holdfast/tmp/new.x"})
    require(disk.put_file(path, kDocument).has_value());
  require(disk.put_file("/a/log.jsonl", "{\"first\":1}\n").has_value());
  require(disk.put_file("/outside/log.jsonl", "{\"first\":1}\n").has_value());
  if (const auto journal = journal_of(input); !journal.empty())
    require(disk.put_file("/a/.holdfast/journal", journal).has_value());
  if (const auto journal = journal_of(input); !journal.empty())
    require(disk.put_file("/b/.holdfast/journal", journal).has_value());
  const auto before = outside(disk);
  for (int round = 0; round < 2; ++round) {
    for (const bool b : {(order & 1) != 0, (order & 1) == 0}) {
      const auto root = Root::open({}, disk, b ? "/b" : "/a");
      require(root.has_value());
      const auto log = AppendLog::open({}, *root, "zq7.jsonl");
      require(log && (*log)->append({}, "{\"probe\":1}"));
    }
    require(outside(disk) == before);
  }
  // Complete lines are never removed.
  require(disk.read_file("/a/log.jsonl").value_or("").starts_with("{\"first\":1}\n") || !disk.exists("/a/log.jsonl"));
  return 0;
}
