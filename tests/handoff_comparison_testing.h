// Compares two sessions: the one that was handed off, and the new one as its reader reads it. Knows nothing of how a
// hand-off works; the kinds are those of its report.
#pragma once

#include <holdfast/store.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "handoff/attachments.h"
#include "handoff/citations.h"
#include "handoff/conversation.h"
#include "handoff/inline_media.h"
#include "handoff/tool_table.h"
#include "layout/layout.h"
#include "model/time_formats.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

using KindCounts = std::map<std::string, std::uint64_t, std::less<>>;

// A text, a thought, a picture or a call, as it was on one side.
struct ConversationItem {
  Block block = {};
  bool person = false;
  bool orphan = false;  // the output of a call that is missing
  // If this is a call, its output.
  bool answered = false;
  Block result = {};
  std::vector<Block> pictures = {};
  std::string given_at = {};  // the time of its output
  std::int64_t given_in = 0;  // the number of the message with its output
  std::size_t calls_before = 0;
};

// What a number refers to: a text, a call, or the call that an output belongs to.
enum class HeardKind { text, call, output };

struct Flattened {
  std::vector<ConversationItem> said = {}, calls = {};
  std::vector<std::pair<HeardKind, std::size_t>> heard = {};  // in order
  std::uint64_t prompts = 0;                                  // turns of the user's side
  std::uint64_t asked = 0;  // those that are more than outputs whose calls are missing
  std::uint64_t answers = 0;
  std::uint64_t summaries = 0;
  std::uint64_t citations = 0;
  std::set<std::string> models = {};
  KindCounts left = {};  // what no other agent understands
  KindCounts changed = {};
};

inline bool is_blank_text(const Block& block) {
  return block.kind == BlockKind::text && block.text.find_first_not_of(" \t\r\n") == std::string::npos;
}

class Flattener {
 public:
  explicit Flattener(const Transcript& transcript) {
    const bool has_main = std::ranges::any_of(transcript.messages, [](const Message& one) { return !one.side; });
    const bool has_side = std::ranges::any_of(transcript.messages, &Message::side);
    if (!has_side) all.left["sub-agents"] = static_cast<std::uint64_t>(transcript.session.subagents);
    for (Message message : transcript.messages) {
      fill_media(message);
      read_attachments(message);
      fill_citations(message);
      if (message.abandoned)
        ++all.left["messages of other branches"];
      else if (message.side && has_main)
        ++all.left["messages of sub-agents"];
      else
        take(message);
    }
    leave_commands();
  }
  Flattened all;

 private:
  void take(const Message& message) {
    const bool summary = message.origin == Origin::summary;
    const bool outputs =
        std::ranges::any_of(message.blocks, [](const Block& one) { return one.kind == BlockKind::tool_result; });
    if (message.role == Role::assistant) return answer(message, outputs);
    if (message.role == Role::system && !summary) return void(++all.left["records of the agent itself"]);
    if (message.role == Role::tool || outputs) return given(message);
    if (message.origin == Origin::injected) return injected(message);
    if (message.origin == Origin::notice) return void(++all.left["notices"]);
    if (message.origin == Origin::command) return commands_.push_back(message.blocks);
    leave_commands();
    if (std::ranges::all_of(message.blocks, is_blank_text)) return void(++all.left["empty prompts"]);
    prompt(message.blocks, summary);
  }

  void injected(const Message& message) {
    bool others = message.blocks.empty();
    for (const Block& block : message.blocks) {
      if (is_media(block.kind))
        ++all.left[std::string(media_kind(block.kind))];
      else
        others = true;
    }
    if (others) ++all.left["context that the agent added"];
  }

  bool prompt(const std::vector<Block>& blocks, bool summary) {
    leave_commands();
    bool any = false, asked = false;
    for (const Block& block : blocks) {
      if (!person_says(block)) continue;
      any = true;
      asked = asked || block.kind != BlockKind::text || !is_kept_output(block.text);
    }
    all.prompts += any ? 1 : 0;
    all.asked += asked ? 1 : 0;
    all.summaries += any && summary ? 1 : 0;
    waits_ = waits_ || any;
    return any;
  }

  void leave_commands() { all.left["commands and their output"] += std::exchange(commands_, {}).size(); }
  // The model answers: a prompt or the outputs of its tools if there are any, otherwise the commands.
  void convert_answered_commands() {
    if (waits_) return leave_commands();
    for (const std::vector<Block>& command : std::exchange(commands_, {})) {
      if (std::ranges::all_of(command, is_blank_text))
        ++all.left["empty prompts"];
      else if (prompt(command, false))
        ++all.changed["commands that the model answered"];
    }
  }

