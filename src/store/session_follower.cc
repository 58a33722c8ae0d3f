#include "store/session_follower.h"

#include <algorithm>
#include <unordered_set>

#include "base/hash.h"
#include "index/session_entry.h"
#include "store/branch.h"
#include "store/inherited.h"
#include "store/listing_events.h"
#include "store/window_feed.h"

namespace holdfast::inline v1 {
namespace {

constexpr auto kLookAgain = std::chrono::milliseconds(500);  // for a session that is gone
constexpr std::uint64_t kGuard = 1024;                       // bytes before the resume offset that are checked

std::int64_t nanoseconds(const Context& context) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(context.clock->now().time_since_epoch()).count();
}

std::unique_ptr<File> open_at(const RootDirectories& roots, const Place& place) {
  const auto root = roots.find(place.root);
  if (root == roots.end() || root->second == nullptr) return nullptr;
  auto file = root->second->open(place.path, OpenMode::read);
  return file ? std::move(*file) : nullptr;
}

// nullopt if the file does not reach that far.
std::optional<std::uint64_t> hash_before(File& file, std::uint64_t offset) {
  std::string bytes(static_cast<std::size_t>(std::min(offset, kGuard)), '\0');
  const auto count = file.read_at(offset - bytes.size(), bytes);
  if (!count || *count != bytes.size()) return std::nullopt;
  return xxh3_64(bytes);
}

bool is_log(const Place& place) { return place.path.ends_with(".jsonl") || place.path.ends_with(".zst"); }

// Where a message stands in the session.
std::uint64_t place_of(const Message& message) {
  return static_cast<std::uint64_t>(message.ordinal) * 8 + static_cast<std::uint64_t>(message.role);
}

// A message is identified by its id; without one, by its record, or in a document by its number.
std::vector<std::uint64_t> keys_of(const std::vector<Message>& messages, bool log) {
  std::vector<std::uint64_t> keys;
  std::unordered_map<std::uint64_t, std::uint64_t> seen;
  for (const Message& message : messages) {
    const auto role = static_cast<std::uint64_t>(message.role);
    const std::uint64_t place =
        message.id.empty() ? xxh3_64({}, (log ? message.offset : 0) * 8 + role) : xxh3_64(message.id, role);
    keys.push_back(xxh3_64({}, place + seen[place]++));
  }
  return keys;
}

}  // namespace

struct SessionFollower::Told {
  std::vector<Message> messages;
  std::vector<std::uint64_t> keys;  // of the messages
  bool damaged = false;
  std::map<Place, Fingerprint> files;
  std::int64_t looked_ns = 0;
  std::optional<Log> log;
};

Result<SessionFollower> SessionFollower::open(const Context& context, std::shared_ptr<FileStore> store,
                                              std::string_view id) {
  DirectoryFeed feed = store->looking(context);
  HOLDFAST_LET(ref, store->resolve(context, feed, id, Naming::prefix));
  // Watch before reading: what is added in between counts as a change.
  HOLDFAST_LET(watch, Watch::create());
  SessionFollower follower(std::move(store), std::move(ref), std::move(watch));
  HOLDFAST_TRY(follower.watch_folder());
  return follower;
}

Result<void> SessionFollower::watch_folder() {
  const RootDirectories& roots = store_->roots().directories();
  const auto root = roots.find(ref_.place.root);
  if (root == roots.end() || root->second == nullptr) return {};
  const std::size_t slash = ref_.place.path.rfind('/');
  std::string folder = root->second->path();
  if (slash != std::string::npos) folder.append("/").append(ref_.place.path.substr(0, slash));
  if (folder == folder_ && !lost_) return {};
  HOLDFAST_TRY(watch_.add(folder));
  folder_ = std::move(folder);
  lost_ = false;
  return {};
}

Result<void> SessionFollower::wait(const Context& context) {
  // A folder that does not exist cannot be watched.
  const bool look_again = gone_ || lost_;
  const auto changed = watch_.wait(look_again ? context.within(kLookAgain) : context);
  if (!changed && look_again && changed.error().code == Code::deadline_exceeded) return context.check();
  if (!changed) return fail(changed.error());
  lost_ = lost_ || changed->overflow || std::ranges::find(changed->paths, folder_) != changed->paths.end();
  return {};
}

bool SessionFollower::is_unchanged() const {
  return !store_->has_unwritten_changes() && std::ranges::all_of(files_, [&](const auto& file) {
    return unchanged(store_->roots().directories(), file.first, file.second, looked_ns_);
  });
}

