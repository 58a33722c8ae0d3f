#include "archive/log_lines.h"

#include <holdfast/log_reader.h>

#include "text/json_value.h"

namespace holdfast::inline v1 {

Result<std::vector<LogLine>> log_lines(const Context& context, Directory& directory) {
  std::vector<LogLine> lines;
  auto reader = LogReader::open(context, directory, kCaptureLog);
  if (!reader && reader.error().code == Code::not_found) return lines;
  if (!reader) return fail(std::move(reader).error());
  Record record;
  while (true) {
    HOLDFAST_LET(more, reader->next(record));
    if (!more) return lines;
    auto line = read_capture(record.bytes);
    if (line) lines.push_back({std::move(*line), std::string(record.bytes)});
  }
}

Result<std::string> files_in(const CaptureLine& line, Packs& packs) {
  std::string joined = line.files;
  for (const std::string& chunk : line.chunks) {
    HOLDFAST_LET(part, packs.read(chunk));
    joined += part;
  }
  return joined;
}

Result<void> note_names(const CaptureLine& line, Packs& packs, std::unordered_set<std::string>& needed) {
  needed.insert(line.chunks.begin(), line.chunks.end());
  HOLDFAST_LET(files, files_in(line, packs));
  for (const JsonItem& file : JsonView(files).elements()) {
    for (const JsonItem& block : file.value.find("add").elements()) {
      JsonView name = block.value;
      if (name.kind() == JsonKind::array) {
        for (const JsonItem& first : block.value.elements()) {
          name = first.value;
          break;
        }
      }
      needed.insert(name.as_string().value_or(""));
    }
  }
  return {};
}

}  // namespace holdfast::inline v1
