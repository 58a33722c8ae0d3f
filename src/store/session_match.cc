#include "store/session_match.h"

namespace holdfast::inline v1 {

Result<SessionMatch> match_session(const Layout& layout, Feed& feed, std::string_view id) {
  HOLDFAST_LET(exact, layout.locate(feed, id));
  if (exact) return SessionMatch{std::move(exact), 1};
  SessionMatch match;
  HOLDFAST_TRY(layout.find(feed, [&](SessionRef ref) {
    if (ref.id == id) {
      match = {std::move(ref), 1};
      return false;
    }
    if (ref.id.starts_with(id)) {
      ++match.count;
      match.ref = std::move(ref);
    }
    return true;
  }));
  if (match.count > 1) match.ref.reset();
  return match;
}

Error not_one_session(const SessionMatch& match, std::string_view id, const std::string& store) {
  if (match.count > 1)
    return {Code::not_found, std::to_string(match.count) + " sessions begin with " + std::string(id), store};
  return {Code::not_found, "there is no session " + std::string(id), store};
}

}  // namespace holdfast::inline v1
