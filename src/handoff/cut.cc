#include "handoff/cut.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "base/utf8.h"
#include "model/text_document.h"

namespace holdfast::inline v1 {
namespace {

std::uint64_t tokens_in(std::string_view text) {
  std::uint64_t plain = 0, letters = 0;
  for (const char byte : text) {
    if (static_cast<unsigned char>(byte) < 0x80)
      ++plain;
    else if (!is_utf8_tail(byte))
      ++letters;
  }
  return (plain + 3) / 4 + letters;
}

std::uint64_t tokens_in(const Block& block) {
  constexpr std::uint64_t kBlock = 4, kImage = 1500;
  if (const std::string text = document_text(block); !text.empty()) return kBlock + tokens_in(std::string_view(text));
  if (is_media(block.kind)) return kImage;
  return kBlock + tokens_in(std::string_view(block.text)) + tokens_in(std::string_view(block.json));
}

// Where a conversation may begin: at prompts and summaries that do not follow another one.
std::vector<std::size_t> beginnings(std::span<const TurnFacts> turns, std::size_t first) {
  const auto begins = [](const TurnFacts& turn) { return turn.asks || turn.summary; };
  std::vector<std::size_t> at;
  for (std::size_t n = first; n < turns.size(); ++n) {
    if (n == first || (begins(turns[n]) && !begins(turns[n - 1]))) at.push_back(n);
  }
  return at;
}

// The beginning of the last `count` prompts, `first` if there are not so many. A summary directly before them is kept.
std::size_t beginning_of_last(std::span<const TurnFacts> turns, std::size_t first, std::size_t count) {
  for (std::size_t n = turns.size(); n-- > first;) {
    if (!turns[n].asks || --count > 0) continue;
    while (n > first && turns[n - 1].summary) --n;
    return n;
  }
  return first;
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The turn that the message is part of, or the last one before it; the first turn if there is none.
std::optional<std::size_t> turn_of(const Survey& survey, std::string_view message) {
  if (survey.from) return survey.from;
  const auto number = number_in(message);
  if (!number || survey.turns.empty() || *number < 0 || std::cmp_greater_equal(*number, survey.messages))
    return std::nullopt;
  std::size_t at = 0;
  for (std::size_t n = 0; n < survey.turns.size(); ++n)
    if (survey.turns[n].ordinal <= *number) at = n;
  return at;
}

Result<std::size_t> first_that_fits(std::span<const TurnFacts> turns, std::size_t first, std::uint64_t tokens) {
  const std::vector<std::size_t> at = beginnings(turns, first);
  std::uint64_t sum = 0;
  std::size_t fits = turns.size(), end = turns.size();
  for (std::size_t n = at.size(); n-- > 0; end = at[n]) {
    for (std::size_t turn = at[n]; turn < end; ++turn) sum += turns[turn].tokens;
    if (sum > tokens) break;
    fits = at[n];
  }
  if (fits == turns.size() && first < turns.size())
    return fail(Code::too_large, "the last turn alone is about " + std::to_string(sum) + " tokens");
  return fits;
}

}  // namespace

std::uint64_t tokens_in(const Turn& turn) {
  std::uint64_t sum = 0;
  for (const Block& block : turn.blocks) sum += tokens_in(block);
  for (const Block& block : turn.results) sum += tokens_in(block);
  for (const CarriedTurn::Picture& picture : turn.pictures) sum += tokens_in(picture.image);
  return sum;
}

void Surveyor::take(std::size_t number, Turn turn) {
  TurnFacts facts{.time = std::move(turn.time), .ordinal = turn.ordinal, .summary = turn.summary};
  facts.asks = turn.role == Role::user && !turn.summary && !has_only_outputs(turn);
  facts.answers = static_cast<std::uint32_t>(std::ranges::count(turn.answered, true));
  if (options_.fit != 0) facts.tokens = tokens_in(turn);
  survey_.turns.push_back(std::move(facts));
  if (!turn.model.empty()) survey_.model = std::move(turn.model);
  if (!survey_.from && !options_.from.empty() && std::ranges::find(turn.ids, options_.from) != turn.ids.end())
    survey_.from = number;
}

void Surveyor::take_late(std::size_t number, const Block& block) {
  TurnFacts& facts = survey_.turns[number];
  if (block.kind == BlockKind::tool_result) ++facts.answers;
  if (options_.fit != 0) facts.tokens += tokens_in(block);
}

Result<std::size_t> cut(const Survey& survey, const CutOptions& options, HandoffReport& report) {
  const std::vector<TurnFacts>& turns = survey.turns;
  std::size_t first = 0;
  if (turns.empty()) return first;
  const auto drop_before = [&](std::size_t turn, std::string_view reason) {
    note(report.left_behind, "earlier turns", reason, turn - first);
    first = turn;
  };
  if (!options.from.empty()) {
    const auto found = turn_of(survey, options.from);
    if (!found) return fail(Code::not_found, "there is no message " + options.from.substr(0, 100) + " to start from");
    std::size_t begin = 0;
    for (const std::size_t at : beginnings(turns, 0))
      if (at <= *found) begin = at;
    drop_before(begin, "they come before the message to start from");
  } else if (options.last == 0) {
    std::size_t summary = 0;
    for (std::size_t n = 0; n < turns.size(); ++n)
      if (turns[n].summary) summary = n;
    drop_before(summary, "its agent's summary replaces them; use --from 0 to include them");
  }
  if (options.last != 0) {
    drop_before(beginning_of_last(turns, first, options.last), "only the last ones were asked for");
  }
  if (options.fit != 0) {
    HOLDFAST_LET(fits, first_that_fits(turns, first, options.fit));
    drop_before(fits, "they do not fit, by estimated tokens");
  }
  if (options.least) drop_before(beginnings(turns, first).back(), "they do not fit, by estimated tokens");
  return first;
}

}  // namespace holdfast::inline v1
