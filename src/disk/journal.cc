#include "disk/journal.h"

#include <array>
#include <charconv>
#include <utility>

#include "base/hash.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "text/json_text.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// "holdfast-journal 1 pending <12 letters> <20 digits> <32 hex>\n"
constexpr std::string_view kMagic = "holdfast-journal 1 ";
constexpr std::string_view kPending = "pending";
constexpr std::string_view kApplied = "applied";
constexpr std::string_view kClosing = "closing";
constexpr std::size_t kTransaction = 12;
constexpr std::size_t kDigits = 20;
constexpr std::size_t kHash = 32;
constexpr std::size_t kHeader = kMagic.size() + kPending.size() + 1 + kTransaction + 1 + kDigits + 1 + kHash + 1;
constexpr std::string_view kUndo = "undo ";
constexpr std::size_t kUndoMark = kUndo.size() + kTransaction + 1 + kHash + 1;
// A journal larger than this is truncated once it is done.
constexpr std::size_t kKeepBytes = std::size_t{1} << 20;

constexpr std::array<std::string_view, 4> kKindNames{"put", "remove", "append", "symlink"};

// The hash also covers the state word: a torn overwrite of one header by
// another never makes an old journal pending again.
std::string make_header(std::string_view state, std::string_view transaction, std::string_view payload) {
  std::string header(kMagic);
  const std::string digits = std::to_string(payload.size());
  header.append(state).append(" ").append(transaction).append(" ");
  header.append(kDigits - digits.size(), '0').append(digits).append(" ");
  const std::string hash = xxh3_hex(header + std::string(payload));
  return header.append(hash).append("\n");
}

// Placed after the payload, so a torn mark leaves the journal pending.
std::string undo_mark(std::string_view transaction) {
  std::string mark(kUndo);
  mark.append(transaction).append(" ");
  const std::string hash = xxh3_hex(mark);
  return mark.append(hash).append("\n");
}

std::string encode(const Journal& journal) {
  JsonWriter json;
  if (journal.home) {
    json.begin_object().key("home").string(journal.home->path).key("side").string(journal.home->side).end_object();
    return json.take() + "\n";
  }
  json.begin_object().key("roots").begin_array();
  for (const auto& root : journal.roots)
    json.begin_object().key("path").string(root.path).key("side").string(root.side).end_object();
  json.end_array().end_object();
  std::string payload = json.take() + "\n";
  for (const auto& change : journal.changes) {
    json.begin_object().key("do").string(kKindNames[static_cast<std::size_t>(change.kind)]);
    json.key("root").uint64(change.root).key("path").string(change.path);
    if (change.kind == StepKind::append) {
      json.key("mode").string(change.mode == LogMode::ours ? "ours" : "shared").key("from").uint64(change.from);
      json.key("lines").strings(change.lines);
    } else {
      json.key("before").string(change.before).key("after").string(change.after);
      if (change.kind == StepKind::put) json.key("staged").string(change.staged);
      if (change.kind == StepKind::symlink) json.key("target").string(change.target);
    }
    payload += json.end_object().take() + "\n";
  }
  return payload;
}

// The payload's hash was correct, so we wrote it; only words of a newer version
// can be unknown.
bool decode(std::string_view payload, Journal& journal) {
  bool first = true;
  while (!payload.empty()) {
    const auto newline = payload.find('\n');
    if (newline == std::string_view::npos) return false;
    const JsonView line(payload.substr(0, newline));
    payload.remove_prefix(newline + 1);
    if (std::exchange(first, false)) {
      if (line.find("home")) journal.home = JournalRoot{json_text(line, "home"), json_text(line, "side")};
      for (const auto& root : line.find("roots").elements())
        journal.roots.push_back({json_text(root.value, "path"), json_text(root.value, "side")});
      continue;
    }
    JournalStep change;
    const std::string kind = json_text(line, "do");
    std::size_t index = 0;
    while (index < kKindNames.size() && kKindNames[index] != kind) ++index;
    change.root = static_cast<std::size_t>(json_count(line, "root"));
    if (index == kKindNames.size() || change.root >= journal.roots.size()) return false;
    change.kind = static_cast<StepKind>(index);
    change.path = json_text(line, "path");
    change.before = json_text(line, "before");
    change.after = json_text(line, "after");
    change.staged = json_text(line, "staged");
    change.target = json_text(line, "target");
    change.mode = line.find("mode").is_string("shared") ? LogMode::shared : LogMode::ours;
    change.from = json_count(line, "from");
    for (const auto& text : line.find("lines").elements()) change.lines.push_back(text.value.as_string().value_or(""));
    journal.changes.push_back(std::move(change));
  }
  return !first;
}

JournalRead parse(std::string_view all) {
  JournalRead read;
  if (all.empty()) return read;
  read.state = JournalState::damaged;
  std::uint64_t length = 0;
  if (all.size() >= kHeader && all.starts_with(kMagic)) {
    const std::string_view state = all.substr(kMagic.size(), kPending.size());
    const std::string_view transaction = all.substr(kMagic.size() + kPending.size() + 1, kTransaction);
    const char* digits = all.data() + kMagic.size() + kPending.size() + 1 + kTransaction + 1;
    std::from_chars(digits, digits + kDigits, length);
    if (length <= all.size() - kHeader) {
      const std::string_view payload = all.substr(kHeader, static_cast<std::size_t>(length));
      if (!does(Step::commit_journal_hash) || all.substr(0, kHeader) == make_header(state, transaction, payload)) {
        read.journal.transaction = transaction;
        if (state == kApplied) read.state = JournalState::applied;
        if (state == kClosing) read.state = JournalState::closing;
        if (state == kPending && decode(payload, read.journal)) {
          const bool undo = all.substr(kHeader + payload.size()).starts_with(undo_mark(transaction));
          read.state = undo ? JournalState::undoing : JournalState::pending;
        }
      }
    }
  }
  return read;
}

