#include "store/page_indexing.h"

#include <algorithm>
#include <unordered_set>

#include "base/hash.h"
#include "base/time.h"
#include "store/branch.h"
#include "store/empty_session.h"
#include "store/listing_events.h"
#include "store/window_feed.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kWorthIndexing = std::uint64_t{16} << 10;  // bytes of a log; smaller ones are simply read
constexpr std::uint64_t kYoungDocument = std::uint64_t{1} << 20;  // bytes; a larger one is not read only to be compared
constexpr std::size_t kChunk = std::size_t{1} << 20;

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
// advanced. Then all of them are on the branch, also if a leaf is told that is the last one.
class Line {
 public:
  // Goes on where the index ends, which must stay as it is meanwhile.
  explicit Line(const PageIndex& index)
      : known_(&index),
        last_(index.last_id),
        plain_(index.plain),
        no_parents_(index.plain),
        parents_(!index.plain && !index.last_id.empty()) {}
  Line() = default;

  bool follows(const Message& message) {
    return !message.abandoned && !message.side && follows(message.id, message.parent);
  }
  bool follows(std::string_view id, std::string_view parent) {
    no_parents_ = no_parents_ && parent.empty();
    parents_ = parents_ || !parent.empty();
    if (!id.empty()) {
      chain_ = chain_ && parent == last_ && (plain_ || is_new(id));
      last_ = id;
    }
    return plain_ ? parent.empty() : chain_ || no_parents_;
  }
  // Without parents, a leaf hides what comes after it, also messages without an id.
  bool ends_at(std::string_view leaf) const { return leaf.empty() || (!plain_now() && parents_ && leaf == last_); }
  // False while it is not clear whether the messages will be a chain; then a leaf may have been told.
  bool continues() const { return plain_now() || parents_ || last_.empty(); }
  bool plain_now() const { return plain_ || !chain_; }
  const std::string& last() const { return last_; }

 private:
  // If two messages have the same id, a leaf or a parent does not say which of them it means.
  bool is_new(std::string_view id) {
    if (known_ != nullptr)
      for (std::size_t i = 0; i < known_->size(); ++i) names_.insert(known_->mark(i).name);
    known_ = nullptr;
    return names_.insert(xxh3_64(id)).second;
  }

  const PageIndex* known_ = nullptr;  // whose names are not in `names_` yet
  std::unordered_set<std::uint64_t> names_;
  std::string last_;
  bool plain_ = false;  // no message has a parent, and they do not form a chain
  bool no_parents_ = true;
  bool parents_ = false;  // a message is known to have one
  bool chain_ = true;     // the parent of every message is the one before it, and no id comes twice
};

// A file that is too young to be trusted by its times can still be recognized by its contents.
void note_young(PageIndex& index, const DirectoryFeed& files) {
  index.young.clear();
  for (const auto& [place, print] : index.files) {
    const auto revision = files.revisions().find(place);
    if (print.racy(index.looked_ns) && revision != files.revisions().end() && print.size <= kYoungDocument)
      index.young.insert(*revision);
  }
}

// Everything that is reported, and how the marks recognize it.
class MarkingEvents final : public ListingEvents {
 public:
  MarkingEvents(const WindowFeed& feed, bool by_record) : feed_(feed), by_record_(by_record) {}
  bool message(Message message) override {
    if (by_record_) records_.push_back(xxh3_64(feed_.record()));
    return ListingEvents::message(std::move(message));
  }
  // Of one of the messages, while it has the ordinal of this reading.
  PageMark mark(const Message& message) const {
    return mark_of(message, by_record_ ? records_[static_cast<std::size_t>(message.ordinal)] : content_hash(message));
  }

 private:
  const WindowFeed& feed_;
  const bool by_record_;
  std::vector<std::uint64_t> records_;  // hashes
};

