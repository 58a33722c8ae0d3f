#include "api/counted_page.h"

#include <algorithm>
#include <set>

#include "model/deduplicate_usage.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kStep = 32;  // messages read at a time around a page

const std::string& name_of(const std::string& response) { return response; }
std::string name_of(const TextView& response) { return response.text(); }

template <typename AnyMessage>
bool has_any(const std::vector<AnyMessage>& messages, const std::set<std::string>& responses) {
  return std::ranges::any_of(messages, [&](const auto& one) { return responses.contains(name_of(one.response)); });
}

// The page may have the cost of a response from a message after it.
void keep_viewed(MessagePage& /*page*/, std::vector<MessagePage> /*after*/) {}
void keep_viewed(ViewPage& page, std::vector<ViewPage> after) { page.after = std::move(after); }

// `read` returns the page of a query.
template <typename AnyMessage, typename Read>
auto read_counted(const PageQuery& query, const Read& read) -> decltype(read(query)) {
  HOLDFAST_LET(page, read(query));
  std::set<std::string> responses;
  for (const AnyMessage& one : page.messages)
    if (!one.response.empty()) responses.insert(name_of(one.response));
  if (responses.empty()) return page;
  PageQuery around{.list = query.list};
  std::vector<decltype(page)> before, after;
  for (std::size_t left = page.from; left > 0;) {
    around.limit = std::min(kStep, left);
    around.skip = left -= around.limit;
    HOLDFAST_LET(more, read(around));
    before.push_back(std::move(more));
    if (!has_any(before.back().messages, responses)) break;
  }
  around.limit = kStep;
  for (around.skip = page.from + page.messages.size(); around.skip < page.total; around.skip += kStep) {
    HOLDFAST_LET(more, read(around));
    after.push_back(std::move(more));
    if (!has_any(after.back().messages, responses)) break;
  }
  std::vector<AnyMessage*> all;
  const auto add = [&](auto& part) {
    for (AnyMessage& one : part.messages) all.push_back(&one);
  };
  std::for_each(before.rbegin(), before.rend(), add);
  add(page);
  std::ranges::for_each(after, add);
  deduplicate_usage(all);
  keep_viewed(page, std::move(after));
  return page;
}

}  // namespace

Result<MessagePage> read_counted_page(const Context& context, FileStore& store, std::string_view id,
                                      const PageQuery& query) {
  return read_counted<Message>(query, [&](const PageQuery& part) { return read_page(context, store, id, part); });
}

Result<ViewPage> read_counted_view_page(const Context& context, FileStore& store, std::string_view id,
                                        const PageQuery& query) {
  return read_counted<MessageView>(query,
                                   [&](const PageQuery& part) { return read_view_page(context, store, id, part); });
}

}  // namespace holdfast::inline v1
