#include "sync/postgres_remote.h"

#include <algorithm>
#include <map>

#include "sync/postgres_session.h"
#include "sync/postgres_sql.h"
#include "sync/remote_abilities.h"
#include "sync/seal.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kMaxNumber = INT64_MAX;
constexpr std::size_t kMaxHeads = std::size_t{128} << 20;  // bytes; enough for millions of streams
constexpr std::size_t kRowMargin = 256;                    // for numbers and hashes beside the bytes

// `hex` must be valid.
std::string bytes_of(std::string_view hex) { return from_hex(hex).value_or(""); }

Result<void> check_device(std::string_view device) {
  if (!is_device_id(device)) return fail(Code::unsafe_path, "not a device id");
  return {};
}

Result<void> check_stream(const StreamId& stream) {
  HOLDFAST_TRY(check_device(stream.device));
  if (stream.epoch == 0 || stream.epoch > kMaxNumber) return fail(Code::invalid_argument, "not the epoch of a stream");
  return {};
}

Result<void> check_segments(const StreamHead& expected, std::span<const StreamSegment> segments) {
  if (segments.empty()) return fail(Code::invalid_argument, "no segments to publish");
  if (expected.seq >= kMaxNumber - segments.size() || (expected.seq > 0) != is_hash_name(expected.hash) ||
      (expected.seq == 0 && !expected.hash.empty()))
    return fail(Code::invalid_argument, "not the head of a stream");
  std::size_t bytes = 0;
  std::uint64_t next = expected.seq;
  for (const StreamSegment& one : segments) {
    if (one.seq != ++next || !one.body) return fail(Code::invalid_argument, "segments do not follow one another");
    if (!is_hash_name(one.hash)) return fail(Code::invalid_argument, "not the hash of a segment");
    bytes += one.header.size() + one.body->size();
    if (one.header.size() > kMaxSegmentHeader || one.body->size() > kMaxSegmentBody || bytes > kMaxRemoteBatch)
      return fail(Code::too_large, "segments over the limits of a remote");
  }
  return {};
}

Result<std::vector<std::string>> raw_names(std::span<const std::string> names) {
  std::vector<std::string> raw;
  for (const std::string& name : names) {
    if (!is_hash_name(name)) return fail(Code::unsafe_path, "not the name of a chunk");
    raw.push_back(bytes_of(name));
  }
  return raw;
}

std::vector<std::string_view> views(const std::vector<std::string>& values) { return {values.begin(), values.end()}; }

RemoteOutcome done_or_unclear(const std::optional<std::uint64_t>& changed) {
  return changed ? RemoteOutcome::done : RemoteOutcome::unclear;
}

class PostgresRemote final : public Remote, public KnowsItsWriters, public KeepsDamage {
 public:
  PostgresRemote(PostgresAddress address, const PostgresTimeouts& patience) : session_(std::move(address), patience) {}

  std::string place() const override { return session_.address().place; }

  // Privileges are those of the role, the same for all streams. One round trip, the first time.
  Result<bool> is_read_only(const Context& context, const StreamId&) override {
    if (!read_only_) {
      HOLDFAST_TRY(session_.ready(context));
      const PqParameters schema = PqParameters().text(session_.schema());
      HOLDFAST_LET(answer, session_.read(context, postgres_sql::kWhyReadOnly, schema, 2 * kRowMargin));
      read_only_ = answer.rows.empty() ? "" : pq_bytes(answer.rows[0], 0, kRowMargin).value_or("");
    }
    return !read_only_->empty();
  }
  std::string read_only_reason() const override { return read_only_.value_or(""); }

  Result<std::optional<std::string>> charter(const Context& context) override {
    HOLDFAST_LET(answer, session_.read(context, postgres_sql::kReadCharter, {}, kMaxCharter + kRowMargin));
    if (answer.rows.empty()) return std::optional<std::string>();
    auto charter = pq_bytes(answer.rows[0], 0, kMaxCharter);
    if (!charter) return corrupt("the charter");
    return charter;
  }

