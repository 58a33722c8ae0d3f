// session.forget (forget.cc), archive.prune, archive.compact: what is no longer kept.
#include <algorithm>
#include <set>

#include "api/archived.h"
#include "api/call.h"
#include "api/forget.h"
#include "api/tables.h"
#include "archive/archive_writer.h"
#include "archive/rewrite_archive.h"
#include "base/time.h"
#include "model/model_json.h"

namespace holdfast::inline v1 {
namespace {

std::uint64_t size_of(const Packs& packs) {
  std::uint64_t bytes = 0;
  for (const auto& [pack, end] : packs.ends()) bytes += end;
  return bytes;
}

// ---- prune

struct Old {
  std::set<CaptureKey> all;
  std::uint64_t only_here = 0;
};

Result<Old> old_sessions(const Call& call, const CaptureState& state) {
  const std::int64_t days = call.integer("keep_days", call.stores.settings().archive_keep_days);
  Old old;
  if (days <= 0) return old;
  const std::string before = iso8601(call.context.clock->now() - std::chrono::hours(24 * days));
  for (const auto& [key, session] : state.sessions) {
    const std::string updated = JsonView(session.row).find("updated_at").as_string().value_or("");
    if (session.inner || (updated.empty() ? session.at : updated) >= before) continue;
    const auto directory = call.stores.settings().files->open_directory(key.store, false);
    const bool there = directory && std::ranges::any_of(session.head, [&, its = &**directory](const auto& file) {
                         return its->stat_to_read(file.first.path).has_value();
                       });
    if (there) continue;  // the next run would capture it again
    old.all.merge(with_inner(state, key));
    ++old.only_here;
  }
  return old;
}

Result<std::string> prune(Call& call) {
  HOLDFAST_LET(writer, open_archive_writer(call));
  HOLDFAST_LET(old, old_sessions(call, writer->state()));
  Rewritten done;
  const std::uint64_t before = size_of(writer->packs());
  std::uint64_t after = before;
  if (!old.all.empty()) {
    HOLDFAST_LET(rewritten, drop_sessions(call.context, *writer, old.all));
    done = std::move(rewritten);
    after = size_of(writer->packs());
  }
  JsonWriter json = begin_answer();
  write_keys(json, "removed", old.all);
  json.key("bytes_before").uint64(before).key("bytes_after").uint64(after);
  write_findings(json, "findings", done.findings);
  return json.end_object().take();
}

Result<std::string> would_prune(Call& call) {
  HOLDFAST_LET(archive, open_archive(call));
  HOLDFAST_LET(old, old_sessions(call, archive->state()));
  if (old.all.empty()) return std::string("do nothing: there is nothing to prune");
  return "remove the last known copies of " + std::to_string(old.only_here) + " sessions: " + names_of(old.all);
}

// ---- compact

Result<std::string> compact(Call& call) {
  HOLDFAST_LET(writer, open_archive_writer(call));
  const std::uint64_t before = size_of(writer->packs());
  HOLDFAST_LET(done, compact_archive(call.context, *writer));
  JsonWriter json = begin_answer();
  json.key("bytes_before").uint64(before).key("bytes_after").uint64(size_of(writer->packs()));
  json.key("packs_rewritten").uint64(done.packs);
  write_findings(json, "findings", done.findings);
  return json.end_object().take();
}

}  // namespace

std::span<const Operation> archive_upkeep_operations() {
  static const std::vector<Operation> all{
      {.method = "session.forget",
       .help = "remove sessions, or the lines that hold a text, from the archive for good and never capture them again",
       .use = Use::write,
       .parameters = {{.name = "id", .help = "an id, a prefix of one, or LAYOUT/ID", .positional = true},
                      {.name = "match",
                       .help = "instead: every line that holds this text, and sessions that hold it elsewhere"}},
       .result = "forgotten:object[] holed:object[] of_machines:object[] lines:integer packs_rewritten:integer "
                 "files_removed:integer "
                 "still_there:object[] looked_at:object out_of_reach:string[] findings:finding[]",
       .errors = {Code::newer_schema},
       .handler = forget_sessions,
       .preview = would_forget,
       .example = "forget k7f3 --yes",
       .command = "forget"},
      {.method = "archive.prune",
       .help = "remove sessions from the archive that are older than archive.keep_days and that their agents have "
               "deleted",
       .use = Use::write,
       .parameters = {{.name = "keep_days",
                       .help = "overrides archive.keep_days; 0: keep everything",
                       .type = ParamType::integer,
                       .least = 0}},
       .result = "removed:object[] bytes_before:integer bytes_after:integer findings:finding[]",
       .errors = {Code::newer_schema},
       .handler = prune,
       .preview = would_prune,
       .example = "archive prune --keep-days 365 --dry-run"},
      {.method = "archive.compact",
       .help = "merge the small pieces of growing files and drop what nothing refers to",
       .use = Use::write,
       .result = "bytes_before:integer bytes_after:integer packs_rewritten:integer findings:finding[]",
       .errors = {Code::newer_schema},
       .handler = compact,
       .example = "archive compact"},
  };
  return all;
}

}  // namespace holdfast::inline v1
