#include "sync/projection.h"

#include <algorithm>

#include "base/hash.h"
#include "model/packing.h"
#include "sync/postgres_errors.h"
#include "sync/projection_sql.h"
#include "sync/projection_transaction.h"
#include "sync/seal.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxKnown = std::size_t{256} << 20;  // bytes of an answer
constexpr std::size_t kMaxName = std::size_t{64} << 10;
constexpr std::uint64_t kMaxNumber = INT64_MAX;

std::string raw(std::string_view hex) { return from_hex(hex).value_or(""); }

PqParameters of_stream(const StreamId& stream) {
  return PqParameters().bytes(raw(stream.device)).number(std::min(stream.epoch, kMaxNumber));
}

PqParameters row_of(const ProjectedSession& session) {
  bool changed = false;
  const auto text = [&](std::string_view value) { return projected_text(value, changed); };
  PqParameters row;
  row.bytes(session.key()).bytes(raw(session.stream.device)).number(std::min(session.stream.epoch, kMaxNumber));
  row.text(text(session.session.layout)).text(text(session.session.store)).text(text(session.session.id));
  row.number(std::min(session.number, kMaxNumber));
  row.text(text(session.machine)).text(text(session.policy)).text(text(session.identity)).text(text(session.project));
  row.text(text(session.updated_at)).text(text(session.status)).number(session.inner ? 1 : 0);
  row.number(session.subagent ? 1 : 0).text(text(session.listed)).text(text(session.counted));
  return row.bytes(session.digest()).text(text(session.part_of));
}

Result<PutOutcome> put_in(ProjectionTransaction& work, const ProjectedSession& session, const StreamHead& head,
                          const ProjectedMessageSource& tell, PutCounts& counts) {
  HOLDFAST_LET(stream, work.run(projection_sql::kShareStream, of_stream(session.stream)));
  const auto seq = stream.rows.empty() ? std::nullopt : pq_number(stream.rows[0], 0);
  if (!seq || *seq > head.seq) return PutOutcome::overtaken;
  HOLDFAST_LET(row, work.run(projection_sql::kPutSession, row_of(session)));
  if (row.changed == 0) return PutOutcome::overtaken;
  if (tell) {
    HOLDFAST_LET(there, work.run(projection_sql::kHashes, PqParameters().bytes(session.key()), kMaxKnown));
    ProjectedMessageWriter messages(work, session.key(), std::move(there.rows), counts);
    HOLDFAST_TRY(tell([&](ProjectedMessage message) { return messages.take(std::move(message)); }));
    HOLDFAST_TRY(messages.end());
  }
  HOLDFAST_TRY(work.commit());
  return PutOutcome::done;
}

}  // namespace

std::string ProjectedSession::key() const {
  const std::string name = "holdfast projected session\n" + stream.device + "\n" + std::to_string(stream.epoch) + "\n" +
                           session.layout + "\n" + session.store + "\n" + session.id + "\n";
  return raw(sha256_hex(name)).substr(0, 16);
}

std::string ProjectedSession::digest() const {
  Packer out;
  for (const std::string* part :
       {&part_of, &machine, &policy, &identity, &project, &updated_at, &status, &listed, &counted})
    out.text(*part);
  out.number((inner ? 1 : 0) + (subagent ? 2 : 0));
  std::uint64_t hash = xxh3_64(out.take());
  std::string bytes(8, '\0');
  for (std::size_t i = bytes.size(); i-- > 0; hash >>= 8U) bytes[i] = static_cast<char>(hash & 0xFFU);
  return bytes;
}

Result<Projection> Projection::open(std::string_view url, const PostgresTimeouts& patience) {
  HOLDFAST_LET(address, read_postgres_address(url));
  HOLDFAST_TRY(pq_library());
  return Projection(std::move(address), patience);
}

Failure Projection::corrupt(std::string_view what) const {
  return fail(Code::corrupt, std::string(what) + " in the tables for search cannot be what was stored",
              session_->address().place);
}

Result<void> Projection::done(const Result<std::optional<std::uint64_t>>& changed) const {
  if (!changed) return fail(changed.error());
  if (!*changed)
    return fail(Code::sync_transport_failed, "the server did not confirm a change; try again",
                session_->address().place);
  return {};
}

Result<bool> Projection::exists(const Context& context) {
  HOLDFAST_TRY(session_->ready(context));
  return session_->version() >= projection_sql::kSince;
}

Result<void> Projection::check(const Context& context) {
  HOLDFAST_LET(there, exists(context));
  if (!there) return fail(not_migrated(session_->address(), "the tables for search do not exist"));
  return {};
}

Result<std::string> Projection::now(const Context& context) {
  HOLDFAST_LET(answer, session_->read(context, projection_sql::kNow, {}, 256));
  const auto at = answer.rows.empty() ? std::nullopt : pq_bytes(answer.rows[0], 0, 64);
  if (!at) return corrupt("the time");
  return *at;
}

Result<std::map<StreamId, ProjectedStream>> Projection::streams(const Context& context) {
  HOLDFAST_LET(answer, session_->read(context, projection_sql::kIndexed, {}, kMaxKnown));
  std::map<StreamId, ProjectedStream> all;
  for (const PqRow& row : answer.rows) {
    const auto device = pq_bytes(row, 0, 16), hash = pq_bytes(row, 3, 32), at = pq_bytes(row, 4, 64);
    const auto epoch = pq_number(row, 1), seq = pq_number(row, 2), left_out = pq_number(row, 5);
    if (!device || !hash || !at || !epoch || !seq || !left_out) return corrupt("a stream");
    all[{to_hex(*device), *epoch}] = {{*seq, to_hex(*hash)}, *at, *left_out};
  }
  return all;
}