  Result<RemoteOutcome> found(const Context& context, std::string_view charter) override {
    if (charter.size() > kMaxCharter) return fail(Code::too_large, "a charter over the limits of a remote");
    HOLDFAST_LET(changed, session_.change(context, postgres_sql::kFound, PqParameters().bytes(charter)));
    if (!changed) return RemoteOutcome::unclear;
    return *changed == 1 ? RemoteOutcome::done : RemoteOutcome::lost;
  }

  Result<std::vector<RemoteStream>> heads(const Context& context) override {
    HOLDFAST_LET(answer, session_.read(context, postgres_sql::kHeads, {}, kMaxHeads));
    std::vector<RemoteStream> all;
    for (const PqRow& row : answer.rows) {
      const auto device = pq_bytes(row, 0, 16), hash = pq_bytes(row, 3, 32);
      const auto epoch = pq_number(row, 1), seq = pq_number(row, 2);
      if (!device || device->size() != 16 || !hash || hash->size() != 32 || !epoch || *epoch == 0 || !seq || *seq == 0)
        return corrupt("a head");
      all.push_back({{to_hex(*device), *epoch}, {*seq, to_hex(*hash)}});
    }
    return all;
  }

  Result<RemoteOutcome> publish(const Context& context, const StreamId& stream, const StreamHead& expected,
                                std::span<const StreamSegment> segments) override {
    HOLDFAST_TRY(check_stream(stream));
    HOLDFAST_TRY(check_segments(expected, segments));
    std::vector<std::uint64_t> seqs;
    std::vector<std::string> hashes;
    std::vector<std::string_view> headers, bodies;
    for (const StreamSegment& one : segments) {
      seqs.push_back(one.seq);
      hashes.push_back(bytes_of(one.hash));
      headers.push_back(one.header);
      bodies.push_back(*one.body);
    }
    PqParameters parameters;
    parameters.bytes(bytes_of(stream.device)).number(stream.epoch).number(seqs.back()).bytes(hashes.back());
    parameters.numbers(seqs).many_bytes(views(hashes)).many_bytes(headers).many_bytes(bodies);
    if (expected.seq > 0) parameters.number(expected.seq).bytes(bytes_of(expected.hash));
    HOLDFAST_LET(changed,
                 session_.change(context, expected.seq > 0 ? postgres_sql::kExtend : postgres_sql::kBegin, parameters));
    if (!changed) return RemoteOutcome::unclear;
    return *changed == segments.size() ? RemoteOutcome::done : RemoteOutcome::lost;
  }

  Result<std::vector<StreamSegment>> read_after(const Context& context, const StreamId& stream,
                                                std::uint64_t seq) override {
    HOLDFAST_TRY(check_stream(stream));
    if (seq >= kMaxNumber) return std::vector<StreamSegment>();
    PqParameters parameters;
    parameters.bytes(bytes_of(stream.device)).number(stream.epoch).number(seq).number(kMaxRemoteBatch);
    HOLDFAST_LET(answer, session_.read(context, postgres_sql::kReadAfter, parameters, 2 * kMaxRemoteBatch));
    std::vector<StreamSegment> found;
    for (PqRow& row : answer.rows) {
      const auto number = pq_number(row, 0);
      const auto hash = pq_bytes(row, 1, 32);
      if (row.size() != 4 || !number || !hash || hash->size() != 32 || !row[2] || row[2]->size() > kMaxSegmentHeader ||
          (row[3] && row[3]->size() > kMaxSegmentBody))
        return corrupt("a segment");
      if (*number != ++seq) break;  // a stream ends before its first gap
      found.push_back({*number, to_hex(*hash), std::move(*row[2]), std::move(row[3])});
    }
    return found;
  }

  Result<RemoteOutcome> erase_bodies(const Context& context, const StreamId& stream,
                                     std::span<const std::uint64_t> seqs) override {
    HOLDFAST_TRY(check_stream(stream));
    std::vector<std::uint64_t> numbers;
    std::ranges::copy_if(seqs, std::back_inserter(numbers), [](std::uint64_t seq) { return seq <= kMaxNumber; });
    PqParameters parameters;
    parameters.bytes(bytes_of(stream.device)).number(stream.epoch).numbers(numbers);
    HOLDFAST_LET(changed, session_.change(context, postgres_sql::kEraseBodies, parameters));
    return done_or_unclear(changed);
  }

