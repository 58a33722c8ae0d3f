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

// Takes the messages that the marks name, in their order; other messages are on no page. Without `views`, all of them
// are in ViewPage::others.
class MarkedEvents final : public Events {
 public:
  MarkedEvents(const PageIndex& index, Part part, const WindowFeed& feed, bool by_record, bool views)
      : index_(index), part_(part), feed_(feed), by_record_(by_record), views_(views) {
    for (std::size_t i = 0; i < part.count; ++i) last_ = std::max(last_, index.mark(part.from + i).offset);
  }
  void facts(const SessionFacts& /*facts*/) override {}
  bool message(Message message) override {
    return take(message, [&] {
      page_.others.push_back(std::move(message));
      if (!views_) return;
      places_.push_back(page_.messages.size());
      page_.messages.emplace_back();  // once the other message stays where it is
    });
  }
  // The marks recognize what was checked when the index was made; what is damaged must be seen to be passed over.
  bool prefers_views() const override { return views_ && index_.findings.empty(); }
  bool view(MessageView message) override {
    return take(message, [&] {
      const std::string_view record = feed_.record();
      message.move(record.data(), page_.records.add(record).data());
      page_.messages.push_back(std::move(message));
    });
  }
  bool complete() const { return count_ == part_.count; }
  ViewPage page() && {
    for (std::size_t i = 0; i < places_.size(); ++i) page_.messages[places_[i]] = view_of(page_.others[i]);
    return std::move(page_);
  }

 private:
  template <typename AnyMessage, typename Keep>
  bool take(AnyMessage& message, const Keep& keep) {
    if (complete()) return false;
    const PageMark wanted = index_.mark(part_.from + count_);
    if (message.offset != wanted.offset || said(message) != wanted.said)
      return message.offset <= last_;  // no more marks after these
    message.abandoned = wanted.abandoned;
    message.ordinal = wanted.ordinal;
    keep();
    ++count_;
    return !complete();
  }
  std::uint64_t said(const Message& message) const { return by_record_ ? said() : content_hash(message); }
  std::uint64_t said(const MessageView& /*message*/) const { return said(); }
  std::uint64_t said() const { return xxh3_64(feed_.record()); }

  const PageIndex& index_;
  const Part part_;
  const WindowFeed& feed_;
  const bool by_record_, views_;
  std::uint64_t last_ = 0;
  std::size_t count_ = 0;
  ViewPage page_;
  std::vector<std::size_t> places_;  // of the others among the messages
};

// The last checkpoint from which the whole part is reported.
PageCheckpoint beginning_of(const PageIndex& index, Part part, std::size_t run_up) {
  std::uint64_t first = UINT64_MAX;
  for (std::size_t i = 0; i < part.count; ++i) first = std::min(first, index.mark(part.from + i).offset);
  PageCheckpoint begin;
  if (index.checkpoints.empty()) {
    for (std::size_t i = part.from - std::min(part.from, run_up); i < part.from; ++i)
      first = std::min(first, index.mark(i).offset);
    begin.offset = first;
  }
  for (const PageCheckpoint& checkpoint : index.checkpoints) {
    if (checkpoint.offset <= first) begin = checkpoint;
  }
  return begin;
}

// nullopt if the records alone do not give the same messages as the whole session.
Result<std::optional<ViewPage>> read_marked(const Context& context, FileStore& store, const SessionRef& ref,
                                            const TranscriptQuery& query, const PageIndex& index, Part part,
                                            bool views) {
  if (part.count == 0) return ViewPage();
  const bool by_record = store.layout().traits().one_record_each;
  const PageCheckpoint begin = beginning_of(index, part, by_record ? 0 : kRunUp);
  // The marks recognize what was checked when the index was made. Damage must be seen to be passed over.
  DirectoryFeed files = store.looking(context, index.findings.empty() ? Check::framing : Check::whole);
  WindowFeed feed(files, WindowFeed::Window{index.log, index.reading, begin.offset});
  Layout::ReadOptions options = list_options(query);
  options.from = begin.state.empty() ? 0 : begin.offset;
  options.state = begin.state;
  MarkedEvents events(index, part, feed, by_record, views);
  HOLDFAST_TRY(store.layout().read(feed, ref, options, events));
  if (!events.complete()) return std::nullopt;
  return std::move(events).page();
}

// ---- the answer

// `name` is the identity_hash of the part's last message.
MessageCursor cursor_behind(const PageQuery& query, const Part& part, std::size_t total, std::uint64_t name) {
  return MessageCursor{part.from + part.count, name, first_of(query, total), query.last};
}

bool goes_on(const Part& part, std::size_t total) { return part.count > 0 && part.from + part.count < total; }

std::vector<Finding> findings_in(const PageIndex& index) {
  std::vector<Finding> findings;
  for (const PlacedFinding& one : index.findings)
    findings.push_back({one.place.path, one.offset, one.length, one.kind, one.consequence, one.salvaged});
  return findings;
}

