#include "sync/segment.h"

#include "archive/chunk.h"
#include "base/hash.h"
#include "disk/steps.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kSaltBytes = 16;

Failure bad(std::string_view why) { return fail(Code::corrupt, "a segment " + std::string(why)); }

std::string signed_text(std::string_view line) { return "holdfast segment\n" + std::string(line); }

std::string about_body(const SegmentHeader& header) {
  return "holdfast body\n" + header.remote + "\n" + header.device + "\n" + std::to_string(header.epoch) + "\n" +
         std::to_string(header.seq) + "\n";
}

std::string about_chunk(const RemoteSecret& secret, std::string_view device, std::string_view name) {
  return "holdfast chunk\n" + secret.remote + "\n" + std::string(device) + "\n" + std::string(name) + "\n";
}

std::string write_header(const SegmentHeader& header) {
  JsonWriter json;
  json.begin_object().key("holdfast_segment").int64(header.lock.empty() ? 1 : 2).key("remote").string(header.remote);
  json.key("device").string(header.device).key("key").string(to_hex(header.key)).key("epoch").uint64(header.epoch);
  json.key("seq").uint64(header.seq).key("prev").string(header.prev).key("at").string(header.at);
  json.key("body").string(header.body).key("bytes").uint64(header.bytes);
  if (!header.lock.empty()) json.key("lock").string(header.lock);
  return json.end_object().take();
}

Result<std::string> unpacked(std::string_view bytes, bool is_vouched) {
  const auto chunk = read_chunk_header(bytes);
  if (!chunk) return fail(Code::corrupt, "no chunk");
  return unpack_chunk(*chunk, bytes.substr(kChunkHeaderBytes), is_vouched);
}

}  // namespace

const std::string* RemoteSecret::find(const std::string& id) const {
  if (id == lock) return key ? &*key : nullptr;
  const auto known = others.find(id);
  return known == others.end() ? nullptr : &known->second;
}

std::string device_id(std::string_view public_key) {
  return sha256_hex("holdfast device\n" + std::string(public_key)).substr(0, 32);
}

Result<StreamSegment> make_segment(const SigningKey& key, const RemoteSecret& secret, std::uint64_t epoch,
                                   const StreamHead& after, std::string_view at, std::string_view content) {
  SegmentHeader header{.remote = secret.remote,
                       .device = device_id(key.public_key),
                       .key = key.public_key,
                       .epoch = epoch,
                       .seq = after.seq + 1,
                       .prev = after.hash,
                       .at = std::string(at),
                       .lock = secret.lock};
  HOLDFAST_LET(packed, pack_chunk(sha256_hex(content), content));
  std::string body = random_secret(kSaltBytes);
  body += secret.key ? seal(*secret.key, about_body(header), packed) : packed;
  if (body.size() > kMaxSegmentBody) return fail(Code::too_large, "a segment would be too large");
  header.body = sha256_hex(body);
  header.bytes = body.size();
  const std::string line = write_header(header);
  return StreamSegment{header.seq, sha256_hex(line), line + "\n" + to_hex(sign(key, signed_text(line))) + "\n",
                       std::move(body)};
}

