#include "store/session_match.h"

namespace holdfast::inline v1 {

Result<SessionMatch> match_session(const Layout& layout, Feed& feed, std::string_view id, Naming naming) {
  HOLDFAST_LET(exact, layout.locate(feed, id));
  if (exact) return SessionMatch{std::move(exact), 1};
  SessionMatch match;
  bool whole = false;
  HOLDFAST_TRY(layout.find(feed, [&](SessionRef ref) {
    if (ref.id == id) {
      whole = true;
      match = {std::move(ref), 1};
      return false;
    }
    if (ref.id.starts_with(id)) {
      ++match.count;
      match.ref = std::move(ref);
    }
    return true;
  }));
  if (!whole && (match.count > 1 || naming == Naming::whole)) match.ref.reset();
  return match;
}

Error not_one_session(const SessionMatch& match, std::string_view id, const std::string& store) {
  if (match.count > 1)
    return {Code::not_found, std::to_string(match.count) + " sessions begin with " + std::string(id), store};
  if (match.count == 1)
    return {Code::not_found, "there is no session " + std::string(id) + "; a change needs the whole id", store};
  return {Code::not_found, "there is no session " + std::string(id), store};
}

}  // namespace holdfast::inline v1
