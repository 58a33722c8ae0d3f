#include "api/session_summary.h"

#include "api/session_text.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

Result<std::optional<std::string>> make_summary(const Call& call, Store& store, const std::string& id,
                                                std::vector<std::string>& warnings) {
  const auto& summarise = call.stores.settings().summarise;
  const Layout* const layout = find_layout(store.layout_name());
  if (!summarise || layout == nullptr || !layout->traits().holds_summaries) return std::nullopt;
  HOLDFAST_LET(transcript, store.read(call.context, id, {}));
  if (transcript.messages.empty()) return std::nullopt;
  auto summary = summarise(call.context, session_markdown(transcript));
  HOLDFAST_TRY(call.context.check());
  if (summary && !summary->empty()) return std::move(*summary);
  warnings.push_back("the summary is an extract: " +
                     (summary ? std::string("the summary command printed nothing") : summary.error().message));
  return std::nullopt;
}

}  // namespace holdfast::inline v1
