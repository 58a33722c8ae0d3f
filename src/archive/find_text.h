// Finds a text in the archive: in every version of every captured file, as it is or after one
// or two rounds of JSON escaping, also across block boundaries and inside compressed files.
// Reads everything. Thread-safety: as the packs'.
#pragma once

#include <functional>
#include <set>
#include <string_view>
#include <unordered_set>

#include "archive/archive.h"
#include "archive/forgotten.h"

namespace holdfast::inline v1 {

bool holds_text(std::string_view bytes, std::string_view text);

// Whether a line can be removed from such a file without breaking the rest; false if the file is one document.
bool is_made_of_lines(std::string_view path);

struct FoundText {
  std::set<CaptureKey> whole;              // sessions with the text outside of lines that can be removed
  std::set<CaptureKey> in_lines;           // sessions with the text only in such lines
  std::unordered_set<std::string> hashes;  // of those lines
  std::set<CaptureKey> unreadable;         // sessions that may contain it too: some bytes could not be read
  std::uint64_t versions = 0;              // file versions searched
};

// `lines` is only used to hash lines; its own hashes are ignored.
Result<FoundText> find_text(const Context& context, Directory& archive, Packs& packs, std::string_view text,
                            const ForgottenLines& lines);

struct TextInFile {
  bool in_lines = false;  // in removable lines; their hashes were added
  bool whole = false;     // also, or only, outside of such lines
};
using ReadMore = std::function<Result<std::string_view>()>;  // returns an empty view at the end

// Searches the bytes of one file. Its name decides whether it consists of lines and whether it is compressed.
Result<TextInFile> text_in_file(const Context& context, std::string_view path, std::uint64_t size, const ReadMore& more,
                                std::string_view text, const ForgottenLines& lines,
                                std::unordered_set<std::string>& hashes);

}  // namespace holdfast::inline v1
