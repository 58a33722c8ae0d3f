#include "sync/push.h"

#include <algorithm>
#include <utility>

#include "archive/rewrite_archive.h"
#include "base/time.h"
#include "disk/steps.h"
#include "sync/blocked_epoch.h"
#include "sync/check_own_stream.h"
#include "sync/earlier_epochs.h"
#include "sync/home_notes.h"
#include "sync/published_traces.h"
#include "sync/read_by.h"
#include "sync/redacted_sessions.h"
#include "sync/remote_abilities.h"
#include "sync/remote_keys.h"
#include "sync/withdrawals.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kContentBytes = std::size_t{256} << 10;  // approximate size of a segment's content
constexpr std::size_t kMaxOp = std::size_t{768} << 10;
constexpr int kTries = 3, kMaxAside = 8;  // in one run: tries of an unclear answer, abandoned epochs

class Publisher {
 public:
  Publisher(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
            const LocalPacks& local, PushReport& report)
      : context_(context),
        home_(home),
        settings_(settings),
        remote_(remote),
        local_(local),
        report_(report),
        where_(settings.name) {}

  Result<void> run(const std::vector<RemoteStream>& heads, const SharedSessions& shared) {
    HOLDFAST_TRY(load());
    HOLDFAST_TRY(give_keys(context_, home_, settings_, remote_, heads));
    HOLDFAST_TRY(step_aside(heads));
    HOLDFAST_TRY(settle(heads));
    HOLDFAST_TRY(open_published());
    if (local_.full != nullptr) HOLDFAST_TRY(heed_damage(heads));
    if (local_.full != nullptr) HOLDFAST_TRY(clear_left(heads, shared));
    HOLDFAST_TRY(plan(shared));
    HOLDFAST_TRY(note_seen());
    HOLDFAST_TRY(mend_chunks());
    HOLDFAST_TRY(finish());
    // Last: other sessions in the same bodies are in the current epoch then.
    if (local_.full != nullptr)
      HOLDFAST_TRY(clear_blocked(context_, home_, settings_, remote_, blocked_, shared, report_));
    return is_damaged_ ? save_own_damage(context_, home_, settings_.name, {}) : Result<void>();
  }

  bool may_only_read() { return is_read_only(context_, remote_, id()).value_or(false); }

  // Withdraws from an abandoned epoch whatever is no longer shared. Everything else in it stays: this home
  // may have been restored from a backup and not know it any more. Returns what prevents publishing there.
  Result<std::optional<Obstruction>> run_left(const RemoteStream& there, const std::set<CaptureKey>& gone,
                                              const SharedSessions& shared) {
    where_ = SyncHome::left(settings_.name, there.id.epoch);
    HOLDFAST_TRY(load());
    stream_.epoch = there.id.epoch;
    HOLDFAST_TRY(open_published());
    HOLDFAST_LET(unreadable, catch_up(there.head));
    if (unreadable) return unreadable;
    HOLDFAST_LET(obstruction, obstruction_after(context_, remote_, id(), stream_.head, there.head));
    if (obstruction) return obstruction;
    const auto published = writer_->state().sessions;
    SharedSessions kept;
    for (const auto& [key, session] : published) {
      const OpOrigin origin = read_origin(session.origin);
      if (const auto now = shared.find(key); now != shared.end() && lost_lines(*now->second.session, session)) {
        report_.cut.insert(key);
        continue;
      }
      // It is published again in the current epoch.
      if (origin.policy == "redacted" && shared.contains(key) && !has_current_redaction(session.row)) continue;
      const std::string project = JsonView(session.row).find("project").as_string().value_or("");
      if (!gone.contains(key) && !local_.forgotten.contains(key) &&
          is_admitted(key_, settings_, {origin.policy, origin.identity, project}))
        kept[key] = {&session, origin.policy, origin.identity};
    }
    HOLDFAST_TRY(plan(kept));
    HOLDFAST_TRY(finish());
    return std::nullopt;
  }

 private:
  StreamId id() const { return {device_, stream_.epoch}; }

