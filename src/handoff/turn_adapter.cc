#include "handoff/turn_adapter.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/hash.h"
#include "base/sort_stably.h"
#include "base/utf8.h"
#include "handoff/attachments.h"
#include "handoff/citations.h"
#include "handoff/tool_table.h"
#include "model/text_document.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/redact_json.h"
#include "text/secrets.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kIdLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
constexpr std::size_t kLongestName = 64;  // accepted by every API

bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName && text.find_first_not_of(kIdLetters) == std::string_view::npos;
}

constexpr std::string_view kLikeOthers = "prompts that look like commands or context",
                           kUnmarked = "no sentence in front has to say that they were typed";

Origin taken_without_marks(Origin (*inferred_origin)(std::string_view), std::string_view text) {
  while (text.starts_with(kTypedMark)) text.remove_prefix(kTypedMark.size());
  return inferred_origin(text);
}

// The text by which agents recognize the kind of a prompt; nullptr if this is not a prompt or has no text.
Block* first_text(Turn& turn) {
  if (turn.role != Role::user) return nullptr;
  const auto found = std::ranges::find(turn.blocks, BlockKind::text, &Block::kind);
  return found == turn.blocks.end() ? nullptr : &*found;
}

Block as_text(std::string text) { return {.kind = BlockKind::text, .text = std::move(text)}; }

}  // namespace

void TurnAdapter::take(Turn turn) {
  if (options_.redact) redact(turn);
  unmark_typed(turn);
  if (turn.summary && !traits_.summaries)
    change("summaries of what came before", "the next agent reads such a summary as a prompt");
  for (Block& block : turn.blocks) make_utf8(block.text);
  for (Block& result : turn.results) make_utf8(result.text);
  const auto make_document_utf8 = [&](Block& block) {
    if (is_text_document(block) && !traits_.any_media) make_utf8(block.data);
  };
  std::ranges::for_each(turn.blocks, make_document_utf8);
  std::ranges::for_each(turn.pictures, make_document_utf8, &CarriedTurn::Picture::image);
  blocks(turn);
  pictures(turn);
  calls(turn);
  if (traits_.calls_last) put_calls_last(turn);
  if (traits_.one_text)
    split(std::move(turn));
  else if (traits_.alternates)
    join(std::move(turn));
  else
    hand_on(std::move(turn));
}

void TurnAdapter::end(const CarriedHead& head) {
  if (held_) hand_on(*std::exchange(held_, std::nullopt));
  const auto keep = [&](std::string_view what, const std::string& value, bool kept) {
    if (value.empty()) return;
    if (kept)
      note(report_.carried, what, "");
    else
      note(report_.left_behind, what, "the next agent does not store it in session files");
  };
  keep("title", head.title, traits_.titles);
  keep("git branch", head.git_branch, traits_.branches);
  if (models_ && !traits_.models) note(report_.left_behind, "names of models", "the next agent uses its own");
}

void TurnAdapter::hide(std::string& text) {
  if (auto hidden = redacted(text)) {
    text = std::move(*hidden);
    change("texts with secrets", "placeholders replace the secrets");
  }
}

void TurnAdapter::redact(Turn& turn) {
  hide(turn.model);
  for (Block& block : turn.blocks) redact_block(block);
  for (Block& result : turn.results) hide(result.text);
  for (CarriedTurn::Picture& picture : turn.pictures) redact_block(picture.image);
}

void TurnAdapter::redact_json(std::string& json) {
  if (json.empty()) return;
  if (auto hidden = redacted_json(json)) {
    json = std::move(*hidden);
    change("texts with secrets", "placeholders replace the secrets");
  }
}

void TurnAdapter::redact_block(Block& block) {
  // The result gets its id from the call.
  for (std::string* const text : {&block.text, &block.name, &block.id}) hide(*text);
  if (is_text_document(block)) hide(block.data);
  redact_json(block.json);
  redact_json(block.extra);
}

void TurnAdapter::make_utf8(std::string& text) {
  if (utf8_fault(text) == std::string_view::npos) return;
  std::string clean;
  append_clean_utf8(clean, text);
  text = std::move(clean);
  change("texts that are not UTF-8", "a replacement character stands for each invalid byte");
}

