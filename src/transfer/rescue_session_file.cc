#include "transfer/rescue_session_file.h"

#include "transfer/rescue_document.h"

namespace holdfast::inline v1 {

Result<Rescued> rescue_session_file(const Context& context, const RootDirectories& roots, const Place& place) {
  constexpr std::uint64_t kLargest = std::uint64_t{512} << 20;
  DirectoryFeed feed(context, roots);
  if (place.path.ends_with(".json")) {
    HOLDFAST_LET(bytes, feed.document(place, kLargest));
    if (!bytes) return fail(Code::not_found, "there is no such file", place.path);
    return rescue_document(*bytes, place.path.substr(place.path.rfind('/') + 1));
  }
  return rescue_log(feed, place);
}

}  // namespace holdfast::inline v1
