#include "handoff/cut.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/utf8.h"

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
  if (is_media(block.kind)) return kImage;
  return kBlock + tokens_in(std::string_view(block.text)) + tokens_in(std::string_view(block.json));
}

// Where prompts begin: turns of the person behind none.
std::vector<std::size_t> beginnings(const std::vector<Turn>& turns) {
  std::vector<std::size_t> at;
  for (std::size_t n = 0; n < turns.size(); ++n) {
    if (n == 0 || (turns[n].role == Role::user && turns[n - 1].role != Role::user)) at.push_back(n);
  }
  return at;
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The turn that the message is part of, or the first behind it.
std::optional<std::size_t> turn_of(const std::vector<Turn>& turns, std::string_view message) {
  const auto has_id = [&](const Turn& turn) { return std::ranges::find(turn.ids, message) != turn.ids.end(); };
  if (const auto found = std::ranges::find_if(turns, has_id); found != turns.end())
    return static_cast<std::size_t>(found - turns.begin());
  const auto number = number_in(message);
  if (!number || turns.empty()) return std::nullopt;
  std::optional<std::size_t> at;
  for (std::size_t n = 0; n < turns.size(); ++n)
    if (turns[n].ordinal <= *number) at = n;
  return at ? at : 0;
}

void drop_before(Conversation& conversation, std::size_t first, std::string_view reason) {
  if (first == 0) return;
  note(conversation.report.left_behind, "earlier turns", reason, first);
  conversation.turns.erase(conversation.turns.begin(), conversation.turns.begin() + static_cast<std::ptrdiff_t>(first));
}

Result<std::size_t> first_that_fits(const std::vector<Turn>& turns, std::uint64_t tokens) {
  const std::vector<std::size_t> at = beginnings(turns);
  std::uint64_t sum = 0;
  std::size_t first = turns.size(), end = turns.size();
  for (std::size_t n = at.size(); n-- > 0; end = at[n]) {
    for (std::size_t turn = at[n]; turn < end; ++turn) sum += tokens_in(turns[turn]);
    if (sum > tokens) break;
    first = at[n];
  }
  if (first == turns.size() && !turns.empty())
    return fail(Code::too_large, "the last turn alone is about " + std::to_string(sum) + " tokens");
  return first;
}

}  // namespace

std::uint64_t tokens_in(const Turn& turn) {
  std::uint64_t sum = 0;
  for (const Block& block : turn.blocks) sum += tokens_in(block);
  for (const Block& block : turn.results) sum += tokens_in(block);
  for (const CarriedTurn::Picture& picture : turn.pictures) sum += tokens_in(picture.image);
  return sum;
}

std::uint64_t tokens_in(const Conversation& conversation) {
  std::uint64_t sum = 0;
  for (const Turn& turn : conversation.turns) sum += tokens_in(turn);
  return sum;
}

Result<void> cut(Conversation& conversation, const CutOptions& options) {
  std::vector<Turn>& turns = conversation.turns;
  if (!options.from.empty()) {
    const auto found = turn_of(turns, options.from);
    if (!found) return fail(Code::not_found, "there is no message " + options.from.substr(0, 100) + " to begin at");
    std::size_t first = 0;
    for (const std::size_t at : beginnings(turns))
      if (at <= *found) first = at;
    drop_before(conversation, first, "they come before the message to begin at");
  } else if (options.last == 0) {
    std::size_t first = 0;
    for (std::size_t n = 0; n < turns.size(); ++n)
      if (turns[n].summary) first = n;
    drop_before(conversation, first, "the summary of its agent stands for them; --from 0 takes them too");
  }
  if (options.last != 0) {
    const std::vector<std::size_t> at = beginnings(turns);
    if (at.size() > options.last)
      drop_before(conversation, at[at.size() - options.last], "only the last were asked for");
  }
  if (options.fit != 0) {
    HOLDFAST_LET(first, first_that_fits(turns, options.fit));
    drop_before(conversation, first, "they do not fit, by an estimate of their tokens");
  }
  if (!turns.empty()) conversation.head.began = turns.front().time;
  return {};
}

}  // namespace holdfast::inline v1
