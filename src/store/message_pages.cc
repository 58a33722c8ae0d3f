#include "store/message_pages.h"

#include <algorithm>
#include <charconv>

#include "base/hash.h"
#include "index/page_index.h"
#include "index/session_entry.h"
#include "store/inherited.h"
#include "store/observed.h"
#include "store/page_indexing.h"
#include "store/window_feed.h"

namespace holdfast::inline v1 {
namespace {

// Messages to read before a page if the layout has no checkpoints: most messages depend only on recent ones.
constexpr std::size_t kRunUp = 32;

constexpr std::string_view kCursor = "m1";

struct Part {
  std::size_t from = 0, count = 0;
};

// How many messages come before the last ones, if only those are listed. The next pages are of the same list, even if
// messages were added since.
std::size_t first_of(const PageQuery& query, std::size_t total) {
  if (query.last == 0) return 0;
  return query.cursor ? query.cursor->first : total - std::min(query.last, total);
}

Part part_of(const PageQuery& query, std::size_t from, std::size_t total) {
  if (!query.cursor) from += first_of(query, total);
  from = std::min(from, total);
  return {from, std::min(query.limit, total - from)};
}

Failure lost_cursor() {
  return fail(Code::invalid_argument,
              "cursor: its message is no longer in the list; the session was replaced or rewound, so list it from the "
              "start");
}

// Where the page begins; `behind` finds the position after the cursor's message, `at_ordinal` that of an ordinal.
template <typename Behind, typename AtOrdinal>
Result<Part> part_meant(const PageQuery& query, std::size_t total, const Behind& behind, const AtOrdinal& at_ordinal) {
  if (query.at) return part_of(query, at_ordinal(*query.at), total);
  if (query.cursor && query.cursor->last != query.last)
    return fail(Code::invalid_argument,
                "cursor: it is of a list " +
                    (query.cursor->last == 0 ? std::string("without last")
                                             : "with the last " + std::to_string(query.cursor->last)) +
                    "; ask for its next page in the same way");
  if (!query.cursor || query.cursor->before == 0) return part_of(query, query.cursor ? 0 : query.skip, total);
  const std::optional<std::size_t> from = behind(query.cursor->name, query.cursor->before);
  if (!from) return lost_cursor();
  return part_of(query, *from, total);
}

// ---- a page by the index

// Takes the messages that the marks name, in their order; other messages are on no page.
class MarkedEvents final : public Events {
 public:
  MarkedEvents(const PageIndex& index, Part part) : index_(index), part_(part) {
    for (std::size_t i = 0; i < part.count; ++i) last_ = std::max(last_, index.mark(part.from + i).offset);
  }
  void facts(const SessionFacts& /*facts*/) override {}
  bool message(Message message) override {
    if (complete()) return false;
    const PageMark wanted = index_.mark(part_.from + messages.size());
    if (message.offset == wanted.offset && content_hash(message) == wanted.said) {
      message.abandoned = wanted.abandoned;
      message.ordinal = wanted.ordinal;
      messages.push_back(std::move(message));
      return !complete();
    }
    return message.offset <= last_;  // no more marks after these
  }
  bool complete() const { return messages.size() == part_.count; }
  std::vector<Message> messages;