// Whether the next agent takes the attachment in a prompt.
bool TurnAdapter::takes(const Block& media) const {
  if (media.data.empty()) return false;
  if (media.kind == BlockKind::image) return traits_.images;
  if (traits_.any_media) return true;
  return traits_.documents && (is_text_document(media) || media.media_type == "application/pdf");
}

// What replaces media that are not carried as such: the text of a document, or a note like "[an image, image/png, 2048
// bytes: not carried]". `has_place`: the next agent takes images there.
std::string TurnAdapter::instead_of(const Block& media, bool has_place) {
  if (is_text_document(media)) {
    change("documents", "converted to text that begins with the title");
    return document_as_text(media);
  }
  const bool referred = media.media_type.empty() && !media.extra.empty();
  if (!media.data.empty() || (media.kind == BlockKind::image && !has_place))
    change(media_kind(media.kind), "a note replaces them: the next agent has no place for them");
  else if (referred)
    change(media_kind(media.kind),
           "a note replaces them: the session only refers to them, and does not hold their bytes");
  else
    change(media_kind(media.kind), "a note replaces them: their bytes could not be read");
  return "[" + media_words(media) + ": not carried]";
}

void TurnAdapter::blocks(Turn& turn) {
  for (Block& block : turn.blocks) {
    if (!traits_.citations)
      note(report_.left_behind, "citations", "the documents and search results are in the original session",
           citations_of(block));
    if (block.kind == BlockKind::thinking && !traits_.thinks) {
      change("thoughts", "converted to text: only the model that wrote them can sign them");
      block = as_text(thought_as_text(block.text));
    } else if (block.kind == BlockKind::text && turn.role == Role::assistant && traits_.thinks) {
      auto thought = thought_in(block.text);
      if (!thought) continue;
      change("texts that were thoughts", "stored as thoughts again");
      block = {.kind = BlockKind::thinking, .text = std::move(*thought)};
    } else if (is_media(block.kind) && !takes(block)) {
      block = as_text(instead_of(block, traits_.images));
    } else if (traits_.any_media) {
      if (is_text_document(block)) block.blob.clear();
      put_source(block);  // in the line, where searches find it
    }
  }
}

void TurnAdapter::pictures(Turn& turn) {
  std::vector<CarriedTurn::Picture> kept;
  for (CarriedTurn::Picture& picture : turn.pictures) {
    const bool wanted = traits_.result_images && (traits_.failed_images || !turn.results[picture.result].is_error);
    const bool fits = picture.image.kind == BlockKind::image || traits_.any_media;
    if (wanted && fits && !picture.image.data.empty()) {
      kept.push_back(std::move(picture));
      continue;
    }
    std::string& text = turn.results[picture.result].text;
    (text += text.empty() ? "" : "\n") += instead_of(picture.image, wanted);
  }
  turn.pictures = std::move(kept);
}

void TurnAdapter::calls(Turn& turn) {
  std::size_t number = 0;
  for (Block& block : turn.blocks) {
    if (block.kind != BlockKind::tool_call) continue;
    Block& result = turn.results[number++];
    whole_arguments(block);
    rename(block);
    object_arguments(block);
    fit_name(block);
    block.id = result.id = fit_id(block.id);
    tell_success(result);
    const bool told = result.text.starts_with(kFailedMark);
    if (!result.is_error || told != traits_.failures) continue;
    if (!told && traits_.shows_failure != nullptr && traits_.shows_failure(result.text)) continue;
    if (told) {
      result.text.erase(0, kFailedMark.size());
      change("failed tool calls", "a flag says so instead of a sentence in the output");
    } else {
      result.text = std::string(kFailedMark) + result.text;
      change("failed tool calls", "a sentence in the output says so: the next agent has no flag for it");
    }
  }
}

// Whether the next agent would take the text for something else than what was carried. A command is carried as typed
// text; a summary may stay one.
bool TurnAdapter::is_misread(const Turn& turn, std::string_view text) const {
  if (traits_.inferred_origin == nullptr) return false;
  const Origin taken = taken_without_marks(traits_.inferred_origin, text);
  return taken != Origin::typed && !(turn.summary && taken == Origin::summary);
}