// The marks of messages that each follow the one before, without the messages. Stops reading at any other message.
class LineEvents final : public Events {
 public:
  LineEvents(const WindowFeed& feed, bool by_record, Line line)
      : feed_(feed), by_record_(by_record), line_(std::move(line)) {}
  void facts(const SessionFacts& /*facts*/) override {}
  bool message(Message message) override {
    follows_ = follows_ && line_.follows(message);
    if (!follows_) return false;
    const std::uint64_t said = by_record_ ? xxh3_64(feed_.record()) : content_hash(message);
    added_.push_back(mark_of(message, said));
    return true;
  }
  bool prefers_views() const override { return by_record_; }
  bool view(MessageView message) override {
    const std::string_view id = message.id.text(id_), parent = message.parent.text(parent_);
    follows_ = follows_ && !message.side && line_.follows(id, parent);
    if (!follows_) return false;
    added_.push_back({message.offset, false, xxh3_64(feed_.record()), xxh3_64(id), 0});
    return true;
  }
  void leaf(std::string_view id) override { leaf_ = id; }
  void checkpoint(std::uint64_t offset, std::string_view state) override {
    checkpoints.push_back({offset, std::string(state)});
  }

  bool is_line() const { return follows_ && line_.ends_at(leaf_); }
  const Line& line() const { return line_; }

  const std::vector<PageMark>& added() const { return added_; }
  std::vector<PageCheckpoint> checkpoints;

 private:
  const WindowFeed& feed_;
  const bool by_record_;
  Line line_;
  bool follows_ = true;
  std::string leaf_, id_, parent_;
  std::vector<PageMark> added_;
};

// All messages are on the list of a line.
void add_to_line(PageIndex& index, PageMark mark) {
  mark.ordinal = static_cast<std::int64_t>(index.size());
  index.add(mark);
}

void note_line(PageIndex& index, const Line& line) {
  index.last_id = line.last();
  index.plain = line.plain_now();
  if (!line.continues()) index.line.reset();
}

bool is_line(const std::vector<Message>& told, std::string_view leaf, PageIndex& index) {
  Line line;
  for (const Message& message : told) {
    if (!line.follows(message)) return false;
  }
  note_line(index, line);
  return line.continues() && line.ends_at(leaf);
}

// The index without its marks; nullopt if not all records are of one log, or if it is not worth it.
std::optional<PageIndex> index_of(const DirectoryFeed& files, const std::optional<WindowFeed::Source>& source,
                                  std::int64_t looked_ns) {
  if (!source || source->log.path.ends_with(".zst")) return std::nullopt;
  const auto print = files.read_files().find(source->log);
  if (print == files.read_files().end() || print->second.size < kWorthIndexing) return std::nullopt;
  PageIndex index;
  index.files = files.read_files();
  index.looked_ns = looked_ns;
  note_young(index, files);
  index.findings = files.findings();
  index.log = source->log;
  index.reading = source->reading;
  return index;
}

bool is_sound(const DirectoryFeed& files) { return files.findings().empty() && files.unfinished().empty(); }

std::optional<PageIndex> index_of_list(const Context& context, const FileStore& store, const DirectoryFeed& files,
                                       const WindowFeed& feed, const ListingEvents& told, std::int64_t looked_ns) {
  const auto source = feed.source();
  auto index = index_of(files, source, looked_ns);
  if (!index) return std::nullopt;
  for (const Message& message : told.messages) {
    if (!std::ranges::binary_search(source->offsets, message.offset)) return std::nullopt;
  }
  for (const ListingEvents::Checkpoint& one : told.checkpoints) index->checkpoints.push_back({one.offset, one.state});
  if (is_sound(files) && is_line(told.messages, told.leaf_id, *index))
    index->line = track_of(context, store, index->log, index->files.at(index->log));
  return index;
}

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

bool is_of_all(const TranscriptQuery& query) { return query.branch.empty() || query.branch == "all"; }

}  // namespace

std::string list_variant(const TranscriptQuery& query) {
  return (query.history ? "history\n" : "own\n") + query.branch;
}

Layout::ReadOptions list_options(const TranscriptQuery& query) {
  return {.history = query.history,
          .media = query.data ? Layout::ReadOptions::Media::data : Layout::ReadOptions::Media::check};
}

