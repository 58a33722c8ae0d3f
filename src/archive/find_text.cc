#include "archive/find_text.h"

#include <algorithm>
#include <array>
#include <map>

#include "archive/log_lines.h"
#include "source/compressed.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

// Undoes one round of JSON escaping; everything else stays.
std::string unescaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 >= text.size()) {
      out += text[i];
      continue;
    }
    const std::string piece = "\"" + std::string(text.substr(i, text[i + 1] == 'u' ? 6 : 2)) + "\"";
    // Half of a surrogate pair: decode it with the other half.
    const bool pair = piece.size() == 8 && (piece[3] == 'd' || piece[3] == 'D') && i + 12 <= text.size();
    const std::string both = pair ? "\"" + std::string(text.substr(i, 12)) + "\"" : std::string();
    const auto two = pair ? JsonView(both).as_string() : std::nullopt;
    const auto one = two ? two : JsonView(piece).as_string();
    if (!one) {
      out += text[i];
      continue;
    }
    out += *one;
    i += two ? 11 : piece.size() - 3;
  }
  return out;
}

// Searches bytes that arrive in pieces, line by line.
class LineSearch {
 public:
  LineSearch(std::string_view text, const ForgottenLines& lines, std::unordered_set<std::string>& hashes)
      : text_(text), lines_(lines), hashes_(hashes) {}

  void add(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t newline = bytes.find('\n');
      const std::size_t count = newline == std::string_view::npos ? bytes.size() : newline + 1;
      line_ += bytes.substr(0, count);
      bytes.remove_prefix(count);
      if (newline != std::string_view::npos)
        end();
      else if (line_.size() > kMaxForgottenLine)
        cut_long_line();
    }
  }
  void end() {
    if (line_.empty()) return;
    const bool found = holds_text(line_, text_);
    if (found && !long_) hashes_.insert(lines_.hash_of(line_));
    found_ = found_ || found;
    too_long_ = too_long_ || (found && long_);
    long_ = false;
    line_.clear();
  }
  bool found() const { return found_; }
  bool in_long_line() const { return too_long_; }

 private:
  void cut_long_line() {
    const bool found = holds_text(line_, text_);
    found_ = found_ || found;
    too_long_ = too_long_ || found;
    long_ = true;
    const std::size_t overlap = std::min(line_.size(), std::max<std::size_t>(text_.size() * 12, 4096));
    line_.erase(0, line_.size() - overlap);
  }

  const std::string_view text_;
  const ForgottenLines& lines_;
  std::unordered_set<std::string>& hashes_;
  std::string line_;
  bool long_ = false, found_ = false, too_long_ = false;
};

// The same without lines: searches a window, so no match between two pieces is missed.
class WindowSearch {
 public:
  explicit WindowSearch(std::string_view text) : text_(text), overlap_(std::max<std::size_t>(text.size() * 12, 4096)) {}
  void add(std::string_view bytes) {
    if (found_) return;
    window_.erase(0, window_.size() > overlap_ ? window_.size() - overlap_ : 0);
    window_ += bytes;
    found_ = holds_text(window_, text_);
  }
  bool found() const { return found_; }

 private:
  const std::string_view text_;
  const std::size_t overlap_;
  std::string window_;
  bool found_ = false;
};

class TextSearch {
 public:
  TextSearch(const Context& context, Packs& packs, std::string_view text, const ForgottenLines& lines, FoundText& found)
      : context_(context), packs_(packs), text_(text), lines_(lines), found_(found) {}

  Result<void> look_into(const CaptureLine& line) {
    const CaptureKey& key = line.capture.session;
    CapturedSession& session = sessions_[key];
    if (holds_text(key.id, text_) || holds_text(key.store, text_)) found_.whole.insert(key);
    if (holds_text(line.capture.row, text_)) in_row_.insert(key);
    if (holds_text(without_texts(line.capture.row), text_)) found_.whole.insert(key);
    HOLDFAST_LET(files, files_in(line, packs_));
    static const Versions kNone;
    HOLDFAST_LET(changes, read_files(files, session.number == line.capture.base ? session.last : kNone));
    for (const FileChange& change : changes) {
      if (holds_text(change.place.path, text_)) found_.whole.insert(key);
      if (change.moved) continue;
      ++found_.versions;
      const auto looked = version(key, change);
      if (looked) continue;
      if (looked.error().code != Code::corrupt && looked.error().code != Code::not_found) return fail(looked.error());
      found_.unreadable.insert(key);
    }
    Capture capture = line.capture;
    capture.files = std::move(changes);
    fold(capture, session);
    return {};
  }

