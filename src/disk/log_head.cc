#include "disk/log_head.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <vector>

#include "base/hash.h"
#include "base/safe_name.h"
#include "disk/log_file.h"
#include "disk/poison.h"
#include "disk/side_car.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::chrono::hours kKept{24};

// One folder per log. A kept file is called "<bytes copied>.<epoch seconds>.<random>", and
// "….into.<size of the log before>" while its late lines are copied to the log.
constexpr std::string_view kInto = ".into.";

std::int64_t seconds_now(const Context& context) {
  return std::chrono::duration_cast<std::chrono::seconds>(context.clock->now().time_since_epoch()).count();
}

std::string kept_name(const Context& context, const Root& root, std::string_view path, std::uint64_t copied) {
  return replaced_folder(root, path) + "/" + std::to_string(copied) + "." + std::to_string(seconds_now(context)) +
         root.unique_name(".");
}

struct Kept {
  std::uint64_t copied = UINT64_MAX;
  std::int64_t since = INT64_MAX;
  std::optional<std::uint64_t> into;
};

Kept read_kept(std::string_view name) {
  Kept kept;
  const char* const end = name.data() + name.size();
  const auto first = std::from_chars(name.data(), end, kept.copied);
  if (first.ptr < end) (void)std::from_chars(first.ptr + 1, end, kept.since);
  if (const auto at = name.find(kInto); at != std::string_view::npos) {
    std::uint64_t size = 0;
    if (std::from_chars(name.data() + at + kInto.size(), end, size).ec == std::errc{}) kept.into = size;
  }
  return kept;
}

Result<std::string> read_range(File& file, std::uint64_t from, std::uint64_t to) {
  std::string bytes(static_cast<std::size_t>(to - from), '\0');
  HOLDFAST_LET(count, file.read_at(from, bytes));
  bytes.resize(count);
  return bytes;
}

Result<void> copy(File& from, std::uint64_t start, std::uint64_t end, File& to, std::uint64_t at) {
  while (start < end) {
    HOLDFAST_LET(chunk, read_range(from, start, std::min<std::uint64_t>(end, start + kChunk)));
    if (chunk.empty()) break;
    HOLDFAST_TRY(to.write_at(at, chunk));
    start += chunk.size();
    at += chunk.size();
  }
  return {};
}

// Whole lines after the bytes that were copied.
struct Late {
  std::vector<std::string> lines;
  std::vector<std::uint64_t> ends;  // end offset of each line in the file
};

Result<Late> lines_after(File& file, std::uint64_t from) {
  HOLDFAST_LET(stat, file.stat());
  Late late;
  if (stat.size <= from) return late;
  HOLDFAST_LET(bytes, read_range(file, from, stat.size));
  std::size_t at = 0;
  for (auto newline = bytes.find('\n'); newline != std::string::npos; newline = bytes.find('\n', at)) {
    if (newline > at) {
      late.lines.push_back(bytes.substr(at, newline - at));
      late.ends.push_back(from + newline + 1);
    }
    at = newline + 1;
  }
  return late;
}

LogOptions shared_log() {
  LogOptions options;
  options.mode = LogMode::shared;
  options.checksums = false;
  options.create = false;  // without the log there is no first line to replace and no place for late lines
  return options;
}

// Appends the newline if the last line lacks one; all lines are complete otherwise.
Result<void> end_last_line(File& file) {
  HOLDFAST_LET(stat, file.stat());
  if (stat.size == 0) return {};
  HOLDFAST_LET(last, read_range(file, stat.size - 1, stat.size));
  if (last == "\n") return {};
  HOLDFAST_TRY(file.append("\n"));
  return {};
}

Result<void> append_durably(const Context& context, const std::shared_ptr<Root>& root, std::string_view path,
                            const std::vector<std::string>& lines) {
  HOLDFAST_LET(log, LogFile::open(context, root, std::string(path), shared_log()));
  HOLDFAST_TRY(log.lock(context));
  auto written = [&]() -> Result<void> {
    if (lines.empty()) return end_last_line(*log.shared_file());
    const std::vector<std::string_view> views(lines.begin(), lines.end());
    HOLDFAST_TRY(log.write(context, views));
    return {};
  }();
  log.unlock();
  HOLDFAST_TRY(written);
  auto synced = does(Step::head_late_sync) ? log.shared_file()->sync() : Result<void>{};
  if (!synced) (void)Poison(*root, path).mark(*root, 0);
  return synced;
}

