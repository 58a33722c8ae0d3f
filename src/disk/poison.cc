#include "disk/poison.h"

#include <algorithm>
#include <charconv>

#include "base/safe_name.h"
#include "disk/log_head.h"
#include "disk/staged.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

// A mark is "OFFSET\n", or "0 name INODE\n": everything is suspect, and so is the name of that file. If there was a
// mark before, it is "0 name\n": the name of any file is suspect.
constexpr std::string_view kName = "0 name";

Result<void> copy_range(File& from, File& to, std::uint64_t start, std::uint64_t end, const Unsynced& unsynced) {
  std::string chunk;
  for (std::uint64_t at = start; at < end;) {
    chunk.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, end - at)));
    HOLDFAST_LET(count, from.read_at(at, chunk));
    if (count == 0) break;
    chunk.resize(count);
    if (does(Step::log_own_bytes)) unsynced.overlay(chunk, at);
    HOLDFAST_TRY(to.write_at(at, chunk));
    at += count;
  }
  return {};
}

Result<void> compare_range(File& one, File& two, std::uint64_t start, std::uint64_t end, std::string_view path) {
  std::string expected;
  std::string found;
  for (std::uint64_t at = start; at < end; at += expected.size()) {
    expected.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, end - at)));
    found.resize(expected.size());
    HOLDFAST_LET(count, one.read_at(at, expected));
    HOLDFAST_LET(same, two.read_at(at, found));
    if (count != expected.size() || same != count || expected != found)
      return fail(Code::io_error, "the rewritten data reads back differently", std::string(path));
  }
  return {};
}

// Syncs nothing: the medium is failing, and the mark need not survive a reboot.
Result<void> make_folder(Root& root) {
  for (const std::string& folder : {root.options().side, root.side("poison")}) {
    auto made = root.directory().make_directory(folder);
    if (made && folder == root.options().side) root.distrust(folder);  // its name is not durable
    if (!made && made.error().code != Code::already_exists) return made;
  }
  return {};
}

bool is_of_name(const std::string& mark) { return mark.starts_with(kName) && mark != std::string(kName) + "\n"; }

}  // namespace

Poison::Poison(const Root& root, std::string_view log_path)
    : log_path_(log_path), mark_path_(root.side("poison", encode_name(log_path))) {}

bool Poison::marked(Root& root) const {
  if (!does(Step::log_poison_check)) return false;
  return root.distrusted(mark_path_) || root.directory().exists(mark_path_);
}

Result<void> Poison::mark(Root& root, std::uint64_t from) const {
  if (!does(Step::log_poison_mark) || marked(root)) return {};
  root.distrust(mark_path_);
  HOLDFAST_TRY(make_folder(root));
  auto file = root.directory().open(mark_path_, OpenMode::create_update);
  if (!file) {
    if (file.error().code == Code::already_exists) return {};
    return fail(std::move(file).error());
  }
  return (*file)->write_at(0, std::to_string(from) + "\n");
}

// Uses a rename: a process that makes its own mark at the same time writes to another file.
Result<void> Poison::mark_name(Root& root, const std::string& staged) const {
  HOLDFAST_LET(file, root.directory().stat(staged));
  std::string mark(kName);
  if (!marked(root)) mark.append(" ").append(std::to_string(file.inode));
  HOLDFAST_TRY(make_folder(root));
  HOLDFAST_LET(next, stage_file(root, mark + "\n", 0600, std::nullopt));
  root.distrust(mark_path_);
  auto placed = root.directory().rename(next, mark_path_);
  if (!placed) drop_staged(root, next);
  return placed;
}

std::optional<std::string> Poison::read_mark(Root& root) const {
  const auto file = root.directory().open(mark_path_, OpenMode::read);
  if (!file && file.error().code == Code::not_found) return std::nullopt;
  std::string text(64, '\0');
  const auto count = file ? (*file)->read_at(0, text) : fail(file.error());
  text.resize(count.value_or(0));
  return text;
}

bool Poison::of_name(Root& root) const { return is_of_name(read_mark(root).value_or("")); }

bool Poison::concerns(Root& root, File& file) const {
  const auto mark = read_mark(root);
  if (!mark) return root.distrusted(mark_path_);
  const auto own = file.stat();
  if (!own || !is_of_name(*mark)) return true;
  return *mark == std::string(kName) + " " + std::to_string(own->inode) + "\n";
}

// Trusts first: another thread that no longer finds the mark must not take it for one that could not be written.
void Poison::clear(Root& root) const {
  if (!marked(root)) return;
  root.trust(mark_path_);
  (void)root.directory().remove(mark_path_);
}

