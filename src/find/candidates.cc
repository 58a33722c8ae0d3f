#include "find/candidates.h"

#include <string.h>

#include <cstring>

#include "disk/salvage.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;     // small enough to stay in the cache
constexpr std::size_t kKeep = std::size_t{8} << 20;      // memory to keep for the next log
constexpr std::size_t kLongest = std::size_t{64} << 20;  // same limit as in the log readers

std::string_view trimmed(std::string_view line) {
  const auto space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!line.empty() && space(line.back())) line.remove_suffix(1);
  while (!line.empty() && space(line.front())) line.remove_prefix(1);
  return line;
}

// Each thread keeps it from one log to the next.
std::string& buffer() {
  thread_local std::string bytes;
  return bytes;
}

struct Pass {
  const Sieves& sieves;
  const CandidateQuery& request;
  const TakeCandidate& take;
  CandidateVerdict verdict = CandidateVerdict::none;

  // Processes whole lines that start at offset `base`; `last_is_open` if the last one has no newline. Returns false to
  // stop.
  bool run(std::string_view lines, std::uint64_t base, bool last_is_open) {
    SieveScan scan(sieves, lines);
    for (std::size_t at = 0; at < lines.size();) {
      const std::size_t hit = scan.next(at);
      if (hit == std::string_view::npos && !request.every) return true;
      const std::size_t begin = request.every ? at : begin_of_line(lines, hit);
      const std::size_t newline = lines.find('\n', request.every ? at : hit);
      const bool open = newline == std::string_view::npos;
      const std::size_t end = open ? lines.size() : newline;
      at = end + 1;
      const std::string_view line = trimmed(lines.substr(begin, end - begin));
      if (line.empty()) continue;
      // An incomplete record at the end is still being written: ignore it, unless it contains whole records, which
      // readers would show.
      const bool whole = base + end < request.sound || is_json_object_line(line);
      if (!whole && open && last_is_open && salvage(line).empty()) continue;
      if (!whole) {
        verdict = CandidateVerdict::unclear;
        return false;
      }
      verdict = CandidateVerdict::some;
      if (!take({line, base + static_cast<std::size_t>(line.data() - lines.data()), false, hit >= end})) {
        verdict = CandidateVerdict::stopped;
        return false;
      }
    }
    return true;
  }

  static std::size_t begin_of_line(std::string_view lines, std::size_t hit) {
    const void* const before = ::memrchr(lines.data(), '\n', hit);
    return before == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(before) - lines.data()) + 1;
  }
};

}  // namespace

Result<CandidateVerdict> find_candidates(const Context& context, Directory& directory, const std::string& path,
                                         const Sieves& sieves, const CandidateQuery& request,
                                         const TakeCandidate& take) {
  HOLDFAST_LET(file, directory.open(path, OpenMode::read));
  std::string& bytes = buffer();
  Pass pass{sieves, request, take};
  std::uint64_t base = 0;
  std::size_t kept = 0;        // bytes of a line whose end was not read yet
  bool some = !request.every;  // a line may match
  while (true) {
    HOLDFAST_TRY(context.check());
    if (kept == kLongest) return CandidateVerdict::unclear;
    // Double the buffer for a long line, so it is not scanned more than a few times.
    const std::size_t more = std::min(std::max(kChunk, kept), kLongest - kept);
    if (bytes.size() < kept + more) bytes.resize(kept + more);
    HOLDFAST_LET(count, file->read_at(base + kept, std::span(bytes).subspan(kept, more)));
    const std::string_view there = std::string_view(bytes).substr(0, kept + count);
    const bool end = count < more;
    const std::size_t newline = there.rfind('\n');
    const std::size_t whole = end ? there.size() : newline == std::string_view::npos ? 0 : newline + 1;
    if (!some && (some = SieveScan(sieves, there.substr(0, whole)).next(0) != std::string_view::npos) && base > 0) {
      base = 0;  // earlier lines must be passed too
      kept = 0;
      continue;
    }
    if (some && !pass.run(there.substr(0, whole), base, end)) return pass.verdict;
    if (end) return pass.verdict;
    kept = there.size() - whole;
    std::memmove(bytes.data(), bytes.data() + whole, kept);
    base += whole;
    if (whole > 0 && bytes.size() > kKeep) {
      bytes.resize(std::max(kChunk, kept));
      bytes.shrink_to_fit();
    }
  }
}

}  // namespace holdfast::inline v1
