// Where the archive holds a text: in every version of every file that was ever captured, as it
// stands or behind one or two rounds of JSON's escapes, also across the borders of blocks, and
// inside of compressed files. Reads everything. Thread-safety: as the packs'.
#pragma once

#include <functional>
#include <set>
#include <string_view>
#include <unordered_set>

#include "archive/archive.h"
#include "archive/forgotten.h"

namespace holdfast::inline v1 {

bool holds_text(std::string_view bytes, std::string_view text);

// Whether a line can be taken out of such a file without breaking the others: not out of one document.
bool is_made_of_lines(std::string_view path);

struct FoundText {
  std::set<CaptureKey> whole;              // it is in no line that could go alone
  std::set<CaptureKey> in_lines;           // it is in lines only
  std::unordered_set<std::string> hashes;  // of those lines
  std::set<CaptureKey> unreadable;         // it may be there too: not all of them could be read
  std::uint64_t versions = 0;              // of files that were looked at
};

// `lines` hashes; what it holds is not looked at.
Result<FoundText> find_text(const Context& context, Directory& archive, Packs& packs, std::string_view text,
                            const ForgottenLines& lines);

struct TextInFile {
  bool in_lines = false;  // in lines that can go alone; their hashes were added
  bool whole = false;     // also, or only, elsewhere
};
using ReadMore = std::function<Result<std::string_view>()>;  // empty at the end

// Where the bytes of one file hold the text; its name says whether it is made of lines or compressed.
Result<TextInFile> text_in_file(const Context& context, std::string_view path, std::uint64_t size, const ReadMore& more,
                                std::string_view text, const ForgottenLines& lines,
                                std::unordered_set<std::string>& hashes);

}  // namespace holdfast::inline v1