  Result<void> load() {
    HOLDFAST_LET(key, home_.device(context_));
    key_ = std::move(key);
    device_ = device_id(key_.public_key);
    HOLDFAST_LET(stream, home_.own_stream(context_, where_));
    stream_ = std::move(stream);
    return {};
  }

  Result<void> finish() {
    HOLDFAST_TRY(flush());
    HOLDFAST_TRY(writer_->close(context_));
    return erase();
  }

  // Before the current epoch drops these sessions: as long as it has them, an interrupted run is repeated.
  Result<void> clear_left(const std::vector<RemoteStream>& heads, const SharedSessions& shared) {
    std::set<CaptureKey> gone;
    for (const auto& [key, session] : writer_->state().sessions) {
      const auto now = shared.find(key);
      if (now == shared.end() || lost_lines(*now->second.session, session)) gone.insert(key);
    }
    stuck_ = stream_.left;  // an epoch that is not there any more was erased
    stuck_.erase(stream_.epoch);
    std::map<std::uint64_t, Obstruction> found;
    for (const RemoteStream& one : heads) {
      if (one.id.device != device_ || one.id.epoch == stream_.epoch || !stream_.left.contains(one.id.epoch)) continue;
      Publisher left(context_, home_, settings_, remote_, local_, report_);
      HOLDFAST_LET(obstruction, left.run_left(one, gone, shared));
      if (!obstruction) stuck_.erase(one.id.epoch);
      if (obstruction) found.insert_or_assign(one.id.epoch, *std::move(obstruction));
    }
    for (const std::uint64_t epoch : stuck_) {
      const auto why = found.find(epoch);
      if (why == found.end() && !has_files(remote_)) continue;
      HOLDFAST_LET(what, blocked_epoch(context_, home_, settings_, epoch, shared, local_.forgotten, gone));
      if (why != found.end()) what.why = std::move(why->second);
      blocked_.push_back(std::move(what));
    }
    return {};
  }

  // Reads an abandoned epoch, which another home may write now; what it says counts, whoever wrote it. Returns what
  // prevents that.
  Result<std::optional<Obstruction>> catch_up(const StreamHead& there) {
    const std::uint64_t sent = report_.segments;
    while (stream_.head.seq < there.seq) {
      HOLDFAST_LET(segments, remote_.read_after(context_, id(), stream_.head.seq));
      if (segments.empty()) break;
      for (const StreamSegment& segment : segments) {
        HOLDFAST_TRY(context_.check());
        const auto content = content_of(segment);
        if (!content)
          return Obstruction{.place = segment_place(remote_, id(), segment.seq),
                             .why = content.error().message,
                             .after = stream_.head.seq,
                             .is_locked = content.error().code == Code::permission_denied,
                             .hides_more = true};
        HOLDFAST_TRY(adopt(segment));
      }
    }
    report_.segments = sent;
    return std::nullopt;
  }

  // Something that is not a segment may have the name of the next one. It is left as it is, and this device
  // continues in a new epoch.
  Result<void> step_aside(const std::vector<RemoteStream>& heads) {
    for (int tries = 0; tries < kMaxAside; ++tries) {
      HOLDFAST_LET(taken, obstacle(context_, remote_, id(), stream_.head.seq + 1));
      if (!taken) return {};
      HOLDFAST_TRY(new_epoch(heads, *taken + " is not a segment, and is left as it is; the next segment of this device "
                                             "would have its name"));
    }
    return {};
  }

  std::string names_key(const std::string& policy) const {
    return own_names_keys(key_, settings_, stream_.epoch, policy).front();
  }
  // All names that a chunk may have at the remote.
  std::vector<std::string> names_of(const std::string& policy, const std::string& chunk) const {
    std::vector<std::string> names;
    for (const std::string& key : own_names_keys(key_, settings_, stream_.epoch, policy))
      names.push_back(remote_chunk_name(key, chunk));
    return names;
  }

  void note_names(std::set<std::string>& all, const std::string& policy, const std::string& chunk) const {
    const auto names = names_of(policy, chunk);
    all.insert(names.begin(), names.end());
  }

  Result<void> open_published() {
    if (writer_) return {};
    HOLDFAST_LET(writer, ArchiveWriter::open(context_, home_.files(), home_.published(where_, stream_.epoch),
                                             ArchiveOrder::lines_first));
    writer_ = std::move(writer);
    last_ = std::max({last_, stream_.last_op, last_op(writer_->state())});
    return {};
  }

