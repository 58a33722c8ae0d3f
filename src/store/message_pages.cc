#include "store/message_pages.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "base/hash.h"
#include "index/page_index.h"
#include "index/session_entry.h"
#include "store/branch.h"
#include "store/empty_session.h"
#include "store/inherited.h"
#include "store/listing_events.h"
#include "store/observed.h"
#include "store/window_feed.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kWorthIndexing = std::uint64_t{16} << 10;  // bytes of a log; smaller ones are simply read
// Messages to read before a page if the layout has no checkpoints: most messages depend only on recent ones.
constexpr std::size_t kRunUp = 32;
constexpr std::uint64_t kYoungDocument = std::uint64_t{1} << 20;  // bytes; a larger one is not read only to be compared
constexpr std::size_t kChunk = std::size_t{1} << 20;

constexpr std::string_view kCursor = "m1";

std::int64_t nanoseconds(const Context& context) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(context.clock->now().time_since_epoch()).count();
}

// Distinguishes the lists of one session.
std::string variant_of(const TranscriptQuery& query) { return (query.history ? "history\n" : "own\n") + query.branch; }

Layout::ReadOptions options_of(const TranscriptQuery& query) {
  return {.history = query.history,
          .media = query.data ? Layout::ReadOptions::Media::data : Layout::ReadOptions::Media::check};
}

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
  Layout::ReadOptions options = options_of(query);
  options.from = begin.state.empty() ? 0 : begin.offset;
  options.state = begin.state;
  MarkedEvents events(index, part);
  HOLDFAST_TRY(store.layout().read(feed, ref, options, events));
  if (!events.complete()) return std::nullopt;
  return std::move(events.messages);
}

// ---- making the index

// Adds the log's bytes [from, to) to the hash; false if they are not all there.
bool hash_bytes(const Context& context, File& file, Xxh3Stream& hash, std::uint64_t from, std::uint64_t to) {
  std::string chunk(static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, to - from)), '\0');
  for (std::uint64_t at = from; at < to;) {
    if (!context.check()) return false;
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), to - at));
    const auto count = file.read_at(at, {chunk.data(), wanted});
    if (!count || *count != wanted) return false;
    hash.add({chunk.data(), wanted});
    at += wanted;
  }
  return true;
}

std::unique_ptr<File> open_log(const FileStore& store, const Place& log) {
  const auto root = store.roots().directories().find(log.root);
  if (root == store.roots().directories().end() || root->second == nullptr) return nullptr;
  auto file = root->second->open(log.path, OpenMode::read);
  return file ? std::move(*file) : nullptr;
}

// The hash of the whole log, which is unchanged since it was read.
std::optional<LogTrack> track_of(const Context& context, const FileStore& store, const Place& log,
                                 const Fingerprint& print) {
  const auto file = open_log(store, log);
  if (file == nullptr) return std::nullopt;
  Xxh3Stream hash;
  if (!hash_bytes(context, *file, hash, 0, print.size)) return std::nullopt;
  const auto stat = file->stat();
  if (!stat || Fingerprint::of(*stat) != print) return std::nullopt;
  return LogTrack{print.size, print.size, hash.hex()};
}

// Checks that each message follows the one before it, starting after the message with id `last_`, which is then
// advanced.
class Line {
 public:
  explicit Line(const PageIndex& index) : last_(index.last_id), plain_(index.plain), no_parents_(index.plain) {}
  Line() = default;

  bool follows(const Message& message) {
    if (message.abandoned || message.side) return false;
    no_parents_ = no_parents_ && message.parent.empty();
    if (!message.id.empty()) {
      chain_ = chain_ && message.parent == last_;
      last_ = message.id;
    }
    return plain_ ? message.parent.empty() : chain_ || no_parents_;
  }
  bool ends_at(std::string_view leaf) const { return leaf.empty() || (!plain_now() && leaf == last_); }
  bool plain_now() const { return plain_ || !chain_; }
  const std::string& last() const { return last_; }

 private:
  std::string last_;
  bool plain_ = false;  // no message has a parent, and they do not form a chain
  bool no_parents_ = true;
  bool chain_ = true;  // the parent of every message is the one before it
};

bool is_line(const std::vector<Message>& told, std::string_view leaf, PageIndex& index) {
  Line line;
  for (const Message& message : told) {
    if (!line.follows(message)) return false;
  }
  index.last_id = line.last();
  index.plain = line.plain_now();
  return line.ends_at(leaf);
}

// A file that is too young to be trusted by its times can still be recognized by its contents.
void note_young(PageIndex& index, const DirectoryFeed& files) {
  index.young.clear();
  for (const auto& [place, print] : index.files) {
    const auto revision = files.revisions().find(place);
    if (print.racy(index.looked_ns) && revision != files.revisions().end() && print.size <= kYoungDocument)
      index.young.insert(*revision);
  }
}

// The index without its marks; nullopt if the session's messages are not all records of one log.
std::optional<PageIndex> index_of(const Context& context, const FileStore& store, const DirectoryFeed& files,
                                  const WindowFeed& feed, const ListingEvents& told, std::int64_t looked_ns) {
  const auto source = feed.source();
  if (!source || source->log.path.ends_with(".zst")) return std::nullopt;
  const auto print = files.read_files().find(source->log);
  if (print == files.read_files().end() || print->second.size < kWorthIndexing) return std::nullopt;
  for (const Message& message : told.messages) {
    if (!std::ranges::binary_search(source->offsets, message.offset)) return std::nullopt;
  }
  PageIndex index;
  index.files = files.read_files();
  index.looked_ns = looked_ns;
  note_young(index, files);
  index.findings = files.findings();
  index.log = source->log;
  index.reading = source->reading;
  for (const ListingEvents::Checkpoint& one : told.checkpoints) index.checkpoints.push_back({one.offset, one.state});
  if (files.findings().empty() && files.unfinished().empty() && is_line(told.messages, told.leaf_id, index))
    index.line = track_of(context, store, index.log, print->second);
  return index;
}

