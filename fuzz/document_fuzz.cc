// Arbitrary bytes as a document and as its backup, loaded in every way. The
// result is one of the two unchanged, the file changes only if it is moved
// aside (into quarantine), and afterwards the document can be replaced.
#include <holdfast/document.h>

#include "fuzz_store.h"

namespace {

using namespace holdfast;
using namespace holdfast::fuzz;

std::string text_of(Input& input) {
  static const std::vector<std::string> tokens{"{",
                                               "}",
                                               "\"schema_version\":",
                                               "1",
                                               "2",
                                               "9223372036854775808",
                                               ",",
                                               "\"a\":",
                                               "[",
                                               "]",
                                               "null",
                                               "\xef\xbb\xbf",
                                               "\xff",
                                               std::string(1, '\0'),
                                               "\n",
                                               "\"x\"",
                                               "-1",
                                               "1e400"};
  const std::uint8_t choice = input.byte();
  std::string bytes = input.bytes();
  if ((choice & 1) == 0) return bytes;
  std::string text;
  for (const char each : bytes) text += tokens[static_cast<unsigned char>(each) % tokens.size()];
  return text;
}

Code code_of(const Result<Loaded>& loaded) { return loaded ? Code::internal : loaded.error().code; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const std::string document = text_of(input);
  const bool has_backup = (input.byte() & 1) != 0;
  const std::string backup = text_of(input);

  SimFileSystem disk(1);
  require(disk.put_file("/r/one.json", document).has_value());
  if (has_backup) require(disk.put_file("/r/.holdfast/backup/one.json", backup).has_value());
  const auto root = Root::open({}, disk, "/r");
  require(root.has_value());
  const Verdict verdict = json_document()(document);
  const bool backed = has_backup && json_document()(backup) == Verdict::valid;
  for (const auto& [use_backup, move] : {std::pair(true, false), {false, false}, {true, true}}) {
    LoadOptions options;
    options.use_backup = use_backup;
    options.move_bad_aside = move;
    const auto loaded = load_document({}, **root, "one.json", options);
    if (verdict == Verdict::valid) {
      require(loaded && loaded->bytes == document && !loaded->restored_from_backup);
    } else if (verdict == Verdict::newer_schema) {
      require(code_of(loaded) == Code::newer_schema);
    } else if (use_backup && backed) {
      require(loaded && loaded->bytes == backup && loaded->restored_from_backup && loaded->finding);
    } else {
      require(code_of(loaded) == Code::serialization_failed);
    }
    if (move && verdict == Verdict::corrupt) {
      require(quarantined(disk, **root, document));
      require(backed ? disk.read_file("/r/one.json") == backup : !disk.exists("/r/one.json"));
    } else {
      require(disk.read_file("/r/one.json") == document);
    }
  }
  const auto present = disk.read_file("/r/one.json");
  ReplaceOptions replace;
  replace.expected = present ? revision_of(*present) : Revision(kAbsent);
  const std::string fresh = "{\"schema_version\":1,\"fresh\":true}\n";
  require(replace_document({}, **root, "one.json", fresh, replace).has_value());
  const auto last = load_document({}, **root, "one.json");
  require(last && last->bytes == fresh);
  return 0;
}
