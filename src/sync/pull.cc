#include "sync/pull.h"

#include <algorithm>
#include <utility>

#include "archive/continuation.h"
#include "archive/rewrite_archive.h"
#include "base/time.h"
#include "disk/steps.h"
#include "sync/home_notes.h"
#include "sync/log_mark.h"
#include "sync/remote_abilities.h"
#include "sync/remote_keys.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kChunksAtOnce = 8;
constexpr auto kClockAhead = std::chrono::hours(24);

// Devices that this run met first, or under another name than before, and damage that it found.
struct Met {
  std::map<std::string, std::string> newcomers;  // with the key id of the last segment read
  std::set<std::string> renamed;
  std::vector<std::pair<StreamId, Finding>> damaged;  // or lost; the later epochs of these devices are not read yet
};

// Whether a later epoch of the device is read. Then problems of this one have been reported already, or do not matter.
Result<bool> is_superseded(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                           const StreamId& stream) {
  HOLDFAST_LET(streams, home.streams(settings.name));
  for (const StreamId& other : streams) {
    if (other.device != stream.device || other.epoch <= stream.epoch) continue;
    HOLDFAST_LET(cursor, home.cursor(context, settings.name, other));
    if (cursor.head.seq > 0) return true;
  }
  return false;
}

std::string withdrawn_name(const CaptureKey& key) { return key.layout + "\n" + key.store + "\n" + key.id; }

class StreamReader {
 public:
  StreamReader(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
               const RemoteStream& stream, Met& met, PullReport& report)
      : context_(context),
        home_(home),
        settings_(settings),
        remote_(remote),
        stream_(stream),
        met_(met),
        report_(report) {}

  Result<void> run() {
    HOLDFAST_LET(cursor, home_.cursor(context_, settings_.name, stream_.id));
    cursor_ = std::move(cursor);
    HOLDFAST_TRY(read_again_if_lost());
    if (cursor_.head == stream_.head) return note_lost(false);
    HOLDFAST_LET(superseded, is_superseded(context_, home_, settings_, stream_.id));
    superseded_ = superseded;
    if (cursor_.head.seq >= stream_.head.seq) {
      if (!superseded_)
        met_.damaged.emplace_back(
            stream_.id, finding_here("rewound",
                                     "the remote has less data than was read here, or different data: it lost data, or "
                                     "someone changed it; what was read is kept"));
      return note_lost(true);
    }
    HOLDFAST_LET(forgotten, forgotten_sessions(context_, home_));
    forgotten_ = std::move(forgotten);
    while (cursor_.head.seq < stream_.head.seq) {
      HOLDFAST_TRY(context_.check());
      HOLDFAST_LET(segments, remote_.read_after(context_, stream_.id, cursor_.head.seq));
      if (segments.empty()) {
        // Something has the name of the next segment and has no header. It is not on its way: the head comes after it.
        HOLDFAST_LET(cut, obstacle(context_, remote_, stream_.id, cursor_.head.seq + 1));
        if (cut) HOLDFAST_TRY(note_damage(cursor_, cursor_.head.seq + 1, "a segment has no whole header"));
        break;
      }
      HOLDFAST_LET(all, take(segments));
      if (!all) break;
    }
    return {};
  }

 private:
  Result<void> note_lost(bool lost) {
    if (std::exchange(cursor_.lost, lost) == lost) return {};
    return home_.save(context_, settings_.name, stream_.id, cursor_);
  }

