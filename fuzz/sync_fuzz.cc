// Arbitrary bytes as everything that comes from a remote: a charter, a segment, the content of one, a chunk. What is
// believed is what was signed; what is applied stays below the archive of its stream.
#include "base/hash.h"
#include "fuzz_store.h"
#include "sync/charter.h"
#include "sync/content.h"
#include "sync/segment.h"

namespace {

using namespace holdfast;
using fuzz::Input, fuzz::require;

const SigningKey& key() {
  static const SigningKey made = signing_key(std::string(32, 's'));
  return made;
}

void edit(Input& input, std::string& bytes) {
  for (int edits = input.byte() % 4; edits > 0; --edits) {
    const std::size_t at = bytes.empty() ? 0 : (input.byte() | std::size_t{input.byte()} << 8U) % bytes.size();
    const std::string with = input.bytes();
    bytes.replace(at, std::min<std::size_t>(bytes.size() - at, input.byte()), with);
  }
}

// Whatever a device of bad will can sign.
void take_content(std::string_view text) {
  const auto content = read_content(text);
  if (!content) return;
  SimFileSystem disk;
  require(disk.put_file("/data/keep", "mine").has_value());
  {
    auto writer = ArchiveWriter::open({}, disk, "/data/from", ArchiveOrder::lines_first);
    require(writer.has_value());
    AppliedOps first, second;
    require(apply_ops({}, **writer, 1, *content, first).has_value());
    require((*writer)->close({}).has_value());
    const std::size_t sessions = (*writer)->state().sessions.size();
    require(sessions <= first.sessions.size());
    (void)chunks_of(*content);
  }
  const auto archive = Archive::open({}, disk, "/data/from");
  require(archive.has_value());
  for (const auto& [session, state] : (*archive)->state().sessions) {
    require(session.store.starts_with('/') && session.store.find("/../") == std::string::npos);
    require(session.id.find('/') == std::string::npos);
  }
  for (const std::string& path : disk.paths())
    require(path == "/data" || path == "/data/keep" || path == "/data/from" || path.starts_with("/data/from/"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const RemoteSecret secret{std::string(32, '7'), std::nullopt};
  const StreamId stream{device_id(key().public_key), 1};
  switch (input.byte() % 5) {
    case 0: {
      const auto charter = read_charter(input.bytes());
      require(!charter || is_device_id(charter->id));
      break;
    }
    case 1: {
      auto segment = make_segment(key(), secret, 1, {}, "2026-11-16T00:00:00Z", "{}");
      require(segment.has_value());
      const StreamSegment honest = *segment;
      edit(input, segment->header);
      edit(input, *segment->body);
      const auto header = check_segment(*segment, secret.remote, stream, {});
      // One that passes is the one that was signed, in other words at most.
      if (header) require(sha256_hex(*segment->body) == header->body && *segment->body == *honest.body);
      break;
    }
    case 2: take_content(input.bytes()); break;
    case 3: {
      std::string text =
          R"({"machine":"m","names":{},"seen":[],"ops":[{"op":"session","state":{"n":1,"base":0,"at":"2026-11-16T00:00:00Z",)"
          R"("layout":"made-up","store":"/s","session":"x","row":{},"origin":{"policy":"full"},"files":[{"root":"home",)"
          R"("path":"x.jsonl","size":0,"mode":384,"mtime_ns":0,"hash":")" +
          sha256_hex("") + R"(","keep":0,"add":[]}]}}]})";
      edit(input, text);
      take_content(text);
      break;
    }
    default: {
      const std::string plain = input.bytes(), name = sha256_hex(plain);
      auto chunk = close_chunk(secret, stream.device, std::string(32, 'n'), name, plain);
      if (!chunk) break;
      edit(input, chunk->bytes);
      const auto opened = open_chunk(secret, stream.device, std::string(32, 'n'), name, chunk->bytes);
      require(!opened || sha256_hex(*opened) == name);
    }
  }
  (void)read_recovery_phrase(input.bytes());
  return 0;
}
