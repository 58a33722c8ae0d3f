#include "sync/check_own_stream.h"

#include <map>

#include "archive/log_lines.h"
#include "base/time.h"
#include "sync/content.h"
#include "sync/remote_abilities.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kChunksAtOnce = 8;

class OwnCheck {
 public:
  OwnCheck(const Context& context, const SyncHome& home, const RemoteSettings& settings, Remote& remote)
      : context_(context), home_(home), settings_(settings), remote_(remote) {}

  Result<OwnCheckResult> run(const std::vector<RemoteStream>& heads) {
    HOLDFAST_LET(key, home_.device(context_));
    HOLDFAST_LET(stream, home_.own_stream(context_, settings_.name));
    key_ = std::move(key);
    id_ = {device_id(key_.public_key), stream.epoch};
    checked_.damage.epoch = stream.epoch;
    StreamHead there;
    for (const RemoteStream& one : heads)
      if (one.id == id_) there = one.head;
    const auto published = Archive::open(context_, home_.files(), home_.published(settings_.name, stream.epoch));
    if (!published && published.error().code != Code::not_found) return fail(published.error());
    std::set<std::uint64_t> needed;
    if (published) {
      HOLDFAST_LET(seqs, needed_segments(**published));
      needed = std::move(seqs);
    }
    HOLDFAST_TRY(check_segments(stream.head, there, needed));
    if (published) HOLDFAST_TRY(check_chunks((*published)->state()));
    return std::move(checked_);
  }

 private:
  void found(std::string file, std::string_view kind, std::string consequence) {
    checked_.findings.push_back({std::move(file), 0, 0, std::string(kind), std::move(consequence), 0});
  }

  // The segments that a reader of the whole stream needs: for each session, those since its last whole state.
  Result<std::set<std::uint64_t>> needed_segments(Archive& published) {
    HOLDFAST_LET(lines, log_lines(context_, published.directory()));
    std::map<CaptureKey, std::set<std::uint64_t>> its;
    for (const LogLine& line : lines) {
      const OpOrigin origin = read_origin(line.read.capture.origin);
      std::set<std::uint64_t>& seqs = its[line.read.capture.session];
      if (origin.base == 0) seqs.clear();
      seqs.insert(origin.seq);
    }
    std::set<std::uint64_t> all;
    for (const auto& [key, seqs] : its) all.insert(seqs.begin(), seqs.end());
    return all;
  }

  Result<void> check_segments(const StreamHead& head, const StreamHead& there, const std::set<std::uint64_t>& needed) {
    StreamHead at;
    while (at.seq < head.seq) {
      HOLDFAST_TRY(context_.check());
      HOLDFAST_LET(segments, remote_.read_after(context_, id_, at.seq));
      if (segments.empty()) break;
      for (const StreamSegment& segment : segments) {
        if (at.seq == head.seq) break;
        const std::string place = segment_place(remote_, id_, segment.seq);
        ++checked_.segments;
        StreamSegment header = segment;
        header.body.reset();
        if (const auto sound = check_segment(header, settings_.id, id_, at); !sound) {
          checked_.damage.broken = true;
          found(place, "damaged", sound.error().message + "; nobody can read what follows it");
          return {};
        }
        if (!segment.body && needed.contains(segment.seq)) {
          checked_.damage.bodies.insert(segment.seq);
          found(place, "missing", "its content is missing");
        } else if (const auto whole = check_segment(segment, settings_.id, id_, at); !whole) {
          checked_.damage.bodies.insert(segment.seq);
          found(place, "damaged", whole.error().message);
        }
        at = {segment.seq, segment.hash};
      }
    }
    HOLDFAST_LET(taken, obstacle(context_, remote_, id_, at.seq + 1));
    if (at == head && !taken) return {};
    checked_.damage.broken = true;
    if (at == head)
      found(*taken, "in_the_way",
            "it is not a segment, and the next one that this device publishes would have its name");
    else if (taken)
      found(*taken, "damaged", "it is not a segment any more; nobody can read what follows it");
    else
      found(segment_place(remote_, id_, at.seq + 1), "missing", is_short(head, there));
    return {};
  }

