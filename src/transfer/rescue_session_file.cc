#include "transfer/rescue_session_file.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "layout/belongings.h"
#include "layout/session_rescue.h"
#include "transfer/rescue_document.h"

namespace holdfast::inline v1 {
namespace {

// Whether its agent left the log behind without continuing the session in it.
bool has_nothing_to_resume(const Layout& layout, std::string_view log) {
  const Belongings* const belongings = belongings_of(layout);
  return belongings != nullptr && belongings->is_empty_conversation != nullptr &&
         belongings->is_empty_conversation(log);
}

void append(Rescued& all, Rescued more) {
  all.bytes += more.bytes;
  all.records += more.records;
  all.salvaged += more.salvaged;
  all.repeated += more.repeated;
  all.linked += more.linked;
  all.headers += more.headers;
  all.cleaned += more.cleaned;
  all.tools.results_made += more.tools.results_made;
  all.tools.calls_made += more.tools.calls_made;
  all.tools.results_as_text += more.tools.results_as_text;
  all.tools.restored += more.tools.restored;
  std::ranges::move(more.gone, std::back_inserter(all.gone));
}

}  // namespace

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

Result<std::optional<Rescued>> rescue_joined(const Context& context, const RootDirectories& roots, const Layout& layout,
                                             const SessionRef& ref) {
  if (layout.rescue() == nullptr || layout.rescue()->further_logs(ref).empty()) return std::nullopt;
  HOLDFAST_LET(all, rescue_session_file(context, roots, ref.place));
  for (const std::string& path : layout.rescue()->further_logs(ref)) {
    HOLDFAST_LET(more, rescue_session_file(context, roots, {ref.place.root, path}));
    if (!has_nothing_to_resume(layout, more.bytes)) append(all, std::move(more));
  }
  return std::optional<Rescued>(std::move(all));
}

std::vector<SessionRef> files_to_rescue(const Layout& layout, const SessionRef& ref) {
  const Belongings* const belongings = belongings_of(layout);
  std::vector<std::string> further;
  if (belongings != nullptr && belongings->more != nullptr) further = belongings->more(ref);
  if (further.empty() && layout.rescue() != nullptr) further = layout.rescue()->further_logs(ref);
  std::vector<SessionRef> files{ref};
  for (std::string& path : further) {
    files.push_back(ref);
    files.back().place.path = std::move(path);
  }
  if (files.size() > 1) {
    for (SessionRef& file : files) file.hint.clear();  // it names the other files
  }
  return files;
}

}  // namespace holdfast::inline v1