struct WholeList {
  std::vector<Message> messages;
  std::vector<Finding> findings;
  std::optional<PageIndex> index;
};

Result<WholeList> read_whole_list(const Context& context, FileStore& store, const SessionRef& ref,
                                  const TranscriptQuery& query) {
  const std::int64_t looked_ns = nanoseconds(context);
  DirectoryFeed files = store.looking(context);
  WindowFeed feed(files);
  ListingEvents told;
  HOLDFAST_TRY(store.layout().read(feed, ref, options_of(query), told));
  WholeList list;
  list.findings = findings_of(files);
  if (told.messages.empty()) note_if_empty(store.layout(), files, ref.place, list.findings);
  if (!store.has_unwritten_changes()) list.index = index_of(context, store, files, feed, told, looked_ns);
  HOLDFAST_TRY(check_branch(told.messages, query.branch, ref.id));
  const std::size_t all = told.messages.size();
  if (query.branch == "all") {
    list.messages = std::move(told.messages);
    mark_abandoned(list.messages, told.leaf_id);
  } else {
    list.messages = branch_of(std::move(told.messages), query.branch.empty() ? told.leaf_id : query.branch);
  }
  if (!list.index) return list;
  if (list.messages.size() != all || !(query.branch.empty() || query.branch == "all")) list.index->line.reset();
  for (const Message& message : list.messages) list.index->add(mark_of(message));
  return list;
}

// ---- an index whose log has grown

// Checks that the log still begins with the indexed bytes; returns its hash up to its present end.
std::optional<LogTrack> grown_track(const Context& context, const FileStore& store, const PageIndex& index,
                                    const Fingerprint& print) {
  const auto file = open_log(store, index.log);
  if (file == nullptr || print.size < index.line->position) return std::nullopt;
  Xxh3Stream hash;
  if (!hash_bytes(context, *file, hash, 0, index.line->hashed) || hash.hex() != index.line->hash) return std::nullopt;
  if (!hash_bytes(context, *file, hash, index.line->hashed, print.size)) return std::nullopt;
  const auto stat = file->stat();
  if (!stat || Fingerprint::of(*stat) != print) return std::nullopt;
  return LogTrack{print.size, print.size, hash.hex()};
}

// The index with the messages added since; nullopt if the whole session must be read.
Result<std::optional<PageIndex>> grown(const Context& context, FileStore& store, const SessionRef& ref,
                                       const TranscriptQuery& query, PageIndex index) {
  const RootDirectories& roots = store.roots().directories();
  const bool anywhere = store.layout().traits().seekable_log;
  if (!index.line || (!anywhere && index.checkpoints.empty())) return std::nullopt;
  for (const auto& [place, print] : index.files) {
    if (place != index.log && !index.is_same_document(roots, place)) return std::nullopt;
  }
  const std::int64_t looked_ns = nanoseconds(context);
  DirectoryFeed files = store.looking(context);
  const PageCheckpoint begin = anywhere ? PageCheckpoint{index.line->position, {}} : index.checkpoints.back();
  WindowFeed feed(files, WindowFeed::Window{index.log, index.reading, begin.offset});
  Layout::ReadOptions options = options_of(query);
  options.from = begin.state.empty() ? 0 : begin.offset;
  options.state = begin.state;
  ListingEvents told;
  HOLDFAST_TRY(store.layout().read(feed, ref, options, told));
  const auto print = files.read_files().find(index.log);
  if (print == files.read_files().end() || !files.findings().empty() || !files.unfinished().empty())
    return std::nullopt;
  std::size_t kept = index.size();
  while (kept > 0 && index.mark(kept - 1).offset >= begin.offset) --kept;
  if (kept < index.size() && !index.plain && !index.last_id.empty())
    return std::nullopt;  // the message that they follow is no longer known
  index.cut(kept);
  std::unordered_set<std::uint64_t> names;
  for (std::size_t i = 0; i < kept && !told.messages.empty(); ++i) names.insert(index.mark(i).name);
  Line line(index);
  for (const Message& message : told.messages) {
    if (!line.follows(message)) return std::nullopt;
    PageMark mark = mark_of(message);
    mark.ordinal = static_cast<std::int64_t>(index.size());  // all messages are on the list of a line
    if (!message.id.empty() && !index.plain && !names.insert(mark.name).second) return std::nullopt;
    index.add(mark);
  }
  if (!line.ends_at(told.leaf_id)) return std::nullopt;
  auto track = grown_track(context, store, index, print->second);
  if (!track) return std::nullopt;
  index.line = std::move(track);
  index.last_id = line.last();
  index.plain = line.plain_now();
  for (const auto& [place, seen] : files.read_files()) index.files.insert_or_assign(place, seen);
  index.looked_ns = looked_ns;
  note_young(index, files);
  for (const ListingEvents::Checkpoint& one : told.checkpoints) {
    if (one.offset > begin.offset) index.checkpoints.push_back({one.offset, one.state});
  }
  return index;
}

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
  const std::string variant = variant_of(query.list);
  auto index = file.load(variant);
  if (!index) return std::nullopt;
  if (!index->is_fresh(store.roots().directories())) {
    const std::size_t known = index->size();
    HOLDFAST_LET(more, grown(context, store, ref, query.list, *std::move(index)));
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
  if (list.index) file.save(variant_of(query.list), *list.index);
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