  // Finds out how the last run ended: its segment is there, or is sent again, or somebody else writes as this device.
  Result<void> settle(const std::vector<RemoteStream>& heads) {
    HOLDFAST_LET(pending, home_.pending(context_, where_));
    HOLDFAST_LET(read_only, pending ? is_read_only(context_, remote_, id()) : Result<bool>(false));
    // The last run was interrupted: partial files of it may be there, under names that nobody reads.
    if (pending && !read_only) HOLDFAST_TRY(sweep(context_, remote_, device_));
    StreamHead there;
    for (const RemoteStream& one : heads)
      if (one.id == id()) there = one.head;
    if (pending && does(Step::sync_settled)) {
      const auto header = check_segment(*pending, settings_.id, id(), stream_.head);
      const bool ours = header.has_value();
      if (ours && there == StreamHead{pending->seq, pending->hash}) {
        note_sent(*pending);
        return adopt(*pending);
      }
      // A device that was revoked since could read the segment: its content is published again with the new key.
      if (ours && there == stream_.head && header->lock != settings_.key().lock) {
        note_chunks(*pending, erasures_);
        HOLDFAST_TRY(save_erasures());
        return home_.drop_pending(context_, where_);
      }
      if (ours && there == stream_.head) {
        const auto content = content_of(*pending);
        if (read_only && content && content->is_courtesy()) return home_.drop_pending(context_, where_);
        note_sent(*pending);
        return send_or_wait(*pending, content && content->is_courtesy());
      }
      // The segment is from an abandoned epoch, or was adopted already.
      if (!ours && there == stream_.head) return home_.drop_pending(context_, where_);
    }
    if (there == stream_.head || !does(Step::sync_clone_noticed)) return {};
    return new_epoch(heads, "the remote has " + segments(there.seq) + " of this device, and this home has " +
                                segments(stream_.head.seq) +
                                (there.seq == 0 ? ": the remote was emptied, or restored from a backup"
                                                : ": this home is a copy of another or was restored from a backup, or "
                                                  "the remote was"));
  }

  static std::string segments(std::uint64_t count) {
    return std::to_string(count) + (count == 1 ? " segment" : " segments");
  }

  // Repairs what the last check of the remote found. Damaged bodies are erased and their content is published
  // again; chunks are stored again. A broken chain cannot be repaired: a new epoch begins.
  Result<void> heed_damage(const std::vector<RemoteStream>& heads) {
    HOLDFAST_LET(damage, own_damage(context_, home_, settings_.name));
    is_damaged_ = !damage.empty();
    if (!is_damaged_ || damage.epoch != stream_.epoch) return {};
    report_.mended_segments = damage.bodies.size();
    if (!damage.broken) {
      damage_ = std::move(damage);
      return {};
    }
    writer_.reset();
    HOLDFAST_TRY(new_epoch(heads, "what this device published is damaged at the remote"));
    return open_published();
  }

  Result<void> mend_chunks() {
    std::set<std::pair<std::string, std::string>> found;
    for (const auto& [key, session] : writer_->state().sessions)
      for (const auto& [place, version] : session.last)
        for (const FileBlock& block : version->blocks)
          if (damage_.chunks.contains(block.name)) found.emplace(block.name, read_origin(session.origin).policy);
    std::vector<std::pair<std::string, std::string>> mended;
    std::vector<std::string> names;
    for (const auto& [name, policy] : found) {
      Packs* const packs = local_.of(policy);
      if (packs == nullptr || !packs->read(name)) {
        report_.findings.push_back({settings_.name, 0, 0, "damaged",
                                    "chunk " + name + " is damaged there, and the archive here does not have it either",
                                    0});
        continue;
      }
      mended.emplace_back(name, policy);
      content_.names[policy] = names_key(policy);
      for (std::string& one : names_of(policy, name)) {
        stored_.erase(one);
        names.push_back(std::move(one));
      }
    }
    if (mended.empty()) return {};
    HOLDFAST_TRY(check_writable(context_, remote_, id()));
    HOLDFAST_LET(outcome, remote_.erase_chunks(context_, device_, names));
    if (outcome != RemoteOutcome::done) return unclear();
    HOLDFAST_TRY(store_chunks(mended));
    report_.mended_chunks += mended.size();
    // They have new names since the key changed, which readers may not know yet.
    greets_ = greets_ || !settings_.key().lock.empty();
    return {};
  }

