// session.search of a remote: its server finds messages by words; only those that contain the terms are shown.
#include <algorithm>
#include <set>

#include "api/remote_query.h"
#include "api/session_search.h"
#include "find/snippet.h"
#include "sync/projected_message.h"
#include "text/secrets.h"

namespace holdfast::inline v1 {
namespace {

// Which texts of a message the server searches.
WordsQuery words_of(const SearchQuery& query, std::string_view in) {
  WordsQuery words;
  const bool said = in == "prompts" || in == "answers";
  if (said) words.kind = in;
  std::vector<std::string> terms;
  std::ranges::copy_if(query.words, std::back_inserter(terms), [](const std::string& word) { return !word.empty(); });
  words.words = words_query(terms, said ? "A" : in == "thinking" ? "B" : in == "tools" ? "C" : "");
  return words;
}

void add_texts(std::string_view joined, std::vector<std::string_view>& texts) {
  for (std::size_t from = 0; from <= joined.size();) {
    const std::size_t end = std::min(joined.find(kTextEnd, from), joined.size());
    if (end > from) texts.push_back(joined.substr(from, end - from));
    from = end + 1;
  }
}

std::vector<std::string_view> texts_of(const FoundMessage& message, const SearchScope& in) {
  std::vector<std::string_view> texts;
  if (in.prompts || in.answers || in.rest) add_texts(message.said, texts);
  if (in.thinking) add_texts(message.thought, texts);
  if (in.tools) add_texts(message.tools, texts);
  return texts;
}

// The text with the first term, if each term is in one of the texts; nullopt if the server found something else.
std::optional<std::string_view> shown(const Matcher& matcher, const std::vector<std::string_view>& texts) {
  const auto with = [&](std::size_t word) {
    return std::ranges::find_if(texts, [&](std::string_view text) { return matcher.has(word, text); });
  };
  for (std::size_t word = 0; word < matcher.words(); ++word)
    if (with(word) == texts.end()) return std::nullopt;
  return *with(0);
}

SearchHit hit_of(const FoundMessage& message, const Matcher& matcher, std::string_view text, bool redact) {
  SearchHit hit;
  hit.session = message.id;
  hit.layout = message.layout;
  hit.store = message.layout + ":" + message.store;
  hit.project = message.project;
  hit.updated_at = message.updated_at;
  hit.ordinal = static_cast<std::int64_t>(message.ordinal);
  hit.role = role_of(message.role).value_or(Role::user);
  hit.timestamp = message.at;
  // Redact before cutting: half a secret is not recognized.
  const auto hidden = redact ? redacted(text) : std::nullopt;
  cut_snippet(matcher, hidden ? std::string_view(*hidden) : text, hit);
  return hit;
}

// An id, a prefix of one, or LAYOUT/ID.
Result<void> choose_session(const Call& call, RemoteQuery& remote) {
  std::string id = call.text("session");
  if (const std::size_t slash = id.find('/'); slash != std::string::npos) {
    remote.filter.layout = id.substr(0, slash);
    id.erase(0, slash + 1);
  }
  HOLDFAST_LET(ids, remote.projection.ids_like(call.context, remote.filter, id));
  const bool exact = std::ranges::find(ids, id) != ids.end();
  if (!exact && ids.size() != 1)
    return fail(Code::not_found, ids.empty() ? "there is no session " + id + " at " + remote.name
                                             : "\"" + id + "\" is ambiguous at " + remote.name);
  remote.filter.id = exact ? id : ids.front();
  return {};
}

}  // namespace

Result<std::string> search_at_remote(Call& call) {
  const SearchQuery query = query_of(call);
  HOLDFAST_LET(remote, ask_remote(call, {"store", "regex"}));
  remote.filter.inner = true;
  HOLDFAST_LET(matcher, Matcher::make(query.words, false, query.match_case));
  const WordsQuery words = words_of(query, call.text("in"));
  if (words.words.empty())
    return fail(Code::invalid_argument, "a server finds words: every term needs a letter or a digit in it");
  if (call.has("session")) HOLDFAST_TRY(choose_session(call, remote));
  HitCollector told(call);
  SearchCounts counts;
  // A text with a word that begins with the term contains the term, so the server's count is exact.
  const bool sure = !query.match_case && std::ranges::all_of(query.words, is_one_word);
  if (query.count_only && sure) {
    HOLDFAST_LET(found, remote.projection.count(call.context, words, remote.filter));
    counts.hits = found.hits;
    counts.sessions = found.sessions;
  } else {
    std::optional<FoundMessage> last;
    std::set<std::uint64_t> seen;  // in the session: a message that is stored twice counts once
    std::string session, with_hits;
    while (!counts.truncated) {
      HOLDFAST_TRY(call.context.check());
      HOLDFAST_LET(found, remote.projection.find(call.context, words, remote.filter, last ? &*last : nullptr));
      if (found.empty()) break;
      for (const FoundMessage& message : found) {
        const auto text = shown(matcher, texts_of(message, query.in));
        if (session != message.key) seen.clear();
        session = message.key;
        if (!text || !seen.insert(message.same).second) continue;
        counts.truncated = !query.count_only && counts.hits >= told.wanted();
        if (counts.truncated) break;
        ++counts.hits;
        if (with_hits != message.key) ++counts.sessions;
        with_hits = message.key;
        if (query.count_only) continue;
        counts.truncated = !told.take(hit_of(message, matcher, *text, query.redact), message.machine);
        if (counts.truncated) break;
      }
      last = std::move(found.back());
    }
  }
  JsonWriter json = told.answer(query, counts);
  write_remote(json, remote);
  write_findings(json, "findings", {});
  return json.end_object().take();
}

}  // namespace holdfast::inline v1
