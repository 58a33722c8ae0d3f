// Formats the lines of a Linggen session.
#include "layout/change.h"
#include "layout/linggen/line.h"
#include "layout/linggen/linggen_layout.h"
#include "layout/linggen/paths.h"
#include "layout/moment.h"
#include "layout/writable_layout.h"
#include "model/time_formats.h"
#include "text/json_scan.h"

namespace holdfast::inline v1::linggen {
namespace {

class LinggenPen final : public LineWriter {
 public:
  LinggenPen(std::string folder, std::string agent) : folder_(std::move(folder)), agent_(std::move(agent)) {}

  Place log() const override { return at_home(messages_log(folder_)); }

  bool needs_last_record(const Message& draft) const override { return draft.agent.empty() && agent_.empty(); }

  Result<Changes> beside(Message&) override { return Changes(); }

  Result<Spelling> spell(const Message& draft, std::string_view last, const Moment& moment) override {
    std::string agent = draft.agent.empty() ? agent_ : draft.agent;
    if (agent.empty()) agent = JsonView(last).find("agent_id").as_string().value_or("");
    if (agent.empty()) agent = kDefaultAgent;
    const auto time = parse_any_time(draft.timestamp).value_or(moment.now);
    Spelling spelling;
    const auto second = std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
    const bool nameless = draft.response.empty() && draft.blocks.size() > 1;
    HOLDFAST_LET(lines, spell_lines(draft, agent, second, nameless ? made_up_response(moment.entropy()) : ""));
    spelling.lines = std::move(lines);
    spelling.id = draft.id;
    return spelling;
  }

  // An offset names a line for a fork, but no line says what it follows.
  bool names_by_offset() const override { return true; }
  std::string_view parents_are() const override { return "; only a message that was given an id can be a parent"; }

  std::string id_in(std::string_view record) const override {
    return JsonView(record).find(kRest).find("id").as_string().value_or("");
  }

  Result<Spelling> spell_raw(std::string_view line, std::string_view, const Moment&) override {
    if (!is_json_object_line(line))
      return fail(Code::invalid_record, "a raw line must be one JSON object without line breaks",
                  messages_log(folder_));
    Spelling spelling;
    spelling.lines.emplace_back(line);
    return spelling;
  }

 private:
  std::string folder_;
  std::string agent_;
};

}  // namespace

std::unique_ptr<LineWriter> make_line_writer(std::string folder, std::string agent) {
  return std::make_unique<LinggenPen>(std::move(folder), std::move(agent));
}

}  // namespace holdfast::inline v1::linggen
