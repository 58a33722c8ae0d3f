#include "archive/archive.h"

#include <algorithm>
#include <optional>
#include <set>

#include "archive/forgotten.h"
#include "archive/remembered_captures.h"
#include "base/own_folder.h"
#include "disk/log_reader_scan.h"
#include "text/json_value.h"
#include "text/shell_word.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::int64_t kFormat = 1;

// Collected while lines are folded.
struct Reading {
  std::set<CaptureKey> changed = {};  // sessions
  bool lacks_chunks = false;          // a line names a chunk that is in no pack
};

void note_named(const Packs& packs, std::string_view name, CaptureState& state, Reading& reading) {
  const ChunkPlace* const place = packs.find(name);
  reading.lacks_chunks = reading.lacks_chunks || place == nullptr;
  if (place == nullptr) return;
  auto& last = state.named_until[place->pack];
  if (last.end < place->end()) last = {place->end(), std::string(name)};
}

Result<std::vector<FileChange>> files_of(const CaptureLine& line, Packs& packs, const Versions& base,
                                         CaptureState& state, Reading& reading) {
  std::string joined;
  for (const std::string& chunk : line.chunks) {
    HOLDFAST_LET(part, packs.read(chunk));
    joined += part;
    note_named(packs, chunk, state, reading);
  }
  return line.chunks.empty() ? read_files(line.files, base, true) : read_files(joined, base);
}

Result<void> take_line(std::string_view bytes, Packs& packs, CaptureState& state, const CaptureRange& range,
                       Reading& reading) {
  HOLDFAST_LET(line, read_capture(bytes));
  Capture& capture = line.capture;
  state.last_number = std::max(state.last_number, capture.number);
  if (!range.until.empty() && capture.at > range.until) return {};
  CapturedSession& session = state.sessions[capture.session];
  // If lines between this one and its base are missing, the files that this line contains in full are not lost.
  static const Versions kNone;
  auto files = files_of(line, packs, session.number == capture.base ? session.last : kNone, state, reading);
  if (!files) {
    if (session.number == 0) state.sessions.erase(capture.session);
    return fail(std::move(files).error());
  }
  capture.files = std::move(*files);
  for (const FileChange& file : capture.files) {
    if (file.moved) continue;
    for (std::size_t i = file.keep; i < file.version->blocks.size(); ++i)
      note_named(packs, file.version->blocks[i].name, state, reading);
  }
  fold(capture, session);
  reading.changed.insert(capture.session);
  if (range.seen) range.seen(capture, session);
  ++state.captures;
  if (state.first_at.empty() || session.first_at < state.first_at) state.first_at = session.first_at;
  state.last_at = capture.at;
  return {};
}

}  // namespace

Result<void> check_archive_format(Directory& directory) {
  auto opened = directory.open(kArchiveFormat, OpenMode::read);
  if (!opened && opened.error().code == Code::not_found && directory.exists(kCaptureLog) && directory.exists(kPacks))
    return fail(Code::corrupt,
                "the file " + std::string(kArchiveFormat) +
                    " is missing from the archive; put it back from a backup, or, if no newer Holdfast made the "
                    "archive, write it with: echo '{\"holdfast_archive\":1,\"incompat\":[]}' > " +
                    shell_word(directory.path() + "/" + std::string(kArchiveFormat)));
  HOLDFAST_LET(file, std::move(opened));
  std::string text(4096, '\0');
  HOLDFAST_LET(size, file->read_at(0, text));
  text.resize(size);
  const JsonView json(text);
  const auto format = json.find("holdfast_archive").as_int64();
  if (!format) return fail(Code::corrupt, "not a Holdfast archive", std::string(kArchiveFormat));
  std::string features;
  for (const JsonItem& item : json.find("incompat").elements()) features += " " + item.value.as_string().value_or("?");
  if (*format > kFormat || !features.empty())
    return fail(Code::newer_schema,
                "the archive was made by a newer Holdfast" + (features.empty() ? "" : ":" + features),
                std::string(kArchiveFormat));
  return {};
}

namespace {

// Adds the lines of the log that begin at state.log_end.
Result<void> fold_lines(const Context& context, const std::shared_ptr<File>& log, Packs& packs, CaptureState& state,
                        const CaptureRange& range, Reading& reading) {
  LogScan reader(context, log, {.from = state.log_end});
  Record record;
  while (true) {
    HOLDFAST_LET(more, reader.next(record));
    if (!more) break;
    if (is_forgotten_line(record.bytes) && has_right_checksum(record.bytes)) continue;
    if (auto taken = take_line(record.bytes, packs, state, range, reading); !taken) {
      if (taken.error().code != Code::corrupt && taken.error().code != Code::not_found &&
          taken.error().code != Code::unsafe_path)
        return fail(std::move(taken).error());
      state.findings.push_back({std::string(kCaptureLog), record.offset, record.bytes.size(), "capture",
                                taken.error().message + "; this capture is skipped", 0});
    }
  }
  state.log_end = reader.position();
  state.unfinished = reader.in_flight();
  for (const Damage& damage : reader.damage())
    state.findings.push_back({std::string(kCaptureLog), damage.offset, damage.length,
                              std::string(damage_kind_name(damage.kind)), "captures are missing here",
                              damage.salvaged});
  return {};
}

}  // namespace

