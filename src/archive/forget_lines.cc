#include "archive/forget_lines.h"

#include <algorithm>
#include <map>

#include "archive/capture_file.h"
#include "archive/find_text.h"
#include "archive/folding.h"
#include "archive/log_lines.h"
#include "archive/rewrite_archive.h"
#include "base/sort_stably.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

using NumberedLine = std::pair<std::uint64_t, std::string>;

// Removes the lines from all captures of one session.
class Holing {
 public:
  Holing(const Context& context, ArchiveWriter& writer) : context_(context), writer_(writer) {}

  Result<std::vector<NumberedLine>> lines_of(const std::vector<const LogLine*>& lines) {
    std::vector<NumberedLine> made;
    // One capture instead of many, if that loses nothing: otherwise each version of a growing file would be cut again.
    Folding folding(context_, writer_);
    bool whole = true;
    for (const LogLine* const line : lines) whole = whole && folding.take(line->read).has_value();
    if (whole) {
      HOLDFAST_LET(folded, folding.folded());
      if (folded) {
        HOLDFAST_TRY(add(std::move(*folded), made));
        return made;
      }
    }
    CapturedSession before;
    for (const LogLine* const line : lines) {
      Capture capture = line->read.capture;
      static const Versions kNone;
      HOLDFAST_LET(files, files_in(line->read, writer_.packs()));
      HOLDFAST_LET(changes, read_files(files, before.number == capture.base ? before.last : kNone));
      capture.files = std::move(changes);
      fold(capture, before);
      HOLDFAST_TRY(add(std::move(capture), made));
    }
    return made;
  }
  bool holed() const { return holed_; }
  std::size_t unreadable() const { return unreadable_; }

 private:
  static bool is_damage(Code code) {
    return code == Code::corrupt || code == Code::not_found || code == Code::unsafe_path;
  }

  Result<void> add(Capture capture, std::vector<NumberedLine>& made) {
    std::vector<FileChange> files;
    for (FileChange& change : capture.files) {
      if (change.moved) {
        files.push_back(std::move(change));
        continue;
      }
      HOLDFAST_LET(version, without(change.place.path, change.version));
      if (version == nullptr) {
        ++unreadable_;
        continue;
      }
      change.version = std::move(version);
      change.keep = 0;
      if (const auto base = now_.last.find(change.place); base != now_.last.end() && now_.number == capture.base) {
        const auto& was = base->second->blocks;
        const auto& is = change.version->blocks;
        while (change.keep < std::min(was.size(), is.size()) && was[change.keep] == is[change.keep]) ++change.keep;
      }
      files.push_back(std::move(change));
    }
    capture.files = std::move(files);
    capture.row = without_texts(capture.row);
    HOLDFAST_LET(line, writer_.line_of(context_, capture));
    made.emplace_back(capture.number, std::move(line));
    fold(capture, now_);
    return {};
  }

  Result<std::shared_ptr<const FileVersion>> without(const std::string& path,
                                                     const std::shared_ptr<const FileVersion>& version) {
    if (!is_made_of_lines(path)) return version;
    if (const auto known = made_.find(version->hash()); known != made_.end()) return like(*version, known->second);
    FileVersion cut;
    BlockMaker blocks(context_, writer_, cut);
    const auto read =
        read_version(writer_.packs(), *version, [&](std::string_view bytes) { return blocks.add(bytes); });
    if (!read && is_damage(read.error().code)) return nullptr;
    HOLDFAST_TRY(read);
    HOLDFAST_TRY(blocks.end());
    if (cut.holed == 0) cut = *version;
    holed_ = holed_ || cut.holed != version->holed;
    made_.emplace(version->hash(), cut);
    return like(*version, cut);
  }

  // Copies a version with the blocks of `cut`; everything else stays.
  static std::shared_ptr<const FileVersion> like(const FileVersion& version, const FileVersion& cut) {
    auto copy = std::make_shared<FileVersion>(version);
    copy->blocks = cut.blocks;
    copy->size = cut.size;
    if (cut.size != version.size) copy->holed = version.agents_size();
    return copy;
  }

  const Context& context_;
  ArchiveWriter& writer_;
  CapturedSession now_;
  std::map<std::string, FileVersion> made_;  // by the hash of the original version
  bool holed_ = false;
  std::size_t unreadable_ = 0;
};

Result<HoledArchive> remove_forgotten(const Context& context, ArchiveWriter& writer,
                                      const std::set<CaptureKey>* among) {
  HOLDFAST_TRY(check_captures_are_whole(writer.state()));
  HoledArchive done;
  HOLDFAST_LET(lines, log_lines(context, writer.root().directory()));
  std::map<CaptureKey, std::vector<const LogLine*>> sessions;
  for (const LogLine& line : lines) sessions[line.read.capture.session].push_back(&line);
  std::vector<NumberedLine> made;
  for (const auto& [key, its] : sessions) {
    HOLDFAST_TRY(context.check());
    if (writer.forgotten().contains(key)) continue;
    std::vector<NumberedLine> mended;
    bool holed = false;
    if (among == nullptr || among->contains(key)) {
      Holing holing(context, writer);
      HOLDFAST_LET(cut, holing.lines_of(its));
      mended = std::move(cut);
      holed = holing.holed();
      if (holed && holing.unreadable() > 0)
        done.rewritten.findings.push_back({std::string(kCaptureLog), 0, 0, "corrupt",
                                           counted(holing.unreadable(), "file") + " of " + key.id +
                                               " could not be read and " + (holing.unreadable() == 1 ? "was" : "were") +
                                               " removed with the lines",
                                           0});
    }
    if (holed) done.holed.insert(key);
    if (!holed) {
      mended.clear();
      for (const LogLine* const line : its) mended.emplace_back(line->read.capture.number, line->bytes);
    }
    std::ranges::move(mended, std::back_inserter(made));
  }
  sort_stably(made, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> kept;
  std::unordered_set<std::string> needed;
  for (auto& [number, line] : made) {
    HOLDFAST_LET(read, read_capture(line));
    HOLDFAST_TRY(note_names(read, writer.packs(), needed));
    kept.push_back(std::move(line));
  }
  HOLDFAST_LET(rewritten, writer.replace_log(context, kept, needed, LooseBytes::goes));
  std::ranges::move(rewritten.findings, std::back_inserter(done.rewritten.findings));
  rewritten.findings = std::move(done.rewritten.findings);
  done.rewritten = std::move(rewritten);
  return done;
}

}  // namespace

Result<HoledArchive> forget_lines(const Context& context, ArchiveWriter& writer, const std::set<CaptureKey>* among) {
  const PackEnd since = writer.pack_end();
  auto done = remove_forgotten(context, writer, among);
  if (!done) writer.give_back(since, done.error());
  return done;
}

}  // namespace holdfast::inline v1