  // Counts the sessions of a segment that an earlier run made but did not report.
  void note_sent(const StreamSegment& segment) {
    const auto content = content_of(segment);
    if (!content) return;
    for (const std::string& op : content->ops)
      if (auto session = session_of(op)) report_.sessions.insert(*std::move(session));
  }

  // Chunks of an unpublished segment may already be stored.
  void note_chunks(const StreamSegment& segment, Erasures& erasures) {
    const auto content = content_of(segment);
    if (!content) return;
    for (const auto& [name, policy] : chunks_of(*content)) note_names(erasures.chunks, policy, name);
  }

  Result<void> new_epoch(const std::vector<RemoteStream>& heads, const std::string& why) {
    const std::uint64_t before = stream_.epoch;
    HOLDFAST_LET(pending, home_.pending(context_, where_));
    Erasures on_the_way;
    if (pending) note_chunks(*pending, on_the_way);
    // An epoch without a segment of ours may belong to another home that writes as this device.
    if (stream_.head.seq > 0 || pending) stream_.left.insert(before);
    std::uint64_t last = before;
    for (const RemoteStream& one : heads)
      if (one.id.device == device_) last = std::max(last, one.id.epoch);
    HOLDFAST_TRY(leave_epoch(context_, home_, where_, stream_, last + 1, on_the_way.chunks));
    report_.new_epoch = true;
    report_.findings.push_back(
        {settings_.name, 0, 0, "new_epoch",
         why + "; epoch " + std::to_string(stream_.epoch) + " follows epoch " + std::to_string(before) +
             (count_shares(settings_) == 0 ? "" : " and everything that is shared is published again"),
         0});
    return {};
  }

  Result<std::map<CaptureKey, Traces>> traces() {
    return published_traces(context_, *writer_, [&](const std::string& policy, const std::string& chunk) {
      return names_of(policy, chunk);
    });
  }

  Result<void> plan(const SharedSessions& shared) {
    const auto published = writer_->state().sessions;  // before the first of these ops
    std::set<CaptureKey> gone, whole;
    if (local_.full != nullptr) {
      const auto [withdrawn, cut] = withdrawals(published, shared);
      for (const CaptureKey& key : withdrawn) report_.withdrawn.insert(*gone.insert(key).first);
      for (const CaptureKey& key : cut) report_.cut.insert(*gone.insert(key).first);
    }
    if (!gone.empty() || !damage_.bodies.empty()) HOLDFAST_TRY(withdraw(gone, whole));
    for (const auto& [key, one] : shared) {
      HOLDFAST_TRY(context_.check());
      const auto known = published.find(key);
      const bool is_new = known == published.end() || gone.contains(key);
      const CapturedSession* const before = is_new || whole.contains(key) ? nullptr : &known->second;
      Capture capture = state_since(key, *one.session, before);
      if (before != nullptr && capture.files.empty() && before->row == one.session->row) continue;
      if (before != nullptr) note_replaced(*before, capture, one.policy);
      capture.number = ++last_;
      capture.base = before == nullptr ? 0 : read_origin(before->origin).number;
      capture.origin = write_origin({0, capture.number, capture.base, one.policy, one.identity});
      std::string op = write_session_op(capture);
      if (op.size() > kMaxOp) {
        report_.findings.push_back({key.id, 0, 0, "too_large", "the session has too many files to be shared", 0});
        continue;
      }
      content_.names[one.policy] = names_key(one.policy);
      report_.sessions.insert(key);
      HOLDFAST_TRY(add(std::move(op)));
    }
    return drop(gone, shared);
  }