// Returns the offset in the mark if it can be read. If there is no mark file (it could not be written, and
// only the Root knows), returns what the caller knows to be durable; otherwise 0 (everything is suspect).
Result<std::uint64_t> Poison::suspect_from(Root& root, std::uint64_t durable_end) const {
  auto file = root.directory().open(mark_path_, OpenMode::read);
  if (!file) {
    const bool known = file.error().code == Code::not_found && durable_end != UINT64_MAX;
    return known ? durable_end : 0;
  }
  char text[24] = {};
  HOLDFAST_LET(count, (*file)->read_at(0, text));
  std::uint64_t from = 0;
  const auto parsed = std::from_chars(text, text + count, from);
  const bool whole = parsed.ec == std::errc{} && parsed.ptr < text + count && *parsed.ptr == '\n';
  return whole ? std::min(from, durable_end) : 0;
}

Result<void> Poison::rewrite_into_new_file(const Context& context, LogFile& log, const Unsynced& unsynced) const {
  Root& root = log.root();
  const bool shared = log.options().mode == LogMode::shared;
  HOLDFAST_LET(end, shared ? settled_size(context, *log.shared_file()) : log.size());
  HOLDFAST_TRY(root.ensure_directory(root.side("tmp")));
  const std::string staged = root.side("tmp", root.unique_name("log."));
  HOLDFAST_LET(copy, root.directory().open(staged, OpenMode::create_update));
  auto written = copy_range(*log.shared_file(), *copy, 0, end, unsynced);
  if (written && does(Step::log_mend_sync)) written = copy->sync();
  std::string kept;
  if (written && shared) written = link_replaced_file(context, root, log_path_, end, kept);
  if (written) written = root.directory().rename(staged, log_path_);
  if (!written) {
    (void)root.directory().remove(staged);  // at worst an orphan, which the next open removes
    if (!kept.empty()) (void)root.directory().remove(kept);
    return written;
  }
  if (does(Step::log_mend_name_sync)) HOLDFAST_TRY(root.sync_name(log_path_));
  return log.reopen();
}

// Copies the suspect bytes to a file beside the log, drops them from the page
// cache, and writes them back into pages that have no recorded failure.
// Rewriting them without that loses them on ext4 (measured: T6 on a real disk).
// If a foreign program appends between the last check of the size and the drop,
// a line that was never synced can be lost, in a log that was losing it already.
Result<void> Poison::rewrite_in_place(LogFile& log, std::uint64_t from, const Unsynced& unsynced) const {
  Root& root = log.root();
  HOLDFAST_TRY(root.ensure_directory(root.side("tmp")));
  const std::string staged = root.side("tmp", root.unique_name("log."));
  HOLDFAST_LET(copy, root.directory().open(staged, OpenMode::create_update));
  auto written = [&]() -> Result<void> {
    HOLDFAST_LET(file, root.directory().open(log_path_, OpenMode::update));
    (void)file->sync();  // its result means nothing, but now no page is dirty and all can be dropped
    std::uint64_t end = from;
    while (true) {
      HOLDFAST_LET(now, log.size());
      if (now <= end) break;
      HOLDFAST_TRY(copy_range(*log.shared_file(), *copy, end, now, unsynced));
      end = now;
    }
    HOLDFAST_TRY(file->drop_cache());
    HOLDFAST_TRY(copy_range(*copy, *file, from, end, {}));
    if (does(Step::log_mend_sync)) HOLDFAST_TRY(file->sync());
    HOLDFAST_TRY(file->drop_cache());
    return does(Step::log_mend_compare) ? compare_range(*copy, *file, from, end, log_path_) : Result<void>{};
  }();
  (void)root.directory().remove(staged);
  if (!written) return written;
  log.unlock();
  return log.reopen();  // the old descriptor would report the old failure once more
}

Result<void> Poison::mend(const Context& context, LogFile& log, std::uint64_t durable_end,
                          const Unsynced& unsynced) const {
  HOLDFAST_LET(held, log.root().lock(context));  // before the log's lock, as in Commit
  return mend_locked(context, log, durable_end, unsynced);
}

Result<void> Poison::mend_locked(const Context& context, LogFile& log, std::uint64_t durable_end,
                                 const Unsynced& unsynced) const {
  Root& root = log.root();
  HOLDFAST_TRY(log.lock(context));
  auto written = [&]() -> Result<void> {
    HOLDFAST_LET(from, suspect_from(root, durable_end));
    const bool name = does(Step::log_mend_name) && read_mark(root).value_or("").starts_with(kName);
    return log.options().mode == LogMode::ours || name ? rewrite_into_new_file(context, log, unsynced)
                                                       : rewrite_in_place(log, from, unsynced);
  }();
  if (written) clear(root);
  log.unlock();
  if (written) return {};
  Error error = std::move(written).error();
  error.code = Code::poisoned;
  error.message = "an earlier sync of this log failed, and so did rewriting it: " + error.message;
  return fail(std::move(error));
}

}  // namespace holdfast::inline v1