 private:
  const PageIndex& index_;
  const Part part_;
  std::uint64_t last_ = 0;
};

// The last checkpoint from which the whole part is reported.
PageCheckpoint beginning_of(const PageIndex& index, Part part) {
  std::uint64_t first = UINT64_MAX;
  for (std::size_t i = 0; i < part.count; ++i) first = std::min(first, index.mark(part.from + i).offset);
  PageCheckpoint begin;
  if (index.checkpoints.empty()) {
    for (std::size_t i = part.from - std::min(part.from, kRunUp); i < part.from; ++i)
      first = std::min(first, index.mark(i).offset);
    begin.offset = first;
  }
  for (const PageCheckpoint& checkpoint : index.checkpoints) {
    if (checkpoint.offset <= first) begin = checkpoint;
  }
  return begin;
}

// nullopt if the records alone do not give the same messages as the whole session.
Result<std::optional<std::vector<Message>>> read_marked(const Context& context, FileStore& store, const SessionRef& ref,
                                                        const TranscriptQuery& query, const PageIndex& index,
                                                        Part part) {
  if (part.count == 0) return std::vector<Message>();
  const PageCheckpoint begin = beginning_of(index, part);
  DirectoryFeed files = store.looking(context);
  WindowFeed feed(files, WindowFeed::Window{index.log, index.reading, begin.offset});
  Layout::ReadOptions options = list_options(query);
  options.from = begin.state.empty() ? 0 : begin.offset;
  options.state = begin.state;
  MarkedEvents events(index, part);
  HOLDFAST_TRY(store.layout().read(feed, ref, options, events));
  if (!events.complete()) return std::nullopt;
  return std::move(events.messages);
}

// ---- the answer

std::optional<MessageCursor> cursor_behind(const PageQuery& query, const Part& part, std::size_t total,
                                           const std::vector<Message>& messages) {
  if (part.count == 0 || part.from + part.count >= total) return std::nullopt;
  return MessageCursor{part.from + part.count, identity_hash(messages.back()), first_of(query, total), query.last};
}

std::vector<Finding> findings_in(const PageIndex& index) {
  std::vector<Finding> findings;
  for (const PlacedFinding& one : index.findings)
    findings.push_back({one.place.path, one.offset, one.length, one.kind, one.consequence, one.salvaged});
  return findings;
}

// nullopt if the whole session must be read.
Result<std::optional<MessagePage>> page_by_index(const Context& context, FileStore& store, const SessionRef& ref,
                                                 const PageQuery& query, const PageFile& file) {
  const std::string variant = list_variant(query.list);
  auto index = file.load(variant);
  if (!index) return std::nullopt;
  if (!index->is_fresh(store.roots().directories())) {
    const std::size_t known = index->size();
    HOLDFAST_LET(more, grown_index(context, store, ref, query.list, *std::move(index)));
    if (!more) return std::nullopt;
    // While the log is young, an index without news would be examined again just the same.
    if (more->size() != known || more->is_fresh(store.roots().directories())) file.save(variant, *more);
    index = std::move(more);
  }
  HOLDFAST_LET(part, part_meant(
                         query, index->size(),
                         [&](std::uint64_t name, std::size_t before) { return index->behind(name, before); },
                         [&](std::int64_t ordinal) { return index->at_ordinal(ordinal); }));
  HOLDFAST_LET(messages, read_marked(context, store, ref, query.list, *index, part));
  if (!messages) return std::nullopt;
  MessagePage page{.session = ref.name(), .from = part.from, .total = index->size(), .findings = findings_in(*index)};
  page.first = first_of(query, page.total);
  page.next = cursor_behind(query, part, page.total, *messages);
  page.messages = std::move(*messages);
  return page;
}

// Ordinals are those of the reading: without history, a fork's begin with 0.
Result<MessagePage> read_numbered_page(const Context& context, FileStore& store, const SessionRef& ref,
                                       const PageQuery& query) {
  const std::string cache = store.has_unwritten_changes() ? std::string() : store.options().cache;
  const PageFile file(store.file_system(), cache, store.name(), SessionKey::of(ref));
  // A cursor that the index does not know may belong to a message that was added since.
  auto indexed = page_by_index(context, store, ref, query, file);
  if (!indexed) return fail(std::move(indexed).error());
  if (*indexed) return **std::move(indexed);
  HOLDFAST_LET(list, read_whole_list(context, store, ref, query.list));
  if (list.index) file.save(list_variant(query.list), *list.index);
  HOLDFAST_LET(page, page_of_list(std::move(list.messages), query));
  page.session = ref.name();
  page.findings = std::move(list.findings);
  return page;
}

Result<MessagePage> read_page_now(const Context& context, FileStore& store, std::string_view id, PageQuery query) {
  DirectoryFeed look = store.looking(context);
  HOLDFAST_LET(ref, store.resolve(context, look, id, Naming::prefix));
  std::int64_t inherited = 0;
  if (!query.list.history) {
    HOLDFAST_LET(count, count_inherited(context, store, ref));
    inherited = count;
  }
  if (query.at) *query.at -= inherited;
  HOLDFAST_LET(page, read_numbered_page(context, store, ref, query));
  for (Message& message : page.messages) message.ordinal += inherited;
  return page;
}

}  // namespace

std::string MessageCursor::text() const {
  std::string text(kCursor);
  const auto add = [&](std::uint64_t number) {
    char digits[16];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), number, 16).ptr;
    text.append(".").append(std::begin(digits), end);
  };
  add(before);
  add(name);
  if (last == 0) return text;
  add(first);
  add(last);
  return text;
}

Result<MessageCursor> MessageCursor::parse(std::string_view text) {
  std::uint64_t numbers[4] = {};
  std::size_t count = 0;
  std::string_view rest = text;
  bool ok = rest.starts_with(kCursor);
  if (ok) rest.remove_prefix(kCursor.size());
  while (ok && !rest.empty() && count < std::size(numbers)) {
    ok = rest.starts_with('.');
    if (!ok) break;
    const auto [end, fault] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), numbers[count++], 16);
    ok = fault == std::errc();
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  }
  if (!ok || !rest.empty() || (count != 2 && count != 4))
    return fail(Code::invalid_argument, "cursor is not a next_cursor of message.list");
  return MessageCursor{static_cast<std::size_t>(numbers[0]), numbers[1], static_cast<std::size_t>(numbers[2]),
                       static_cast<std::size_t>(numbers[3])};
}

Result<MessagePage> page_of_list(std::vector<Message> list, const PageQuery& query) {
  const auto behind = [&](std::uint64_t name, std::size_t before) -> std::optional<std::size_t> {
    if (before <= list.size() && identity_hash(list[before - 1]) == name) return before;
    for (std::size_t number = list.size(); number > 0; --number) {
      if (identity_hash(list[number - 1]) == name) return number;
    }
    return std::nullopt;
  };
  const auto at_ordinal = [&](std::int64_t ordinal) {
    return static_cast<std::size_t>(std::ranges::lower_bound(list, ordinal, {}, &Message::ordinal) - list.begin());
  };
  HOLDFAST_LET(part, part_meant(query, list.size(), behind, at_ordinal));
  MessagePage page{.from = part.from, .first = first_of(query, list.size()), .total = list.size()};
  const auto first = list.begin() + static_cast<std::ptrdiff_t>(part.from);
  page.messages.assign(std::make_move_iterator(first),
                       std::make_move_iterator(first + static_cast<std::ptrdiff_t>(part.count)));
  page.next = cursor_behind(query, part, page.total, page.messages);
  return page;
}

Result<MessagePage> read_page(const Context& context, FileStore& store, std::string_view id, const PageQuery& query) {
  return observed_read(context, store.observer(), {"read", id},
                       [&] { return read_page_now(context, store, id, query); });
}

}  // namespace holdfast::inline v1
