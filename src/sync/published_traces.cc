#include "sync/published_traces.h"

#include <holdfast/log_reader.h>

#include "archive/archive.h"
#include "sync/content.h"

namespace holdfast::inline v1 {

Result<std::map<CaptureKey, Traces>> published_traces(const Context& context, ArchiveWriter& writer,
                                                      const NamesOfChunk& names_of) {
  std::map<CaptureKey, Traces> all;
  auto reader = LogReader::open(context, writer.root().directory(), kCaptureLog);
  if (!reader && reader.error().code == Code::not_found) return all;
  if (!reader) return fail(std::move(reader).error());
  Record record;
  while (true) {
    HOLDFAST_LET(more, reader->next(record));
    if (!more) break;
    const auto line = read_capture(record.bytes);
    if (!line) continue;
    std::string files = line->files;
    for (const std::string& chunk : line->chunks) files += writer.packs().read(chunk).value_or("");
    Traces& its = all[line->capture.session];
    const OpOrigin origin = read_origin(line->capture.origin);
    its.seqs.insert(origin.seq);
    if (origin.base == 0) its.needed.clear();
    its.needed.insert(origin.seq);
    SegmentContent content;
    content.ops.push_back("{\"state\":{\"files\":" + files +
                          ",\"origin\":" + (line->capture.origin.empty() ? "{}" : line->capture.origin) + "}}");
    for (const auto& [chunk, policy] : chunks_of(content))
      for (std::string& name : names_of(policy, chunk)) its.chunks.insert(std::move(name));
  }
  return all;
}

}  // namespace holdfast::inline v1