  bool person_says(const Block& block) {
    if (is_blank_text(block)) return ++all.left["empty texts"], false;
    if (block.kind != BlockKind::text && !is_media(block.kind)) return ++all.left["blocks of other kinds"], false;
    add({.block = block, .person = true});
    return true;
  }

  void answer(const Message& message, bool outputs) {
    if (message.failed) return void(++all.left["errors of the API"]);
    if (message.origin == Origin::notice) return void(++all.left["notices"]);
    if (message.usage && *message.usage != Usage{}) ++all.left["token counts"];
    if (message.blocks.empty() && message.origin != Origin::model) return;
    if (std::ranges::all_of(message.blocks, is_blank_text)) return void(++all.left["empty answers"]);
    convert_answered_commands();
    all.changed["results of web searches"] += encrypted_results_in(message);
    if (!message.model.empty()) all.models.insert(message.model);
    bool any = false;
    for (const Block& block : message.blocks) {
      if (block.kind == BlockKind::tool_result || (outputs && is_media(block.kind))) continue;
      any = model_says(block) || any;
    }
    all.answers += any ? 1 : 0;
    const bool goes_on = waits_ && !message.response.empty() && message.response == response_;
    if (any)
      waits_ = goes_on ||
               std::ranges::any_of(message.blocks, [](const Block& one) { return one.kind == BlockKind::tool_call; });
    response_ = message.response;
    for (const Block& block : message.blocks)
      if (block.kind == BlockKind::tool_result || (outputs && is_media(block.kind))) output(block, message);
    last_.reset();
  }

  bool model_says(const Block& block) {
    if (is_blank_text(block)) return ++all.left["empty texts"], false;
    if (block.kind == BlockKind::thinking && block.text.find_first_not_of(" \t\r\n") == std::string::npos)
      return ++all.left["hidden thoughts"], false;
    if (block.kind == BlockKind::other) return ++all.left["blocks of other kinds"], false;
    all.citations += citations_of(block);
    add({.block = block});
    return true;
  }

  // Outputs, and what the user said with them.
  void given(const Message& message) {
    std::vector<Block> beside;
    for (const Block& block : message.blocks) {
      if (block.kind == BlockKind::tool_result || (is_media(block.kind) && last_))
        output(block, message);
      else
        beside.push_back(block);
    }
    last_.reset();
    const bool persons = message.role == Role::user && message.origin != Origin::injected;
    if (!persons) {
      all.left["texts beside tool outputs"] +=
          static_cast<std::uint64_t>(std::ranges::count_if(beside, std::not_fn(is_blank_text)));
    } else if (!std::ranges::all_of(beside, is_blank_text)) {
      prompt(beside, message.origin == Origin::summary);
    }
  }

  void output(const Block& block, const Message& message) {
    if (block.kind != BlockKind::tool_result) {
      if (last_) all.calls[*last_].pictures.push_back(block);
      return;
    }
    last_.reset();
    Block told = block;
    if (told.text.empty()) told.text = told.json;
    const auto waiting = waiting_.find(block.id);
    if (waiting == waiting_.end()) {
      add({.block = told, .person = true, .orphan = true});
      ++all.prompts;
      waits_ = true;
      return;
    }
    if (waiting->second.empty()) return void(++all.left["second outputs of one call"]);
    last_ = waiting->second.back();
    waiting->second.pop_back();
    ConversationItem& call = all.calls[*last_];
    call.answered = true;
    call.given_at = to_iso_time(message.timestamp);
    call.given_in = message.ordinal;
    call.result = std::move(told);
    all.heard.emplace_back(HeardKind::output, *last_);
  }

  void add(ConversationItem thing) {
    thing.calls_before = all.calls.size();
    if (thing.block.kind == BlockKind::tool_call) {
      all.heard.emplace_back(HeardKind::call, all.calls.size());
      waiting_[thing.block.id].push_back(all.calls.size());
      all.calls.push_back(std::move(thing));
    } else {
      all.heard.emplace_back(HeardKind::text, all.said.size());
      all.said.push_back(std::move(thing));
    }
  }

  std::map<std::string, std::vector<std::size_t>, std::less<>> waiting_;
  std::vector<std::vector<Block>> commands_;  // since the last prompt or answer
  std::string response_;                      // of the last answer
  bool waits_ = false;                        // whether the model has something to answer
  std::optional<std::size_t> last_;           // the call whose output came last, in one message
};

struct Comparison {
  KindCounts carried = {}, changed = {}, left = {};
  std::uint64_t marked = 0;  // prompts that have kTypedMark now, but had none
  std::vector<std::string> unexplained = {};
};

