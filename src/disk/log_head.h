// Replacing the first line of a log that other programs append to (decision 12).
// The log gets a new file; the old one stays linked in the side folder, because
// a program that has it open may still append there, and what arrives there late
// is brought over. Writers of ours notice the new file by themselves (I-4).
// Thread-safety: free functions on a shared Root; any thread, any process.
#pragma once

#include <holdfast/root.h>

#include <memory>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct HeadChange {
  std::string path;      // of the log
  std::string expected;  // the first line as it is; conflict when it is another
  std::string line;      // what it shall be: one JSON object
  bool wipe = false;     // blank the old first line in the file that is kept (a secret)
};

// Durable (power) when it returns. All other lines are as they were.
Result<void> replace_head(const Context& context, const std::shared_ptr<Root>& root, const HeadChange& change);

// Brings over what arrived late, takes back a replacement that a crash cut
// short, and lets go of files that nobody has written to for a day. The number
// of lines brought. Each is brought once, whenever a crash comes.
// Cheap when the log's first line was never replaced.
Result<std::size_t> settle_head(const Context& context, const std::shared_ptr<Root>& root, std::string_view path);

// For whoever gives a shared log another file, under the root's lock and the log's: its file, of which `copied` bytes
// are in the next one, gets a name in the side folder, durably; `kept` is that name, also of one that is not durable
// yet. What arrives there late is brought over by settle_head.
Result<void> keep_replaced(const Context& context, Root& root, std::string_view path, std::uint64_t copied,
                           std::string& kept);

// The size of a file to which somebody may just be writing: a line that is not
// whole is given a moment to become so. One that stays is a torn tail.
Result<std::uint64_t> settled_size(const Context& context, File& file);

}  // namespace holdfast::inline v1
