#include "handoff/conversation.h"

#include <algorithm>
#include <utility>

#include "handoff/attachments.h"
#include "handoff/citations.h"
#include "handoff/inline_media.h"
#include "handoff/raw_records.h"
#include "model/time_formats.h"
#include "text/json_string.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kWhyOtherKinds = "Holdfast does not know how to write them for another session";
constexpr std::string_view kThoughtBegin = "<thinking>\n", kThoughtEnd = "\n</thinking>";

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

bool says_something(const Message& message) {
  return std::ranges::any_of(message.blocks,
                             [](const Block& block) { return block.kind != BlockKind::text || !is_blank(block.text); });
}

bool has_results(const Message& message) {
  return std::ranges::any_of(message.blocks, [](const Block& block) { return block.kind == BlockKind::tool_result; });
}

// Whether a string in the value has half a surrogate pair, which UTF-8 cannot represent: readers replace it.
bool has_half_character(JsonView value, int levels = 64) {
  if (levels == 0) return false;
  if (value.kind() == JsonKind::string) return !json_string_is_text(value.raw());
  bool found = false;
  if (value.kind() == JsonKind::array)
    for (const JsonItem& item : value.elements()) found = found || has_half_character(item.value, levels - 1);
  if (value.kind() == JsonKind::object)
    for (const JsonItem& item : value.fields()) found = found || has_half_character(item.value, levels - 1);
  return found;
}

// Passes nothing on before the end.
class TurnCollector final : public TurnSink {
 public:
  explicit TurnCollector(std::vector<Turn>& turns) : turns_(turns) {}
  bool is_whole(std::size_t /*number*/, const Turn& /*turn*/) override { return false; }
  void take(std::size_t /*number*/, Turn turn) override { turns_.push_back(std::move(turn)); }
  void take_late(std::size_t /*number*/, const Block& /*block*/) override {}

 private:
  std::vector<Turn>& turns_;
};

}  // namespace

bool has_only_outputs(const Turn& turn) { return turn.role == Role::user && are_kept_outputs(turn.blocks); }

TurnBuilder::TurnBuilder(TurnSink& taker, HandoffReport& report, TurnBuilderOptions options)
    : taker_(taker), report_(report), options_(std::move(options)), time_(options_.began) {}

void TurnBuilder::take(Message message) {
  fill_media(message);
  read_attachments(message);
  fill_citations(message);
  if (message.abandoned) return leave(kOtherBranches, "the active branch is carried");
  if (message.side && options_.aside) return leave(kOfSubAgents, kWhySubAgents);
  if (std::string time = to_iso_time(message.timestamp); !time.empty()) time_ = std::move(time);
  calls_.begin(message);
  switch (message.role) {
    case Role::user: user(message); break;
    case Role::assistant: assistant(message); break;
    case Role::tool: results(message, message.blocks); break;
    case Role::system:
      if (message.origin == Origin::summary)
        prompt(message);
      else
        leave("records of the agent itself", "prompts, settings and notices of one agent mean nothing to another");
      break;
  }
  hand_on_whole();
}

void TurnBuilder::end() {
  leave_commands();
  while (!turns_.empty()) hand_on();
}

void TurnBuilder::leave(std::string_view kind, std::string_view reason) {
  if (begun() >= options_.first) note(report_.left_behind, kind, reason);
}

void TurnBuilder::note_in_turn(std::vector<ReportLine>& lines, std::string_view kind, std::string_view reason) {
  if (begun() > options_.first) note(lines, kind, reason);
}

// Keeps the last turn: the next message may still join it.
void TurnBuilder::hand_on_whole() {
  while (turns_.size() > 1 && taker_.is_whole(handed_on_, turns_.front())) hand_on();
}

void TurnBuilder::hand_on() {
  Turn& turn = turns_.front();
  for (std::size_t n = 0; options_.made_results && n < turn.results.size(); ++n) {
    if (turn.answered[n]) continue;
    turn.results[n].text = kNoResult;
    turn.results[n].is_error = true;
    if (handed_on_ >= options_.first)
      note(report_.changed, "tool calls without a result", "a result saying so was added");
  }
  taker_.take(handed_on_++, std::move(turn));
  turns_.pop_front();
}