  static std::string is_short(const StreamHead& head, const StreamHead& there) {
    return "of " + std::to_string(head.seq) + " published by this device, the remote has " + std::to_string(there.seq);
  }

  Result<void> check_chunks(const CaptureState& published) {
    std::map<std::string, std::set<std::string>> wanted;  // by policy
    for (const auto& [key, session] : published.sessions)
      for (const auto& [place, version] : session.last)
        for (const FileBlock& block : version->blocks) wanted[read_origin(session.origin).policy].insert(block.name);
    for (const auto& [policy, names] : wanted) {
      const std::vector<std::string> keys = own_names_keys(key_, settings_, id_.epoch, policy);
      std::vector<std::string> some;
      for (const std::string& name : names) {
        some.push_back(name);
        if (some.size() == kChunksAtOnce) HOLDFAST_TRY(check_some(keys, std::exchange(some, {})));
      }
      HOLDFAST_TRY(check_some(keys, std::move(some)));
    }
    return {};
  }

  Result<void> check_some(const std::vector<std::string>& keys, std::vector<std::string> names) {
    checked_.chunks += names.size();
    std::map<std::string, Finding> bad;
    for (const std::string& key : keys) {
      if (names.empty()) return {};
      HOLDFAST_TRY(context_.check());
      std::vector<std::string> asked, missing;
      for (const std::string& name : names) asked.push_back(remote_chunk_name(key, name));
      HOLDFAST_LET(answers, remote_.read_chunks(context_, id_.device, asked));
      answers.resize(names.size());
      for (std::size_t i = 0; i < names.size(); ++i) {
        const auto plain = answers[i] ? open_chunk(settings_.key(), id_.device, key, names[i], *answers[i])
                                      : Result<std::string>(fail(Code::not_found, "it is missing"));
        if (plain) continue;
        missing.push_back(names[i]);
        const std::string_view kind = answers[i] ? "damaged" : "missing";
        const Finding finding{
            chunk_place(remote_, id_.device, asked[i]), 0, 0, std::string(kind), plain.error().message, 0};
        if (answers[i] || !bad.contains(names[i])) bad.insert_or_assign(names[i], finding);
      }
      names = std::move(missing);
    }
    for (const std::string& name : names) {
      checked_.damage.chunks.insert(name);
      checked_.findings.push_back(bad[name]);
    }
    return {};
  }

  const Context& context_;
  const SyncHome& home_;
  const RemoteSettings& settings_;
  Remote& remote_;
  SigningKey key_;
  StreamId id_;
  OwnCheckResult checked_;
};

}  // namespace

std::vector<std::string> own_names_keys(const SigningKey& device, const RemoteSettings& settings, std::uint64_t epoch,
                                        std::string_view policy) {
  const auto key = [&](const std::string& lock) {
    return keyed_hash(device.seed, "holdfast names\n" + settings.id + "\n" + std::to_string(epoch) + "\n" +
                                       std::string(policy) + "\n" + (lock.empty() ? "" : lock + "\n"));
  };
  const RemoteSecret secret = settings.key();
  std::vector<std::string> keys{key(secret.lock)};
  for (const auto& [lock, its] : secret.others) keys.push_back(key(lock));
  return keys;
}

Result<OwnCheckResult> check_own_stream(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                                        Remote& remote, const std::vector<RemoteStream>& heads) {
  HOLDFAST_LET(checked, OwnCheck(context, home, settings, remote).run(heads));
  HOLDFAST_TRY(save_own_damage(context, home, settings.name, checked.damage));
  HOLDFAST_TRY(save_own_check_state(context, home, settings.name, {.at = iso8601(context.clock->now())}));
  return checked;
}

}  // namespace holdfast::inline v1
