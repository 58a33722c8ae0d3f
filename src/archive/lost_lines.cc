#include "archive/lost_lines.h"

#include <holdfast/document.h>

#include <algorithm>
#include <unordered_set>

#include "archive/log_lines.h"
#include "base/time.h"
#include "text/json_scan.h"
#include "text/json_text.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

std::uint64_t log_size(Directory& archive) {
  const auto stat = archive.stat(kCaptureLog);
  return stat ? stat->size : 0;
}

// The last chunk of all packs has no line, and the index has it, so the run that wrote it reached its end.
bool ends_without_line(Packs& packs, const std::map<std::string, ChunkPlace>& unnamed) {
  const auto& ends = packs.ends();
  const auto last = std::find_if(ends.rbegin(), ends.rend(), [](const auto& pack) { return pack.second > 0; });
  if (last == ends.rend()) return false;
  const auto& [number, end] = *last;
  const auto chunks = packs.in_pack(number);
  return !chunks.empty() && unnamed.contains(chunks.rbegin()->second.first) && packs.index_end(number) >= end;
}

Result<std::map<std::string, ChunkPlace>> not_named(const Context& context, Directory& archive, Packs& packs) {
  HOLDFAST_LET(lines, log_lines(context, archive));
  std::unordered_set<std::string> named;
  for (const LogLine& line : lines) (void)note_names(line.read, packs, named);
  std::map<std::string, ChunkPlace> unnamed;
  for (const auto& [name, place] : packs.all())
    if (!named.contains(name)) unnamed.emplace(name, place);
  return unnamed;
}

}  // namespace

std::optional<LogEnd> load_log_end(Directory& archive) {
  const auto file = archive.open(kLogEnd, OpenMode::read);
  if (!file) return std::nullopt;
  std::string text(4096, '\0');
  text.resize((*file)->read_at(0, text).value_or(0));
  if (!check_json(text).ok()) return std::nullopt;
  const JsonView json(text);
  const auto bytes = json.find("bytes").as_int64();
  if (!bytes || *bytes < 0) return std::nullopt;
  return LogEnd{static_cast<std::uint64_t>(*bytes), json_text(json, "lost_at")};
}

Result<void> save_log_end(const Context& context, Root& archive, const LogEnd& end, Durability durability) {
  JsonWriter json;
  json.begin_object().key("bytes").uint64(end.bytes);
  if (!end.lost_at.empty()) json.key("lost_at").string(end.lost_at);
  HOLDFAST_TRY(replace_document(context, archive, kLogEnd, json.end_object().take() + "\n",
                                {.backup = false, .durability = durability}));
  return {};
}

bool is_log_known_short(Directory& archive) {
  // A writer may replace the log between the two looks.
  for (int look = 0; look < 2; ++look) {
    const auto end = load_log_end(archive);
    if (!end || (end->lost_at.empty() && log_size(archive) >= end->bytes)) return false;
  }
  return true;
}

Result<std::map<std::string, ChunkPlace>> chunks_without_line(const Context& context, Directory& archive) {
  HOLDFAST_LET(packs, Packs::load(context, archive));
  return not_named(context, archive, packs);
}

Result<std::optional<LostLines>> find_lost_lines(const Context& context, Directory& archive, bool had_log) {
  const bool known = is_log_known_short(archive);
  if (!known && load_log_end(archive)) return std::optional<LostLines>();
  HOLDFAST_LET(packs, Packs::load(context, archive));
  HOLDFAST_LET(unnamed, not_named(context, archive, packs));
  const bool seems = !unnamed.empty() && (!had_log || ends_without_line(packs, unnamed));
  if (!known && !seems) return std::optional<LostLines>();
  // Once the log was put back, nothing is missing any more.
  const auto end = load_log_end(archive);
  if (unnamed.empty() && end && log_size(archive) >= end->bytes) return std::optional<LostLines>();
  LostLines lost{.chunks = unnamed.size(), .log_bytes = log_size(archive)};
  for (const auto& [name, place] : unnamed) lost.bytes += place.plain;
  return std::optional(lost);
}

Finding lost_lines_finding(const LostLines& lost) {
  std::string text = "lines are missing from the log, and with them captures; ";
  if (lost.chunks == 0)
    text += "the packs hold nothing of them";
  else
    text += counted(lost.chunks, "piece") + " in the packs (" + human_size(lost.bytes) + ") may be theirs and " +
            (lost.chunks == 1 ? "is" : "are") +
            " kept: put log.jsonl back from a backup, let holdfast archive run capture again what agents still have, "
            "or give up the rest with holdfast archive compact --drop-unnamed";
  return {std::string(kCaptureLog), lost.log_bytes, 0, std::string(kLostLines), std::move(text), 0};
}

Result<std::optional<LostLines>> note_lost_lines(const Context& context, ArchiveWriter& writer) {
  Root& root = writer.root();
  HOLDFAST_LET(lost, find_lost_lines(context, root.directory(), writer.had_log()));
  const auto known = load_log_end(root.directory());
  // A run that is stopped leaves chunks without a line. If this cannot be written, they look like lost ones.
  if (!lost && !known && !writer.log_never_had_list())
    (void)save_log_end(context, root, {.bytes = log_size(root.directory())}, Durability::none);
  if (lost && (!known || known->lost_at.empty()))
    HOLDFAST_TRY(
        save_log_end(context, root, {log_size(root.directory()), iso8601(context.clock->now())}, Durability::power));
  return lost;
}

Result<void> note_log_end(const Context& context, ArchiveWriter& writer) {
  if (writer.log_never_had_list()) return {};  // with a size, it would look as if an older log had been put back
  Root& root = writer.root();
  const auto known = load_log_end(root.directory());
  LogEnd end = known.value_or(LogEnd());
  if (!end.lost_at.empty()) {
    HOLDFAST_LET(unnamed, chunks_without_line(context, root.directory()));
    if (unnamed.empty()) end.lost_at.clear();
  }
  end.bytes = log_size(root.directory());
  if (known && *known == end) return {};
  // An older size is as true.
  return save_log_end(context, root, end, Durability::none);
}

Result<void> give_up_lost_lines(const Context& context, ArchiveWriter& writer) {
  Root& root = writer.root();
  return save_log_end(context, root, {.bytes = log_size(root.directory())});
}

}  // namespace holdfast::inline v1
