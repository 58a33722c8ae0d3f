#include "sync/log_mark.h"

#include <algorithm>
#include <set>

#include "archive/archive_writer.h"
#include "archive/log_lines.h"
#include "base/hash.h"
#include "sync/content.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kLogBytesAtOnce = std::uint64_t{256} << 10;

// nullptr if there is none.
Result<std::unique_ptr<File>> log_to_mark(const SyncHome& home, const std::string& path) {
  const auto directory = home.files().open_directory(path, false);
  if (!directory && directory.error().code == Code::not_found) return std::unique_ptr<File>();
  if (!directory) return fail(directory.error());
  auto file = (*directory)->open(kCaptureLog, OpenMode::read);
  if (!file && file.error().code == Code::not_found) return std::unique_ptr<File>();
  return file;
}

// Goes on from `mark` to `end`, or to where the log ends before that.
Result<LogMark> extended_mark(File* log, LogMark mark, std::uint64_t end) {
  std::string bytes;
  while (log != nullptr && mark.bytes < end) {
    bytes.resize(static_cast<std::size_t>(std::min(kLogBytesAtOnce, end - mark.bytes)));
    HOLDFAST_LET(count, log->read_at(mark.bytes, bytes));
    if (count == 0) break;
    mark.crc = crc32c(std::string_view(bytes).substr(0, count), mark.crc);
    mark.bytes += count;
  }
  return mark;
}

template <typename Kept, typename Save>
Result<void> rewrite_marked(const Context& context, const SyncHome& home, const std::string& path, Kept& kept,
                            bool expected, const Save& save, const RewriteLog& rewrite) {
  HOLDFAST_LET(whole, is_log_whole(context, home, path, kept.log, expected));
  if (!whole) return rewrite();
  if (std::exchange(kept.log, std::nullopt)) HOLDFAST_TRY(save());
  HOLDFAST_TRY(rewrite());
  HOLDFAST_LET(mark, mark_log(home, path, std::nullopt));
  kept.log = mark;
  return save();
}

}  // namespace

Result<bool> is_log_whole(const Context& context, const SyncHome& home, const std::string& path,
                          const std::optional<LogMark>& mark, bool expected) {
  if (mark) {
    HOLDFAST_LET(log, log_to_mark(home, path));
    HOLDFAST_LET(now, extended_mark(log.get(), {}, mark->bytes));
    return now == *mark;
  }
  const auto archive = Archive::open(context, home.files(), path);
  if (!archive && archive.error().code == Code::not_found) return !expected;
  if (!archive) return fail(archive.error());
  return (*archive)->state().findings.empty();
}

Result<LogMark> mark_log(const SyncHome& home, const std::string& path, const std::optional<LogMark>& before) {
  HOLDFAST_LET(log, log_to_mark(home, path));
  return extended_mark(log.get(), before.value_or(LogMark()), UINT64_MAX);
}

Result<void> rewrite_published(const Context& context, const SyncHome& home, const std::string& where,
                               std::uint64_t epoch, const RewriteLog& rewrite) {
  HOLDFAST_LET(stream, home.own_stream(context, where));
  // Of an epoch that this home has left, only what it read there since is marked.
  if (stream.epoch != epoch) return rewrite();
  return rewrite_marked(
      context, home, home.published(where, epoch), stream, stream.head.seq > 0,
      [&] { return home.save(context, where, stream); }, rewrite);
}

Result<void> rewrite_from(const Context& context, const SyncHome& home, const std::string& remote,
                          const StreamId& stream, const RewriteLog& rewrite) {
  HOLDFAST_LET(cursor, home.cursor(context, remote, stream));
  return rewrite_marked(
      context, home, home.from(remote, stream), cursor, cursor.content > 0,
      [&] { return home.save(context, remote, stream, cursor); }, rewrite);
}

Result<void> drop_broken_sessions(const Context& context, const SyncHome& home, const std::string& path,
                                  const std::function<bool(const CaptureKey& key)>& is_last_copy) {
  HOLDFAST_LET(log, log_to_mark(home, path));
  if (log == nullptr) return {};
  log.reset();
  HOLDFAST_LET(writer, ArchiveWriter::open(context, home.files(), path, ArchiveOrder::lines_first));
  HOLDFAST_LET(lines, log_lines(context, writer->root().directory()));
  std::map<CaptureKey, std::uint64_t> last;
  std::set<CaptureKey> broken;
  for (const LogLine& line : lines) {
    const CaptureKey& key = line.read.capture.session;
    const OpOrigin origin = read_origin(line.read.capture.origin);
    std::uint64_t& before = last[key];
    if (origin.base == 0) broken.erase(key);
    if (origin.base != 0 && origin.base != before) broken.insert(key);
    before = origin.number;
  }
  if (broken.empty() && writer->state().findings.empty()) return {};
  std::vector<std::string> kept;
  std::unordered_set<std::string> needed;
  for (const LogLine& line : lines) {
    (void)note_names(line.read, writer->packs(), needed);
    const CaptureKey& key = line.read.capture.session;
    if (!broken.contains(key) || is_last_copy(key)) kept.push_back(line.bytes);
  }
  HOLDFAST_TRY(writer->replace_log(context, kept, needed));
  return {};
}

}  // namespace holdfast::inline v1