  // What was read may be damaged or lost here. The segments are still at the remote, so its stream is read again. If
  // the remote has less than was read, its device will publish again.
  Result<void> read_again_if_lost() {
    const std::string path = home_.from(settings_.name, stream_.id);
    if (cursor_.head.seq > 0) {
      HOLDFAST_LET(whole, is_log_whole(context_, home_, path, cursor_.log, cursor_.content > 0));
      if (whole && cursor_.log) return {};
      if (whole) return save_marked();
      if (cursor_.head != stream_.head && cursor_.head.seq >= stream_.head.seq) return {};
      found("read_again",
            "what this machine has read of it is damaged or was removed here; it is read again from its beginning");
      cursor_.head = {};
      cursor_.log.reset();
      HOLDFAST_TRY(home_.save(context_, settings_.name, stream_.id, cursor_));
    }
    return drop_broken_sessions(context_, home_, path,
                                [&](const CaptureKey& key) { return cursor_.withdrawn.contains(withdrawn_name(key)); });
  }

  Result<void> save_marked() {
    HOLDFAST_LET(mark, mark_log(home_, home_.from(settings_.name, stream_.id), cursor_.log));
    cursor_.log = mark;
    return home_.save(context_, settings_.name, stream_.id, cursor_);
  }

  // Whether the remote now has another segment where the last one was read.
  Result<bool> is_rewritten(const StreamHead& head) {
    if (head.seq == 0) return false;
    HOLDFAST_LET(segments, remote_.read_after(context_, stream_.id, head.seq - 1));
    return !segments.empty() && segments.front().hash != head.hash;
  }

  // Its name, also before meet() has noted it.
  std::string who() const {
    std::string noted = settings_.machine_of(stream_.id.device);
    return noted == stream_.id.device && !machine_.empty() ? machine_ : noted;
  }
  Finding finding_here(std::string_view kind, const std::string& consequence) const {
    return {settings_.name + " " + who(), 0, 0, std::string(kind), consequence, 0};
  }
  void found(std::string_view kind, const std::string& consequence) {
    report_.findings.push_back(finding_here(kind, consequence));
  }
  // Whether no segment of this epoch was ever valid, although another epoch of the device is read: then
  // somebody put a copy there.
  Result<bool> is_foreign(const StreamCursor& now) const {
    if (now.head.seq > 0) return false;
    HOLDFAST_LET(streams, home_.streams(settings_.name));
    for (const StreamId& other : streams) {
      if (other.device != stream_.id.device || other.epoch == stream_.id.epoch) continue;
      HOLDFAST_LET(cursor, home_.cursor(context_, settings_.name, other));
      if (cursor.head.seq > 0) return true;
    }
    return false;
  }

  // Segment `seq`, the one after `now`, cannot be used: reports it, and notifies its device with the next push. Its
  // device hears of it even if a later epoch is read: another home may write that one as the same device.
  Result<void> note_damage(const StreamCursor& now, std::uint64_t seq, const std::string& why) {
    const std::pair<StreamId, std::string> about{stream_.id, std::to_string(seq)};
    const auto hostile = [&](const std::string& consequence) {
      return Finding{segment_place(remote_, stream_.id, seq), 0, 0, "hostile", why + "; " + consequence, 0};
    };
    HOLDFAST_LET(foreign, is_foreign(now));
    if (foreign) {
      HOLDFAST_LET(known, complaints(context_, home_, settings_.name));
      if (!known.told.contains(about) && !known.open.contains(about))
        report_.findings.push_back(hostile("it is left out, and what " + who() + " publishes beside it is read"));
    } else {
      met_.damaged.emplace_back(stream_.id, hostile("nothing after it is read from " + who() +
                                                    " until it publishes that again, which its next sync does"));
    }
    return complain(context_, home_, settings_.name, about.first, about.second);
  }