Result<void> Projection::begin(const Context& context, const StreamId& stream) {
  return done(session_->change(context, projection_sql::kBeginStream, of_stream(stream)));
}

Result<KnownSessions> Projection::known(const Context& context, const StreamId& stream) {
  const bool all = stream.epoch == 0;
  HOLDFAST_LET(answer, session_->read(context, all ? projection_sql::kKnownOfDevice : projection_sql::kKnownOfStream,
                                      all ? PqParameters().bytes(raw(stream.device)) : of_stream(stream), kMaxKnown));
  KnownSessions known;
  for (const PqRow& row : answer.rows) {
    const auto key = pq_bytes(row, 0, 16), digest = pq_bytes(row, 6, 8);
    const auto epoch = pq_number(row, 1), number = pq_number(row, 5);
    std::string texts[7];
    bool whole = key && digest && epoch && number;
    for (std::size_t i = 0; i < std::size(texts); ++i) {
      const auto text = pq_bytes(row, i < 3 ? i + 2 : i + 4, kMaxName);
      whole = whole && text;
      if (text) texts[i] = *text;
    }
    if (!whole) return corrupt("a session");
    known[*key] = {*epoch, {texts[0], texts[1], texts[2]}, *number, *digest, texts[3], texts[4], texts[5], texts[6]};
  }
  return known;
}

Result<PutOutcome> Projection::put(const Context& context, const ProjectedSession& session, const StreamHead& head,
                                   const ProjectedMessageSource& tell, PutCounts& counts) {
  HOLDFAST_LET(work, ProjectionTransaction::begin(context, *session_));
  PutCounts written;
  auto outcome = put_in(work, session, head, tell, written);
  if (!outcome && work.was_blocked()) return PutOutcome::busy;
  if (outcome && *outcome == PutOutcome::done) {
    counts.messages += written.messages;
    counts.cut += written.cut;
  }
  return outcome;
}

Result<void> Projection::remove(const Context& context, std::string_view key) {
  constexpr std::string_view kBoth[] = {projection_sql::kDropSession, projection_sql::kDropMessages};
  return done(session_->change_all(context, kBoth, PqParameters().bytes(key)));
}

Result<bool> Projection::finish(const Context& context, const StreamId& stream, const ProjectedStream& now,
                                const std::set<std::string>& kept) {
  HOLDFAST_LET(work, ProjectionTransaction::begin(context, *session_));
  // A concurrent writer of a session of this stream finishes before this, or sees how far the stream is now.
  HOLDFAST_LET(locked, work.run(projection_sql::kLockStream, of_stream(stream)));
  const auto seq = locked.rows.empty() ? std::nullopt : pq_number(locked.rows[0], 0);
  if (!seq || *seq > now.head.seq) return false;
  HOLDFAST_LET(there, work.run(projection_sql::kKnownOfStream, of_stream(stream), kMaxKnown));
  for (const PqRow& row : there.rows) {
    const auto key = pq_bytes(row, 0, 16);
    if (!key) return corrupt("a session");
    if (kept.contains(*key)) continue;
    HOLDFAST_TRY(work.run(projection_sql::kDropSession, PqParameters().bytes(*key)));
    HOLDFAST_TRY(work.run(projection_sql::kDropMessages, PqParameters().bytes(*key)));
  }
  PqParameters to = of_stream(stream);
  to.number(now.head.seq).bytes(raw(now.head.hash)).text(now.at).number(now.left_out);
  HOLDFAST_TRY(work.run(projection_sql::kAdvance, to));
  HOLDFAST_TRY(work.commit());
  return true;
}

Result<void> Projection::confirm(const Context& context, const StreamId& stream, const ProjectedStream& now) {
  PqParameters same = of_stream(stream);
  return done(session_->change(context, projection_sql::kStillCurrent, same.text(now.at).number(now.head.seq)));
}

Result<std::uint64_t> Projection::remove_gone(const Context& context) {
  HOLDFAST_LET(answer, session_->read(context, projection_sql::kGoneStreams, {}, kMaxKnown));
  std::uint64_t removed = 0;
  for (const PqRow& row : answer.rows) {
    const auto device = pq_bytes(row, 0, 16);
    const auto epoch = pq_number(row, 1);
    if (!device || !epoch) return corrupt("a stream");
    const StreamId stream{to_hex(*device), *epoch};
    // First, so that nobody adds to the stream any more.
    HOLDFAST_TRY(done(session_->change(context, projection_sql::kDropGoneStream, of_stream(stream))));
    HOLDFAST_LET(all, known(context, stream));
    for (const auto& [key, session] : all) HOLDFAST_TRY(remove(context, key));
    removed += all.size();
  }
  return removed;
}

Result<std::uint64_t> Projection::remove_device(const Context& context, const std::string& device) {
  HOLDFAST_LET(all, known(context, {device, 0}));
  for (const auto& [key, session] : all) HOLDFAST_TRY(remove(context, key));
  HOLDFAST_TRY(done(session_->change(context, projection_sql::kDropStreams, PqParameters().bytes(raw(device)))));
  return all.size();
}

}  // namespace holdfast::inline v1