Result<std::unique_ptr<File>> open_journal(Root& root, bool& created) {
  const std::string path = root.side("journal");
  if (does(Step::commit_journal_anew) && root.distrusted(path)) {
    if (auto gone = root.directory().remove(path); !gone && gone.error().code != Code::not_found)
      return fail(std::move(gone).error());
    root.trust(path);
  }
  auto file = root.directory().open(path, OpenMode::update);
  if (file || file.error().code != Code::not_found) return file;
  HOLDFAST_TRY(root.ensure_directory(root.options().side));
  created = true;
  return root.directory().open(path, OpenMode::create_update);
}

}  // namespace

Result<JournalRead> read_journal(Root& root) {
  auto bytes = read_whole(root.directory(), root.side("journal"));
  if (bytes) return parse(*bytes);
  if (bytes.error().code == Code::not_found) return JournalRead{};
  return fail(std::move(bytes).error());
}

bool commit_pending(Root& root) {
  const std::string path = root.side("journal");
  const auto stat = root.directory().stat(path);
  if (!stat || stat->kind != FileKind::file) return stat || stat.error().code != Code::not_found;
  auto file = root.directory().open(path, OpenMode::read);
  if (!file) return file.error().code != Code::not_found;
  char header[kHeader];
  const auto count = (*file)->read_at(0, header);
  if (!count) return true;
  if (*count == 0) return false;
  return parse({header, *count}).state != JournalState::applied;
}

Result<void> write_pending(Root& root, const Journal& journal) {
  const std::string payload = encode(journal);
  bool created = false;
  HOLDFAST_LET(file, open_journal(root, created));
  // Reserves the space that an undo mark needs, which a full disk would not provide later.
  const std::string room(kUndoMark, '\n');
  HOLDFAST_TRY(file->write_at(0, make_header(kPending, journal.transaction, payload) + payload + room));
  if (does(Step::commit_journal_sync)) HOLDFAST_TRY(file->sync());
  if (!does(Step::commit_journal_name)) return {};
  // Somebody may have removed (take_back) the journal file whose name we know to be durable.
  if (created) return root.sync_name(root.side("journal"));
  HOLDFAST_LET(stat, file->stat());
  return root.sync_name_once(root.side("journal"), stat.inode);
}

Result<void> write_applied(Root& root, std::string_view transaction, bool sync) {
  bool created = false;
  HOLDFAST_LET(file, open_journal(root, created));
  HOLDFAST_LET(stat, file->stat());
  // A mark that is visible before it is durable would be trusted by the next process, and could be lost in a power
  // failure.
  const bool twice = sync && does(Step::commit_closing);
  HOLDFAST_TRY(file->write_at(0, make_header(twice ? kClosing : kApplied, transaction, {})));
  if (stat.size > kKeepBytes) HOLDFAST_TRY(file->truncate(kHeader));
  if (sync) HOLDFAST_TRY(file->sync());
  return twice ? file->write_at(0, make_header(kApplied, transaction, {})) : Result<void>{};
}

Result<void> write_undo(Root& root, const Journal& journal) {
  const std::string path = root.side("journal");
  HOLDFAST_LET(file, root.directory().open(path, OpenMode::update));
  HOLDFAST_TRY(file->write_at(kHeader + encode(journal).size(), undo_mark(journal.transaction)));
  if (!does(Step::commit_undo_mark)) return {};
  auto synced = file->sync();
  if (!synced) root.distrust(path);
  return synced;
}

Result<void> close_journal(Root& root, std::string_view transaction, bool sync) {
  const std::string path = root.side("journal");
  if (!root.distrusted(path) && write_applied(root, transaction, sync)) return {};
  if (!does(Step::commit_done_anew)) return write_applied(root, transaction, sync);
  // Change the directory instead of syncing the same file a second time.
  root.distrust(path);
  if (auto gone = root.directory().remove(path); !gone && gone.error().code != Code::not_found) return gone;
  HOLDFAST_TRY(root.sync_name(path));
  root.trust(path);
  return {};
}

Result<void> renew_journal(const Context& context, Root& root) {
  const std::string path = root.side("journal");
  HOLDFAST_LET(held, root.lock(context));
  if (!does(Step::commit_journal_renewed)) return {};
  HOLDFAST_LET(empty, stage_file(root, "", 0600));
  if (auto placed = root.directory().rename(empty, path); !placed) {
    drop_staged(root, empty);
    return placed;
  }
  root.distrust(path);
  HOLDFAST_TRY(root.sync_name(path));
  root.trust(path);
  return {};
}

Result<void> take_back(Root& root, std::string_view transaction) {
  const std::string path = root.side("journal");
  if (!does(Step::commit_take_back)) return {};
  // The journal could not even be created, and there was no older one that a crash could bring back.
  const auto stat = root.directory().stat(path);
  if (!stat && stat.error().code == Code::not_found && !root.distrusted(path)) return {};
  auto undone = write_applied(root, transaction, does(Step::commit_take_back_sync));
  root.distrust(path);
  if (root.directory().remove(path)) root.trust(path);
  return undone;
}

Result<Revision> name_revision(Root& root, std::string_view path) {
  const auto stat = root.directory().stat(path);
  if (stat && stat->kind == FileKind::symlink) {
    HOLDFAST_LET(target, root.directory().read_symlink(path));
    return "link:" + target;
  }
  HOLDFAST_LET(bytes, read_own_file(root, path));
  return bytes ? revision_of(*bytes) : Revision(kAbsent);
}

}  // namespace holdfast::inline v1