// True if the log is still the same file, and the bytes just before the resume offset are unchanged.
bool SessionFollower::can_go_on() const {
  if (!log_ || store_->has_unwritten_changes()) return false;
  const auto file = open_at(store_->roots().directories(), log_->place);
  if (file == nullptr) return false;
  const auto stat = file->stat();
  return stat && stat->inode == log_->inode && hash_before(*file, log_->resume.offset) == log_->before;
}

Result<SessionFollower::Told> SessionFollower::read_from(const Context& context, const Resume* begin) {
  const Layout& layout = store_->layout();
  Told told;
  told.looked_ns = nanoseconds(context);
  DirectoryFeed files = store_->looking(context);
  files.track(ref_.place, {}, begin == nullptr ? 0 : begin->offset);
  std::optional<WindowFeed::Window> window;
  Layout::ReadOptions options{.media = Layout::ReadOptions::Media::check};
  if (begin != nullptr) {
    window = WindowFeed::Window{log_->place, log_->reading, begin->offset};
    options.from = begin->state.empty() ? 0 : begin->offset;
    options.state = begin->state;
  }
  WindowFeed feed(files, std::move(window));
  ListingEvents events;
  HOLDFAST_TRY(layout.read(feed, ref_, options, events));
  told.files = files.read_files();
  told.damaged = !files.findings().empty();
  const std::size_t before = begin == nullptr ? 0 : begin->count;
  std::optional<Resume> resume;
  const auto source = feed.source();
  const bool plain_log = source && !source->log.path.ends_with(".zst");
  if (plain_log && events.rested && files.tracked() && source->log == ref_.place) {
    resume = Resume{files.tracked()->position, events.rest_state, before + events.rest_count};
  } else if (plain_log && layout.traits().seekable_log) {
    // Read the last line again: it may still be in progress.
    resume = Resume{source->offsets.back(), {}, before};
    for (const Message& message : events.messages) resume->count += message.offset < resume->offset ? 1 : 0;
  } else if (plain_log && !events.checkpoints.empty()) {
    ListingEvents::Checkpoint& last = events.checkpoints.back();
    resume = Resume{last.offset, std::move(last.state), before + last.count};
  } else if (begin != nullptr) {
    resume = *begin;
  }
  if (resume && (source || begin != nullptr)) {
    const Place place = source ? source->log : log_->place;
    const auto file = open_at(store_->roots().directories(), place);
    const auto stat = file == nullptr ? Result<FileStat>(fail(Code::not_found, "gone")) : file->stat();
    const auto guard = file == nullptr ? std::nullopt : hash_before(*file, resume->offset);
    if (stat && guard) {
      const std::uint64_t reading = begin != nullptr ? log_->reading : source->reading;
      told.log = Log{place, reading, stat->inode, *std::move(resume), *guard};
    }
  }
  told.messages = std::move(events.messages);
  if (begin == nullptr) {
    mark_abandoned(told.messages, events.leaf_id);
    HOLDFAST_LET(inherited, count_inherited(context, *store_, ref_));
    inherited_ = inherited;
  }
  for (Message& message : told.messages) message.ordinal += inherited_ + static_cast<std::int64_t>(before);
  told.keys = keys_of(told.messages, is_log(ref_.place));
  return told;
}

void SessionFollower::remember(const Told& told) {
  looked_ns_ = told.looked_ns;
  for (const auto& [place, print] : told.files) files_.insert_or_assign(place, print);
  log_ = told.log;
}

Followed SessionFollower::take(Message message, std::uint64_t key) {
  std::vector<Block> added = blocks_.take(key, message);
  return {Followed::Kind::message, std::move(message), std::move(added)};
}

// Codex names a response by its text, which may follow thoughts and calls with ids of their own. The results of
// several tools of opencode are named by the first one, which may be the last to arrive. A prompt does not grow:
// another one in its place may begin with the same words.
bool SessionFollower::is_renamed(Mark& old, const Message& message, std::uint64_t key) {
  if (message.role == Role::user || blocks_.knows(key)) return false;
  if (old.place != place_of(message) || !blocks_.is_continued(old.key, message)) return false;
  blocks_.rename(old.key, key);
  old.key = key;
  return true;
}