  // Last, so an interrupted run withdraws again; and in segments without states, which are never erased: a
  // device that did not read a drop while it was there would keep the session forever.
  Result<void> drop(const std::set<CaptureKey>& gone, const SharedSessions& shared) {
    std::set<std::string> names;
    for (const CaptureKey& key : gone)
      if (!shared.contains(key)) names.insert(drop_name(key));  // otherwise its whole state replaces it
    if (!damage_.bodies.empty()) {
      HOLDFAST_LET(before, withdrawn_names(context_, home_, where_));
      names.merge(before);
      for (const auto& [key, session] : shared) names.erase(drop_name(key));
    }
    std::set<CaptureKey> told = local_.forgotten;
    // Another home that writes there as this device notices the damage too, and publishes again what it shares.
    for (const BlockedEpoch& one : blocked_)
      if (has_files(remote_) && one.may_be_erased()) told.insert(one.withdrawn.begin(), one.withdrawn.end());
    HOLDFAST_LET(forgotten, still_to_forget(context_, home_, where_, stuck_, told, shared, !damage_.bodies.empty()));
    if (names.empty() && forgotten.empty()) return {};
    HOLDFAST_TRY(flush());
    content_.names.clear();
    auto copies = other_copies(key_, settings_, gone, shared);
    for (const std::string& name : names)
      HOLDFAST_TRY(add(write_drop_op(++last_, name, copies[name].fuller, copies[name].redacted)));
    for (const auto& [name, epochs] : forgotten) HOLDFAST_TRY(add(write_forget_op(++last_, name, epochs)));
    return {};
  }

  // Bodies with one of these sessions are erased, so everything else in them is published again: states, and
  // note_seen().
  Result<void> withdraw(const std::set<CaptureKey>& gone, std::set<CaptureKey>& whole) {
    HOLDFAST_LET(all, traces());
    std::set<std::uint64_t> seqs;
    for (const CaptureKey& key : gone) {
      const Traces& its = all[key];
      seqs.insert(its.seqs.begin(), its.seqs.end());
      erasures_.chunks.insert(its.chunks.begin(), its.chunks.end());
    }
    const std::uint64_t first = seqs.empty() ? UINT64_MAX : *seqs.begin();
    seqs.insert(damage_.bodies.begin(), damage_.bodies.end());
    erasures_.bodies.insert(seqs.begin(), seqs.end());
    for (const auto& [key, its] : all)
      if (!gone.contains(key) && std::ranges::any_of(its.seqs, [&](std::uint64_t seq) { return seqs.contains(seq); }))
        whole.insert(key);
    stream_.told.clear();
    stream_.revoked.clear();
    HOLDFAST_TRY(home_.save(context_, where_, stream_));
    HOLDFAST_LET(readers, machines_past(context_, home_, settings_, id(), first));
    report_.pulled_by.merge(readers);
    return {};
  }

  void note_replaced(const CapturedSession& before, const Capture& capture, const std::string& policy) {
    for (const FileChange& change : capture.files) {
      const auto old = before.last.find(change.place);
      if (old == before.last.end()) continue;
      for (std::size_t i = change.keep; i < old->second->blocks.size(); ++i)
        note_names(erasures_.chunks, policy, old->second->blocks[i].name);
    }
  }

  Result<void> note_seen() {
    HOLDFAST_LET(streams, home_.streams(settings_.name));
    for (const StreamId& other : streams) {
      HOLDFAST_LET(cursor, home_.cursor(context_, settings_.name, other));
      const auto told = stream_.told.find(other);
      if (cursor.content > (told == stream_.told.end() ? 0 : told->second)) content_.seen[other] = cursor.content;
    }
    HOLDFAST_LET(found, complaints(context_, home_, settings_.name));
    for (const auto& [stream, about] : found.open) content_.unreadable.insert(stream);
    if (auto revoked = settings_.revoked(); revoked != stream_.revoked) content_.revoked = std::move(revoked);
    // Later keys are sealed with the public keys in streams, so a device that only reads needs a stream too.
    greets_ = settings_.key().key.has_value() && stream_.head.seq == 0;
    return {};
  }

  Result<void> add(std::string op) {
    if (bytes_ > 0 && bytes_ + op.size() > kContentBytes) HOLDFAST_TRY(flush());
    bytes_ += op.size();
    content_.ops.push_back(std::move(op));
    return {};
  }

