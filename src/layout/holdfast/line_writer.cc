// Formats the lines of a native session.
#include <algorithm>

#include "base/id.h"
#include "base/time.h"
#include "layout/change.h"
#include "layout/holdfast/line.h"
#include "layout/holdfast/native_layout.h"
#include "layout/holdfast/paths.h"
#include "layout/moment.h"
#include "layout/writable_layout.h"
#include "model/marker.h"
#include "model/time_formats.h"
#include "text/json_scan.h"

namespace holdfast::inline v1::native {
namespace {

// The message that the next one follows, according to a line of the log; empty if the line does not say.
std::string parent_after(std::string_view last) {
  const JsonView line(last);
  switch (kind_of_line(line)) {
    case LineKind::message: return line.find("id").as_string().value_or("");
    case LineKind::leaf: return line.find("message").as_string().value_or("");
    case LineKind::session:
    case LineKind::other: return {};
  }
  return {};
}

class NativePen final : public LineWriter {
 public:
  NativePen(std::string id, std::string folder, SessionDraft draft, std::string created_at)
      : id_(std::move(id)), folder_(std::move(folder)), draft_(std::move(draft)), created_at_(std::move(created_at)) {}

  Place log() const override { return {std::string(kRoot), messages_log(folder_)}; }

  // Also with a named parent: an empty log needs its first line.
  bool needs_last_record(const Message&) const override { return true; }

  // Unknown lines, and messages without an id, are not part of the tree.
  bool marks_end(std::string_view record) const override { return !parent_after(record).empty(); }

  Result<Changes> beside(Message& draft) override {
    Changes blobs;
    // Formats the message once more than needed, but only if it may have a blob.
    const auto large = [](const Block& block) { return !block.data.empty() || block.text.size() > kBlobOver; };
    if (std::ranges::any_of(draft.blocks, large)) (void)message_line(draft, blobs);
    return blobs;
  }

  Result<Spelling> spell(const Message& draft, std::string_view last, const Moment& moment) override {
    Message message = draft;
    if (message.id.empty()) message.id = make_id("msg", moment.entropy(), kMaxIdLetters);
    // What follows a boundary is the active conversation: a boundary is a new root (O16) unless its writer
    // names a parent, as the import of another agent's tree does.
    if (message.parent.empty() && !is_compact_boundary(message)) message.parent = parent_after(last);
    const auto time = parse_any_time(message.timestamp);
    if (!time) message.timestamp = iso8601(moment.now);
    Spelling spelling = begin(last);
    spelling.id = message.id;
    spelling.lines.push_back(message_line(message, spelling.first));
    return spelling;
  }

  std::vector<Place> refers_to(const Message& draft) const override {
    std::vector<Place> blobs;
    for (const Block& block : draft.blocks) {
      if (is_media(block.kind) && block.data.empty() && !block.blob.empty())
        blobs.push_back({std::string(kRoot), blob_path(block.blob)});
    }
    return blobs;
  }

  std::string id_in(std::string_view record) const override {
    const JsonView line(record);
    return kind_of_line(line) == LineKind::message ? line.find("id").as_string().value_or("") : std::string();
  }

  // Any JSON object is accepted; it is part of the tree only as {"type":"message","id",...}.
  Result<Spelling> spell_raw(std::string_view line, std::string_view last, const Moment&) override {
    if (!is_json_object_line(line))
      return fail(Code::invalid_record, "a raw line must be one JSON object without line breaks",
                  messages_log(folder_));
    Spelling spelling = begin(last);
    spelling.id = JsonView(line).find("id").as_string().value_or("");
    spelling.lines.emplace_back(line);
    return spelling;
  }

 private:
  Spelling begin(std::string_view last) {
    Spelling spelling;
    if (last.empty()) spelling.lines.push_back(session_line(id_, draft_, created_at_));
    return spelling;
  }

  std::string id_;
  std::string folder_;
  SessionDraft draft_;
  std::string created_at_;
};

}  // namespace

std::unique_ptr<LineWriter> make_line_writer(std::string id, std::string folder, SessionDraft draft,
                                             std::string created_at) {
  return std::make_unique<NativePen>(std::move(id), std::move(folder), std::move(draft), std::move(created_at));
}

}  // namespace holdfast::inline v1::native
