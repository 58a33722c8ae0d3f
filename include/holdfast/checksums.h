// The advisory checksum side-car of a log: the CRC32C of each range that Holdfast
// wrote, kept in the side folder. It detects what parsing cannot (a flipped digit).
// A mismatch is reported, never repaired: other programs may edit a log.
// Format: docs/formats/checksums.md. Thread-safety: free functions.
#pragma once

#include <holdfast/export.h>
#include <holdfast/root.h>

#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct ChecksumReport {
  std::uint64_t covered = 0;      // bytes of the log with a checksum
  std::uint64_t uncovered = 0;    // bytes without one (foreign lines, lost side-car lines)
  std::vector<Finding> findings;  // kind "checksum" for the log, "side_car" for the side-car itself
};

// Reads the whole log. A missing side-car is not an error: then nothing is covered.
HOLDFAST_EXPORT Result<ChecksumReport> verify_checksums(const Context& context, Root& root, std::string_view log_path);

}  // namespace holdfast::inline v1
