// session.forget (forget.cc), archive.prune (archive_prune.cc), archive.compact: remove things from the archive.
#include <algorithm>
#include <iterator>

#include "api/archive_prune.h"
#include "api/call.h"
#include "api/forget.h"
#include "api/tables.h"
#include "archive/archive_writer.h"
#include "archive/damaged_chunks.h"
#include "archive/lost_lines.h"
#include "archive/rewrite_archive.h"
#include "model/model_json.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> compact(Call& call) {
  std::vector<Finding> findings;
  const bool gives_up = call.flag("drop_unnamed");
  HOLDFAST_LET(writer, open_archive_to_shrink(call, findings, gives_up ? UnreadableLists::go : UnreadableLists::stay));
  const std::uint64_t before = packed_bytes(writer->packs());
  if (gives_up) {
    HOLDFAST_TRY(give_up_lost_lines(call.context, *writer));
    HOLDFAST_TRY(give_up_chunks_away(call.context, writer->root(), writer->state()));
    std::erase_if(findings, [](const Finding& one) { return one.kind == "lost_lines"; });
  }
  HOLDFAST_LET(done, compact_archive(call.context, *writer));
  JsonWriter json = begin_answer();
  json.key("bytes_before").uint64(before).key("bytes_after").uint64(packed_bytes(writer->packs()));
  json.key("packs_rewritten").uint64(done.packs);
  std::ranges::move(done.findings, std::back_inserter(findings));
  write_findings(json, "findings", findings);
  return json.end_object().take();
}

}  // namespace

std::span<const Operation> archive_upkeep_operations() {
  static const std::vector<Operation> all{
      {.method = "session.forget",
       .help =
           "remove sessions from the archive for good, or only lines that contain a text, and never capture them again",
       .use = Use::write,
       .parameters = {{.name = "id", .help = "an id, a prefix of one, or LAYOUT/ID", .positional = true},
                      {.name = "match",
                       .help = "remove every line that contains this text, and sessions that contain it elsewhere"}},
       .result =
           "forgotten:object[] holed:object[] kept_out:object[] notes:object[] of_machines:object[] lines:integer "
           "packs_rewritten:integer "
           "files_removed:integer still_there:object[] unreadable:object[] looked_at:object "
           "out_of_reach:string[] findings:finding[]",
       .errors = {Code::newer_schema},
       .handler = forget_sessions,
       .preview = would_forget,
       .example = "forget k7f3 --yes",
       .command = "forget"},
      {.method = "archive.prune",
       .help = "remove archived sessions that are older than archive.keep_days and were deleted by their agents",
       .use = Use::write,
       .parameters = {{.name = "keep_days",
                       .help = "overrides archive.keep_days; 0 keeps everything",
                       .type = ParamType::integer,
                       .least = 0}},
       .result = "removed:object[] bytes_before:integer bytes_after:integer missed:boolean findings:finding[]",
       .errors = {Code::newer_schema},
       .handler = prune_archive,
       .preview = would_prune_archive,
       .example = "archive prune --keep-days 365 --dry-run"},
      {.method = "archive.compact",
       .help = "merge small pieces of growing files and drop unreferenced data",
       .use = Use::write,
       .parameters = {{.name = "drop_unnamed",
                       .help = "also drop what lines that are missing from the log may have named",
                       .type = ParamType::boolean}},
       .result = "bytes_before:integer bytes_after:integer packs_rewritten:integer findings:finding[]",
       .errors = {Code::newer_schema},
       .handler = compact,
       .example = "archive compact"},
  };
  return all;
}

}  // namespace holdfast::inline v1
