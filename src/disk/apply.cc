#include "disk/apply.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/parent_path.h"
#include "disk/poison.h"
#include "disk/staged.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

Finding conflict(const JournalStep& change, const Revision& found) {
  return Finding{change.path, 0, 0, "conflict",
                 "somebody else changed this while a commit was interrupted (found " + found + "): it was left alone"};
}

Result<void> report_conflict(const Context& context, Root& root, const JournalStep& change, const Revision& found,
                             std::vector<Finding>& findings) {
  Finding finding = conflict(change, found);
  if (change.kind == StepKind::put) {
    if (const auto ours = read_whole(root.directory(), change.staged)) {
      HOLDFAST_LET(kept, root.quarantine(context, change.path, 0, *ours, "conflict"));
      finding.moved_to = std::move(kept);
      finding.consequence += "; the version that was to replace it is in quarantine";
    }
  }
  findings.push_back(std::move(finding));
  return {};
}

Result<void> replace_with(Root& root, const std::string& staged, std::string_view path) {
  HOLDFAST_TRY(keep_backup(root, path));
  return root.directory().rename(staged, path);
}

Result<void> apply_name(const Context& context, Root& root, const JournalStep& change, std::vector<Finding>& findings) {
  if (change.before == change.after) return {};
  HOLDFAST_TRY(root.ensure_directory(parent_of(change.path)));
  HOLDFAST_LET(found, name_revision(root, change.path));
  if (found == change.after) {
    auto renewed = does(Step::commit_renew_name) ? repeat_name_change(root, change) : Result<void>{};
    return renewed || !is_forbidden(renewed.error()) ? renewed : Result<void>{};
  }
  if (found != change.before && does(Step::commit_before_check))
    return report_conflict(context, root, change, found, findings);
  switch (change.kind) {
    case StepKind::put:
      if (change.before == kAbsent) forget_old_backup(root, change.path);
      return replace_with(root, change.staged, change.path);
    case StepKind::symlink: {
      HOLDFAST_LET(staged, stage_symlink(root, change.target));
      return root.directory().rename(staged, change.path);
    }
    case StepKind::remove:
      if (!found.starts_with("link:")) HOLDFAST_TRY(keep_backup(root, change.path));
      return root.directory().remove(change.path);
    case StepKind::append: break;
  }
  return fail(Code::internal, "not a change of a name", change.path);
}

// Returns the lines that are not in the log yet; an earlier attempt may have written the others.
Result<std::vector<std::string_view>> missing_lines(const Context& context, LogFile& log, const JournalStep& change) {
  std::vector<std::string_view> missing(change.lines.begin(), change.lines.end());
  HOLDFAST_LET(end, log.size());
  if (end <= change.from || !does(Step::commit_lines_once)) return missing;
  ReadOptions options;
  options.from = change.from;
  options.max_line = log.options().max_line;
  HOLDFAST_LET(reader, LogReader::open(context, log.root().directory(), change.path, std::move(options)));
  Record record;
  while (!missing.empty()) {
    HOLDFAST_LET(more, reader.next(record));
    if (!more) break;
    std::erase(missing, record.bytes);
  }
  return missing;
}

// A crash can cut an earlier attempt just before its newline. In a log that others write too, only we know that
// this line is complete; writing it again would duplicate it.
Result<void> end_cut_line(LogFile& log, const JournalStep& change, std::vector<std::string_view>& missing) {
  HOLDFAST_LET(end, log.size());
  for (auto line = missing.begin(); line != missing.end(); ++line) {
    if (line->size() > end || end - line->size() < change.from) continue;
    const std::uint64_t start = end - line->size();
    std::string there(line->size() + (start > change.from ? 1 : 0), '\0');
    HOLDFAST_LET(count, log.shared_file()->read_at(end - there.size(), there));
    if (count != there.size() || !there.ends_with(*line) || (start > change.from && there.front() != '\n')) continue;
    HOLDFAST_TRY(log.end_line());
    missing.erase(line);
    return {};
  }
  return {};
}