// Removes the mark that mark_typed added for the agent that the session comes from.
void TurnAdapter::unmark_typed(Turn& turn) {
  Block* const text = first_text(turn);
  if (options_.source_inferred_origin == nullptr || text == nullptr || !text->text.starts_with(kTypedMark)) return;
  if (taken_without_marks(options_.source_inferred_origin, text->text) == Origin::typed)
    return;  // the mark itself was typed
  text->text.erase(0, kTypedMark.size());
  turn.marked = is_misread(turn, text->text);  // will be marked again
  if (!turn.marked) change(kLikeOthers, kUnmarked);
}

// Marks typed text that the next agent would take for a command, a notice or a summary.
void TurnAdapter::mark_typed(Turn& turn) {
  Block* const text = first_text(turn);
  if (text == nullptr || !is_misread(turn, text->text)) return;
  text->text.insert(0, kTypedMark);
  if (!turn.marked)
    change(kLikeOthers, "a sentence in front says that they were typed: the next agent takes them for something else");
}

// In a format without a flag for failures, the output of a successful call may look like that of a failed one.
void TurnAdapter::tell_success(Block& result) {
  if (result.is_error) return;
  const bool marked = result.text.starts_with(kSucceededMark);
  if (traits_.failures && marked) {
    result.text.erase(0, kSucceededMark.size());
    change("tool calls that succeeded", "a flag says so instead of a sentence in the output");
  }
  const bool misread =
      result.text.starts_with(kFailedMark) || (traits_.shows_failure != nullptr && traits_.shows_failure(result.text));
  if (traits_.failures || marked || !misread) return;
  result.text = std::string(kSucceededMark) + result.text;
  change("tool calls that succeeded", "a sentence in the output says so: it reads like that of a failed one");
}

void TurnAdapter::whole_arguments(Block& call) {
  if (call.json.empty() || call.json == "null") call.json = "{}";
  const JsonFault fault = check_json(call.json).fault;
  if (fault == JsonFault::none) return;
  if (fault == JsonFault::bad_utf8) return make_utf8(call.json);
  call.json = JsonWriter().string(call.json).take();
  change("arguments of tools", "not JSON, so converted to a string");
}

void TurnAdapter::object_arguments(Block& call) {
  if (!traits_.text_input_tool.empty() && call.name == traits_.text_input_tool) return text_argument(call);
  if (traits_.any_arguments || JsonView(call.json).kind() == JsonKind::object) return;
  JsonWriter json;
  call.json = json.begin_object().key("input").raw(call.json).end_object().take();
  change("arguments of tools", "what was not an object was wrapped in one, as its input");
}

// The reverse: other agents pass the text as {"input": "text"}.
void TurnAdapter::text_argument(Block& call) {
  const JsonView arguments(call.json);
  std::size_t fields = 0;
  for ([[maybe_unused]] const JsonItem& item : arguments.fields()) ++fields;
  const JsonView text = arguments.find("input");
  if (fields != 1 || text.kind() != JsonKind::string) return;
  call.json = std::string(text.raw());
  change("arguments of tools", "the next agent gives this tool a string, not an object");
}

void TurnAdapter::rename(Block& call) {
  if (options_.from.empty() || options_.to.empty()) return;
  const auto common = to_common(options_.from, call.name, call.json);
  auto own = common ? from_common(options_.to, *common) : std::nullopt;
  if (!own) {
    note(report_.carried, "calls to tools that the next agent does not have", "names and arguments are kept");
    return;
  }
  if (own->name == call.name && own->json == call.json) return;
  change("tool calls", "translated to the next agent's own tools");
  call.name = std::move(own->name);
  call.json = std::move(own->json);
}

// Two names never become one: the new name ends with a hash of the old one.
void TurnAdapter::fit_name(Block& call) {
  if (is_word(call.name)) return;
  constexpr std::size_t kDigits = 8;
  const std::string mark = "_" + sha256_hex(call.name).substr(0, kDigits);
  if (call.name.empty()) call.name = "unknown";
  for (char& letter : call.name)
    if (kIdLetters.find(letter) == std::string_view::npos) letter = '_';
  call.name.resize(std::min(call.name.size(), kLongestName - mark.size()));
  call.name += mark;
  change("names of tools", "models accept only letters, digits, _ and -, up to 64 of them; a hash keeps names apart");
}