// Returns how many of the lines, counted from the first, are in the log one after
// the other from `from` on: lines that an earlier process copied before it died.
Result<std::size_t> brought_before(Root& root, std::string_view path, std::uint64_t from,
                                   const std::vector<std::string>& lines) {
  HOLDFAST_LET(file, root.directory().open(path, OpenMode::read));
  HOLDFAST_LET(stat, file->stat());
  if (stat.size <= from) return 0;
  HOLDFAST_LET(after, read_range(*file, from, stat.size));
  // The next writer ends a line that lacks only its newline.
  const std::string bytes = "\n" + after + "\n";
  std::string block = "\n";
  std::size_t found = 0;
  for (const std::string& line : lines) {
    block.append(line).push_back('\n');
    if (!bytes.contains(block)) break;
    ++found;
  }
  return found;
}

// Durably renames the kept file.
Result<void> rename_kept(Root& root, const std::string& kept, const std::string& name, Step step) {
  HOLDFAST_TRY(root.directory().rename(kept, name));
  return does(step) ? root.sync_name(name) : Result<void>{};
}

// Copies each line exactly once even if a crash happens at any moment: before the first line
// is written, the name of the kept file records where to look for the lines. Lines that are
// found there are contiguous; before the others are written, a new name records where they go.
Result<void> bring_over(const Context& context, const std::shared_ptr<Root>& root, std::string_view path,
                        std::string kept, const Kept& about, const Late& late) {
  std::size_t done = 0;
  if (about.into && does(Step::head_look)) {
    HOLDFAST_LET(before, brought_before(*root, path, *about.into, late.lines));
    done = before;
  }
  if (!about.into || (done > 0 && done < late.lines.size())) {
    if (done > 0) HOLDFAST_TRY(append_durably(context, root, path, {}));  // the new name will skip these lines
    HOLDFAST_LET(stat, root->directory().stat(path));
    std::string name = done == 0 ? kept : kept_name(context, *root, path, late.ends[done - 1]);
    name.append(kInto).append(std::to_string(stat.size));
    HOLDFAST_TRY(rename_kept(*root, kept, name, Step::head_intent));
    kept = std::move(name);
  }
  const std::vector<std::string> rest(late.lines.begin() + static_cast<std::ptrdiff_t>(done), late.lines.end());
  HOLDFAST_TRY(append_durably(context, root, path, rest));
  return rename_kept(*root, kept, kept_name(context, *root, path, late.ends.back()), Step::head_done);
}

// Requires the root's lock.
Result<std::size_t> settle_locked(const Context& context, const std::shared_ptr<Root>& root, std::string_view path) {
  Directory& directory = root->directory();
  const std::string folder = replaced_folder(*root, path);
  auto entries = directory.list(folder);
  if (!entries) return entries.error().code == Code::not_found ? Result<std::size_t>(0) : fail(entries.error());
  const auto present = directory.stat(path);
  // First, because the log cannot be opened for writing while it has a second name.
  std::vector<std::string> old;
  for (const DirectoryEntry& entry : *entries) {
    HOLDFAST_LET(stat, directory.stat(folder + "/" + entry.name));
    if (present && stat.same_file(*present) && does(Step::head_not_replaced)) {
      HOLDFAST_TRY(directory.remove(folder + "/" + entry.name));  // the rename did not happen: the log is unchanged
    } else {
      old.push_back(entry.name);
    }
  }
  std::size_t brought = 0;
  for (const std::string& name : old) {
    std::string kept = folder;
    kept.append("/").append(name);
    const Kept about = read_kept(name);
    HOLDFAST_LET(file, directory.open(kept, OpenMode::read));
    HOLDFAST_LET(late, lines_after(*file, about.copied));
    if (!late.lines.empty() && present) {
      HOLDFAST_TRY(bring_over(context, root, path, kept, about, late));
      brought += late.lines.size();
      continue;
    }
    if (seconds_now(context) - about.since > std::chrono::seconds(kKept).count()) HOLDFAST_TRY(directory.remove(kept));
  }
  return brought;
}

// Makes a synced copy of the log with another first line; returns its path.
// `copied` is how many bytes of the old file the copy covers.
Result<std::string> stage_copy(const Context& context, const std::shared_ptr<Root>& root, File& old,
                               const HeadChange& change, std::uint64_t& copied) {
  HOLDFAST_TRY(root->ensure_directory(root->side("tmp")));
  std::string staged = root->side("tmp", root->unique_name("head."));
  HOLDFAST_LET(file, root->directory().open(staged, OpenMode::create_update));
  auto written = [&]() -> Result<void> {
    HOLDFAST_LET(size, settled_size(context, old));
    copied = size;
    HOLDFAST_TRY(file->write_at(0, change.line + "\n"));
    HOLDFAST_TRY(copy(old, change.expected.size() + 1, copied, *file, change.line.size() + 1));
    return does(Step::head_sync) ? file->sync() : Result<void>{};
  }();
  if (written) return staged;
  drop_staged(*root, staged);
  return fail(std::move(written).error());
}