// nullopt if the whole session must be read.
Result<std::optional<ViewPage>> page_by_index(const Context& context, FileStore& store, const SessionRef& ref,
                                              const PageQuery& query, const PageIndex& index, bool views) {
  HOLDFAST_LET(
      part, part_meant(
                query, index.size(), [&](std::uint64_t name, std::size_t before) { return index.behind(name, before); },
                [&](std::int64_t ordinal) { return index.at_ordinal(ordinal); }));
  HOLDFAST_LET(page, read_marked(context, store, ref, query.list, index, part, views));
  if (!page) return std::nullopt;
  page->session = ref.name();
  page->from = part.from;
  page->total = index.size();
  page->first = first_of(query, page->total);
  page->findings = findings_in(index);
  if (goes_on(part, page->total))
    page->next = cursor_behind(query, part, page->total, index.mark(part.from + part.count - 1).name);
  return page;
}

// The index in the file, brought up to date; nullopt if there is none that still holds.
Result<std::optional<PageIndex>> known_index(const Context& context, FileStore& store, const SessionRef& ref,
                                             const TranscriptQuery& list, const PageFile& file) {
  auto index = file.load(list_variant(list));
  if (!index || index->is_fresh(store.roots().directories())) return index;
  const std::size_t known = index->size();
  HOLDFAST_LET(more, grown_index(context, store, ref, list, *std::move(index)));
  // While the log is young, an index without news would be examined again just the same.
  if (more && (more->size() != known || more->is_fresh(store.roots().directories())))
    file.save(list_variant(list), *more);
  return more;
}

// Ordinals are those of the reading: without history, a fork's begin with 0.
Result<ViewPage> read_numbered_page(const Context& context, FileStore& store, const SessionRef& ref,
                                    const PageQuery& query, bool views) {
  const std::string cache = store.has_unwritten_changes() ? std::string() : store.options().cache;
  const PageFile file(store.file_system(), cache, store.name(), SessionKey::of(ref));
  // A cursor that the index does not know may belong to a message that was added since.
  HOLDFAST_LET(known, known_index(context, store, ref, query.list, file));
  if (known) {
    HOLDFAST_LET(page, page_by_index(context, store, ref, query, *known, views));
    if (page) return *std::move(page);
  }
  HOLDFAST_LET(line, line_index(context, store, ref, query.list));
  if (line) {
    file.save(list_variant(query.list), *line);
    HOLDFAST_LET(page, page_by_index(context, store, ref, query, *line, views));
    if (page) return *std::move(page);
  }
  HOLDFAST_LET(list, read_whole_list(context, store, ref, query.list));
  if (list.index) file.save(list_variant(query.list), *list.index);
  HOLDFAST_LET(found, page_of_list(std::move(list.messages), query));
  ViewPage page{static_cast<PagePlace&&>(found)};
  page.session = ref.name();
  page.findings = std::move(list.findings);
  page.others = std::move(found.messages);
  if (views)
    for (const Message& message : page.others) page.messages.push_back(view_of(message));
  return page;
}

Result<ViewPage> read_page_now(const Context& context, FileStore& store, std::string_view id, PageQuery query,
                               bool views) {
  DirectoryFeed look = store.looking(context);
  HOLDFAST_LET(ref, store.resolve(context, look, id, Naming::prefix));
  std::int64_t inherited = 0;
  if (!query.list.history) {
    HOLDFAST_LET(count, count_inherited(context, store, ref));
    inherited = count;
  }
  if (query.at) *query.at -= inherited;
  HOLDFAST_LET(page, read_numbered_page(context, store, ref, query, views));
  for (MessageView& message : page.messages) message.ordinal += inherited;
  for (Message& message : page.others) message.ordinal += inherited;
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
  MessagePage page{{.from = part.from, .first = first_of(query, list.size()), .total = list.size()}};
  const auto first = list.begin() + static_cast<std::ptrdiff_t>(part.from);
  page.messages.assign(std::make_move_iterator(first),
                       std::make_move_iterator(first + static_cast<std::ptrdiff_t>(part.count)));
  if (goes_on(part, page.total))
    page.next = cursor_behind(query, part, page.total, identity_hash(page.messages.back()));
  return page;
}

Result<MessagePage> read_page(const Context& context, FileStore& store, std::string_view id, const PageQuery& query) {
  HOLDFAST_LET(found, observed_read(context, store.observer(), {"read", id},
                                    [&] { return read_page_now(context, store, id, query, false); }));
  MessagePage page{static_cast<PagePlace&&>(found)};
  page.messages = std::move(found.others);
  return page;
}

Result<ViewPage> read_view_page(const Context& context, FileStore& store, std::string_view id, const PageQuery& query) {
  return observed_read(context, store.observer(), {"read", id},
                       [&] { return read_page_now(context, store, id, query, true); });
}

}  // namespace holdfast::inline v1