  Result<RemoteOutcome> store_chunks(const Context& context, std::string_view device,
                                     std::span<const RemoteChunk> chunks) override {
    HOLDFAST_TRY(check_device(device));
    std::map<std::string, std::string_view> sorted;  // the same order for all clients, to avoid deadlocks
    std::size_t bytes = 0;
    for (const RemoteChunk& one : chunks) {
      if (!is_hash_name(one.name)) return fail(Code::unsafe_path, "not the name of a chunk");
      bytes += one.bytes.size();
      if (one.bytes.size() > kMaxRemoteChunk || bytes > kMaxRemoteBatch)
        return fail(Code::too_large, "chunks over the limits of a remote");
      sorted.emplace(bytes_of(one.name), one.bytes);
    }
    std::vector<std::string_view> names, contents;
    for (const auto& [name, content] : sorted) {
      names.push_back(name);
      contents.push_back(content);
    }
    PqParameters parameters;
    parameters.bytes(bytes_of(device)).many_bytes(names).many_bytes(contents);
    HOLDFAST_LET(changed, session_.change(context, postgres_sql::kStoreChunks, parameters));
    return done_or_unclear(changed);
  }

  Result<std::vector<std::optional<std::string>>> read_chunks(const Context& context, std::string_view device,
                                                              std::span<const std::string> names) override {
    HOLDFAST_TRY(check_device(device));
    if (names.size() > kMaxChunksAtOnce) return fail(Code::too_large, "too many chunks are asked for at once");
    HOLDFAST_LET(raw, raw_names(names));
    PqParameters parameters;
    parameters.bytes(bytes_of(device)).many_bytes(views(raw));
    const std::size_t limit = names.size() * (kMaxRemoteChunk + kRowMargin);
    HOLDFAST_LET(answer, session_.read(context, postgres_sql::kReadChunks, parameters, limit));
    std::map<std::string, std::string> there;
    for (PqRow& row : answer.rows) {
      if (row.size() != 2 || !row[0] || !row[1] || row[1]->size() > kMaxRemoteChunk) return corrupt("a chunk");
      there.emplace(std::move(*row[0]), std::move(*row[1]));
    }
    std::vector<std::optional<std::string>> found;
    for (const std::string& name : raw) {
      const auto known = there.find(name);
      found.push_back(known == there.end() ? std::nullopt : std::optional(known->second));
    }
    return found;
  }

  Result<RemoteOutcome> erase_chunks(const Context& context, std::string_view device,
                                     std::span<const std::string> names) override {
    HOLDFAST_TRY(check_device(device));
    HOLDFAST_LET(raw, raw_names(names));
    PqParameters parameters;
    parameters.bytes(bytes_of(device)).many_bytes(views(raw));
    HOLDFAST_LET(changed, session_.change(context, postgres_sql::kEraseChunks, parameters));
    return done_or_unclear(changed);
  }

  Result<RemoteOutcome> erase_device(const Context& context, std::string_view device) override {
    HOLDFAST_TRY(check_device(device));
    const PqParameters whose = PqParameters().bytes(bytes_of(device));
    constexpr std::string_view kStreams[] = {postgres_sql::kEraseStreams, postgres_sql::kEraseSegments};
    HOLDFAST_LET(gone, session_.change_all(context, kStreams, whose));
    if (!gone) return RemoteOutcome::unclear;
    while (true) {
      HOLDFAST_LET(some, session_.change(context, postgres_sql::kEraseSomeChunks, whose));
      if (!some) return RemoteOutcome::unclear;
      if (*some == 0) return RemoteOutcome::done;
    }
  }

 private:
  Failure corrupt(std::string_view what) const {
    return fail(Code::corrupt, std::string(what) + " at the remote cannot be what was stored", place());
  }

  PostgresSession session_;
  std::optional<std::string> read_only_ = {};  // why; empty if it may write, nullopt if not asked yet
};

}  // namespace

Result<std::unique_ptr<Remote>> open_postgres_remote(std::string_view url, const PostgresTimeouts& patience) {
  HOLDFAST_LET(address, read_postgres_address(url));
  HOLDFAST_TRY(pq_library());
  return std::make_unique<PostgresRemote>(std::move(address), patience);
}

}  // namespace holdfast::inline v1