Result<SegmentHeader> check_segment(const StreamSegment& segment, std::string_view remote, const StreamId& stream,
                                    const StreamHead& after) {
  if (segment.header.size() > kMaxSegmentHeader) return bad("has a header that is too large");
  if (segment.body && segment.body->size() > kMaxSegmentBody) return bad("is too large");
  const std::size_t first = segment.header.find('\n');
  if (first == std::string::npos || segment.header.back() != '\n') return bad("has no whole header");
  const std::string_view line = std::string_view(segment.header).substr(0, first);
  const auto signature =
      from_hex(std::string_view(segment.header).substr(first + 1, segment.header.size() - first - 2));
  if (!check_json(line).ok()) return bad("has a header that is not JSON");
  const JsonView json(line);
  const auto text = [&](std::string_view name) { return json.find(name).as_string().value_or(""); };
  const auto number = [&](std::string_view name) {
    const auto value = json.find(name).as_int64().value_or(0);
    return value < 0 ? std::uint64_t{0} : static_cast<std::uint64_t>(value);
  };
  const std::uint64_t format = number("holdfast_segment");
  if (format > 2) return fail(Code::newer_schema, "a segment was written by a newer Holdfast");
  SegmentHeader header{text("remote"),
                       text("device"),
                       from_hex(text("key")).value_or(""),
                       number("epoch"),
                       number("seq"),
                       text("prev"),
                       text("at"),
                       text("body"),
                       number("bytes"),
                       format == 2 ? text("lock") : std::string()};
  if (does(Step::sync_device_check) && (header.device != stream.device || device_id(header.key) != header.device))
    return bad("belongs to another device");
  if (does(Step::sync_signature_check) && (!signature || !is_signed(header.key, signed_text(line), *signature)))
    return bad("is not signed by its device");
  if (header.remote != remote) return bad("was made for another remote");
  if (format == 2 && !is_device_id(header.lock)) return bad("does not say which key it needs");
  if (header.epoch != stream.epoch) return bad("belongs to another epoch");
  if (header.seq != after.seq + 1 || segment.seq != header.seq) return bad("is not the next one");
  if (header.prev != after.hash)
    return bad("does not follow the one before it: someone else is writing as this device");
  if (does(Step::sync_hash_check) && segment.hash != sha256_hex(line))
    return bad("does not have the hash that the remote states");
  if (segment.body && (segment.body->size() != header.bytes || sha256_hex(*segment.body) != header.body))
    return bad("has a body that does not match its header");
  return header;
}

Result<std::string> open_body(const SegmentHeader& header, std::string_view body, const RemoteSecret& secret) {
  if (body.size() < kSaltBytes) return bad("has no body");
  body.remove_prefix(kSaltBytes);
  if (!secret.key)
    return header.lock.empty() ? unpacked(body, true) : bad("needs a key, but the remote is not encrypted");
  const std::string* const key = secret.find(header.lock);
  if (key == nullptr) return fail(Code::permission_denied, "a segment needs a key that this device was not given");
  HOLDFAST_LET(packed, unseal(*key, about_body(header), body));
  return unpacked(packed, true);
}

std::string remote_chunk_name(std::string_view names_key, std::string_view name) {
  return to_hex(keyed_hash(names_key, name));
}

Result<RemoteChunk> close_chunk(const RemoteSecret& secret, std::string_view device, std::string_view names_key,
                                std::string_view name, std::string_view plain) {
  RemoteChunk chunk{remote_chunk_name(names_key, name), {}};
  HOLDFAST_LET(packed, pack_chunk(name, plain));
  chunk.bytes = secret.key ? seal(*secret.key, about_chunk(secret, device, chunk.name), packed) : std::move(packed);
  return chunk;
}

Result<std::string> open_chunk(const RemoteSecret& secret, std::string_view device, std::string_view names_key,
                               std::string_view name, std::string_view bytes) {
  if (bytes.size() > kMaxRemoteChunk) return fail(Code::corrupt, "chunk " + std::string(name) + " is too large");
  std::string opened;
  if (secret.key) {
    // A chunk does not say which key it needs: a session under a later key continues with chunks of an earlier one.
    const std::string about = about_chunk(secret, device, remote_chunk_name(names_key, name));
    auto packed = unseal(*secret.key, about, bytes);
    for (auto other = secret.others.begin(); !packed && other != secret.others.end(); ++other)
      packed = unseal(other->second, about, bytes);
    if (!packed) return fail(std::move(packed).error());
    opened = *std::move(packed);
    bytes = opened;
  }
  const auto header = read_chunk_header(bytes);
  if (!header || header->name != name)
    return fail(Code::corrupt, "chunk " + std::string(name) + " holds something else");
  return unpacked(bytes, false);
}

}  // namespace holdfast::inline v1