void TurnBuilder::user(const Message& message) {
  if (has_results(message)) return results(message, message.blocks);
  if (message.origin == Origin::injected) return leave_injected(message);
  if (message.origin == Origin::notice) return leave("notices", "interruptions and errors of one agent");
  if (message.origin == Origin::command) return commands_.push_back(message);
  if (are_kept_outputs(message.blocks)) return kept_output(message);
  prompt(message);
}

// Attachments are named, because no agent adds them on its own: a PDF that a tool read, for example.
void TurnBuilder::leave_injected(const Message& message) {
  bool others = message.blocks.empty();
  for (const Block& block : message.blocks) {
    if (is_media(block.kind))
      leave(media_kind(block.kind), "the agent added them, after reading a file for example");
    else
      others = true;
  }
  if (others) leave("context that the agent added", "the next agent adds its own");
}

// The output of a missing call that a rescue or another hand-off kept as text. It becomes one text after its sentence,
// so that it is recognized even beside a prompt.
void TurnBuilder::kept_output(const Message& message) {
  leave_commands();
  Turn& turn = begin(message, Role::user);
  for (const Block& block : message.blocks) {
    if (block.kind == BlockKind::text && !turn.blocks.empty() && !is_kept_output(block.text))
      turn.blocks.front().text += block.text;
    else
      add_said(block, turn);
  }
  if (turn.blocks.empty()) return turns_.pop_back();
  note_halves(message, false);
}

void TurnBuilder::leave_commands() {
  for ([[maybe_unused]] const Message& command : std::exchange(commands_, {}))
    leave("commands and their output", "meant for the agent itself");
}

// If the model answers a command that takes the place of a prompt, from a template for example, it is the prompt.
void TurnBuilder::ask_commands() {
  const bool open = turns_.empty() || (turns_.back().role == Role::assistant && turns_.back().calls() == 0);
  if (!open) return leave_commands();
  for (const Message& command : std::exchange(commands_, {})) {
    const std::size_t before = begun();
    prompt(command);
    if (begun() > before) note_in_turn(report_.changed, "commands that the model answered", "carried as typed text");
  }
}

Turn& TurnBuilder::begin(const Message& message, Role role) {
  Turn turn;
  turn.role = role;
  turn.time = time_;
  turn.ordinal = message.ordinal;
  if (!message.id.empty()) turn.ids.push_back(message.id);
  turns_.push_back(std::move(turn));
  return turns_.back();
}

void TurnBuilder::prompt(const Message& message) {
  leave_commands();
  if (!says_something(message)) return leave("empty prompts", "there is nothing to carry");
  Turn& turn = begin(message, Role::user);
  turn.summary = message.origin == Origin::summary;
  for (const Block& block : message.blocks) add_said(block, turn);
  if (turn.blocks.empty()) return turns_.pop_back();
  note_halves(message, false);
}

void TurnBuilder::empty_text() { note_in_turn(report_.left_behind, "empty texts", "there is nothing to carry"); }

// Reports the texts of a message, or its `outputs`, in which readers replaced half a character.
void TurnBuilder::note_halves(const Message& message, bool outputs) {
  const auto count = std::ranges::count_if(message.blocks, [&](const Block& block) {
    return (block.kind == BlockKind::tool_result) == outputs && block.text.contains("\xEF\xBF\xBD");
  });
  if (count == 0 || begun() <= options_.first) return;
  bool halves = false;
  visit_records(message.raw, [&](JsonView record) { halves = halves || has_half_character(record); });
  if (halves)
    note(report_.changed, "texts with half a character", "U+FFFD replaces it: it is not valid Unicode",
         static_cast<std::uint64_t>(count));
}

