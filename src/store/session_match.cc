#include "store/session_match.h"

#include <algorithm>

namespace holdfast::inline v1 {

namespace {

constexpr std::size_t kCandidates = 10;  // listed in an error message

}  // namespace

bool abbreviates(std::string_view text, std::string_view id) {
  if (text.empty() || text.size() >= id.size() || !id.starts_with(text)) return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t before = text.find_last_not_of("0123456789");
  const std::string_view number = text.substr(before == std::string_view::npos ? 0 : before + 1);
  // Numbers with leading zeros all have the same number of digits.
  if (number.empty() || number.front() == '0') return true;
  return !std::ranges::all_of(id.substr(text.size()), is_digit);
}

Result<SessionMatch> match_session(const Layout& layout, Feed& feed, std::string_view id, Naming naming,
                                   const std::function<bool(std::string_view id)>& overlooked) {
  HOLDFAST_LET(exact, layout.locate(feed, id));
  if (exact) return SessionMatch{std::move(exact), 1, {}};
  SessionMatch match, others;
  bool whole = false;
  HOLDFAST_TRY(layout.find(feed, [&](SessionRef ref) {
    if (ref.id == id) {
      whole = true;
      match = {std::move(ref), 1, {}};
      return false;
    }
    if (naming == Naming::sure_prefix ? abbreviates(id, ref.id) : ref.id.starts_with(id)) {
      SessionMatch& one = overlooked && overlooked(ref.id) ? others : match;
      // The same session again, in a copy or behind a link: take the first one, as for a whole id.
      if (std::ranges::find(one.ids, ref.id) != one.ids.end()) return true;
      ++one.count;
      if (one.ids.size() < kCandidates) one.ids.push_back(ref.id);
      one.ref = std::move(ref);
    }
    return true;
  }));
  if (match.count == 0 && others.count == 1) match = std::move(others);
  if (!whole && (match.count > 1 || naming == Naming::whole)) match.ref.reset();
  return match;
}

Error ambiguous_session(std::string_view id, std::size_t count, const std::vector<std::string>& candidates,
                        const std::string& store) {
  std::string text = "\"" + std::string(id) + "\" is ambiguous: " + std::to_string(count) + " sessions begin with it";
  const std::size_t named = std::min(candidates.size(), kCandidates);
  for (std::size_t i = 0; i < named; ++i) text += "\n  " + candidates[i];
  if (count > named) text += "\n  and " + std::to_string(count - named) + " more";
  return {Code::not_found, std::move(text), store};
}

Error session_match_error(const SessionMatch& match, std::string_view id, const std::string& store) {
  if (match.count > 1) return ambiguous_session(id, match.count, match.ids, store);
  return {Code::not_found, "there is no session " + std::string(id), store};
}

}  // namespace holdfast::inline v1
