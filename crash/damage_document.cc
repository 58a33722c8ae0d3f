#include <holdfast/counter.h>
#include <holdfast/document.h>

#include <algorithm>

#include "damage.h"

namespace holdfast::lab {
namespace {

Result<Loaded> load(Root& root, bool use_backup, bool move) {
  LoadOptions options;
  options.use_backup = use_backup;
  options.move_bad_aside = move;
  return load_document({}, root, "one.json", options);
}

Code code_of(const Result<Loaded>& loaded) { return loaded ? Code::internal : loaded.error().code; }

}  // namespace

// Garbage over a newline that happens to end in ':' makes the next record look
// like a value inside a bigger one: only a reader who knows what a record looks
// like can tell (salvage.h).
ReadOptions damage_read_options(Harm harm) {
  ReadOptions options;
  if (is_garbage(harm))
    options.accept_salvaged = [](std::string_view record) {
      return record.starts_with("{\"id\":") || record.starts_with("{\"commit\":") || record == kProbe;
    };
  return options;
}

std::string compare_tail(Root& root, const std::string& path, Harm harm, const std::vector<std::string>& all) {
  const auto tail = read_last({}, root.directory(), path, 3, damage_read_options(harm));
  if (!tail) return "from the end: " + tail.error().text();
  const std::size_t expected = std::min<std::size_t>(3, all.size());
  bool same = tail->records.size() == expected;
  for (std::size_t i = 0; same && i < expected; ++i) same = tail->records[i].bytes == all[all.size() - expected + i];
  return same ? "" : "read from the end it is different";
}

bool quarantined(SimFileSystem& disk, Root& root, std::string_view bytes) {
  const auto names = root.directory().list(root.side("corrupt"));
  return names && std::ranges::any_of(*names, [&](const DirectoryEntry& each) {
           return disk.read_file(root.path() + "/" + root.side("corrupt", each.name)) == bytes;
         });
}

void expect_document(SimFileSystem& disk, Root& root, const std::string& now, const std::string& backup,
                     const Report& broken) {
  const Verdict verdict = json_document()(now);
  const bool backed = json_document()(backup) == Verdict::valid;
  for (const auto& [use_backup, move] : {std::pair(true, false), {false, false}, {true, true}}) {
    const auto loaded = load(root, use_backup, move);
    if (verdict == Verdict::valid) {
      if (!loaded || loaded->bytes != now || loaded->restored_from_backup)
        broken(&Outcome::lost, "a valid document is not returned");
    } else if (verdict == Verdict::newer_schema) {
      if (code_of(loaded) != Code::newer_schema) broken(&Outcome::wrong, "a newer schema is not told apart");
    } else if (use_backup && backed) {
      if (!loaded || loaded->bytes != backup || !loaded->restored_from_backup || !loaded->finding)
        broken(&Outcome::lost, "the backup is not used");
    } else if (code_of(loaded) != Code::serialization_failed) {
      broken(&Outcome::wrong, "a damaged document gave something else than serialization_failed");
    }
    if (move && verdict == Verdict::corrupt && !quarantined(disk, root, now))
      broken(&Outcome::lost, "a bad document was replaced without a copy");
    if ((!move || verdict != Verdict::corrupt) && disk.read_file("/a/one.json") != now)
      broken(&Outcome::altered, "loading changed the document");
  }
  const auto again = load(root, true, true);
  if (verdict == Verdict::corrupt && backed && (!again || again->bytes != backup || again->restored_from_backup))
    broken(&Outcome::wrong, "the restored document is not in place");
}

void expect_numbers(const std::shared_ptr<Root>& root, std::uint64_t highest, const Report& broken) {
  for (int i = 0; i < 2; ++i) {
    const auto number = next_number({}, root, "n");
    if (!number) return broken(&Outcome::unopenable, "counter: " + number.error().text());
    if (*number <= highest) broken(&Outcome::wrong, "the number " + std::to_string(*number) + " was handed out twice");
    highest = *number;
  }
}

}  // namespace holdfast::lab