// Ids are unique and plain; a call and its result share one.
std::string TurnAdapter::fit_id(const std::string& id) {
  if (is_word(id) && ids_.insert(id).second) return id;
  std::string made;
  do {
    made = "call_" + sha256_hex(id + "/" + std::to_string(made_++)).substr(0, 24);
  } while (!ids_.insert(made).second);
  change("ids of calls", "an id has to be one plain word, and unique");
  return made;
}

void TurnAdapter::put_calls_last(Turn& turn) {
  const auto is_call = [](const Block& block) { return block.kind == BlockKind::tool_call; };
  const auto first = std::ranges::find_if(turn.blocks, is_call);
  const auto behind = std::count_if(first, turn.blocks.end(), std::not_fn(is_call));
  if (behind == 0) return;
  sort_stably(turn.blocks, [&](const Block& a, const Block& b) { return !is_call(a) && is_call(b); });
  note(report_.changed, "texts after calls", "moved before the calls of the answer",
       static_cast<std::uint64_t>(behind));
}

// Splits a turn into one per block; the last one has the calls.
void TurnAdapter::split(Turn turn) {
  const auto is_call = [](const Block& block) { return block.kind == BlockKind::tool_call; };
  while (turn.blocks.size() > 1 && !is_call(turn.blocks[1])) {
    Turn one;
    one.role = turn.role;
    one.time = turn.time;
    one.model = turn.model;
    one.ordinal = turn.ordinal;
    one.blocks.push_back(std::move(turn.blocks.front()));
    turn.blocks.erase(turn.blocks.begin());
    const bool asked = turn.role == Role::user;
    change(asked ? "prompts of several texts" : "answers of several texts", "each text is now separate");
    hand_on(std::move(one));
  }
  hand_on(std::move(turn));
}

void TurnAdapter::join(Turn turn) {
  if (!held_ || held_->role != turn.role || held_->calls() > 0) {
    if (held_) hand_on(*std::exchange(held_, std::nullopt));
    held_ = std::move(turn);
    return;
  }
  change("consecutive turns of one side", "joined, because sides must alternate");
  if (turn.marked) change(kLikeOthers, kUnmarked);
  for (Block& block : turn.blocks) held_->blocks.push_back(std::move(block));
  held_->results = std::move(turn.results);
  held_->result_times = std::move(turn.result_times);
  held_->pictures = std::move(turn.pictures);
  held_->answered = std::move(turn.answered);
  if (turn.model.empty()) return;
  if (!held_->model.empty() && held_->model != turn.model && traits_.models)
    note(report_.left_behind, "names of models", "of joined turns, only the last one keeps its model");
  held_->model = turn.model;
}

void TurnAdapter::hand_on(Turn turn) {
  if (!std::exchange(begun_, true) && turn.role == Role::assistant) {
    Turn beginning;
    beginning.time = turn.time;
    beginning.ordinal = turn.ordinal;
    beginning.blocks.push_back(as_text(std::string(kNoBeginning)));
    change("the beginning", "a sentence replaces what the user said first");
    count(beginning);
    next_(std::move(beginning));
  }
  mark_typed(turn);
  count(turn);
  next_(std::move(turn));
}

void TurnAdapter::count(const Turn& turn) {
  if (!has_only_outputs(turn)) note(report_.carried, turn.role == Role::user ? "prompts" : "answers", "");
  for (const Block& block : turn.blocks) {
    if (block.kind == BlockKind::text) note(report_.carried, "texts", "");
    if (traits_.citations) note(report_.carried, "citations", "", citations_of(block));
    if (block.kind == BlockKind::thinking) note(report_.carried, "thoughts", "");
    if (is_media(block.kind)) note(report_.carried, media_kind(block.kind), "");
    if (block.kind == BlockKind::tool_call) note(report_.carried, "tool calls", "");
  }
  note(report_.carried, "tool results", "", turn.results.size());
  note(report_.carried, "failed tool results", "",
       static_cast<std::uint64_t>(std::ranges::count_if(turn.results, &Block::is_error)));
  for (const CarriedTurn::Picture& picture : turn.pictures) note(report_.carried, media_kind(picture.image.kind), "");
  models_ = models_ || !turn.model.empty();
}

}  // namespace holdfast::inline v1