  // Returns false if what follows cannot be trusted.
  Result<bool> take(const std::vector<StreamSegment>& segments) {
    bool sound = true;
    StreamCursor now = cursor_;
    std::unique_ptr<ArchiveWriter> writer;
    AppliedOps applied;
    for (const StreamSegment& segment : segments) {
      const auto header = check_segment(segment, settings_.id, stream_.id, now.head);
      auto content = header ? content_of(*header, segment) : Result<SegmentContent>(fail(header.error()));
      if (!content && content.error().code == Code::permission_denied && !header->lock.empty()) {
        HOLDFAST_LET(given, ask_for_key(context_, home_, settings_, remote_, stream_.id.device, header->lock));
        if (given) content = content_of(*header, segment);
      }
      if (!content && content.error().code == Code::permission_denied) {
        HOLDFAST_LET(own, home_.device(context_));
        // That machine has to meet this one before it can trust it, and gives the key with its next sync.
        const std::string sync = "holdfast sync " + settings_.name;
        std::string hint = "to let this device read, run on " + who();
        hint.append(": ").append(sync).append(" && holdfast remote trust ").append(settings_.name);
        hint.append(" ").append(device_id(own.public_key)).append(" && ").append(sync);
        found("locked",
              "it changed its key and has not given it to this device, so nothing more is read from it; " + hint);
        sound = false;
        break;
      }
      // Not damage: its writer has nothing to repair.
      if (!content && content.error().code == Code::newer_schema) {
        if (!superseded_)
          found("newer", content.error().message + "; nothing after it is read until Holdfast is updated here");
        sound = false;
        break;
      }
      if (!content) {
        HOLDFAST_TRY(note_damage(now, segment.seq, content.error().message));
        HOLDFAST_LET(rewritten, is_rewritten(now.head));
        now.lost = now.lost || rewritten;
        sound = false;
        break;
      }
      const auto at = parse_iso8601(header->at);
      if (!at || *at > context_.clock->now() + kClockAhead)
        found("clock", "its clock is more than a day ahead, or gives no time: " + header->at);
      now.content = content->ops.empty() ? now.content : segment.seq;
      std::erase_if(content->ops, [&](const std::string& op) {
        const auto session = forgotten_.empty() ? std::nullopt : session_of(op);
        return session && forgotten_.contains(forgotten_name(stream_.id.device, *session));
      });
      if (!content->ops.empty()) {
        if (!writer) {
          HOLDFAST_LET(opened, ArchiveWriter::open(context_, home_.files(), home_.from(settings_.name, stream_.id),
                                                   ArchiveOrder::lines_first));
          writer = std::move(opened);
        }
        HOLDFAST_TRY(apply_ops(context_, *writer, segment.seq, *content, applied));
      }
      if (!content->machine.empty() && std::exchange(now.machine, content->machine) != content->machine)
        named_ = header->at;
      machine_ = now.machine;
      for (const auto& [policy, key] : content->names) {
        std::erase(now.names[policy], key);
        now.names[policy].push_back(key);
      }
      if (!content->unreadable.empty()) HOLDFAST_TRY(heed_complaints(content->unreadable));
      if (content->revoked) {
        HOLDFAST_LET(known, revocations(context_, home_, settings_.name));
        if (std::exchange(known[stream_.id.device], *content->revoked) != *content->revoked)
          HOLDFAST_TRY(save_revocations(context_, home_, settings_.name, known));
        HOLDFAST_TRY(heed(*content->revoked, header->lock));
      }
      public_key_ = header->key;
      lock_ = header->lock;
      for (const auto& [stream, seq] : content->seen) now.seen[stream] = std::max(now.seen[stream], seq);
      now.head = {segment.seq, segment.hash};
      now.lost = false;
      ++report_.segments;
    }
    if (!does(Step::sync_ops_durable)) HOLDFAST_TRY(home_.save(context_, settings_.name, stream_.id, now));
    if (writer) {
      HOLDFAST_TRY(writer->close(context_));
      if (does(Step::sync_drops_heeded)) HOLDFAST_TRY(withdraw(writer, applied, now));
      HOLDFAST_TRY(forget_earlier(applied.forgotten));
    }
    for (const CaptureKey& key : applied.sessions) {
      if (applied.dropped.contains(key)) continue;
      report_.sessions.insert({stream_.id.device, key});
      report_.withdrawn.erase({stream_.id.device, key});
    }
    now.log = cursor_.log;
    cursor_ = now;
    // Saved before the cursor, so no device that is read lacks a name.
    if (meet()) HOLDFAST_TRY(home_.save(context_, settings_));
    for (const Finding& finding : applied.findings)
      if (finding.kind != "erased") found(finding.kind, finding.consequence);
    HOLDFAST_TRY(save_marked());
    return sound;
  }

