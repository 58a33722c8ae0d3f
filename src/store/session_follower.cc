#include "store/session_follower.h"

#include <algorithm>

#include "base/hash.h"
#include "index/session_entry.h"
#include "store/branch.h"
#include "store/listing_events.h"
#include "store/window_feed.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kGuard = 1024;  // bytes before the place where reading goes on

std::int64_t nanoseconds(const Context& context) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(context.clock->now().time_since_epoch()).count();
}

std::unique_ptr<File> open_at(const RootDirectories& roots, const Place& place) {
  const auto root = roots.find(place.root);
  if (root == roots.end() || root->second == nullptr) return nullptr;
  auto file = root->second->open(place.path, OpenMode::read);
  return file ? std::move(*file) : nullptr;
}

// nullopt: the file does not reach that far.
std::optional<std::uint64_t> hash_before(File& file, std::uint64_t offset) {
  std::string bytes(static_cast<std::size_t>(std::min(offset, kGuard)), '\0');
  const auto count = file.read_at(offset - bytes.size(), bytes);
  if (!count || *count != bytes.size()) return std::nullopt;
  return xxh3_64(bytes);
}

}  // namespace

struct SessionFollower::Told {
  std::vector<Message> messages;
  std::map<Place, Fingerprint> files;
  std::int64_t looked_ns = 0;
  std::optional<Log> log;
};

Result<SessionFollower> SessionFollower::open(const Context& context, std::shared_ptr<FileStore> store,
                                              std::string_view id) {
  DirectoryFeed feed = store->looking(context);
  HOLDFAST_LET(ref, store->resolve(context, feed, id, Naming::prefix));
  // Watched before it is read: what is said in between is a change.
  HOLDFAST_LET(watch, Watch::create());
  const auto root = store->roots().directories().find(ref.place.root);
  if (root != store->roots().directories().end() && root->second != nullptr) {
    const std::size_t slash = ref.place.path.rfind('/');
    std::string folder = root->second->path();
    if (slash != std::string::npos) folder.append("/").append(ref.place.path.substr(0, slash));
    HOLDFAST_TRY(watch.add(folder));
  }
  return SessionFollower(std::move(store), std::move(ref), std::move(watch));
}

Result<void> SessionFollower::wait(const Context& context) {
  HOLDFAST_TRY(watch_.wait(context));
  return {};
}

bool SessionFollower::is_unchanged() const {
  return !store_->keeps_something() && std::ranges::all_of(files_, [&](const auto& file) {
    return unchanged(store_->roots().directories(), file.first, file.second, looked_ns_);
  });
}

// The log is the file that it was, and its bytes up to there are what they were.
bool SessionFollower::can_go_on() const {
  if (!log_ || store_->keeps_something()) return false;
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
  const std::size_t before = begin == nullptr ? 0 : begin->count;
  std::optional<Resume> resume;
  const auto source = feed.source();
  const bool plain_log = source && !source->log.path.ends_with(".zst");
  if (plain_log && events.rested && files.tracked() && source->log == ref_.place) {
    resume = Resume{files.tracked()->position, events.rest_state, before + events.rest_count};
  } else if (plain_log && layout.traits().from_anywhere) {
    // The last line once more: it may be one that is being written.
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
  } else {
    for (Message& message : told.messages) message.ordinal += static_cast<std::int64_t>(before);
  }
  return told;
}

void SessionFollower::remember(const Told& told) {
  looked_ns_ = told.looked_ns;
  for (const auto& [place, print] : told.files) files_.insert_or_assign(place, print);
  log_ = told.log;
}

// Whether the messages that were told are still the beginning of the session.
bool SessionFollower::is_same_line(std::size_t from, const Told& told) const {
  if (from + told.messages.size() < told_.size()) return false;
  for (std::size_t i = from; i < told_.size(); ++i) {
    const Message& now = told.messages[i - from];
    const bool named = !now.id.empty();
    // A message without an id that says something else may be the same one, grown.
    if (named && name_hash(now) != told_[i].name) return false;
    if (!named && now.offset != told_[i].offset) return false;
  }
  return true;
}

void SessionFollower::add_new(Message message, std::vector<Followed>& items) {
  told_.push_back(mark_of(message));
  const auto before = earlier_.find(told_.back().name);
  if (before == earlier_.end()) return items.push_back({Followed::Kind::message, std::move(message)});
  if (--before->second == 0) earlier_.erase(before);
}

std::vector<Followed> SessionFollower::compare(Told told, std::size_t from) {
  std::vector<Followed> items;
  for (std::size_t i = 0; i < told.messages.size(); ++i) {
    Message& message = told.messages[i];
    if (from + i >= told_.size()) {
      add_new(std::move(message), items);
      continue;
    }
    const PageMark mark = mark_of(message);
    if (mark.said == told_[from + i].said) continue;
    told_[from + i] = mark;
    items.push_back({Followed::Kind::changed, std::move(message)});
  }
  return items;
}

std::vector<Followed> SessionFollower::begin_anew(Told told) {
  std::vector<Followed> items;
  items.push_back({.kind = Followed::Kind::restarted, .messages = told.messages.size()});
  for (const PageMark& mark : told_) ++earlier_[mark.name];
  told_.clear();
  for (Message& message : told.messages) add_new(std::move(message), items);
  return items;
}

Result<std::vector<Followed>> SessionFollower::look(const Context& context, std::size_t count) {
  if (begun_ && is_unchanged()) return std::vector<Followed>();
  if (begun_ && can_go_on()) {
    const Resume begin = log_->resume;
    HOLDFAST_LET(told, read_from(context, &begin));
    if (is_same_line(begin.count, told)) {
      remember(told);
      return compare(std::move(told), begin.count);
    }
  }
  DirectoryFeed feed = store_->looking(context);
  HOLDFAST_LET(ref, store_->resolve(context, feed, ref_.id));  // gone while somebody replaces it: nothing is forgotten
  ref_ = std::move(ref);
  HOLDFAST_LET(told, read_from(context, nullptr));
  files_.clear();
  remember(told);
  if (!begun_) {
    begun_ = true;
    for (const Message& message : told.messages) told_.push_back(mark_of(message));
    std::vector<Followed> items;
    for (std::size_t i = told.messages.size() - std::min(count, told.messages.size()); i < told.messages.size(); ++i)
      items.push_back({Followed::Kind::message, std::move(told.messages[i])});
    return items;
  }
  return is_same_line(0, told) ? compare(std::move(told), 0) : begin_anew(std::move(told));
}

}  // namespace holdfast::inline v1