Result<CaptureState> load_captures(const Context& context, Directory& directory, Packs& packs,
                                   const CaptureRange& range, RememberedCaptures* memory) {
  HOLDFAST_TRY(context.check());
  auto opened = directory.open(kCaptureLog, OpenMode::read);
  if (!opened && opened.error().code == Code::not_found) return CaptureState();
  if (!opened) return fail(std::move(opened).error());
  // A writer may replace the log meanwhile, so what is remembered, folded and hashed is read from one file.
  const std::shared_ptr<File> log = *std::move(opened);
  CaptureState state;
  if (memory != nullptr) {
    auto known = memory->recall(*log, packs, range.containing);
    if (known && memory->is_part()) return *std::move(known);
    if (known) state = *std::move(known);
  }
  const bool is_recalled = state.log_end > 0;
  Reading reading;
  HOLDFAST_TRY(fold_lines(context, log, packs, state, range, reading));
  // What is damaged has to be known in full, and what contradicts the lines may be what was remembered.
  if (memory != nullptr && is_recalled && !state.findings.empty()) {
    memory->drop();
    state = {};
    reading = {};
    HOLDFAST_TRY(fold_lines(context, log, packs, state, range, reading));
  }
  // A chunk may come back with its pack, and then it has a place.
  if (memory != nullptr && !reading.lacks_chunks) memory->note(*log, state, reading.changed);
  return state;
}

Result<void> read_version(Packs& packs, const FileVersion& version,
                          const std::function<Result<void>(std::string_view)>& take) {
  for (const FileBlock& block : version.blocks) {
    HOLDFAST_LET(bytes, packs.read(block.name));
    if (bytes.size() != block.size)
      return fail(Code::corrupt, "chunk " + block.name + " does not have the size recorded in its capture");
    HOLDFAST_TRY(take(bytes));
  }
  return {};
}

Result<std::unique_ptr<Archive>> Archive::open(const Context& context, FileSystem& file_system, const std::string& path,
                                               const CaptureRange& range) {
  HOLDFAST_LET(directory, own_folder(file_system.open_directory(path, false)));
  HOLDFAST_TRY(check_archive_format(*directory));
  HOLDFAST_LET(packs, Packs::load(context, *directory));
  std::optional<RememberedCaptures> memory;
  if (!range.cache.empty() && range.until.empty() && !range.seen) memory.emplace(file_system, range.cache, path);
  HOLDFAST_LET(state, load_captures(context, *directory, packs, range, memory ? &*memory : nullptr));
  return std::unique_ptr<Archive>(new Archive(std::move(directory), std::move(packs), std::move(state)));
}

Result<std::unique_ptr<Archive>> Archive::open_as(const Context& context, FileSystem& file_system,
                                                  const std::string& path, CaptureState state) {
  HOLDFAST_LET(directory, own_folder(file_system.open_directory(path, false)));
  HOLDFAST_TRY(check_archive_format(*directory));
  HOLDFAST_LET(packs, Packs::load(context, *directory));
  return std::unique_ptr<Archive>(new Archive(std::move(directory), std::move(packs), std::move(state)));
}

Result<const CapturedPair*> find_captured(const CaptureState& state, std::string_view id, const PlaceOf& place) {
  const CapturedPair* found = nullptr;
  std::string first;
  std::vector<std::string> several;
  const std::size_t slash = id.find('/');
  const std::string_view layout = slash == std::string_view::npos ? std::string_view() : id.substr(0, slash);
  const std::string_view wanted = slash == std::string_view::npos ? id : id.substr(slash + 1);
  for (const auto& session : state.sessions) {
    const CaptureKey& key = session.first;
    if (wanted.empty() || !key.id.starts_with(wanted) || (!layout.empty() && key.layout != layout)) continue;
    const bool exact = key.id == wanted;
    if (found != nullptr && found->first.id == wanted && !exact) continue;
    if (place && found != nullptr && found->first.id == key.id && found->first.layout == key.layout &&
        place(found->first) == place(key)) {
      if (found->second.at < session.second.at) found = &session;
      continue;
    }
    if (found == nullptr || (exact && found->first.id != wanted))
      several.clear();
    else
      several.push_back(key.layout + "/" + key.id + " in " + key.store);
    if (several.empty()) first = key.layout + "/" + key.id + " in " + key.store;
    found = &session;
  }
  if (found == nullptr) return fail(Code::not_found, "the archive has no session " + std::string(id));
  if (!several.empty()) {
    constexpr std::size_t kNamed = 5;
    std::string text = "\"" + std::string(id) +
                       "\" is ambiguous in the archive: " + std::to_string(several.size() + 1) +
                       " sessions begin with it\n  " + first;
    for (std::size_t i = 0; i < std::min(several.size(), kNamed - 1); ++i) text += "\n  " + several[i];
    if (several.size() >= kNamed) text += "\n  and " + std::to_string(several.size() + 1 - kNamed) + " more";
    return fail(Code::not_found, std::move(text));
  }
  return found;
}

}  // namespace holdfast::inline v1
