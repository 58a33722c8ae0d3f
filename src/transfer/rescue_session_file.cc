#include "transfer/rescue_session_file.h"

#include "layout/belongings.h"
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

std::vector<SessionRef> files_to_rescue(const Layout& layout, const SessionRef& ref) {
  const Belongings* const belongings = belongings_of(layout);
  if (belongings == nullptr || belongings->more == nullptr) return {ref};
  std::vector<SessionRef> files{ref};
  for (std::string& path : belongings->more(ref)) {
    files.push_back(ref);
    files.back().place.path = std::move(path);
  }
  if (files.size() > 1) {
    for (SessionRef& file : files) file.hint.clear();  // it names the other files
  }
  return files;
}

}  // namespace holdfast::inline v1