Result<void> apply_append(const Context& context, const std::shared_ptr<Root>& root, const JournalStep& change,
                          OpenLogs& logs, std::vector<Finding>& findings) {
  auto open = logs.find({change.root, change.path});
  if (open == logs.end()) {
    LogOptions options;
    options.mode = change.mode;
    HOLDFAST_LET(log, LogFile::open(context, root, change.path, options));
    open = logs.emplace(std::pair(change.root, change.path), std::move(log)).first;
  }
  LogFile& log = open->second;
  const Poison poison(*root, change.path);
  if (does(Step::commit_mend) && poison.marked(*root)) HOLDFAST_TRY(poison.mend_locked(context, log));
  HOLDFAST_TRY(log.lock(context));
  auto written = [&]() -> Result<void> {
    HOLDFAST_TRY(log.repair_tail(context));
    HOLDFAST_LET(missing, missing_lines(context, log, change));
    if (change.mode == LogMode::shared && does(Step::commit_lines_once))
      HOLDFAST_TRY(end_cut_line(log, change, missing));
    if (missing.empty()) return {};
    HOLDFAST_TRY(log.write(context, missing));
    return {};
  }();
  log.unlock();
  std::ranges::move(log.take_findings(), std::back_inserter(findings));
  return written;
}

Failure not_durable(const JournalStep& change, const Error& cause) {
  return fail(Error{Code::durability_unknown,
                    "a commit was written but could not be synced, and will be finished later: " + cause.message,
                    change.path, cause.os_error});
}

Result<void> sync_all(const Journal& journal, std::span<const std::shared_ptr<Root>> roots, OpenLogs& logs) {
  std::set<std::pair<std::size_t, std::string_view>> synced;
  for (const auto& change : journal.changes) {
    Root& root = *roots[change.root];
    if (change.kind == StepKind::append) {
      const auto log = logs.find({change.root, change.path});
      if (log == logs.end() || !does(Step::commit_apply_sync)) continue;  // the change was left out
      auto done = log->second.shared_file()->sync();
      const Poison poison(root, change.path);
      if (!done) {
        if (does(Step::commit_poison_mark)) (void)poison.mark(root, change.from);
        return not_durable(change, done.error());
      }
      // Another process's sync may have failed on our line, and then the success of ours means nothing (I-7).
      if (does(Step::commit_poison_check) && poison.marked(root))
        return not_durable(change, {Code::poisoned, "another process could not sync this log", change.path, 0});
      continue;
    }
    if (!does(Step::commit_apply_names) || !synced.emplace(change.root, parent_of(change.path)).second) continue;
    if (auto done = root.sync_name(change.path); !done) return not_durable(change, done.error());
  }
  return {};
}

}  // namespace

bool is_forbidden(const Error& error) { return error.code == Code::permission_denied || error.code == Code::read_only; }

Result<void> repeat_name_change(Root& root, const JournalStep& change) {
  if (change.kind == StepKind::remove) {
    HOLDFAST_TRY(recreate_name(root, change.path));
    return root.directory().remove(change.path);
  }
  if (change.kind == StepKind::symlink) {
    HOLDFAST_LET(again, stage_symlink(root, change.target));
    return root.directory().rename(again, change.path);
  }
  HOLDFAST_LET(bytes, read_whole(root.directory(), change.path));
  HOLDFAST_LET(again, stage_file(root, bytes, next_mode(root, change.path, kKeepMode)));
  return root.directory().rename(again, change.path);
}

Result<void> apply_journal(const Context& context, const Journal& journal, std::span<const std::shared_ptr<Root>> roots,
                           OpenLogs& logs, std::vector<Finding>& findings, std::vector<Finding>* left_out) {
  for (const bool lines : {false, true}) {
    for (const auto& change : journal.changes) {
      if ((change.kind == StepKind::append) != lines) continue;
      auto made = lines ? apply_append(context, roots[change.root], change, logs, findings)
                        : apply_name(context, *roots[change.root], change, findings);
      if (made) continue;
      if (left_out == nullptr || !is_forbidden(made.error())) return made;
      left_out->push_back({change.path, 0, 0, "journal", "left out of a commit: " + made.error().text(), {}});
    }
  }
  return sync_all(journal, roots, logs);
}

}  // namespace holdfast::inline v1