Result<void> exchange(const Context& context, const std::shared_ptr<Root>& root, LogFile& log, const HeadChange& change,
                      std::string& kept) {
  Directory& directory = root->directory();
  File& old = *log.shared_file();
  HOLDFAST_LET(first, read_range(old, 0, change.expected.size() + 1));
  if (first != change.expected + "\n" && does(Step::head_expected))
    return fail(Code::conflict, "the first line of the log is not what it was", change.path);
  std::uint64_t copied = 0;
  HOLDFAST_LET(staged, stage_copy(context, root, old, change, copied));
  auto placed = link_replaced_file(context, *root, change.path, copied, kept);
  const auto sums = side_car_behind(context, *root, change.path, change.expected + "\n", change.line.size() + 1);
  if (placed) placed = drop_side_car(*root, change.path);
  const Poison poison(*root, change.path);
  if (placed && does(Step::head_name_mark)) placed = poison.mark_name(*root, staged);
  if (placed) placed = directory.rename(staged, change.path);
  if (!placed) {
    drop_staged(*root, staged);
    (void)directory.remove(kept);
    poison.clear(*root);
    return placed;
  }
  auto synced = does(Step::head_name_sync) ? root->sync_name(change.path) : Result<void>{};
  if (!synced) return synced;
  poison.clear(*root);
  (void)put_side_car(*root, change.path, sums.value_or(""));  // advisory
  return {};
}

}  // namespace

std::string replaced_folder(const Root& root, std::string_view path) { return root.side("replaced", xxh3_hex(path)); }

Result<std::uint64_t> settled_size(const Context& context, File& file) {
  constexpr int kLooks = 20;
  std::uint64_t size = 0;
  for (int look = 0; look < kLooks; ++look) {
    HOLDFAST_LET(stat, file.stat());
    size = stat.size;
    if (size == 0) break;
    HOLDFAST_LET(last, read_range(file, size - 1, size));
    if (last == "\n") break;
    context.clock->sleep(std::chrono::milliseconds(1));
  }
  return size;
}

Result<void> link_replaced_file(const Context& context, Root& root, std::string_view path, std::uint64_t copied,
                                std::string& kept) {
  kept = kept_name(context, root, path, copied);
  HOLDFAST_TRY(root.ensure_directory(replaced_folder(root, path)));
  HOLDFAST_TRY(root.directory().make_link(path, kept));
  return does(Step::head_kept) ? root.sync_name(kept) : Result<void>{};
}

Result<std::size_t> settle_head(const Context& context, const std::shared_ptr<Root>& root, std::string_view path) {
  if (!root->directory().exists(replaced_folder(*root, path))) return 0;
  HOLDFAST_LET(held, root->lock(context));
  return settle_locked(context, root, path);
}

Result<void> replace_head(const Context& context, const std::shared_ptr<Root>& root, const HeadChange& change) {
  HOLDFAST_TRY(context.check());
  HOLDFAST_TRY(check_relative_path(change.path));
  if (!is_json_object_line(change.line))
    return fail(Code::invalid_record, "a first line must be one JSON object on one line", change.path);
  if (change.line == change.expected) return {};
  HOLDFAST_LET(held, root->lock(context));
  HOLDFAST_TRY(settle_locked(context, root, change.path));
  std::string kept;
  {
    HOLDFAST_LET(log, LogFile::open(context, root, change.path, shared_log()));
    const Poison poison(*root, change.path);
    if (poison.of_name(*root)) HOLDFAST_TRY(poison.mend_locked(context, log));
    if (does(Step::head_poison_check) && poison.marked(*root))
      return fail(Code::poisoned, "an earlier sync of this log failed; append to it first", change.path);
    HOLDFAST_TRY(log.lock(context));
    auto exchanged = exchange(context, root, log, change, kept);
    log.unlock();
    HOLDFAST_TRY(exchanged);
  }
  if (change.wipe) {
    HOLDFAST_LET(old, root->directory().open(kept, OpenMode::update));
    HOLDFAST_TRY(old->write_at(0, std::string(change.expected.size(), ' ')));
    if (does(Step::head_wipe_sync)) HOLDFAST_TRY(old->sync());
  }
  // Copies lines that arrived between the copy and the rename.
  HOLDFAST_TRY(settle_locked(context, root, change.path));
  return {};
}

}  // namespace holdfast::inline v1
