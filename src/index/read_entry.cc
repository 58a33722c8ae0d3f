#include "index/read_entry.h"

#include <algorithm>

#include "base/time.h"
#include "base/was_stopped.h"
#include "index/framing_damage.h"
#include "model/tally.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

// Counts, and keeps the counts from where the layout rested.
class RestingTally final : public Events {
 public:
  explicit RestingTally(Tally tally = {}) : tally_(std::move(tally)) {}

  void facts(const SessionFacts& facts) override {
    heard_ = true;
    tally_.facts(facts);
  }
  bool message(Message message) override {
    count(message);
    return true;
  }
  void count(const Message& message) {
    heard_ = true;
    tally_.count(message);
    packed_.reset();  // a layout that reports more has not rested
  }
  void rest(std::string_view state) override {
    state_ = state;
    packed_ = pack();
  }

  bool heard() const { return heard_; }

  void finish(SessionEntry& entry) {
    tally_.finish(entry.row);
    if (!packed_) entry.log.reset();
    if (packed_) entry.state = std::move(state_);
    entry.tally = packed_ ? std::move(*packed_) : pack();
  }

 private:
  std::string pack() const {
    Packer out;
    tally_.pack(out);
    return out.take();
  }

  Tally tally_;
  bool heard_ = false;  // something was reported
  std::string state_;
  std::optional<std::string> packed_;
};

// The same, but also passes messages on to a second receiver.
class TallyAlong final : public Events {
 public:
  TallyAlong(RestingTally& tally, FullReadListener& along) : tally_(tally), along_(along) {}

  void facts(const SessionFacts& facts) override { tally_.facts(facts); }
  void rest(std::string_view state) override { tally_.rest(state); }
  void leaf(std::string_view message_id) override { along_.leaf(message_id); }
  bool message(Message message) override {
    for (const Block& block : message.blocks) read_more_ = read_more_ || !block.spilled.empty() || !block.blob.empty();
    tally_.count(message);
    along_.message(std::move(message));
    return true;
  }
  bool read_more() const { return read_more_; }

 private:
  RestingTally& tally_;
  FullReadListener& along_;
  bool read_more_ = false;  // a text or an image was read from another file
};

SessionEntry finished(const EntrySource& source, const SessionRef& ref, const DirectoryFeed& feed, RestingTally& tally,
                      std::int64_t looked_ns) {
  SessionEntry entry;
  entry.files = feed.read_files();
  entry.looked_ns = looked_ns;
  entry.findings = feed.findings();
  // What a copy has lost may be there again without any change of the file.
  if (std::ranges::find(entry.findings, kLostInCopy, &PlacedFinding::kind) != entry.findings.end()) entry.looked_ns = 0;
  // Only without findings: damage may be repaired, and an unfinished line may become a different one.
  if (entry.findings.empty()) entry.log = feed.tracked();
  tally.finish(entry);
  entry.row.id = ref.id;
  entry.row.layout = source.layout.name();
  entry.row.path = ref.place.path;
  entry.row.bytes = feed.bytes_read();
  entry.row.damage = framing_damage(entry.findings);
  return entry;
}

// The hash of the log's first bytes, ready to continue, if they are unchanged.
Result<std::optional<Xxh3Stream>> same_prefix(const EntrySource& source, const Place& log, const LogTrack& track) {
  const auto root = source.roots.find(log.root);
  if (root == source.roots.end() || root->second == nullptr) return std::nullopt;
  const auto file = root->second->open(log.path, OpenMode::read);
  if (!file) return std::nullopt;
  Xxh3Stream hash;
  std::string chunk(static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, track.hashed)), '\0');
  for (std::uint64_t at = 0; at < track.hashed;) {
    HOLDFAST_TRY(source.context.check());
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), track.hashed - at));
    const auto count = (*file)->read_at(at, {chunk.data(), wanted});
    if (!count || *count != wanted) return std::nullopt;
    hash.add({chunk.data(), wanted});
    at += wanted;
  }
  if (hash.hex() != track.hash) return std::nullopt;
  return hash;
}

// nullopt if the session must be read from its start.
Result<std::optional<SessionEntry>> read_on(const EntrySource& source, const SessionRef& ref,
                                            const SessionEntry& before, std::int64_t looked_ns) {
  if (!before.log) return std::nullopt;
  for (const auto& [place, print] : before.files) {
    if (place != ref.place && !unchanged(source.roots, place, print, before.looked_ns)) return std::nullopt;
  }
  HOLDFAST_LET(prefix, same_prefix(source, ref.place, *before.log));
  if (!prefix) return std::nullopt;
  Unpacker in(before.tally);
  RestingTally tally(Tally::unpack(in, before.row));
  if (!in.done()) return std::nullopt;
  DirectoryFeed feed = source.feed();
  feed.track(ref.place, std::move(*prefix), before.log->hashed);
  const Layout::ReadOptions options{.whole = false, .from = before.log->position, .state = before.state};
  const auto read = source.layout.read(feed, ref, options, tally);
  if (!read && was_stopped(read.error())) return fail(read.error());
  if (!read) return std::nullopt;
  SessionEntry entry = finished(source, ref, feed, tally, looked_ns);
  entry.row.bytes += before.log->position;
  entry.generation = before.generation;
  return entry;
}

// Makes the entry from a complete read; nullopt if a counting read would have made a different entry, because it
// reads no texts beside the log and sees less damage.
Result<std::optional<SessionEntry>> read_along(const EntrySource& source, const SessionRef& ref,
                                               std::uint64_t generation, std::int64_t looked_ns) {
  DirectoryFeed feed = source.checking();
  feed.track(ref.place);
  RestingTally tally;
  TallyAlong both(tally, *source.along);
  const auto read = source.layout.read(feed, ref, source.along->options(), both);
  std::optional<SessionEntry> entry;
  if (read && !both.read_more() && feed.findings().empty()) entry = finished(source, ref, feed, tally, looked_ns);
  if (!entry) {
    source.along->forget();
    if (!read && was_stopped(read.error())) return fail(read.error());
    return std::nullopt;
  }
  entry->generation = generation;
  source.along->end(ref, *entry, feed);
  return entry;
}

}  // namespace

Result<SessionEntry> read_entry(const EntrySource& source, const SessionRef& ref, const SessionEntry* before,
                                std::uint64_t generation) {
  const std::int64_t looked_ns = unix_ns(source.context.clock->now());
  if (before != nullptr && !source.kept) {
    HOLDFAST_LET(grown, read_on(source, ref, *before, looked_ns));
    if (grown) return std::move(*grown);
  }
  if (source.along != nullptr && !source.kept) {
    HOLDFAST_LET(whole, read_along(source, ref, generation, looked_ns));
    if (whole) return std::move(*whole);
  }
  DirectoryFeed feed = source.feed();
  feed.track(ref.place);
  RestingTally tally;
  const auto read = source.layout.read(feed, ref, {.whole = false}, tally);
  if (!read && (was_stopped(read.error()) || !tally.heard())) return fail(read.error());
  if (!read) feed.complain(ref.place, 0, code_name(read.error().code), read.error().message);
  SessionEntry entry = finished(source, ref, feed, tally, looked_ns);
  entry.generation = generation;
  if (!read) entry.looked_ns = 0;  // never fresh: an obstacle may disappear without changing the file
  return entry;
}

}  // namespace holdfast::inline v1
