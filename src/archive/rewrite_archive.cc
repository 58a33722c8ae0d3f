#include "archive/rewrite_archive.h"

#include <holdfast/log_reader.h>

#include <algorithm>
#include <map>

#include "base/sort_stably.h"
#include "layout/belongings.h"
#include "layout/layout.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

struct Line {
  CaptureLine read;
  std::string bytes;
};

Result<std::vector<Line>> lines_of(const Context& context, ArchiveWriter& writer) {
  std::vector<Line> lines;
  auto reader = LogReader::open(context, writer.root().directory(), kCaptureLog);
  if (!reader && reader.error().code == Code::not_found) return lines;
  if (!reader) return fail(std::move(reader).error());
  Record record;
  while (true) {
    HOLDFAST_LET(more, reader->next(record));
    if (!more) return lines;
    auto line = read_capture(record.bytes);
    if (line) lines.push_back({std::move(*line), std::string(record.bytes)});
  }
}

Result<std::string> files_in(const CaptureLine& line, Packs& packs) {
  std::string joined = line.files;
  for (const std::string& chunk : line.chunks) {
    HOLDFAST_LET(part, packs.read(chunk));
    joined += part;
  }
  return joined;
}

// What the line names; of a list that cannot be read, only its own chunks.
void note_names(const CaptureLine& line, Packs& packs, std::unordered_set<std::string>& needed) {
  needed.insert(line.chunks.begin(), line.chunks.end());
  const auto files = files_in(line, packs);
  if (!files) return;
  for (const JsonItem& file : JsonView(*files).elements()) {
    for (const JsonItem& block : file.value.find("add").elements()) {
      JsonView name = block.value;
      if (name.kind() == JsonKind::array) {
        for (const JsonItem& first : block.value.elements()) {
          name = first.value;
          break;
        }
      }
      needed.insert(name.as_string().value_or(""));
    }
  }
}

Result<std::string> tail_of(Packs& packs, const FileVersion& version) {
  std::string tail;
  for (std::size_t i = version.sealed(); i < version.blocks.size(); ++i) {
    HOLDFAST_LET(bytes, packs.read(version.blocks[i].name));
    tail += bytes;
  }
  return tail;
}

// Whether all bytes of the one are the first bytes of the other.
Result<bool> begins(Packs& packs, const FileVersion& with, const FileVersion& whole) {
  if (with.blocks == whole.blocks) return true;
  const std::size_t sealed = with.sealed();
  if (with.size > whole.size || whole.sealed() < sealed) return false;
  if (!std::equal(with.blocks.begin(), with.blocks.begin() + static_cast<std::ptrdiff_t>(sealed), whole.blocks.begin()))
    return false;
  HOLDFAST_LET(tail, tail_of(packs, with));
  if (tail.empty()) return true;
  std::string next;
  if (whole.sealed() > sealed) {
    HOLDFAST_LET(block, packs.read(whole.blocks[sealed].name));
    next = std::move(block);
  } else {
    HOLDFAST_LET(rest, tail_of(packs, whole));
    next = std::move(rest);
  }
  return next.starts_with(tail);
}

// All captures of one session as one, when nothing of them is lost by it.
class Folding {
 public:
  Folding(const Context& context, ArchiveWriter& writer) : context_(context), writer_(writer) {}

  Result<void> take(const CaptureLine& line) {
    HOLDFAST_LET(files, files_in(line, writer_.packs()));
    Capture capture = line.capture;
    static const Versions kNone;
    HOLDFAST_LET(changes, read_files(files, session_.number == capture.base ? session_.last : kNone));
    for (const FileChange& change : changes) {
      if (change.moved || change.version->worse) return give_up();
      const auto before = session_.last.find(change.place);
      if (before == session_.last.end()) continue;
      HOLDFAST_LET(grown, begins(writer_.packs(), *before->second, *change.version));
      if (!grown) return give_up();
    }
    capture.files = std::move(changes);
    fold(capture, session_);
    last_ = capture;
    ++count_;
    return {};
  }

  // Empty: its lines stay as they are.
  Result<std::string> line() {
    if (given_up_ || count_ == 0) return std::string();
    Capture whole = last_;
    whole.base = 0;
    whole.first_at = session_.first_at;
    whole.files.clear();
    for (const auto& [place, version] : session_.last) {
      auto sealed = std::make_shared<FileVersion>(*version);
      if (version->blocks.size() > version->sealed() + 1) {
        HOLDFAST_LET(tail, tail_of(writer_.packs(), *version));
        HOLDFAST_LET(name, writer_.add_chunk(context_, tail));
        sealed->blocks.resize(version->sealed());
        sealed->blocks.push_back({std::move(name), static_cast<std::uint32_t>(tail.size())});
      }
      whole.files.push_back({place, std::move(sealed)});
    }
    return writer_.line_of(context_, whole);
  }

 private:
  Result<void> give_up() {
    given_up_ = true;
    return {};
  }

