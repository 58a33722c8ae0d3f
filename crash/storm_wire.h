// The records and messages that the storm's writers and its oracle share. In
// messages, a writer reports what it is about to do and what was acknowledged.
// A record depends only on (seed, writer, sequence), so every reader can
// compare every byte. Thread-safety: free functions; report() writes one
// message atomically.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "disk/steps.h"

namespace holdfast::lab {

// The length of records.
enum class Profile : std::uint8_t {
  storm,  // 100 B to 20 KB, sometimes 256 KB, rarely 2 MB
  soak,   // mean 4 KiB, up to 1 MiB
  small,  // up to 400 B
};

struct RecordName {
  std::uint64_t writer = 0;
  std::uint64_t sequence = 0;

  friend bool operator==(const RecordName&, const RecordName&) = default;
};

// One JSON object on one line, with a nested object at its end (a torn record
// must not look like a whole one) and a CRC-32C of its payload.
std::string make_record(std::uint64_t seed, RecordName name, Profile profile);

// The writer and sequence that a line claims to be from; not verified.
std::optional<RecordName> name_of(std::string_view line);

// Whether the line is, byte for byte, the record that it claims to be.
bool is_intact(std::string_view line, std::uint64_t seed, Profile profile);

// Whether the checksum inside the record matches: all that a reader can check without the seed.
bool checksum_holds(std::string_view line);

enum class Kind : std::uint32_t {
  opened,     // the store is open; first sign of life
  intent,     // number: about to be written
  ack,        // number: acknowledged by the library, or by write() for a foreign writer
  withdrawn,  // number: the library returned conflict, nothing was written
  seen,       // a reader read (stream, number) at offset
  held,       // we hold the lease since `number` (monotonic ns)
  checked,    // ... and still did at `number`
  trouble,    // the library failed: text; number is 1 if the store did not open
  finished,   // number: operations done; the child exits next
};

// Sent in one write of at most PIPE_BUF bytes, which is whole or absent even if the writer is killed.
struct Message {
  Kind kind = Kind::opened;
  std::uint32_t reserved = 0;
  std::uint64_t stream = 0;  // writer id
  std::uint64_t number = 0;
  std::uint64_t offset = UINT64_MAX;  // of the record in the log, if known
  char text[96] = {};
};
static_assert(sizeof(Message) == 128);

inline constexpr int kReportFd = 3;
void report(const Message& message);

// The task of a child; passed as words of the command line.
struct Job {
  std::string role;
  Step omitted = Step::count;  // for mutants
  std::uint64_t seed = 1;      // of the records
  std::uint64_t writer = 0;    // the child may use writer and writer + 1
  std::uint64_t limit = 0;     // operations before it ends by itself; 0: runs until it is killed
  std::string root;            // an absolute directory
  std::string path;            // a log or a name below root, or a second root
  bool shared = false;         // mode of the log

  std::vector<std::string> words() const;
  static std::optional<Job> from_words(int argc, char** argv);
};

}  // namespace holdfast::lab
