#include "rules/upkeep/compaction.h"

#include "layout/change.h"
#include "layout/log_end.h"
#include "layout/moment.h"
#include "layout/writable_layout.h"
#include "model/marker.h"
#include "store/engine.h"
#include "store/session_trash.h"

namespace holdfast::inline v1 {
namespace {

Message summary_of(const Compaction& compaction) {
  Message summary;
  summary.role = Role::assistant;
  summary.origin = Origin::summary;
  summary.model = compaction.model;
  summary.usage = compaction.usage;
  // The SDK recognizes its summaries by this beginning.
  summary.blocks.push_back(
      {.kind = BlockKind::text, .text = "Summary of previous conversation:\n" + compaction.summary});
  return summary;
}

// Plans both lines, including their references.
Result<Changes> plan_lines(FileStore& engine, DirectoryFeed& feed, const SessionRef& ref, const Moment& moment,
                           std::span<const Message> messages, std::vector<std::string>& ids) {
  const Layout& layout = engine.layout();
  HOLDFAST_LET(writer, writer_of(layout));
  HOLDFAST_LET(line_writer, writer->line_writer(feed, ref));
  HOLDFAST_LET(last, record_at_end(feed, *line_writer));
  Changes changes;
  std::vector<std::string> lines;
  ids.clear();
  for (const Message& message : messages) {
    const RedactOptions request = engine.redactor().request();
    Message draft = request.any() ? redacted_message(request, message) : message;
    HOLDFAST_LET(beside, line_writer->beside(draft));
    changes.add(std::move(beside));
    HOLDFAST_LET(spelling, line_writer->spell(draft, lines.empty() ? std::string_view(last) : lines.back(), moment));
    for (std::string& line : spelling.lines) lines.push_back(std::move(line));
    ids.push_back(std::move(spelling.id));
  }
  changes.append(line_writer->log(), std::move(lines));
  return changes;
}

}  // namespace

Result<Compacted> compact_session(const Context& context, Store& store, std::string_view id,
                                  const Compaction& compaction) {
  if (compaction.summary.empty()) return fail(Code::invalid_argument, "a compaction needs a summary");
  if (compaction.trigger != "manual" && compaction.trigger != "auto")
    return fail(Code::invalid_argument, "a compaction must be manual or auto");
  HOLDFAST_LET(engine, engine_of(store));
  if (engine->layout().message_files() != nullptr)
    return fail(Code::unsupported, "layout " + std::string(store.layout_name()) + " cannot hold: a compaction");
  HOLDFAST_LET(held, engine->hold_sessions(context, LockKind::exclusive));  // no process may start a new log meanwhile
  // One commit: a boundary without its summary would leave nothing to show.
  const Message messages[] = {compact_boundary(compaction.trigger, compaction.pre_tokens), summary_of(compaction)};
  std::vector<std::string> ids;
  SessionRef ref;
  HOLDFAST_TRY(engine->change(context, [&](DirectoryFeed& feed) -> Result<Changes> {
    HOLDFAST_LET(found, engine->resolve(context, feed, id));
    ref = std::move(found);
    if (auto whole = check_move_finished(*engine, ref.id); !whole) return fail(std::move(whole).error());
    return plan_lines(*engine, feed, ref, engine->moment(context), messages, ids);
  }));
  engine->touched(ref);
  return Compacted{ids.at(0), ids.at(1)};
}

}  // namespace holdfast::inline v1
