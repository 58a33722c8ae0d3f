#include "handoff/conversation.h"

#include <algorithm>
#include <map>
#include <utility>

#include "handoff/inline_images.h"
#include "model/when.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kThoughtBegin = "<thinking>\n", kThoughtEnd = "\n</thinking>";

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

bool says_something(const Message& message) {
  return std::ranges::any_of(message.blocks,
                             [](const Block& block) { return block.kind != BlockKind::text || !is_blank(block.text); });
}

// A call: the number of its turn, and its number there.
struct CallPlace {
  bool known = false;
  std::size_t turn = 0, call = 0;
};

class Gatherer {
 public:
  // `aside`: messages of sub-agents are left behind.
  Gatherer(Conversation& into, bool aside) : into_(into), report_(into.report), aside_(aside) {
    time_ = into.head.began;
  }

  void take(const Message& message) {
    if (message.abandoned) return leave("messages of other branches", "the active branch is carried");
    if (message.side && aside_)
      return leave("messages of sub-agents",
                   "their own transcripts stay behind; what they answered is the result of their call");
    if (std::string time = iso_when(message.timestamp); !time.empty()) time_ = std::move(time);
    switch (message.role) {
      case Role::user: return user(message);
      case Role::assistant: return assistant(message);
      case Role::tool: return results(message, message.blocks);
      case Role::system: break;
    }
    if (message.origin == Origin::summary) return prompt(message);
    leave("records of the agent itself", "prompts, settings and notices of one agent mean nothing to another");
  }

  // Every call has a result now.
  void finish() {
    for (Turn& turn : into_.turns) {
      for (std::size_t n = 0; n < turn.results.size(); ++n) {
        if (turn.answered[n]) continue;
        turn.results[n].text = kNoResult;
        turn.results[n].is_error = true;
        turn.answered[n] = true;
        note(report_.changed, "tool calls without a result", "a result that says so was made");
      }
    }
  }

 private:
  void leave(std::string_view kind, std::string_view reason) { note(report_.left_behind, kind, reason); }

  void user(const Message& message) {
    const bool answers =
        std::ranges::any_of(message.blocks, [](const Block& block) { return block.kind == BlockKind::tool_result; });
    if (answers) return results(message, message.blocks);
    if (message.origin == Origin::injected) return leave("context that the agent added", "the next agent adds its own");
    if (message.origin == Origin::notice) return leave("notices", "interruptions and errors of one agent");
    prompt(message);
  }

  Turn& begin(const Message& message, Role role) {
    Turn turn;
    turn.role = role;
    turn.time = time_;
    turn.ordinal = message.ordinal;
    if (!message.id.empty()) turn.ids.push_back(message.id);
    into_.turns.push_back(std::move(turn));
    return into_.turns.back();
  }

  void prompt(const Message& message) {
    if (!says_something(message)) return leave("empty prompts", "they say nothing");
    Turn& turn = begin(message, Role::user);
    turn.summary = message.origin == Origin::summary;
    for (const Block& block : message.blocks) add_said(block, turn);
    if (turn.blocks.empty()) into_.turns.pop_back();
  }

  void add_said(const Block& block, Turn& turn) {
    if (block.kind == BlockKind::text && is_blank(block.text)) return;
    if (block.kind == BlockKind::text || is_media(block.kind))
      turn.blocks.push_back(block);
    else
      leave("blocks of other kinds", "only their agent understands them");
  }

  void assistant(const Message& message) {
    if (message.failed) return leave("errors of the API", "they were no answers");
    if (message.origin == Origin::notice) return leave("notices", "interruptions and errors of one agent");
    if (message.blocks.empty() && message.origin != Origin::model) return;  // figures only
    if (!says_something(message)) return leave("empty answers", "they say nothing, and models refuse them");
    Turn& turn = joins(message) ? into_.turns.back() : begin(message, Role::assistant);
    if (!message.id.empty() && (turn.ids.empty() || turn.ids.back() != message.id)) turn.ids.push_back(message.id);
    turn.response = message.response;
    if (!message.model.empty()) turn.model = message.model;
    for (const Block& block : message.blocks)
      if (block.kind != BlockKind::tool_result) add_answer(block, turn, serves(message));
    if (turn.blocks.empty()) into_.turns.pop_back();
    // What the API itself ran is answered in the same message.
    if (!serves(message)) return;
    std::vector<Block> served = message.blocks;
    std::erase_if(served,
                  [](const Block& block) { return block.kind != BlockKind::tool_result && !is_media(block.kind); });
    results(message, served);
  }

  static bool serves(const Message& message) {
    return std::ranges::any_of(message.blocks, [](const Block& block) { return block.kind == BlockKind::tool_result; });
  }

