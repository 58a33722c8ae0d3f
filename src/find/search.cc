#include "find/search.h"

#include <algorithm>

#include "find/walk.h"
#include "model/when.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kBefore = 60, kAfter = 120;  // bytes of a snippet around the match

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// Every string inside a JSON value, decoded, and its keys: what a person reads in it.
void add_strings(JsonView value, std::string& text, int depth = 0) {
  if (depth > 64) return;
  const auto add = [&](const std::string& one) { (text.empty() ? text : text += '\n') += one; };
  switch (value.kind()) {
    case JsonKind::string: add(value.as_string().value_or("")); break;
    case JsonKind::number: add(std::string(value.raw())); break;
    case JsonKind::object:
      for (const JsonItem& field : value.fields()) add_strings(field.value, text, depth + 1);
      break;
    case JsonKind::array:
      for (const JsonItem& item : value.elements()) add_strings(item.value, text, depth + 1);
      break;
    default: break;
  }
}

bool wanted(const SearchIn& in, const Message& message, BlockKind kind) {
  switch (kind) {
    case BlockKind::thinking: return in.thinking;
    case BlockKind::tool_call:
    case BlockKind::tool_result: return in.tools;
    case BlockKind::text: break;
    default: return false;  // pictures, and records that nobody reads
  }
  if (message.role == Role::user && message.origin == Origin::typed) return in.prompts;
  if (message.role == Role::assistant && message.origin == Origin::model) return in.answers;
  return in.rest;
}

// One line around the first match, and where the matches are in it.
void cut_snippet(const Matcher& matcher, std::string_view text, SearchHit& hit) {
  const auto spans = matcher.spans(text);
  const TextSpan first = spans.empty() ? TextSpan{} : spans.front();
  std::size_t from = first.from > kBefore ? first.from - kBefore : 0;
  std::size_t to = std::min(text.size(), first.to + kAfter);
  while (from > 0 && continues(text[from])) --from;
  while (to < text.size() && continues(text[to])) ++to;
  hit.snippet = text.substr(from, to - from);
  std::ranges::replace_if(hit.snippet, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  for (const TextSpan& span : spans) {
    if (span.from >= to) break;
    hit.spans.push_back({span.from - from, std::min(span.to, to) - from});
  }
}

// Takes the messages of one session after the other.
class Seeker final : public Events {
 public:
  Seeker(const SearchQuery& query, const Matcher& matcher, const TakeHit& take, SearchCounts& counts)
      : query_(query), matcher_(matcher), take_(take), counts_(counts) {}

  void begin(const Session& session) {
    session_ = &session;
    ordinal_ = 0;
    found_ = false;
  }
  bool full() const { return query_.limit != 0 && counts_.hits >= query_.limit && !query_.count_only; }

  void facts(const SessionFacts&) override {}
  bool message(Message message) override {
    const std::int64_t ordinal = ordinal_++;
    texts_.clear();
    gather(message);
    if (!matches()) return true;
    if (full()) {
      counts_.truncated = true;
      return false;
    }
    ++counts_.hits;
    if (!std::exchange(found_, true)) ++counts_.sessions;
    if (!query_.count_only) tell(message, ordinal);
    return true;
  }

 private:
  void gather(const Message& message) {
    for (const Block& block : message.blocks) {
      if (!wanted(query_.in, message, block.kind)) continue;
      if (block.kind == BlockKind::tool_call) {
        std::string text = block.name;
        add_strings(JsonView(block.json), text);
        texts_.push_back(std::move(text));
      } else if (!block.text.empty()) {
        texts_.push_back(block.text);
      }
    }
  }
  // Every word, in any of the message's texts.
  bool matches() const {
    for (std::size_t word = 0; word < matcher_.words(); ++word) {
      if (std::ranges::none_of(texts_, [&](const std::string& text) { return matcher_.has(word, text); })) return false;
    }
    return true;
  }
  void tell(const Message& message, std::int64_t ordinal) {
    SearchHit hit;
    hit.session = session_->id;
    hit.layout = session_->layout;
    hit.store = session_->store;
    hit.project = session_->project;
    hit.ordinal = ordinal;
    hit.role = message.role;
    hit.timestamp = iso_when(message.timestamp);
    const auto shown = std::ranges::find_if(texts_, [&](const std::string& text) { return matcher_.has(0, text); });
    cut_snippet(matcher_, *shown, hit);
    take_(hit);
  }

  const SearchQuery& query_;
  const Matcher& matcher_;
  const TakeHit& take_;
  SearchCounts& counts_;
  const Session* session_ = nullptr;
  std::int64_t ordinal_ = 0;
  bool found_ = false;
  std::vector<std::string> texts_;
};

}  // namespace

Result<SearchCounts> search_store(const Context& context, Store& store, const SearchQuery& query,
                                  const Matcher& matcher, const TakeHit& take) {
  SearchCounts counts;
  Seeker seeker(query, matcher, take, counts);
  WalkWish wish{.filter = query.filter, .whole = true};
  wish.filter.inner = true;
  const auto begin = [&](const Session& session) -> Events* {
    seeker.begin(session);
    return &seeker;
  };
  HOLDFAST_LET(report, walk_store(context, store, wish, begin, [&](const Session&) { return !counts.truncated; }));
  counts.findings = std::move(report.findings);
  return counts;
}

}  // namespace holdfast::inline v1