class Comparing {
 public:
  // `from`: the agents whose tools the source may call; `to`: the agent whose tools the result may call.
  Comparing(const Transcript& source, const Transcript& result, std::vector<const Layout*> from, const Layout& to)
      : source_(Flattener(source).all), result_(Flattener(result).all), from_(std::move(from)), to_(to) {
    found.left = source_.left;
    found.changed = source_.changed;
    (to_.name() == "holdfast" ? found.carried : found.left)["citations"] += source_.citations;
    count();
    begun_ = !result_.said.empty() && result_.said[0].block.text == kNoBeginning &&
             (source_.said.empty() || source_.said[0].block.text != kNoBeginning);
    if (begun_) ++found.changed["the beginning"];
    pair_texts();
    pair_calls();
    count_moved_outputs();
    std::erase_if(found.changed, [](const auto& one) { return one.second == 0; });
    std::erase_if(found.left, [](const auto& one) { return one.second == 0; });
    std::erase_if(found.carried, [](const auto& one) { return one.second == 0; });
  }
  Comparison found;
  const Flattened& source() const { return source_; }
  const Flattened& result() const { return result_; }
  bool begun() const { return begun_; }

 private:
  void count() {
    for (const ConversationItem& one : result_.said) {
      found.carried["texts"] += one.block.kind == BlockKind::text ? 1 : 0;
      found.carried["thoughts"] += one.block.kind == BlockKind::thinking ? 1 : 0;
      if (is_media(one.block.kind)) ++found.carried[std::string(media_kind(one.block.kind))];
    }
    for (const ConversationItem& one : result_.calls) {
      for (const Block& picture : one.pictures) ++found.carried[std::string(media_kind(picture.kind))];
      found.carried["failed tool results"] += one.result.is_error ? 1 : 0;
      found.carried["tool results"] += one.answered ? 1 : 0;
    }
    found.carried["tool calls"] += result_.calls.size();
    found.carried["prompts"] = result_.asked;
  }

  void report_unexplained(std::string_view what, const std::string& before, const std::string& after) {
    found.unexplained.push_back(std::string(what) + ": \"" + before.substr(0, 300) + "\" became \"" +
                                after.substr(0, 300) + "\"");
  }

  static std::string clean(const std::string& text) {
    std::string out;
    append_clean_utf8(out, text);
    return out;
  }
  std::string utf8(const std::string& text) {
    if (!is_utf8(text)) ++found.changed["texts that are not UTF-8"];
    return clean(text);
  }

  void pair_texts() {
    const std::size_t more = begun_ ? 1 : 0;
    if (source_.said.size() + more != result_.said.size())
      report_unexplained("how many texts", std::to_string(source_.said.size()),
                         std::to_string(result_.said.size() - more));
    for (std::size_t n = 0; n < source_.said.size() && n + more < result_.said.size(); ++n) {
      const ConversationItem& before = source_.said[n];
      const ConversationItem& after = result_.said[n + more];
      if (before.person != after.person) report_unexplained("who said it", before.block.text, after.block.text);
      if (before.calls_before != after.calls_before) ++found.changed["texts after calls"];
      text(before, after.block);
    }
  }

  void text(const ConversationItem& before, const Block& after) {
    const bool same_kind = before.block.kind == after.kind;
    if (is_media(before.block.kind)) {
      if (same_kind && before.block.data == after.data && before.block.media_type == after.media_type) return;
      const bool noted = after.kind == BlockKind::text && after.text.starts_with("[") && after.text.ends_with("]") &&
                         after.text.contains(before.block.media_type);
      if (!noted) return report_unexplained("a picture", before.block.media_type, after.text);
      const bool image = before.block.kind == BlockKind::image;
      ++found.changed[image && !before.person ? "images of answers" : std::string(media_kind(before.block.kind))];
      return;
    }
    const std::string text = utf8(before.block.text);
    if (before.orphan) {
      if (after.text != std::string(kNoCall) + text) report_unexplained("an output", text, after.text);
      ++found.changed["tool outputs whose call is missing"];
    } else if (same_kind) {
      const std::string mark(kTypedMark);
      const bool added = after.text == mark + text;
      if (before.person && (added || mark + after.text == text)) {
        ++found.changed["prompts that look like commands or context"];
        found.marked += added ? 1 : 0;
      } else if (text != after.text)
        report_unexplained("a text", text, after.text);
    } else if (before.block.kind == BlockKind::thinking && after.text == thought_as_text(text)) {
      ++found.changed["thoughts"];
    } else if (after.kind == BlockKind::thinking && text == thought_as_text(after.text)) {
      ++found.changed["texts that were thoughts"];
    } else {
      report_unexplained("what it is", text, after.text);
    }
  }

  void pair_calls() {
    if (source_.calls.size() != result_.calls.size())
      report_unexplained("how many calls", std::to_string(source_.calls.size()), std::to_string(result_.calls.size()));
    for (std::size_t n = 0; n < source_.calls.size() && n < result_.calls.size(); ++n) {
      call(source_.calls[n].block, result_.calls[n].block);
      output(source_.calls[n], result_.calls[n]);
    }
    check_output_times();
  }

