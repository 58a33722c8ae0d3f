#include "sync/read_back.h"

#include "archive/archive_writer.h"
#include "archive/find_text.h"
#include "archive/rewrite_archive.h"
#include "sync/left_epochs.h"
#include "sync/pull.h"
#include "sync/redacted_sessions.h"

namespace holdfast::inline v1 {
namespace {

Result<std::unique_ptr<ArchiveWriter>> open_read_back(const Context& context, const SyncHome& home,
                                                      const std::string& path) {
  return ArchiveWriter::open(context, home.files(), path, ArchiveOrder::lines_first);
}

void add_epoch(std::set<EpochSession>& all, std::uint64_t epoch, const std::set<CaptureKey>& keys) {
  for (const CaptureKey& key : keys) all.emplace(epoch, key);
}

// One epoch that was read, in the archive at `path`.
class EpochSearch {
 public:
  EpochSearch(const Context& context, const SyncHome& home, const RemoteSettings& scratch, Remote& remote,
              const StreamId& stream, Packs* local)
      : context_(context), home_(home), scratch_(scratch), remote_(remote), stream_(stream), local_(local) {}

  Result<void> run(std::string_view text, ReadBack& found) {
    const std::string path = home_.from(scratch_.name, stream_);
    HOLDFAST_LET(writer, open_read_back(context_, home_, path));
    // Rows of every state are at the remote; bytes only those of the last one.
    HOLDFAST_LET(rows, find_text(context_, writer->root().directory(), writer->packs(), text, {}));
    add_epoch(found.sessions, stream_.epoch, rows.whole);
    HOLDFAST_TRY(drop_replaced(context_, *writer, [](const CaptureKey&, const OpOrigin&) { return true; }));
    writer.reset();
    HOLDFAST_TRY(take_local(path));
    PullReport fetched;
    HOLDFAST_TRY(
        fetch(context_, home_, scratch_, remote_, stream_, [](const auto&, const auto&) { return true; }, fetched));
    HOLDFAST_LET(archive, Archive::open(context_, home_.files(), path));
    HOLDFAST_LET(bytes, find_text(context_, archive->directory(), archive->packs(), text, {}));
    add_epoch(found.sessions, stream_.epoch, bytes.whole);
    add_epoch(found.sessions, stream_.epoch, bytes.in_lines);
    add_epoch(found.unreadable, stream_.epoch, bytes.unreadable);
    return {};
  }

 private:
  Result<void> take_local(const std::string& path) {
    if (local_ == nullptr) return {};
    HOLDFAST_LET(writer, open_read_back(context_, home_, path));
    for (const auto& [key, session] : writer->state().sessions)
      for (const auto& [place, version] : session.head)
        for (const FileBlock& block : version->blocks) {
          HOLDFAST_TRY(context_.check());
          if (writer->packs().find(block.name) != nullptr || local_->find(block.name) == nullptr) continue;
          if (const auto plain = local_->read(block.name)) HOLDFAST_TRY(writer->add_chunk(context_, *plain));
        }
    return writer->close(context_);
  }

  const Context& context_;
  const SyncHome& home_;
  const RemoteSettings& scratch_;
  Remote& remote_;
  const StreamId& stream_;
  Packs* const local_;
};

// What was fetched must not stay, however the search ends.
class Scratch {
 public:
  Scratch(const SyncHome& home, const std::string& remote) : home_(home), remote_(remote) {}
  ~Scratch() { (void)clear(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Result<void> clear() const { return home_.clear_scratch(remote_); }

 private:
  const SyncHome& home_;
  const std::string& remote_;
};

// Whether this home lacks bytes of what it has published in its current epoch: its archive lost or pruned them. Adds
// all sessions of the epoch if `local` is nullptr, as nothing is searched then.
Result<bool> lacks_published(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                             std::uint64_t epoch, const Packs* local, ReadBack& found) {
  const auto archive = Archive::open(context, home.files(), home.published(settings.name, epoch));
  if (!archive && archive.error().code == Code::not_found) return false;
  if (!archive) return fail(archive.error());
  const auto redacted = Archive::open(context, home.files(), redacted_path(home, settings));
  bool lacks = false;
  for (const auto& [key, session] : (*archive)->state().sessions) {
    if (local == nullptr) found.sessions.emplace(epoch, key);
    const bool full = read_origin(session.origin).policy == "full";
    const Packs* const packs = full ? local : redacted ? &(*redacted)->packs() : nullptr;
    for (const auto& [place, version] : session.head)
      for (const FileBlock& block : version->blocks)
        lacks = lacks || packs == nullptr || packs->find(block.name) == nullptr;
  }
  return lacks;
}

}  // namespace

Result<ReadBack> read_back(const Context& context, const SyncHome& home, const RemoteSettings& settings, Remote& remote,
                           Packs* local, std::string_view text) {
  ReadBack found;
  HOLDFAST_LET(heads, remote.heads(context));
  HOLDFAST_LET(own, home.own_stream(context, settings.name));
  HOLDFAST_LET(keys, home.devices(context));
  const Scratch fetched(home, settings.name);
  HOLDFAST_TRY(fetched.clear());  // of a run that was interrupted
  for (const RemoteStream& one : heads) {
    const bool is_current = one.id.epoch == own.epoch;
    const bool is_ours = writer_of(keys, heads, one.id) != nullptr;
    HOLDFAST_LET(is_meant, is_current || own.left.contains(one.id.epoch)
                               ? Result<bool>(is_ours)
                               : is_home_epoch(context, keys, settings, remote, heads, one.id));
    if (!is_meant) continue;
    if (is_current && one.head == own.head) {
      HOLDFAST_LET(lacks, lacks_published(context, home, settings, own.epoch, local, found));
      if (!lacks || text.empty()) continue;
    }
    RemoteSettings scratch = settings;
    scratch.name = SyncHome::scratch(settings.name);
    PullReport pulled;
    HOLDFAST_TRY(read_stream(context, home, scratch, remote, one, pulled));
    HOLDFAST_LET(cursor, home.cursor(context, scratch.name, one.id));
    if (cursor.head != one.head) found.cut.insert(one.id.epoch);
    const auto archive = Archive::open(context, home.files(), home.from(scratch.name, one.id));
    if (!archive && archive.error().code == Code::not_found) continue;
    if (!archive) return fail(archive.error());
    if (text.empty())
      for (const auto& [key, session] : (*archive)->state().sessions) found.sessions.emplace(one.id.epoch, key);
    else
      HOLDFAST_TRY(EpochSearch(context, home, scratch, remote, one.id, local).run(text, found));
  }
  HOLDFAST_TRY(fetched.clear());
  return found;
}

}  // namespace holdfast::inline v1