  // Records of one response, and calls that were made before any of them was answered, are one turn.
  bool joins(const Message& message) const {
    if (into_.turns.empty() || into_.turns.back().role != Role::assistant) return false;
    const Turn& last = into_.turns.back();
    if (!message.response.empty() && message.response == last.response) return true;
    const bool calls =
        std::ranges::any_of(message.blocks, [](const Block& block) { return block.kind == BlockKind::tool_call; });
    return calls && last.calls() > 0 && std::ranges::none_of(last.answered, [](bool came) { return came; });
  }

  void add_answer(const Block& block, Turn& turn, bool served) {
    if (block.kind == BlockKind::tool_call) {
      waiting_[block.id].push_back({true, into_.turns.size() - 1, turn.results.size()});
      turn.blocks.push_back(block);
      turn.results.push_back({.kind = BlockKind::tool_result, .id = block.id});
      turn.answered.push_back(false);
    } else if (block.kind == BlockKind::thinking) {
      if (is_blank(block.text)) return leave("hidden thoughts", "they are encrypted, or were not kept");
      turn.blocks.push_back(block);
    } else if (block.kind == BlockKind::text) {
      if (is_blank(block.text)) return;
      const auto thought = thought_in(block.text);
      turn.blocks.push_back(thought ? Block{.kind = BlockKind::thinking, .text = *thought} : block);
    } else if (is_media(block.kind)) {
      if (served) return;  // it belongs to a result
      turn.blocks.push_back({.kind = BlockKind::text, .text = "[" + media_words(block) + "]"});
      note(report_.changed, "images of answers", "a note stands in their place");
    } else {
      leave("blocks of other kinds", "only their agent understands them");
    }
  }

  void results(const Message& message, const std::vector<Block>& blocks) {
    CallPlace last;
    std::vector<Block> said;
    for (const Block& block : blocks) {
      if (block.kind == BlockKind::tool_result)
        last = result(message, block);
      else if (is_media(block.kind) && last.known)
        into_.turns[last.turn].pictures.push_back({last.call, block});
      else
        said.push_back(block);
    }
    if (message.role != Role::user || message.origin == Origin::injected) return;
    Message rest = message;
    rest.blocks = std::move(said);
    if (says_something(rest)) prompt(rest);
  }

  // Where it went.
  CallPlace result(const Message& message, const Block& block) {
    Block told{.kind = BlockKind::tool_result, .text = block.text, .id = block.id};
    told.is_error = block.is_error;
    if (told.text.empty() && !block.json.empty()) told.text = block.json;
    if (told.text.starts_with(kFailedMark)) {
      told.text.erase(0, kFailedMark.size());
      told.is_error = true;
    }
    const auto calls = waiting_.find(block.id);
    if (calls == waiting_.end()) {
      note(report_.changed, "outputs of tools whose call is not there", "they became text of the person's side");
      begin(message, Role::user).blocks.push_back({.kind = BlockKind::text, .text = std::string(kNoCall) + told.text});
      return {};
    }
    if (calls->second.empty()) {
      leave("second outputs of one call", "a call has one output");
      return {};
    }
    const CallPlace place = calls->second.back();
    calls->second.pop_back();
    Turn& turn = into_.turns[place.turn];
    turn.results[place.call] = std::move(told);
    turn.answered[place.call] = true;
    return place;
  }

  Conversation& into_;
  HandoffReport& report_;
  const bool aside_;
  std::string time_;
  // Calls that wait for a result, by their id.
  std::map<std::string, std::vector<CallPlace>, std::less<>> waiting_;
};

}  // namespace

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

Conversation conversation_of(const Transcript& transcript) {
  Conversation conversation;
  const Session& session = transcript.session;
  conversation.head = {.project = session.project,
                       .title = session.title,
                       .git_branch = session.git_branch,
                       .began = iso_when(session.created_at)};
  if (conversation.head.began.empty()) conversation.head.began = "1970-01-01T00:00:00.000Z";
  // The transcript of a sub-agent is its own conversation.
  const bool has_main = std::ranges::any_of(transcript.messages, [](const Message& one) { return !one.side; });
  Gatherer gatherer(conversation, has_main);
  for (const Message& message : transcript.messages) {
    const bool images = std::ranges::any_of(
        message.blocks, [](const Block& one) { return one.kind == BlockKind::image && one.data.empty(); });
    if (!images) {
      gatherer.take(message);
      continue;
    }
    Message filled = message;
    fill_images(filled);
    gatherer.take(filled);
  }
  gatherer.finish();
  if (!conversation.turns.empty()) conversation.head.began = conversation.turns.front().time;
  for (const Turn& turn : conversation.turns)
    if (!turn.model.empty()) conversation.head.model = turn.model;
  return conversation;
}

}  // namespace holdfast::inline v1
