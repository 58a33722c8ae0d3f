#include "layout/open_agent/line_writer.h"

#include "base/time.h"
#include "layout/change.h"
#include "layout/moment.h"
#include "layout/open_agent/header.h"
#include "layout/open_agent/line.h"
#include "layout/open_agent/paths.h"
#include "layout/open_agent/spill.h"
#include "layout/writable_layout.h"
#include "model/time_formats.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_write.h"

namespace holdfast::inline v1::open_agent {
namespace {

class OpenAgentPen final : public LineWriter {
 public:
  explicit OpenAgentPen(LineStart start) : start_(std::move(start)) {}

  Place log() const override { return start_.ref.place; }

  // Also with a named parent: an empty log needs its header, and a parent that is not
  // the last message must be marked.
  bool needs_last_record(const Message&) const override { return true; }

  // Results that are too large for a message go to files beside the log (O13).
  Result<Changes> beside(Message& draft) override {
    Changes spilled;
    for (Block& block : draft.blocks) {
      if (block.kind != BlockKind::tool_result || !block.json.empty() || !is_large(block.text)) continue;
      std::string name = spill_name(block.id);
      if (start_.spilled.contains(name)) name = spill_name_again(block.id, block.text);
      start_.spilled.insert(name);
      const std::string path = results_folder(folder_of(start_.ref), start_.ref.id) + "/" + name;
      std::string preview = preview_text(block.text, path);
      spilled.put(at(path), std::move(block.text));
      block.text = std::move(preview);
    }
    return spilled;
  }

  Result<Spelling> spell(const Message& draft, std::string_view last, const Moment& moment) override {
    Message message = draft;
    if (message.id.empty()) message.id = new_uuid(moment);
    if (const auto time = parse_any_time(message.timestamp)) {
      message.timestamp = iso8601(*time);
    } else {
      message.timestamp = iso8601(moment.now);
    }
    LineStamp stamp{start_.ref.id, true, false};
    if (!last.empty()) {
      const ReadLine before = read_line(last);
      const std::string& follows = before.kind == LineKind::leaf ? before.leaf : before.message.id;
      stamp.branches = !message.parent.empty() && message.parent != follows;
      if (message.parent.empty()) {
        message.parent = follows;
        // The last line has no id: the reader lets our line follow the one before it.
        stamp.knows_parent = !follows.empty() || before.kind == LineKind::header;
      }
    }
    std::string last_id;
    auto lines = message_lines(message, stamp, [&] { return new_uuid(moment); }, last_id);
    HOLDFAST_TRY(check_lines(message, lines));
    HOLDFAST_LET(spelling, begin(last, moment));
    spelling.id = std::move(last_id);
    for (std::string& line : lines) spelling.lines.push_back(std::move(line));
    return spelling;
  }

  std::string id_in(std::string_view record) const override {
    return JsonView(record).find("uuid").as_string().value_or("");
  }

  Result<Spelling> spell_raw(std::string_view line, std::string_view last, const Moment& moment) override {
    if (!is_json_object_line(line))
      return fail(Code::invalid_record, "a raw line must be one JSON object without line breaks",
                  start_.ref.place.path);
    const ReadLine read = read_line(line);
    if (read.kind == LineKind::header)
      return fail(Code::invalid_argument, "a session_header is not a message; use an update to change its fields");
    if (!read.session_id.empty() && !JsonView(read.session_id).is_string(start_.ref.id))
      return fail(Code::invalid_argument, "session_id " + std::string(read.session_id) +
                                              " of the message is not that of the session " + start_.ref.id);
    HOLDFAST_LET(spelling, begin(last, moment));
    spelling.id = read.message.id;
    if (!read.session_id.empty()) {
      spelling.lines.emplace_back(line);
      return spelling;
    }
    HOLDFAST_LET(stamped, json_set(line, {"session_id"}, JsonWriter().string(start_.ref.id).take()));
    spelling.lines.push_back(std::move(stamped));
    return spelling;
  }

 private:
  // The header goes with the first message (O01), and again if that could not be written.
  Result<Spelling> begin(std::string_view last, const Moment& moment) {
    Spelling spelling;
    if (last.empty()) {
      std::string header = start_.header;
      for (const std::string_view key : {"createdAt", "updatedAt"}) {
        if (JsonView(header).find(key).as_int64().value_or(0) != 0) continue;
        HOLDFAST_LET(dated, json_set(header, {JsonStep(key)}, std::to_string(epoch_ms(moment))));
        header = std::move(dated);
      }
      spelling.lines.push_back(std::move(header));
    }
    return spelling;
  }

  LineStart start_;
};

}  // namespace

std::unique_ptr<LineWriter> make_line_writer(LineStart start) {
  return std::make_unique<OpenAgentPen>(std::move(start));
}

}  // namespace holdfast::inline v1::open_agent