Result<WholeList> read_whole_list(const Context& context, FileStore& store, const SessionRef& ref,
                                  const TranscriptQuery& query) {
  const std::int64_t looked_ns = unix_ns(context.clock->now());
  DirectoryFeed files = store.looking(context);
  WindowFeed feed(files);
  MarkingEvents told(feed, store.layout().traits().one_record_each);
  HOLDFAST_TRY(store.layout().read(feed, ref, list_options(query), told));
  WholeList list;
  list.findings = findings_of(files);
  if (told.messages.empty()) note_if_empty(store.layout(), files, ref.place, list.findings);
  if (!store.has_unwritten_changes()) list.index = index_of_list(context, store, files, feed, told, looked_ns);
  HOLDFAST_TRY(check_branch(told.messages, query.branch, ref.id));
  const std::size_t all = told.messages.size();
  if (query.branch == "all") {
    list.messages = std::move(told.messages);
    mark_abandoned(list.messages, told.leaf_id);
  } else {
    list.messages = branch_of(std::move(told.messages), query.branch.empty() ? told.leaf_id : query.branch);
  }
  if (!list.index) return list;
  if (list.messages.size() != all || !is_of_all(query)) list.index->line.reset();
  for (const Message& message : list.messages) list.index->add(told.mark(message));
  return list;
}

Result<std::optional<PageIndex>> line_index(const Context& context, FileStore& store, const SessionRef& ref,
                                            const TranscriptQuery& query) {
  if (!store.layout().traits().one_record_each || !is_of_all(query) || store.has_unwritten_changes())
    return std::nullopt;
  const std::int64_t looked_ns = unix_ns(context.clock->now());
  DirectoryFeed files = store.looking(context);
  HOLDFAST_LET(log, files.stat(ref.place));
  if (!log || log->size < kWorthIndexing) return std::nullopt;
  WindowFeed feed(files);
  LineEvents events(feed, true, Line());
  HOLDFAST_TRY(store.layout().read(feed, ref, list_options(query), events));
  if (events.added().empty() || !events.is_line() || !is_sound(files)) return std::nullopt;
  auto index = index_of(files, feed.source(), looked_ns);
  if (!index) return std::nullopt;
  for (const PageMark& mark : events.added()) add_to_line(*index, mark);
  index->line = track_of(context, store, index->log, index->files.at(index->log));
  note_line(*index, events.line());
  return index;
}

Result<std::optional<PageIndex>> grown_index(const Context& context, FileStore& store, const SessionRef& ref,
                                             const TranscriptQuery& query, PageIndex index) {
  const RootDirectories& roots = store.roots().directories();
  const LayoutTraits traits = store.layout().traits();
  const bool anywhere = traits.seekable_log;
  if (!index.line || (!anywhere && index.checkpoints.empty())) return std::nullopt;
  for (const auto& [place, print] : index.files) {
    if (place != index.log && !index.is_same_document(roots, place)) return std::nullopt;
  }
  const std::int64_t looked_ns = unix_ns(context.clock->now());
  DirectoryFeed files = store.looking(context);
  const PageCheckpoint begin = anywhere ? PageCheckpoint{index.line->position, {}} : index.checkpoints.back();
  WindowFeed feed(files, WindowFeed::Window{index.log, index.reading, begin.offset});
  Layout::ReadOptions options = list_options(query);
  options.from = begin.state.empty() ? 0 : begin.offset;
  options.state = begin.state;
  LineEvents events(feed, traits.one_record_each, Line(index));
  HOLDFAST_TRY(store.layout().read(feed, ref, options, events));
  const auto print = files.read_files().find(index.log);
  if (!events.is_line() || print == files.read_files().end() || !is_sound(files)) return std::nullopt;
  std::size_t kept = index.size();
  while (kept > 0 && index.mark(kept - 1).offset >= begin.offset) --kept;
  if (kept < index.size() && !index.plain && !index.last_id.empty())
    return std::nullopt;  // the message that they follow is no longer known
  index.cut(kept);
  for (const PageMark& mark : events.added()) add_to_line(index, mark);
  auto track = grown_track(context, store, index, print->second);
  if (!track) return std::nullopt;
  index.line = std::move(track);
  note_line(index, events.line());
  for (const auto& [place, seen] : files.read_files()) index.files.insert_or_assign(place, seen);
  index.looked_ns = looked_ns;
  note_young(index, files);
  for (const PageCheckpoint& one : events.checkpoints) {
    if (one.offset > begin.offset) index.checkpoints.push_back(one);
  }
  return index;
}

}  // namespace holdfast::inline v1