  Result<SegmentContent> content_of(const SegmentHeader& header, const StreamSegment& segment) {
    if (!segment.body) return SegmentContent();
    HOLDFAST_LET(text, open_body(header, *segment.body, settings_.key()));
    return read_content(text);
  }

  // Another device cannot read what this device published: the next push checks whether it is damaged.
  Result<void> heed_complaints(const std::set<StreamId>& about) {
    HOLDFAST_LET(own, home_.device(context_));
    const std::string device = device_id(own.public_key);
    if (std::ranges::none_of(about, [&](const StreamId& one) { return one.device == device; })) return {};
    HOLDFAST_LET(state, own_check_state(context_, home_, settings_.name));
    state.asked = true;
    return save_own_check_state(context_, home_, settings_.name, state);
  }

  bool is_paired() const {
    const auto known = settings_.devices.find(stream_.id.device);
    return known != settings_.devices.end() && known->second.trust == DeviceTrust::trusted;
  }

  // When one device of a person revokes a device, all of them do, and switch to its key. But a key made by a
  // device that does not know whom this device revoked may have been given to the revoked ones.
  Result<void> heed(const std::set<std::string>& revoked, const std::string& lock) {
    HOLDFAST_LET(own, home_.own_ids(context_));
    const std::set<std::string> here = settings_.revoked();
    std::string names, ids;
    std::set<std::string> more;
    for (const std::string& device : revoked) {
      if (here.contains(device) || own.contains(device)) continue;
      more.insert(device);
      const auto known = settings_.devices.find(device);
      names += (names.empty() ? "" : ", ") +
               (known == settings_.devices.end() || known->second.name.empty() ? device : known->second.name);
    }
    if (more.empty()) return {};
    const bool keyed = !settings_.secret.empty();
    const bool safe = !keyed || (!lock.empty() && std::ranges::includes(revoked, here));
    RemoteSettings then = settings_;
    for (const std::string& device : more) {
      KnownDevice& known = then.devices[device];
      known.trust = DeviceTrust::revoked;
      if (known.since.empty()) known.since = iso8601(context_.clock->now());
    }
    if (!is_paired() || !safe || (keyed && !adopt_key(then, lock))) {
      found("revoked", "it has revoked " + names + "; run holdfast remote revoke " + settings_.name + " " +
                           *more.begin() + (more.size() == 1 ? "" : ", and the same for the others,") +
                           " to do the same here");
      return {};
    }
    settings_ = std::move(then);
    found("revoked", "it has revoked " + names + ", so this device has too" +
                         (keyed ? ", and encrypts with the new key from now on" : ""));
    return home_.save(context_, settings_);
  }