  Result<void> save_erasures() {
    if (erasures_.empty()) return {};
    HOLDFAST_LET(known, home_.erasures(context_, where_));
    if (known.epoch != 0 && known.epoch != stream_.epoch) known = {};
    known.epoch = stream_.epoch;
    known.bodies.insert(erasures_.bodies.begin(), erasures_.bodies.end());
    known.chunks.insert(erasures_.chunks.begin(), erasures_.chunks.end());
    erasures_ = {};
    return home_.save(context_, where_, known);
  }

  Result<void> flush() {
    const bool says_nothing = content_.empty() && !greets_;
    if (says_nothing && erasures_.empty()) return {};
    HOLDFAST_LET(read_only, is_read_only(context_, remote_, id()));
    if (read_only && content_.is_courtesy() && erasures_.empty()) {
      content_ = {};
      greets_ = false;
      return {};
    }
    HOLDFAST_TRY(check_writable(context_, remote_, id()));
    if (does(Step::sync_erasures_noted)) HOLDFAST_TRY(save_erasures());
    if (says_nothing) return {};
    greets_ = false;
    content_.machine = settings_.machine;
    HOLDFAST_LET(segment, make_segment(key_, settings_.key(), stream_.epoch, stream_.head,
                                       iso8601(context_.clock->now()), write_content(content_)));
    const bool is_courtesy = content_.is_courtesy();
    content_ = {.names = std::move(content_.names)};
    bytes_ = 0;
    if (does(Step::sync_pending_noted)) HOLDFAST_TRY(home_.save_pending(context_, where_, segment));
    HOLDFAST_TRY(send_or_wait(segment, is_courtesy));
    return does(Step::sync_erasures_noted) ? Result<void>() : save_erasures();
  }

  // Without space the segment is not there, and what it says is planned again by the next sync. A courtesy waits until
  // then, as it does where this device may only read.
  Result<void> send_or_wait(const StreamSegment& segment, bool is_courtesy) {
    auto sent = send(segment);
    if (sent || !is_full(sent.error())) return sent;
    note_chunks(segment, erasures_);
    HOLDFAST_TRY(save_erasures());
    HOLDFAST_TRY(home_.drop_pending(context_, where_));
    if (!is_courtesy) return sent;
    report_.findings.push_back({remote_.place(), 0, 0, "full",
                                "the remote is full, so other machines do not learn yet what this one has read", 0});
    return {};
  }

  Result<SegmentContent> content_of(const StreamSegment& segment) {
    HOLDFAST_LET(header, check_segment(segment, settings_.id, id(), stream_.head));
    if (!segment.body) return SegmentContent();
    HOLDFAST_LET(text, open_body(header, *segment.body, settings_.key()));
    return read_content(text);
  }

  Result<void> store_chunks(const std::vector<std::pair<std::string, std::string>>& chunks) {
    std::vector<RemoteChunk> batch;
    std::size_t bytes = 0;
    const auto store = [&]() -> Result<void> {
      if (batch.empty()) return {};
      for (int tries = 0;; ++tries) {
        HOLDFAST_LET(outcome, remote_.store_chunks(context_, device_, batch));
        if (outcome == RemoteOutcome::done) break;
        if (tries == kTries) return unclear();
      }
      report_.chunks += batch.size();
      report_.bytes += bytes;
      batch.clear();
      bytes = 0;
      return {};
    };
    for (const auto& [name, policy] : chunks) {
      HOLDFAST_TRY(context_.check());
      const std::string key = names_key(policy);
      if (!stored_.insert(remote_chunk_name(key, name)).second) continue;
      Packs* const packs = local_.of(policy);
      const auto plain =
          packs == nullptr ? Result<std::string>(fail(Code::not_found, "no archive")) : packs->read(name);
      // Compacted or forgotten since the segment was made: a newer state follows.
      if (!plain && plain.error().code == Code::not_found) continue;
      if (!plain) return fail(plain.error());
      HOLDFAST_LET(chunk, close_chunk(settings_.key(), device_, key, name, *plain));
      if (bytes + chunk.bytes.size() > kMaxRemoteBatch || batch.size() == kMaxChunksAtOnce) HOLDFAST_TRY(store());
      bytes += chunk.bytes.size();
      batch.push_back(std::move(chunk));
    }
    return store();
  }

