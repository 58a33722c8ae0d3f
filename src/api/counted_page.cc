#include "api/counted_page.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "model/deduplicate_usage.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kStep = 32;  // messages read at a time around a page

bool has_any(const std::vector<Message>& messages, const std::set<std::string>& responses) {
  return std::ranges::any_of(messages, [&](const Message& one) { return responses.contains(one.response); });
}

}  // namespace

Result<MessagePage> read_counted_page(const Context& context, FileStore& store, std::string_view id,
                                      const PageQuery& query) {
  HOLDFAST_LET(page, read_page(context, store, id, query));
  std::set<std::string> responses;
  for (const Message& one : page.messages)
    if (!one.response.empty()) responses.insert(one.response);
  if (responses.empty()) return page;
  const std::size_t count = page.messages.size();
  PageQuery around{.list = query.list};
  std::vector<Message> before, after;
  for (std::size_t left = page.from; left > 0;) {
    around.limit = std::min(kStep, left);
    around.skip = left -= around.limit;
    HOLDFAST_LET(more, read_page(context, store, id, around));
    const bool shared = has_any(more.messages, responses);
    before.insert(before.begin(), std::move_iterator(more.messages.begin()), std::move_iterator(more.messages.end()));
    if (!shared) break;
  }
  around.limit = kStep;
  for (around.skip = page.from + count; around.skip < page.total; around.skip += kStep) {
    HOLDFAST_LET(more, read_page(context, store, id, around));
    const bool shared = has_any(more.messages, responses);
    std::ranges::move(more.messages, std::back_inserter(after));
    if (!shared) break;
  }
  const auto first = static_cast<std::ptrdiff_t>(before.size());
  std::vector<Message> all = std::move(before);
  std::ranges::move(page.messages, std::back_inserter(all));
  std::ranges::move(after, std::back_inserter(all));
  deduplicate_usage(all);
  page.messages.assign(std::move_iterator(all.begin() + first),
                       std::move_iterator(all.begin() + first + static_cast<std::ptrdiff_t>(count)));
  return page;
}

}  // namespace holdfast::inline v1