  // Forgetting crosses only devices that a person has paired; others keep what they have pulled. If a session was
  // published again as a whole, its earlier states contain what its device forgot, or were in the same bodies.
  // What a fuller copy replaces goes everywhere: it would be the same session twice.
  Result<void> withdraw(std::unique_ptr<ArchiveWriter>& writer, const AppliedOps& applied, StreamCursor& now) {
    std::set<CaptureKey> forgotten;
    const bool paired = is_paired();
    for (const CaptureKey& key : applied.dropped) {
      const auto session = writer->state().sessions.find(key);
      if (session == writer->state().sessions.end()) continue;
      const bool replaced = applied.replaced.contains(drop_name(key));
      if (!replaced) report_.withdrawn.insert({stream_.id.device, key});
      report_.sessions.erase({stream_.id.device, key});
      if (paired || replaced || !is_here(writer->packs(), session->second)) {
        forgotten.insert(key);
        continue;
      }
      now.withdrawn.insert(withdrawn_name(key));
      if (const auto one = applied.forms.find(drop_name(key)); one != applied.forms.end())
        now.forms[one->second.first] = one->second.second;
    }
    for (const auto& [key, session] : writer->state().sessions)
      if (!applied.dropped.contains(key) && read_origin(session.origin).seq > cursor_.head.seq)
        now.withdrawn.erase(withdrawn_name(key));
    if (!forgotten.empty()) {
      HOLDFAST_TRY(reopen(writer));
      HOLDFAST_TRY(drop_sessions(context_, *writer, forgotten));
      report_.erased = true;
    }
    if (paired && !applied.whole.empty()) {
      HOLDFAST_TRY(reopen(writer));
      HOLDFAST_LET(gone, drop_replaced(context_, *writer, [&](const CaptureKey& key, const OpOrigin&) {
                     return applied.whole.contains(key);
                   }));
      report_.erased = report_.erased || gone;
    }
    return {};
  }

  // Its device cannot publish in those epochs any more, so what it withdrew there is said here; as with a drop, devices
  // that are not paired with it keep what they have fetched. Nothing else acts on another epoch: two homes may write as
  // one device, each in its own epochs, and not share the same sessions.
  Result<void> forget_earlier(const std::set<std::pair<std::uint64_t, std::string>>& forgotten) {
    if (forgotten.empty()) return {};
    const bool paired = is_paired();
    const auto later = Archive::open(context_, home_.files(), home_.from(settings_.name, stream_.id));
    std::set<std::uint64_t> epochs;
    for (const auto& [epoch, name] : forgotten)
      if (epoch < stream_.id.epoch) epochs.insert(epoch);
    for (const std::uint64_t epoch : epochs) {
      const std::string path = home_.from(settings_.name, {stream_.id.device, epoch});
      const auto known = Archive::open(context_, home_.files(), path);
      if (!known && known.error().code == Code::not_found) continue;
      if (!known) return fail(known.error());
      std::set<CaptureKey> gone;
      for (const auto& [key, session] : (*known)->state().sessions)
        if (forgotten.contains({epoch, drop_name(key)}) && (paired || !is_here((*known)->packs(), session)))
          gone.insert(key);
      if (gone.empty()) continue;
      const auto drop = [&]() -> Result<void> {
        HOLDFAST_LET(writer, ArchiveWriter::open(context_, home_.files(), path, ArchiveOrder::lines_first));
        HOLDFAST_TRY(drop_sessions(context_, *writer, gone));
        return {};
      };
      HOLDFAST_TRY(rewrite_from(context_, home_, settings_.name, {stream_.id.device, epoch}, drop));
      report_.erased = true;
      for (const CaptureKey& key : gone) {
        // It may go on in a later epoch, without some lines; and it may have been read just now.
        if (later && (*later)->state().sessions.contains(key)) continue;
        if (report_.sessions.erase({stream_.id.device, key}) == 0) report_.withdrawn.insert({stream_.id.device, key});
      }
    }
    return {};
  }

  // The log is about to be rewritten.
  Result<void> reopen(std::unique_ptr<ArchiveWriter>& writer) {
    if (std::exchange(cursor_.log, std::nullopt))
      HOLDFAST_TRY(home_.save(context_, settings_.name, stream_.id, cursor_));
    const std::string path = writer->path();
    writer.reset();
    HOLDFAST_LET(again, ArchiveWriter::open(context_, home_.files(), path, ArchiveOrder::lines_first));
    writer = std::move(again);
    return {};
  }