  static Failure unclear() {
    return fail(Code::sync_transport_failed,
                "the remote did not answer; what was sent is recorded, and the next sync resumes from there");
  }

  Result<void> send(const StreamSegment& segment) {
    HOLDFAST_TRY(check_writable(context_, remote_, id()));
    HOLDFAST_LET(content, content_of(segment));
    if (does(Step::sync_chunks_first)) HOLDFAST_TRY(store_chunks(chunks_of(content)));
    const StreamSegment only[] = {segment};
    bool lost = false;
    for (int tries = 0; tries < kTries; ++tries) {
      HOLDFAST_LET(outcome, remote_.publish(context_, id(), stream_.head, only));
      if (outcome == RemoteOutcome::done) {
        HOLDFAST_TRY(adopt(segment));
        return does(Step::sync_chunks_first) ? Result<void>() : store_chunks(chunks_of(content));
      }
      lost = outcome == RemoteOutcome::lost;
      // The outcome is unclear, or somebody was first, perhaps this very segment.
      HOLDFAST_LET(heads, remote_.heads(context_));
      StreamHead there;
      for (const RemoteStream& one : heads)
        if (one.id == id()) there = one.head;
      if (there == StreamHead{segment.seq, segment.hash}) return adopt(segment);
      if (there != stream_.head && where_ != settings_.name)
        return fail(Code::conflict, "someone else is writing to the remote as this device; the next sync resumes");
      if (there != stream_.head)
        return fail(Code::conflict,
                    "someone else is writing to the remote as this device; the next sync begins an epoch of its own "
                    "and publishes everything again");
    }
    if (lost) {
      HOLDFAST_LET(taken, obstacle(context_, remote_, id(), segment.seq));
      if (taken)
        return fail(Code::sync_transport_failed,
                    "this is not a segment, but has the name of the next one; the next sync continues next to it",
                    *taken);
    }
    return unclear();
  }

  // The remote has the segment.
  Result<void> adopt(const StreamSegment& segment) {
    HOLDFAST_TRY(open_published());
    HOLDFAST_LET(content, content_of(segment));
    AppliedOps applied;
    HOLDFAST_TRY(apply_ops(context_, *writer_, segment.seq, content, applied));
    if (does(Step::sync_published_durable)) HOLDFAST_TRY(writer_->commit(context_));
    std::erase_if(applied.dropped, [&](const CaptureKey& key) { return !writer_->state().sessions.contains(key); });
    if (!applied.dropped.empty()) {
      HOLDFAST_TRY(drop_sessions(context_, *writer_, applied.dropped));
      writer_.reset();
      HOLDFAST_TRY(open_published());
    }
    stream_.head = {segment.seq, segment.hash};
    stream_.last_op = std::max(stream_.last_op, last_op(content));
    last_ = std::max(last_, stream_.last_op);
    if (content.revoked) stream_.revoked = *content.revoked;
    for (const auto& [other, seq] : content.seen) stream_.told[other] = std::max(stream_.told[other], seq);
    HOLDFAST_TRY(home_.save(context_, where_, stream_));
    std::set<std::string> withdrawn;
    for (const std::string& op : content.ops) withdrawn.insert(dropped_by(op));
    if (withdrawn.erase(""); !withdrawn.empty()) {
      HOLDFAST_LET(before, withdrawn_names(context_, home_, where_));
      withdrawn.merge(before);
      HOLDFAST_TRY(save_withdrawn_names(context_, home_, where_, withdrawn));
    }
    HOLDFAST_TRY(note_forgotten_earlier(context_, home_, where_, content));
    if (!content.unreadable.empty()) {
      HOLDFAST_LET(found, complaints(context_, home_, settings_.name));
      found.told.merge(found.open);
      found.open.clear();
      HOLDFAST_TRY(save_complaints(context_, home_, settings_.name, found));
    }
    HOLDFAST_TRY(home_.drop_pending(context_, where_));
    ++report_.segments;
    return {};
  }

