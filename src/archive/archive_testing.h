// Creates made-up sessions in an archive on the simulated disk.
#pragma once

#include "archive/archive_writer.h"
#include "base/hash.h"
#include "crash/disk/sim_testing.h"

namespace holdfast::inline v1 {

inline constexpr char kArchivePath[] = "/data/archive";

inline std::string some_bytes(int seed, std::size_t size) {
  std::string bytes;
  for (std::uint64_t i = 0; bytes.size() < size; ++i)
    bytes += std::to_string(xxh3_64("x", i + 977U * static_cast<std::uint64_t>(seed)));
  bytes.resize(size);
  return bytes;
}

// Captures a session of one file in whole blocks, with its tail in pieces of `piece` bytes.
inline Result<void> capture_bytes(ArchiveWriter& writer, const std::string& id, const std::string& bytes,
                                  std::size_t piece = kBlockBytes) {
  FileVersion version;
  const std::size_t sealed = bytes.size() / kBlockBytes * kBlockBytes;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::string_view part = std::string_view(bytes).substr(at, at < sealed ? kBlockBytes : piece);
    HOLDFAST_LET(name, writer.add_chunk({}, part));
    version.blocks.push_back({name, static_cast<std::uint32_t>(part.size())});
    at += part.size();
  }
  version.size = bytes.size();
  Capture capture;
  capture.session = {"made-up", "/s", id};
  capture.at = "2026-11-16T00:00:00.000Z";
  capture.files.push_back({{"home", id + ".jsonl"}, std::make_shared<FileVersion>(version)});
  return writer.add({}, std::move(capture));
}

inline std::string file_in(Archive& archive, const std::string& id) {
  const auto found = archive.find(id);
  if (!found) return found.error().text();
  std::string bytes;
  const auto read =
      read_version(archive.packs(), *(*found)->second.head.begin()->second, [&](std::string_view part) -> Result<void> {
        bytes += part;
        return {};
      });
  return read ? bytes : read.error().text();
}

// Cuts the power before call number `at`.
class KillAt final : public SimObserver {
 public:
  explicit KillAt(std::uint64_t at) : at_(at) {}
  Injection before(const SimCall&) override {
    return count_++ == at_ ? Injection{.kind = Injection::Kind::kill_before} : Injection{};
  }

 private:
  std::uint64_t at_;
  std::uint64_t count_ = 0;
};

}  // namespace holdfast::inline v1