void TurnBuilder::add_said(const Block& block, Turn& turn) {
  if (block.kind == BlockKind::text && is_blank(block.text)) return empty_text();
  if (block.kind == BlockKind::text || is_media(block.kind))
    turn.blocks.push_back(block);
  else
    note_in_turn(report_.left_behind, "blocks of other kinds", kWhyOtherKinds);
}

void TurnBuilder::assistant(const Message& message) {
  if (message.failed) return leave("errors of the API", "an error is not an answer");
  if (message.origin == Origin::notice) return leave("notices", "interruptions and errors of one agent");
  if (message.usage && *message.usage != Usage{}) leave("token counts", "the next agent counts its own");
  if (message.blocks.empty() && message.origin != Origin::model) return;  // token counts only
  if (!says_something(message)) return leave("empty answers", "models refuse empty answers");
  if (!commands_.empty()) ask_commands();
  Turn& turn = joins(message) ? turns_.back() : begin(message, Role::assistant);
  if (!message.id.empty() && (turn.ids.empty() || turn.ids.back() != message.id)) turn.ids.push_back(message.id);
  turn.response = message.response;
  if (!message.model.empty() && !turn.model.empty() && turn.model != message.model)
    note_in_turn(report_.left_behind, "names of models", "of parallel calls, only the last one keeps its model");
  if (!message.model.empty()) turn.model = message.model;
  for (const Block& block : message.blocks)
    if (block.kind != BlockKind::tool_result) add_answer(block, turn, has_results(message));
  note_halves(message, false);
  if (begun() > options_.first)
    note(report_.changed, "results of web searches",
         "their titles and addresses are carried: only the API can read the rest", encrypted_results_in(message));
  if (turn.blocks.empty()) turns_.pop_back();
  // The results of tools that the API itself ran are in the same message.
  if (!has_results(message)) return;
  std::vector<Block> served = message.blocks;
  std::erase_if(served,
                [](const Block& block) { return block.kind != BlockKind::tool_result && !is_media(block.kind); });
  results(message, served);
}

// Records of one response, and calls made before any of them was answered, form one turn.
bool TurnBuilder::joins(const Message& message) const {
  if (turns_.empty() || turns_.back().role != Role::assistant) return false;
  const Turn& last = turns_.back();
  if (!message.response.empty() && message.response == last.response) return true;
  const bool calls =
      std::ranges::any_of(message.blocks, [](const Block& block) { return block.kind == BlockKind::tool_call; });
  return calls && last.calls() > 0 && std::ranges::none_of(last.answered, [](bool came) { return came; });
}

void TurnBuilder::add_answer(const Block& block, Turn& turn, bool served) {
  if (block.kind == BlockKind::tool_call) {
    calls_.call(block.id, {true, begun() - 1, turn.results.size()});
    turn.blocks.push_back(block);
    turn.results.push_back({.kind = BlockKind::tool_result, .id = block.id});
    turn.answered.push_back(false);
    turn.result_times.emplace_back();
  } else if (block.kind == BlockKind::thinking) {
    if (is_blank(block.text)) return note_in_turn(report_.left_behind, "hidden thoughts", "encrypted, or not kept");
    turn.blocks.push_back(block);
  } else if (block.kind == BlockKind::text) {
    if (is_blank(block.text)) return empty_text();
    turn.blocks.push_back(block);
  } else if (is_media(block.kind)) {
    if (served) return;  // belongs to a result
    turn.blocks.push_back({.kind = BlockKind::text, .text = "[" + media_words(block) + "]"});
    note_in_turn(report_.changed, block.kind == BlockKind::image ? "images of answers" : media_kind(block.kind),
                 "a note replaces them");
  } else {
    note_in_turn(report_.left_behind, "blocks of other kinds", kWhyOtherKinds);
  }
}

void TurnBuilder::results(const Message& message, const std::vector<Block>& blocks) {
  CallPlace last;
  std::vector<Block> said;
  for (const Block& block : blocks) {
    if (block.kind == BlockKind::tool_result)
      last = result(message, block);
    else if (is_media(block.kind) && last.known)
      add_picture(last, block);
    else
      said.push_back(block);
  }
  note_halves(message, true);
  if (message.role != Role::user || message.origin == Origin::injected) {
    for (const Block& block : said)
      if (block.kind != BlockKind::text || !is_blank(block.text))
        leave("texts beside tool outputs", "added by the agent");
    return;
  }
  Message rest = message;
  rest.blocks = std::move(said);
  if (says_something(rest)) prompt(rest);
}

