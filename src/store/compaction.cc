#include "store/compaction.h"

#include "model/marker.h"

namespace holdfast::inline v1 {

Result<Compacted> compact_session(const Context& context, Store& store, std::string_view id,
                                  const Compaction& compaction) {
  if (compaction.summary.empty()) return fail(Code::invalid_argument, "a compaction needs a summary");
  if (compaction.trigger != "manual" && compaction.trigger != "auto")
    return fail(Code::invalid_argument, "a compaction is manual or auto");
  HOLDFAST_LET(writer, store.write(context, id));
  HOLDFAST_LET(boundary, writer->append(context, compact_boundary(compaction.trigger, compaction.pre_tokens)));
  Message summary;
  summary.role = Role::assistant;
  summary.origin = Origin::summary;
  summary.parent = boundary.id;
  summary.model = compaction.model;
  summary.usage = compaction.usage;
  // The SDK knows its summaries by this beginning.
  summary.blocks.push_back(
      {.kind = BlockKind::text, .text = "Summary of previous conversation:\n" + compaction.summary});
  HOLDFAST_LET(said, writer->append(context, summary));
  HOLDFAST_TRY(writer->close(context));
  return Compacted{boundary.id, said.id};
}

}  // namespace holdfast::inline v1