  // Outputs in one message may all have the time of the last one.
  void check_output_times() {
    if (to_.name() == "gemini") return;  // its reader returns the time of the answer
    std::map<std::int64_t, std::string> last;
    const std::size_t pairs = std::min(source_.calls.size(), result_.calls.size());
    for (std::size_t n = 0; n < pairs; ++n)
      last[result_.calls[n].given_in] = std::max(last[result_.calls[n].given_in], source_.calls[n].given_at);
    for (std::size_t n = 0; n < pairs; ++n) {
      const ConversationItem &before = source_.calls[n], &after = result_.calls[n];
      const bool known = before.answered && !before.given_at.empty() && !after.given_at.empty();
      if (known && after.given_at != before.given_at && after.given_at != last[after.given_in])
        report_unexplained("when an output came", before.given_at, after.given_at);
    }
  }

  // Counts outputs that are now before something that they came after.
  void count_moved_outputs() {
    std::map<std::pair<HeardKind, std::size_t>, std::size_t> places;
    for (std::size_t n = 0; n < result_.heard.size(); ++n) {
      auto [what, number] = result_.heard[n];
      if (what == HeardKind::text && begun_ && number-- == 0) continue;
      places[{what, number}] = n;
    }
    std::size_t furthest = 0;
    for (const auto& one : source_.heard) {
      const std::size_t place = places[one];
      if (one.first == HeardKind::output && place < furthest) ++found.changed["outputs that came later"];
      furthest = std::max(furthest, place);
    }
  }

  static std::string arguments(const std::string& json) { return json.empty() || json == "null" ? "{}" : json; }

  void call(const Block& before, const Block& after) {
    if (before.id != after.id) ++found.changed["ids of calls"];
    std::string given = arguments(before.json);
    if (const JsonFault fault = check_json(given).fault; fault == JsonFault::bad_utf8) {
      given = utf8(given);
    } else if (fault != JsonFault::none) {
      ++found.changed["arguments of tools"];
      given = JsonWriter().string(given).take();
    }
    const std::string got = arguments(after.json);
    std::string name = before.name;
    if (before.name == after.name && given == got) return;
    const auto own = to_common(to_.tool_names(), after.name, got);
    for (const Layout* const from : from_) {
      const auto common = to_common(from->tool_names(), before.name, given);
      if (common && own && common->tool == own->tool && common->json == own->json)
        return void(++found.changed["tool calls"]);
    }
    if (given != got) {
      ++found.changed["arguments of tools"];
      const bool wrapped = got == "{\"input\":" + given + "}", taken_out = given == "{\"input\":" + got + "}";
      if (!wrapped && !taken_out) report_unexplained("arguments of " + name, given, got);
    }
    if (name == after.name) return;
    ++found.changed["names of tools"];
    for (char& letter : name)
      if (!std::isalnum(static_cast<unsigned char>(letter)) && letter != '_' && letter != '-') letter = '_';
    if (!after.name.starts_with((name.empty() ? "unknown" : name.substr(0, 55)) + "_"))
      report_unexplained("a tool", name, after.name);
  }

  void output(const ConversationItem& before, const ConversationItem& after) {
    if (!after.answered) return report_unexplained("an output", before.result.text, "nothing");
    std::string told = utf8(before.result.text), got = after.result.text;
    bool failed = before.result.is_error;
    if (!before.answered) {
      ++found.changed["tool calls without a result"];
      told = kNoResult;
      failed = true;
    }
    if (failed != after.result.is_error) report_unexplained("whether it failed", told, got);
    pictures(before, after, told);
    if (told == got) return;
    ++found.changed["failed tool calls"];
    if (!failed || (told != std::string(kFailedMark) + got && got != std::string(kFailedMark) + told))
      report_unexplained("an output", told, got);
  }

  void pictures(const ConversationItem& before, const ConversationItem& after, std::string& told) {
    std::size_t kept = 0;
    for (const Block& picture : before.pictures) {
      if (kept < after.pictures.size() && after.pictures[kept].data == picture.data) {
        ++kept;
        continue;
      }
      ++found.changed[std::string(media_kind(picture.kind))];
      (told += told.empty() ? "" : "\n") +=
          is_text_document(picture) ? document_as_text(picture) : "[" + media_words(picture) + ": not carried]";
    }
    if (kept != after.pictures.size())
      report_unexplained("pictures", std::to_string(kept), std::to_string(after.pictures.size()));
  }

  const Flattened source_, result_;
  const std::vector<const Layout*> from_;
  const Layout& to_;
  bool begun_ = false;
};

}  // namespace holdfast::inline v1
