#include "api/meant_session.h"

#include <set>
#include <vector>

#include "api/find_session.h"
#include "store/engine.h"
#include "store/session_match.h"
#include "text/shell_word.h"

namespace holdfast::inline v1 {
namespace {

struct Candidates {
  std::set<std::string> whole, abbreviated, overlooked;  // LAYOUT/ID
  std::size_t more = 0;                                  // abbreviated ones without a name here

  void add(const Call& call, std::string_view layout, const std::string& id, bool is_whole) {
    const bool passed_over = !is_whole && call.stores.overlooks(layout, id);
    (is_whole ? whole : passed_over ? overlooked : abbreviated).insert(std::string(layout) + "/" + id);
  }
};

void add_live(const Call& call, const SessionSelector& meant, Candidates& candidates) {
  const auto stores = call.stores.meant({}, meant.layout, Use::read);
  if (!stores) return;
  for (const StoreOptions& options : *stores) {
    const auto store = call.stores.open(call.context, options, Use::read);
    auto* const engine = store ? engine_or_null(**store) : nullptr;
    if (engine == nullptr) continue;
    DirectoryFeed feed = engine->looking(call.context);
    const auto overlooked = [&](std::string_view other) { return call.stores.overlooks(engine->layout_name(), other); };
    const auto match = engine->match(call.context, feed, meant.id, Naming::sure_prefix, overlooked);
    if (!match) continue;
    if (match->ref)
      candidates.add(call, engine->layout_name(), match->ref->id, match->ref->id == meant.id || match->by_key);
    if (match->ref || match->count < 2) continue;
    for (const std::string& id : match->ids) candidates.add(call, engine->layout_name(), id, false);
    candidates.more += match->count - match->ids.size();
  }
}

}  // namespace

bool is_named(const CaptureKey& key, std::string_view id) {
  const std::size_t slash = id.find('/');
  if (slash != std::string_view::npos && id.substr(0, slash) != key.layout) return false;
  const std::string_view wanted = id.substr(slash == std::string_view::npos ? 0 : slash + 1);
  return key.id == wanted || abbreviates(wanted, key.id);
}

Result<std::string> meant_session(const Call& call, const CaptureState& state, std::string_view id) {
  const SessionSelector meant = parse_selector(id);
  if (meant.id.empty()) return fail(Code::invalid_argument, "the session id is empty");
  Candidates candidates;
  for (const auto& [key, session] : state.sessions)
    if (is_named(key, id)) candidates.add(call, key.layout, key.id, key.id == meant.id);
  add_live(call, meant, candidates);
  const bool named = !candidates.whole.empty();
  const auto& names = named                             ? candidates.whole
                      : !candidates.abbreviated.empty() ? candidates.abbreviated
                                                        : candidates.overlooked;
  const std::size_t count = names.size() + (named ? 0 : candidates.more);
  if (count > 1) {
    std::vector<std::string> words;
    for (const std::string& name : names) words.push_back(shell_word(name));
    return fail(ambiguous_session(meant.id, count, words));
  }
  return names.empty() ? std::string() : *names.begin();
}

}  // namespace holdfast::inline v1