  const Context& context_;
  ArchiveWriter& writer_;
  CapturedSession session_;
  Capture last_;
  std::size_t count_ = 0;
  bool given_up_ = false;
};

// One round of JSON's escapes; what is no escape stays.
std::string unescaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 >= text.size()) {
      out += text[i];
      continue;
    }
    const std::string piece = "\"" + std::string(text.substr(i, text[i + 1] == 'u' ? 6 : 2)) + "\"";
    // Half of a pair: with the other half.
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

bool holds_text(std::string_view bytes, std::string_view text) {
  if (bytes.find(text) != std::string_view::npos) return true;
  if (bytes.find('\\') == std::string_view::npos) return false;
  const std::string once = unescaped(bytes);
  if (once.find(text) != std::string::npos) return true;
  return once.find('\\') != std::string::npos && unescaped(once).find(text) != std::string::npos;
}

}  // namespace

Result<Rewritten> drop_sessions(const Context& context, ArchiveWriter& writer, const std::set<CaptureKey>& sessions) {
  HOLDFAST_LET(lines, lines_of(context, writer));
  std::vector<std::string> kept;
  std::unordered_set<std::string> needed;
  for (const Line& line : lines) {
    if (sessions.contains(line.read.capture.session)) continue;
    note_names(line.read, writer.packs(), needed);
    kept.push_back(line.bytes);
  }
  return writer.replace_log(context, kept, needed);
}

Result<Rewritten> compact_archive(const Context& context, ArchiveWriter& writer) {
  HOLDFAST_LET(lines, lines_of(context, writer));
  std::map<CaptureKey, std::vector<const Line*>> sessions;
  for (const Line& line : lines) sessions[line.read.capture.session].push_back(&line);
  std::vector<std::pair<std::uint64_t, std::string>> made;
  for (const auto& [key, its] : sessions) {
    HOLDFAST_TRY(context.check());
    Folding folding(context, writer);
    bool whole = true;
    for (const Line* line : its) {
      const auto taken = folding.take(line->read);
      if (!taken && taken.error().code != Code::corrupt && taken.error().code != Code::not_found &&
          taken.error().code != Code::unsafe_path)
        return fail(taken.error());
      whole = whole && taken.has_value();
    }
    std::string one;
    if (whole) {
      HOLDFAST_LET(line, folding.line());
      one = std::move(line);
    }
    if (!one.empty()) {
      made.emplace_back(its.back()->read.capture.number, std::move(one));
    } else {
      for (const Line* line : its) made.emplace_back(line->read.capture.number, line->bytes);
    }
  }
  sort_stably(made, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> kept;
  std::unordered_set<std::string> needed;
  for (auto& [number, line] : made) {
    const auto read = read_capture(line);
    if (read) note_names(*read, writer.packs(), needed);
    kept.push_back(std::move(line));
  }
  return writer.replace_log(context, kept, needed);
}

Result<std::set<CaptureKey>> sessions_with(const Context& context, Packs& packs, const CaptureState& state,
                                           std::string_view text) {
  // A window of two blocks at least: what stands across a border is in one of them whole, escapes and all.
  const std::size_t overlap = std::max<std::size_t>(text.size() * 12, 4096);
  std::set<CaptureKey> found;
  for (const auto& [key, session] : state.sessions) {
    bool holds = holds_text(session.row, text) || key.id.find(text) != std::string::npos;
    for (const auto* const versions : {&session.head, &session.last}) {
      for (const auto& [place, version] : *versions) {
        if (holds) break;
        HOLDFAST_TRY(context.check());
        holds = place.path.find(text) != std::string::npos;
        std::string window;
        const auto read = read_version(packs, *version, [&](std::string_view bytes) -> Result<void> {
          window.erase(0, window.size() > overlap ? window.size() - overlap : 0);
          window += bytes;
          holds = holds || holds_text(window, text);
          return {};
        });
        if (!read && read.error().code != Code::corrupt && read.error().code != Code::not_found)
          return fail(read.error());
      }
    }
    if (holds) found.insert(key);
  }
  return found;
}

std::set<CaptureKey> with_inner(const CaptureState& state, const CaptureKey& session) {
  std::set<CaptureKey> all{session};
  const Layout* const layout = find_layout(session.layout);
  const Belongings* const belongings = layout == nullptr ? nullptr : belongings_of(*layout);
  const auto known = state.sessions.find(session);
  if (belongings == nullptr || known == state.sessions.end()) return all;
  SessionPaths paths(*belongings, session.id);
  for (const auto& [place, version] : known->second.head) paths.add_main(place.path);
  for (const auto& [key, other] : state.sessions) {
    if (!other.inner || key.layout != session.layout || key.store != session.store) continue;
    const auto its = [&](const auto& file) {
      return paths.is_one(file.first.path) && !paths.is_shared(file.first.path);
    };
    if (std::ranges::any_of(other.head, its)) all.insert(key);
  }
  return all;
}

}  // namespace holdfast::inline v1
