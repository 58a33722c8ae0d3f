// Arbitrary bytes as a log, of ours or shared: opened, appended to, opened again. Every
// complete line that a reader returned before must be returned afterwards, and what a
// repair cut must be in quarantine. Half of the inputs encode the log in tokens, so that
// whole records and typical tails are found quickly.
#include <holdfast/append_log.h>

#include "fuzz_store.h"

namespace {

using namespace holdfast;
using namespace holdfast::fuzz;

constexpr std::string_view kPath = "log.jsonl";
constexpr std::string_view kProbe = "{\"probe\":1}";

std::string spelled(Input& input) {
  static const std::vector<std::string> tokens{"{\"a\":1}\n",
                                               "{\"id\":{\"b\":[{}]}}",
                                               "\n",
                                               "{\"",
                                               "\":",
                                               "}",
                                               "\"",
                                               ",",
                                               "\\",
                                               " ",
                                               "\r\n",
                                               std::string(3, '\0'),
                                               "\xff",
                                               "{}",
                                               "{\"t\":\"f() {\"}",
                                               "x",
                                               "{\"te",
                                               std::string(70'000, 'y')};
  std::string bytes;
  while (!input.empty() && bytes.size() < 200'000) bytes += tokens[input.byte() % tokens.size()];
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const std::uint8_t choice = input.byte();
  LogOptions options;
  options.mode = (choice & 1) != 0 ? LogMode::shared : LogMode::ours;
  options.checksums = (choice & 2) != 0;
  options.sync_interval = {};
  if ((choice & 4) != 0) options.max_line = 16 + input.byte();
  const std::string bytes = (choice & 8) != 0 ? spelled(input) : input.all();

  SimFileSystem disk(1);
  require(disk.put_file("/r/" + std::string(kPath), bytes).has_value());
  const auto root = Root::open({}, disk, "/r");
  require(root.has_value());
  const auto before = records_of(**root, kPath, options.max_line);
  const auto now = [&] { return disk.read_file("/r/" + std::string(kPath)).value_or(""); };
  {
    const auto log = AppendLog::open({}, *root, std::string(kPath), options);
    require(log.has_value());
    const std::string opened = now();
    if (options.mode == LogMode::shared) {
      require(opened == bytes);
    } else {
      require(opened.empty() || opened.ends_with('\n'));
      const std::size_t tail = bytes.rfind('\n') + 1;  // npos + 1 == 0
      require(opened == bytes || opened == bytes + "\n" ||
              (opened == bytes.substr(0, tail) && quarantined(disk, **root, std::string_view(bytes).substr(tail))));
    }
    require((*log)->append({}, kProbe).has_value());
    require(now().starts_with(opened) && now().ends_with(std::string(kProbe) + "\n"));
  }
  const std::string appended = now();
  const auto after = records_of(**root, kPath, options.max_line);
  require(after.size() > before.size() && std::equal(before.begin(), before.end(), after.begin()) &&
          after.back() == kProbe);
  {
    const auto again = AppendLog::open({}, *root, std::string(kPath), options);
    require(again.has_value() && (*again)->findings().empty());
  }
  require(now() == appended);
  return 0;
}
