// Replaces the first line of a log that other programs append to (decision 12).
// The log gets a new file. The old file stays linked in the side folder, because
// a program that has it open may still append to it; such late lines are copied
// to the new file. Our own writers detect the new file themselves (I-4).
// Thread-safety: free functions on a shared Root; any thread, any process.
#pragma once

#include <holdfast/root.h>

#include <memory>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct HeadChange {
  std::string path;      // path of the log
  std::string expected;  // the current first line; fails with conflict if it differs
  std::string line;      // the new first line: one JSON object
  bool wipe = false;     // blank the old first line in the old file that is kept (it contains a secret)
};

// Durable (power) on return. All other lines stay as they were.
Result<void> replace_head(const Context& context, const std::shared_ptr<Root>& root, const HeadChange& change);

// Copies late lines to the log, undoes a replacement that a crash interrupted,
// and removes old files that nobody has written to for a day. Returns the
// number of lines copied. Each line is copied exactly once, whenever a crash
// happens. Cheap if the log's first line was never replaced.
Result<std::size_t> settle_head(const Context& context, const std::shared_ptr<Root>& root, std::string_view path);

// Call this before giving a shared log another file, under the root's lock and the log's. Durably links the present
// file in the side folder; `copied` bytes of it are in its successor. `kept` is set to the link's name, even if that
// name is not durable yet. settle_head copies late lines from there.
Result<void> link_replaced_file(const Context& context, Root& root, std::string_view path, std::uint64_t copied,
                                std::string& kept);

// The folder of the files that a log has replaced. Whoever deletes the log for good deletes the folder too.
std::string replaced_folder(const Root& root, std::string_view path);

// Returns the size of a file that somebody may be appending to. Waits a moment for
// an unterminated line to be completed; one that stays unterminated is a torn tail.
Result<std::uint64_t> settled_size(const Context& context, File& file);

}  // namespace holdfast::inline v1
