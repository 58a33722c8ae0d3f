// pi does not load a log without its first entry; most of it can be derived from the name TIME_UUID.jsonl.
#include "layout/pi/pi_layout.h"
#include "layout/session_rescue.h"
#include "layout/tool_dialect_parts.h"

namespace holdfast::inline v1::pi {
namespace {

class PiRescue final : public SessionRescue {
 public:
  bool is_header(JsonView record) const override { return record.find("type").is_string("session"); }
  bool follows_header(JsonView record) const override {
    return record.find("type").is_string("message") && record.find("parentId");
  }

  std::string make_header(Feed&, const Place&, const HeaderlessLog& left) const override {
    const std::string_view name = left.name;
    const std::size_t line = name.find('_');
    if (line == std::string_view::npos || !name.ends_with(".jsonl")) return {};
    JsonWriter json;
    json.begin_object().key("type").string("session").key("version").int64(3);
    json.key("id").string(name.substr(line + 1, name.size() - line - 7));
    json.key("timestamp").string(string_in(JsonView(left.records.front().bytes), "timestamp"));
    return json.key("cwd").string(string_in_piece(left.piece, "cwd")).end_object().take();
  }
};

}  // namespace

const SessionRescue& rescue() {
  static const PiRescue rescue;
  return rescue;
}

}  // namespace holdfast::inline v1::pi