void TurnBuilder::add_picture(const CallPlace& place, const Block& picture) {
  if (place.turn < handed_on_)
    taker_.take_late(place.turn, picture);
  else
    turns_[place.turn - handed_on_].pictures.push_back({place.call, picture});
}

// Whether the person or the model spoke, or a later call was answered, before this result.
bool TurnBuilder::comes_late(const CallPlace& place) const {
  if (place.turn + 1 < begun()) return true;
  const std::vector<bool>& answered = turns_.back().answered;
  return std::find(answered.begin() + static_cast<std::ptrdiff_t>(place.call), answered.end(), true) != answered.end();
}

// Returns the call that the result was added to.
TurnBuilder::CallPlace TurnBuilder::result(const Message& message, const Block& block) {
  Block told{.kind = BlockKind::tool_result, .text = block.text, .id = block.id};
  told.is_error = block.is_error;
  if (told.text.empty() && !block.json.empty()) told.text = block.json;
  const std::optional<CallPlace> call = calls_.result(block.id);
  if (!call && !calls_.has_call(block.id)) {
    begin(message, Role::user).blocks.push_back({.kind = BlockKind::text, .text = std::string(kNoCall) + told.text});
    note_in_turn(report_.changed, "tool outputs whose call is missing", "converted to text on the user's side");
    return {};
  }
  if (!call) {
    leave("second outputs of one call", "a call has one output");
    return {};
  }
  const CallPlace place = *call;
  if (place.turn >= options_.first && comes_late(place))
    note(report_.changed, "outputs that came later", "each output now directly follows its call");
  if (place.turn < handed_on_) {
    taker_.take_late(place.turn, told);
    return place;
  }
  Turn& turn = turns_[place.turn - handed_on_];
  turn.results[place.call] = std::move(told);
  turn.answered[place.call] = true;
  turn.result_times[place.call] = time_;
  return place;
}

std::optional<std::string> thought_in(std::string_view text) {
  if (!text.starts_with(kThoughtBegin) || !text.ends_with(kThoughtEnd)) return std::nullopt;
  if (text.size() <= kThoughtBegin.size() + kThoughtEnd.size()) return std::nullopt;
  text.remove_prefix(kThoughtBegin.size());
  text.remove_suffix(kThoughtEnd.size());
  return text.find("</thinking>") == std::string_view::npos ? std::optional(std::string(text)) : std::nullopt;
}

std::string thought_as_text(std::string_view thought) {
  return std::string(kThoughtBegin) + std::string(thought) + std::string(kThoughtEnd);
}

CarriedHead head_of(const Session& session) {
  CarriedHead head{.project = session.project,
                   .title = session.title,
                   .git_branch = session.git_branch,
                   .began = to_iso_time(session.created_at)};
  if (head.began.empty()) head.began = "1970-01-01T00:00:00.000Z";
  return head;
}

Conversation conversation_of(const Transcript& transcript) {
  Conversation conversation{.head = head_of(transcript.session)};
  // The transcript of a sub-agent is its own conversation.
  const bool has_main = std::ranges::any_of(transcript.messages, [](const Message& one) { return !one.side; });
  TurnCollector keeper(conversation.turns);
  TurnBuilder gatherer(keeper, conversation.report,
                       {.aside = has_main, .began = conversation.head.began, .made_results = true});
  for (const Message& message : transcript.messages) gatherer.take(message);
  gatherer.end();
  if (!conversation.turns.empty()) conversation.head.began = conversation.turns.front().time;
  for (const Turn& turn : conversation.turns)
    if (!turn.model.empty()) conversation.head.model = turn.model;
  return conversation;
}

}  // namespace holdfast::inline v1