  void end() {
    // If only the row contains the text: the row is made from the agent's own words each time. A session that loses
    // lines keeps no title and no prompt in its row.
    for (const CaptureKey& key : in_row_) {
      if (!found_.in_lines.contains(key)) found_.whole.insert(key);
    }
    for (const CaptureKey& key : found_.whole) found_.in_lines.erase(key);
  }

 private:
  Result<void> version(const CaptureKey& key, const FileChange& change) {
    const FileVersion& version = *change.version;
    const bool alone = is_made_of_lines(change.place.path) && text_.find('\n') == std::string_view::npos;
    HOLDFAST_LET(first, alone ? begin_of_line(version, change.keep) : Result<Begin>(Begin{}));
    std::size_t next = first.block;
    std::string bytes;
    const auto more = [&]() -> Result<std::string_view> {
      std::string_view part;
      while (part.empty() && next < version.blocks.size()) {  // the first block may be empty from here on
        HOLDFAST_LET(block, packs_.read(version.blocks[next].name));
        bytes = std::move(block);
        part = std::string_view(bytes).substr(next++ == first.block ? first.at : 0);
      }
      return part;
    };
    HOLDFAST_LET(found, text_in_file(context_, change.place.path, version.size, more, text_, lines_, found_.hashes));
    if (found.in_lines) found_.in_lines.insert(key);
    if (found.whole) found_.whole.insert(key);
    return {};
  }

  struct Begin {
    std::size_t block = 0, at = 0;
  };
  // What is kept of the base was searched with the base, except for the line in which it ended.
  Result<Begin> begin_of_line(const FileVersion& version, std::size_t keep) {
    for (std::size_t i = keep; i > 0; --i) {
      HOLDFAST_LET(bytes, packs_.read(version.blocks[i - 1].name));
      if (const std::size_t newline = bytes.rfind('\n'); newline != std::string::npos) return Begin{i - 1, newline + 1};
    }
    return Begin{};
  }

  const Context& context_;
  Packs& packs_;
  const std::string_view text_;
  const ForgottenLines& lines_;
  FoundText& found_;
  std::map<CaptureKey, CapturedSession> sessions_;
  std::set<CaptureKey> in_row_;
};

}  // namespace

bool holds_text(std::string_view bytes, std::string_view text) {
  if (bytes.find(text) != std::string_view::npos) return true;
  if (bytes.find('\\') == std::string_view::npos) return false;
  const std::string once = unescaped(bytes);
  if (once.find(text) != std::string::npos) return true;
  return once.find('\\') != std::string::npos && unescaped(once).find(text) != std::string::npos;
}

bool is_made_of_lines(std::string_view path) {
  static constexpr std::array<std::string_view, 4> kDocuments{".json", ".yaml", ".yml", ".zst"};
  return std::ranges::none_of(kDocuments, [&](std::string_view end) { return path.ends_with(end); });
}

Result<FoundText> find_text(const Context& context, Directory& archive, Packs& packs, std::string_view text,
                            const ForgottenLines& lines) {
  FoundText found;
  HOLDFAST_LET(log, log_lines(context, archive));
  TextSearch search(context, packs, text, lines, found);
  for (const LogLine& line : log) {
    HOLDFAST_TRY(context.check());
    const auto looked = search.look_into(line.read);
    if (!looked && looked.error().code != Code::corrupt && looked.error().code != Code::not_found &&
        looked.error().code != Code::unsafe_path)
      return fail(looked.error());
    if (!looked) found.unreadable.insert(line.read.capture.session);
  }
  search.end();
  return found;
}

Result<TextInFile> text_in_file(const Context& context, std::string_view path, std::uint64_t size, const ReadMore& more,
                                std::string_view text, const ForgottenLines& lines,
                                std::unordered_set<std::string>& hashes) {
  WindowSearch window(text);
  if (path.ends_with(".zst")) {
    const auto take = [&](std::string_view plain) {
      window.add(plain);
      return !window.found();
    };
    HOLDFAST_TRY(unpack_zstd(more, plain_limit(size), take));
    return TextInFile{.in_lines = false, .whole = window.found()};
  }
  const bool by_line = is_made_of_lines(path), across = !by_line || text.find('\n') != std::string_view::npos;
  LineSearch search(text, lines, hashes);
  for (;;) {
    HOLDFAST_TRY(context.check());
    HOLDFAST_LET(bytes, more());
    if (bytes.empty()) break;
    if (by_line) search.add(bytes);
    if (across) window.add(bytes);
  }
  search.end();
  return TextInFile{search.found(), search.in_long_line() || (window.found() && !search.found())};
}

}  // namespace holdfast::inline v1
