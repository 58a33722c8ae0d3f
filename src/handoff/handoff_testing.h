// Builds conversations for tests, and compares them.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <utility>
#include <vector>

#include "handoff/conversation.h"
#include "handoff/hand_off.h"
#include "handoff/tool_table.h"
#include "handoff/turn_adapter.h"

namespace holdfast::inline v1 {

inline Message said(Role role, std::string text, Origin origin = Origin::typed) {
  Message message;
  message.role = role;
  message.origin = role == Role::assistant && origin == Origin::typed ? Origin::model : origin;
  message.blocks.push_back({.kind = BlockKind::text, .text = std::move(text)});
  return message;
}
inline Message asks(std::vector<Block> blocks) {
  Message message;
  message.role = Role::assistant;
  message.origin = Origin::model;
  message.blocks = std::move(blocks);
  return message;
}
inline Block call(std::string id, std::string name, std::string json) {
  return {.kind = BlockKind::tool_call, .id = std::move(id), .name = std::move(name), .json = std::move(json)};
}
inline Message gives(std::string id, std::string text, bool failed = false) {
  Message message;
  message.role = Role::tool;
  message.origin = Origin::tool;
  message.blocks.push_back({.kind = BlockKind::tool_result, .text = std::move(text), .id = std::move(id)});
  message.blocks.back().is_error = failed;
  return message;
}
inline Transcript transcript(std::vector<Message> messages, std::string layout = "claude-code") {
  Transcript all;
  all.session.id = "s";
  all.session.layout = std::move(layout);
  all.session.project = "/srv/proj";
  all.session.title = "A title";
  all.session.created_at = "2026-11-15T03:00:00.000Z";
  all.messages = std::move(messages);
  std::int64_t ordinal = 0;
  for (Message& message : all.messages) message.ordinal = ordinal++;
  return all;
}

// Cuts a conversation in memory like one that is walked.
inline Result<void> cut(Conversation& conversation, const CutOptions& options) {
  Survey survey;
  Surveyor surveyor(survey, options);
  for (std::size_t n = 0; n < conversation.turns.size(); ++n) {
    survey.messages = static_cast<std::uint64_t>(conversation.turns[n].ordinal) + 1;
    surveyor.take(n, conversation.turns[n]);
  }
  HOLDFAST_LET(first, cut(survey, options, conversation.report));
  conversation.turns.erase(conversation.turns.begin(), conversation.turns.begin() + static_cast<std::ptrdiff_t>(first));
  if (!conversation.turns.empty()) conversation.head.began = conversation.turns.front().time;
  return {};
}
inline void suit(Conversation& conversation, const AdapterOptions& options) {
  std::vector<Turn> suited;
  TurnAdapter tailor(options, conversation.report, [&](Turn turn) { suited.push_back(std::move(turn)); });
  for (Turn& turn : conversation.turns) tailor.take(std::move(turn));
  tailor.end(conversation.head);
  conversation.turns = std::move(suited);
}
// What `to` would receive.
inline Result<Conversation> prepare_handoff(const Transcript& transcript, const Layout& to,
                                            const HandoffOptions& options) {
  RereadableTranscript told(transcript);
  HOLDFAST_LET(plan, plan_handoff(told, to, options));
  Conversation conversation{.head = plan.part.head};
  HOLDFAST_LET(done, hand_on(told, plan, [&](Turn turn) -> Result<void> {
                 conversation.turns.push_back(std::move(turn));
                 return {};
               }));
  conversation.report = std::move(done.report);
  return conversation;
}

// What a hand-off must preserve: texts in order; calls in order, each with its output.
struct Essence {
  std::vector<std::string> texts, thoughts, calls;
  bool operator==(const Essence&) const = default;
};

inline Essence essence_of(const Conversation& conversation, std::span<const ToolName> names) {
  Essence essence;
  for (const Turn& turn : conversation.turns) {
    std::size_t number = 0;
    for (const Block& block : turn.blocks) {
      if (block.kind == BlockKind::text) {
        const auto thought = turn.role == Role::assistant ? thought_in(block.text) : std::nullopt;
        if (thought)
          essence.thoughts.push_back(*thought);
        else
          essence.texts.push_back(std::string(role_name(turn.role)) + ": " + block.text);
      } else if (block.kind == BlockKind::thinking) {
        essence.thoughts.push_back(block.text);
      } else if (block.kind == BlockKind::image) {
        essence.texts.push_back("image " + block.media_type + " " + block.data);
      } else if (block.kind == BlockKind::tool_call) {
        const Block& result = turn.results[number++];
        std::string output = result.text;
        bool failed = result.is_error;
        if (output.starts_with(kFailedMark)) {
          output.erase(0, kFailedMark.size());
          failed = true;
        }
        const auto common = to_common(names, block.name, block.json);
        essence.calls.push_back(
            (common ? std::string(tool_word(common->tool)) + " " + common->json : block.name + " " + block.json) +
            (failed ? " fails: " : " gives: ") + output);
      }
    }
  }
  return essence;
}

}  // namespace holdfast::inline v1