  // Returns whether the device is new or has another name.
  bool meet() {
    const std::string& id = stream_.id.device;
    KnownDevice& device = settings_.devices[id];
    bool changed = device.since.empty();
    if (changed) {
      device.since = iso8601(context_.clock->now());
      met_.newcomers[id] = lock_;
    }
    if (const auto one = met_.newcomers.find(id); one != met_.newcomers.end() && !public_key_.empty())
      one->second = lock_;
    // Its name is that of its newest epoch, in whatever order the epochs arrive here.
    if ((!superseded_ || device.name.empty()) && !cursor_.machine.empty() && device.name != cursor_.machine) {
      device.name = cursor_.machine;
      device.named = named_;
      met_.renamed.insert(id);
      changed = true;
    }
    if (!public_key_.empty()) device.key = public_key_;
    return changed;
  }

  const Context& context_;
  const SyncHome& home_;
  RemoteSettings& settings_;
  Remote& remote_;
  const RemoteStream& stream_;
  Met& met_;
  PullReport& report_;
  StreamCursor cursor_;
  std::set<std::string> forgotten_;  // sessions that were removed here
  bool superseded_ = false;
  std::string machine_;  // its name in this epoch
  std::string public_key_;
  std::string lock_;   // key id of the last segment read
  std::string named_;  // when the device took its name in this epoch
};

std::string named_as_this_one(const RemoteSettings& settings, const std::string& device) {
  return "this machine is called " + settings.machine + " too; that one is device " + device +
         ", and --machine accepts the beginning of its id; to rename this machine, run holdfast remote remove " +
         settings.name + ", then remote add with --as, and then remote share again for every project that it shares";
}

std::string named_alike(const std::string& machine, const std::string& one, const std::string& other) {
  return "two machines are called " + machine + ": device " + one + " and device " + other +
         "; --machine accepts the beginning of an id";
}

// Equal names cannot be prevented, and lists show both the same: report it once, when the second device is met.
void tell_namesakes(const RemoteSettings& settings, const Met& met, PullReport& report) {
  for (const std::string& own : met.renamed) {
    const std::string machine = settings.machine_of(own);
    const auto found = [&](const std::string& text) {
      report.findings.push_back({settings.name + " " + machine, 0, 0, "same_name", text, 0});
    };
    if (machine == settings.machine) found(named_as_this_one(settings, own));
    for (const auto& [id, other] : settings.devices) {
      if (id == own || other.name != machine || other.trust == DeviceTrust::revoked) continue;
      if (id > own && met.renamed.contains(id)) continue;  // it is reported for that one
      found(named_alike(machine, own, id));
    }
  }
}

// A device with the key can read. A device that anybody revoked must not be suggested for trust.
Result<void> tell_who_cannot_read(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                                  Remote& remote, const std::vector<RemoteStream>& heads, const Met& met,
                                  PullReport& report) {
  const std::string lock = settings.key().lock;
  if (lock.empty() || met.newcomers.empty()) return {};
  std::set<std::string> revoked = settings.revoked();
  HOLDFAST_LET(told, revocations(context, home, settings.name));
  for (const auto& [device, its] : told) revoked.insert(its.begin(), its.end());
  for (const auto& [device, its_lock] : met.newcomers) {
    if (its_lock == lock || revoked.contains(device)) continue;
    HOLDFAST_LET(given, is_given(context, settings, remote, heads, device, lock));
    if (given) continue;
    report.findings.push_back({settings.name + " " + settings.machine_of(device), 0, 0, "no_key",
                               "it joined after the key changed and cannot read what is written here; to allow it, run "
                               "holdfast remote trust " +
                                   settings.name + " " + device,
                               0});
  }
  return {};
}

// Streams that were read and are no longer there.
Result<void> note_missing_streams(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                                  const std::vector<RemoteStream>& heads) {
  HOLDFAST_LET(known, home.streams(settings.name));
  for (const StreamId& stream : known) {
    if (std::ranges::any_of(heads, [&](const RemoteStream& one) { return one.id == stream; })) continue;
    HOLDFAST_LET(cursor, home.cursor(context, settings.name, stream));
    if (std::exchange(cursor.lost, true)) continue;
    HOLDFAST_TRY(home.save(context, settings.name, stream, cursor));
  }
  return {};
}

