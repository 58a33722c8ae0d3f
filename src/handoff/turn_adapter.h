// Converts a conversation into one that the next agent could have had: its tools, its
// rules for turns, calls and ids. Thread-safety: one thread per object.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "handoff/conversation.h"
#include "layout/tool_names.h"

namespace holdfast::inline v1 {

struct AdapterOptions {
  NewSessionTraits traits = {};
  std::span<const ToolName> from = {};  // the session's own names for its tools
  std::span<const ToolName> to = {};    // the next agent's names; if both are empty, tools keep their names
  // NewSessionTraits::inferred_origin of the session's own agent.
  Origin (*source_inferred_origin)(std::string_view text) = nullptr;
  bool redact = false;  // replace secrets with placeholders
};

// Takes turns in order and passes them on in the form that the next agent requires.
// Reports what was changed and what is carried.
class TurnAdapter {
 public:
  TurnAdapter(const AdapterOptions& options, HandoffReport& report, std::function<void(Turn)> next)
      : options_(options), report_(report), next_(std::move(next)) {}

  void take(Turn turn);
  void end(const CarriedHead& head);

 private:
  void change(std::string_view kind, std::string_view reason) { note(report_.changed, kind, reason); }
  void hide(std::string& text);
  void redact(Turn& turn);
  void redact_json(std::string& json);
  void redact_block(Block& block);
  bool takes(const Block& media) const;
  void make_utf8(std::string& text);
  std::string instead_of(const Block& media, bool has_place);
  void blocks(Turn& turn);
  void pictures(Turn& turn);
  void calls(Turn& turn);
  bool is_misread(const Turn& turn, std::string_view text) const;
  void unmark_typed(Turn& turn);
  void mark_typed(Turn& turn);
  void tell_success(Block& result);
  void whole_arguments(Block& call);
  void object_arguments(Block& call);
  void text_argument(Block& call);
  void rename(Block& call);
  void fit_name(Block& call);
  std::string fit_id(const std::string& id);
  void put_calls_last(Turn& turn);
  void split(Turn turn);
  void join(Turn turn);
  void hand_on(Turn turn);
  void count(const Turn& turn);

  const AdapterOptions options_;
  const NewSessionTraits traits_ = options_.traits;
  HandoffReport& report_;
  const std::function<void(Turn)> next_;
  std::optional<Turn> held_;  // if sides alternate: the last turn, which the next one may join
  bool begun_ = false, models_ = false;
  std::set<std::string, std::less<>> ids_;
  std::uint64_t made_ = 0;
};

}  // namespace holdfast::inline v1