std::optional<std::vector<Followed>> SessionFollower::go_on(Told& told, std::size_t from) {
  if (from + told.messages.size() < told_.size()) return std::nullopt;
  for (std::size_t i = from; i < told_.size(); ++i) {
    const std::uint64_t key = told.keys[i - from];
    if (key != told_[i].key && !is_renamed(told_[i], told.messages[i - from], key)) return std::nullopt;
  }
  std::vector<Followed> items;
  for (std::size_t i = 0; i < told.messages.size(); ++i) {
    const PageMark mark = mark_of(told.messages[i]);
    const bool known = from + i < told_.size();
    if (known && mark.said == told_[from + i].said) continue;
    if (!known) told_.emplace_back();
    told_[from + i] = {told.keys[i], mark.said, mark.name, place_of(told.messages[i])};
    items.push_back(take(std::move(told.messages[i]), told.keys[i]));
    if (known) items.back().kind = Followed::Kind::changed;
  }
  return items;
}

std::optional<std::vector<Followed>> SessionFollower::compare(Told& told) {
  const std::unordered_set<std::uint64_t> now(told.keys.begin(), told.keys.end());
  std::unordered_map<std::uint64_t, Mark*> lost;
  for (Mark& mark : told_)
    if (!now.contains(mark.key)) lost.emplace(mark.place, &mark);
  for (std::size_t i = 0; i < told.messages.size() && !lost.empty(); ++i) {
    const auto old = lost.find(place_of(told.messages[i]));
    if (old != lost.end() && is_renamed(*old->second, told.messages[i], told.keys[i])) lost.erase(old);
  }
  std::unordered_map<std::uint64_t, Mark> before;
  for (const Mark& mark : told_) before.emplace(mark.key, mark);
  const auto tools = before.empty() ? now : ReportedBlocks::tool_blocks(told.messages);
  std::vector<std::uint64_t> gone;
  for (const auto& [key, mark] : before) {
    if (!now.contains(key) && !blocks_.moved_to(key, tools)) gone.push_back(mark.name);
  }
  // A document is empty or torn for a moment while its agent rewrites it.
  if (!gone.empty() && !is_log(ref_.place) && (told.damaged || told.messages.empty())) return std::nullopt;
  std::vector<Followed> items;
  if (!gone.empty()) items.push_back({.kind = Followed::Kind::restarted, .messages = told.messages.size()});
  for (const std::uint64_t name : gone) ++earlier_[name];
  told_.clear();
  for (std::size_t i = 0; i < told.messages.size(); ++i) {
    const PageMark mark = mark_of(told.messages[i]);
    told_.push_back({told.keys[i], mark.said, mark.name, place_of(told.messages[i])});
    const auto old = before.find(told.keys[i]);
    if (old != before.end() && old->second.said == mark.said) continue;
    Followed item = take(std::move(told.messages[i]), told.keys[i]);
    if (old != before.end()) item.kind = Followed::Kind::changed;
    if (const auto earlier = earlier_.find(mark.name); old == before.end() && earlier != earlier_.end()) {
      if (--earlier->second == 0) earlier_.erase(earlier);
      continue;
    }
    items.push_back(std::move(item));
  }
  return items;
}

Result<std::vector<Followed>> SessionFollower::look(const Context& context, std::size_t count) {
  // Before reading, as in open(). If it fails, there is no such folder at the moment.
  if (lost_) (void)watch_folder();
  auto found = read_new(context, count);
  gone_ = !found && found.error().code == Code::not_found;
  return found;
}

Result<std::vector<Followed>> SessionFollower::read_new(const Context& context, std::size_t count) {
  if (begun_ && is_unchanged()) return std::vector<Followed>();
  if (begun_ && can_go_on()) {
    const Resume begin = log_->resume;
    HOLDFAST_LET(told, read_from(context, &begin));
    if (auto items = go_on(told, begin.count)) {
      remember(told);
      return *std::move(items);
    }
  }
  DirectoryFeed feed = store_->looking(context);
  HOLDFAST_LET(ref, store_->resolve(context, feed, ref_.name()));  // gone while being replaced: keep the state
  ref_ = std::move(ref);
  HOLDFAST_TRY(watch_folder());
  HOLDFAST_LET(told, read_from(context, nullptr));
  auto items = compare(told);
  if (!items) return std::vector<Followed>();
  files_.clear();
  remember(told);
  if (!begun_ && items->size() > count) items->erase(items->begin(), items->end() - static_cast<std::ptrdiff_t>(count));
  begun_ = true;
  return *std::move(items);
}

}  // namespace holdfast::inline v1