// An older Holdfast read what this home had published with an earlier key as another machine's.
Result<void> drop_own_streams(const Context& context, const SyncHome& home, RemoteSettings& settings,
                              const std::set<std::string>& own) {
  HOLDFAST_LET(known, home.streams(settings.name));
  for (const StreamId& stream : known)
    if (own.contains(stream.device)) HOLDFAST_TRY(home.drop_stream(context, settings.name, stream));
  for (const std::string& device : own) settings.devices.erase(device);
  return {};
}

}  // namespace

Result<void> pull(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                  const std::vector<RemoteStream>& heads, PullReport& report) {
  HOLDFAST_LET(own, home.own_ids(context));
  HOLDFAST_TRY(drop_own_streams(context, home, settings, own));
  Met met;
  Result<void> read;
  for (const RemoteStream& stream : heads) {
    if (own.contains(stream.id.device) || !is_device_id(stream.id.device)) continue;
    const auto known = settings.devices.find(stream.id.device);
    if (known != settings.devices.end() && known->second.trust == DeviceTrust::revoked) continue;
    read = StreamReader(context, home, settings, remote, stream, met, report).run();
    if (!read) break;
  }
  if (read) read = note_missing_streams(context, home, settings, heads);
  // Only now: a later epoch may have repaired it, or given another name; or its device began one and erased the rest.
  for (auto& [stream, finding] : met.damaged) {
    HOLDFAST_LET(superseded, is_superseded(context, home, settings, stream));
    if (!superseded) report.findings.push_back(std::move(finding));
  }
  for (const auto& [device, lock] : met.newcomers) report.new_devices.push_back(settings.machine_of(device));
  tell_namesakes(settings, met, report);
  HOLDFAST_TRY(read);
  return tell_who_cannot_read(context, home, settings, remote, heads, met, report);
}

Result<void> read_stream(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                         const RemoteStream& stream, PullReport& report) {
  Met met;
  return StreamReader(context, home, settings, remote, stream, met, report).run();
}

bool is_here(const Packs& packs, const CapturedSession& session) {
  for (const auto& [place, version] : session.head)
    for (const FileBlock& block : version->blocks)
      if (packs.find(block.name) == nullptr) return false;
  return true;
}

namespace {

// Whether every file of a session is in the later copy, which may have more at its end.
bool is_in(const CapturedSession& session, const CapturedSession& later) {
  return std::ranges::all_of(session.head, [&](const auto& file) {
    const auto there = later.head.find(file.first);
    if (there == later.head.end()) return false;
    const auto &had = file.second->blocks, &has = there->second->blocks;
    return had.size() <= has.size() && std::equal(had.begin(), had.end(), has.begin());
  });
}

}  // namespace

Result<std::set<CaptureKey>> replaced_sessions(const Context& context, const SyncHome& home, const std::string& remote,
                                               const StreamId& stream) {
  std::set<CaptureKey> replaced;
  HOLDFAST_LET(cursor, home.cursor(context, remote, stream));
  HOLDFAST_LET(streams, home.streams(remote));
  std::unique_ptr<Archive> own;
  for (const StreamId& other : streams) {
    if (other.device != stream.device || other.epoch <= stream.epoch) continue;
    HOLDFAST_LET(its, home.cursor(context, remote, other));
    if (its.lost && !cursor.lost) continue;
    const auto later = Archive::open(context, home.files(), home.from(remote, other));
    if (!later && later.error().code == Code::not_found) continue;
    if (!later) return fail(later.error());
    if (own == nullptr) {
      auto opened = Archive::open(context, home.files(), home.from(remote, stream));
      if (!opened && opened.error().code == Code::not_found) return replaced;
      if (!opened) return fail(opened.error());
      own = std::move(*opened);
    }
    for (const auto& [key, session] : own->state().sessions) {
      const auto there = (*later)->state().sessions.find(key);
      if (there == (*later)->state().sessions.end()) continue;
      const auto read = [&](const FileBlock& block) { return read_if_there((*later)->packs(), block); };
      const auto read_own = [&](const FileBlock& block) { return read_if_there(own->packs(), block); };
      const SessionCopy copy{&there->first, &there->second, read}, earlier{&key, &session, read_own};
      if (cursor.lost || is_in(session, there->second) || continues(copy, earlier)) replaced.insert(key);
    }
  }
  return replaced;
}