  // Erases what was decided and is no longer needed.
  Result<void> erase() {
    HOLDFAST_LET(erasures, home_.erasures(context_, where_));
    // An older Holdfast wrote 0.
    if (erasures.empty() || (erasures.epoch != 0 && erasures.epoch != stream_.epoch)) return {};
    for (const auto& [key, session] : writer_->state().sessions) {
      const std::string policy = read_origin(session.origin).policy;
      for (const auto& [place, version] : session.last)
        for (const FileBlock& block : version->blocks)
          for (const std::string& name : names_of(policy, block.name)) erasures.chunks.erase(name);
    }
    HOLDFAST_TRY(check_writable(context_, remote_, id()));
    // Partial files of earlier runs may contain what is erased.
    HOLDFAST_TRY(sweep(context_, remote_, device_));
    // An unfinished plan may have recorded more erasures than are safe.
    HOLDFAST_LET(all, traces());
    for (const auto& [key, its] : all)
      for (const std::uint64_t seq : its.needed) erasures.bodies.erase(seq);
    const std::vector<std::uint64_t> bodies(erasures.bodies.begin(), erasures.bodies.end());
    const std::vector<std::string> chunks(erasures.chunks.begin(), erasures.chunks.end());
    if (!bodies.empty() && does(Step::sync_bodies_erased)) {
      HOLDFAST_LET(outcome, remote_.erase_bodies(context_, id(), bodies));
      if (outcome != RemoteOutcome::done) return unclear();
    }
    if (!chunks.empty() && does(Step::sync_chunks_erased)) {
      HOLDFAST_LET(outcome, remote_.erase_chunks(context_, device_, chunks));
      if (outcome != RemoteOutcome::done) return unclear();
    }
    HOLDFAST_TRY(drop_erased(erasures.bodies));
    return home_.save(context_, where_, Erasures());
  }

  // The erased content is not kept here either: it may be what people want forgotten.
  Result<void> drop_erased(const std::set<std::uint64_t>& bodies) {
    if (bodies.empty()) return {};
    writer_.reset();
    HOLDFAST_TRY(open_published());
    HOLDFAST_TRY(drop_replaced(context_, *writer_,
                               [&](const CaptureKey&, const OpOrigin& origin) { return bodies.contains(origin.seq); }));
    writer_.reset();
    return {};
  }

  const Context& context_;
  const SyncHome& home_;
  RemoteSettings& settings_;
  Remote& remote_;
  const LocalPacks local_;
  PushReport& report_;
  std::string where_;  // name of this stream in the SyncHome
  SigningKey key_;
  std::string device_;
  OwnStream stream_;
  std::unique_ptr<ArchiveWriter> writer_;
  std::uint64_t last_ = 0;  // number of the last op
  SegmentContent content_;
  bool greets_ = false;    // publish a segment even if it contains only who this is
  std::size_t bytes_ = 0;  // size of the ops in content_
  Erasures erasures_;
  std::set<std::uint64_t> stuck_;      // earlier epochs in which nothing more can be published
  std::vector<BlockedEpoch> blocked_;  // and what is to be erased in them
  OwnDamage damage_;                   // to be repaired now
  bool is_damaged_ = false;            // a check has found damage
  std::set<std::string> stored_;
};

}  // namespace

Result<void> push(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                  const std::vector<RemoteStream>& heads, const SharedSessions& shared, const LocalPacks& local,
                  PushReport& report) {
  Publisher publisher(context, home, settings, remote, local, report);
  const auto done = publisher.run(heads, shared);
  if (!done && done.error().code == Code::sync_transport_failed && publisher.may_only_read())
    report = {.read_only = true, .findings = std::move(report.findings)};
  if (!done && is_full(done.error())) {
    Error error = done.error();
    if (!report.withdrawn.empty() || !report.cut.empty())
      error.message += "; what is forgotten or no longer shared stays there until there is space";
    report = {.full = true, .findings = std::move(report.findings)};
    return fail(std::move(error));
  }
  // What is published again was withdrawn from an earlier epoch only.
  for (const auto& [key, session] : shared) report.withdrawn.erase(key);
  return done;
}

}  // namespace holdfast::inline v1