namespace {

struct BlocksOf {
  const std::string& device;
  const std::string& machine;
  const std::string& names;  // key of the chunk names
};

// Removes the fetched blocks from `blocks`.
Result<void> fetch_blocks(const Context& context, ArchiveWriter& writer, const RemoteSettings& settings, Remote& remote,
                          const BlocksOf& whose, std::vector<FileBlock>& blocks, PullReport& report) {
  std::vector<FileBlock> missing;
  for (std::size_t at = 0; at < blocks.size(); at += kChunksAtOnce) {
    HOLDFAST_TRY(context.check());
    const std::size_t count = std::min(kChunksAtOnce, blocks.size() - at);
    std::vector<std::string> asked;
    for (std::size_t i = at; i < at + count; ++i) asked.push_back(remote_chunk_name(whose.names, blocks[i].name));
    HOLDFAST_LET(answers, remote.read_chunks(context, whose.device, asked));
    answers.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const FileBlock& block = blocks[at + i];
      if (!answers[i]) {
        missing.push_back(block);
        continue;
      }
      auto plain = open_chunk(settings.key(), whose.device, whose.names, block.name, *answers[i]);
      if (plain && plain->size() != block.size)
        plain = fail(Code::corrupt, "a chunk does not have the size recorded in its session");
      if (!plain) {
        missing.push_back(block);
        report.findings.push_back(
            {chunk_place(remote, whose.device, asked[i]), 0, 0, "hostile",
             plain.error().message + "; it is discarded until " + whose.machine + " publishes it again", 0});
        continue;
      }
      HOLDFAST_TRY(writer.add_chunk(context, *plain));
      ++report.chunks;
      report.bytes += answers[i]->size();
    }
  }
  blocks = std::move(missing);
  return {};
}

}  // namespace

Result<void> fetch(const Context& context, const SyncHome& home, const RemoteSettings& settings, Remote& remote,
                   const StreamId& stream, const WantSession& wanted, PullReport& report) {
  HOLDFAST_LET(cursor, home.cursor(context, settings.name, stream));
  auto writer = ArchiveWriter::open(context, home.files(), home.from(settings.name, stream), ArchiveOrder::lines_first);
  if (!writer) return fail(std::move(writer).error());
  const std::string machine = settings.machine_of(stream.device);
  for (const auto& [key, session] : (*writer)->state().sessions) {
    if (is_here((*writer)->packs(), session) || !wanted(key, session)) continue;
    std::vector<FileBlock> blocks;
    for (const auto& [place, version] : session.head)
      for (const FileBlock& block : version->blocks)
        if ((*writer)->packs().find(block.name) == nullptr) blocks.push_back(block);
    const std::size_t said = report.findings.size();
    // The newest names first; chunks from before a key change have older names.
    const std::vector<std::string>& names = cursor.names[read_origin(session.origin).policy];
    for (auto newest = names.rbegin(); newest != names.rend() && !blocks.empty(); ++newest)
      HOLDFAST_TRY(
          fetch_blocks(context, **writer, settings, remote, {stream.device, machine, *newest}, blocks, report));
    if (blocks.empty()) continue;
    ++report.missing;
    // A chunk that is only missing may still be on its way.
    if (report.findings.size() > said)
      HOLDFAST_TRY(complain(context, home, settings.name, stream, blocks.front().name));
  }
  return (*writer)->close(context);
}

}  // namespace holdfast::inline v1
