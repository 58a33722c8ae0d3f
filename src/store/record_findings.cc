#include "store/record_findings.h"

#include <holdfast/checksums.h>

#include <algorithm>
#include <array>

#include "base/was_stopped.h"
#include "disk/side_car.h"
#include "layout/backup_finding.h"
#include "layout/record_keeper.h"
#include "layout/record_shape.h"
#include "store/file_store.h"
#include "store/record_lookup.h"
#include "text/json_scan.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kLimit = std::uint64_t{64} << 20;
constexpr std::array<std::string_view, 2> kOdd = {"unsafe_name", "duplicate"};

// True if front matter begins and does not end: it was cut off, and the text would read as a body.
bool open_front_matter(std::string_view text) {
  if (!text.starts_with("---\n") && !text.starts_with("---\r\n")) return false;
  for (std::size_t at = text.find("\n---"); at != std::string_view::npos; at = text.find("\n---", at + 1)) {
    const std::string_view rest = text.substr(at + 4);
    if (rest.empty() || rest.starts_with('\n') || rest.starts_with("\r\n")) return false;
  }
  return true;
}

class KindCheck {
 public:
  KindCheck(const Context& context, FileStore& store, const RecordShape& shape, RecordFindings& into)
      : context_(context), store_(store), shape_(shape), into_(into), feed_(context, store.roots().directories()) {}

  // Checks one log that is not a record of the table, including its checksums, which parsing does not see.
  Result<void> log(const Place& place) {
    HOLDFAST_TRY(look_at_lines(place));
    const auto root = store_.roots().root(place.root);
    if (!root || !(*root)->directory().exists(side_car_path(**root, place.path))) return {};
    const auto report = verify_checksums(context_, **root, place.path);
    if (!report) return was_stopped(report.error()) ? fail(report.error()) : Result<void>();
    for (const Finding& one : report->findings) into_.found.push_back({one, one.kind == "checksum"});
    return {};
  }

  Result<void> run() {
    auto list = find_records(context_, store_.layout(), feed_, {std::string(shape_.kind), {}, {}});
    if (!list && was_stopped(list.error())) return fail(std::move(list).error());
    if (!list) {
      find(finding_of(list.error(), shape_.path));
      return {};
    }
    into_.records += list->records.size();
    for (Finding& finding : list->findings) find(std::move(finding));
    const auto read = feed_.read_files();  // a copy, because look_closer reads files too
    for (const auto& [place, fingerprint] : read) HOLDFAST_TRY(look_closer(place));
    into_.files.insert(read.begin(), read.end());
    return {};
  }

 private:
  void find(Finding finding) {
    const bool odd = shape_.only_read || std::ranges::find(kOdd, finding.kind) != kOdd.end();
    into_.found.push_back({std::move(finding), !odd});
  }

  // Checks for problems that reading a record tolerates.
  Result<void> look_closer(const Place& place) {
    const bool known =
        std::ranges::any_of(into_.found, [&](const RecordFinding& one) { return one.found.file == place.path; });
    if (known) return {};
    if (shape_.form == RecordFormat::json_lines) return look_at_lines(place);
    HOLDFAST_TRY(context_.check());
    const auto bytes = feed_.document(place, kLimit);
    if (!bytes || !*bytes) return {};
    if (const std::size_t fault = utf8_fault(**bytes); fault != std::string_view::npos)
      find({place.path, fault, 0, "bad_utf8", "it contains bytes that are not UTF-8"});
    else if ((*bytes)->contains('\0'))
      find({place.path, (*bytes)->find('\0'), 0, "nul", "it contains NUL bytes"});
    else if (shape_.form == RecordFormat::markdown && open_front_matter(**bytes))
      find({place.path, 0, (*bytes)->size(), "torn", "its front matter does not end"});
    return {};
  }

  Result<void> look_at_lines(const Place& place) {
    DirectoryFeed lines(context_, store_.roots().directories());
    const auto read = lines.records(place, {}, [](const FeedRecord&) { return true; });
    if (!read && was_stopped(read.error())) return read;
    if (!read) find(finding_of(read.error(), place.path));
    for (Finding& finding : findings_of(lines)) find(std::move(finding));
    into_.files.insert(lines.read_files().begin(), lines.read_files().end());
    return {};
  }

  const Context& context_;
  FileStore& store_;
  const RecordShape& shape_;
  RecordFindings& into_;
  DirectoryFeed feed_;
};

}  // namespace

Finding finding_of(const Error& error, std::string_view otherwise) {
  return {.file = error.path.empty() ? std::string(otherwise) : error.path,
          .kind = std::string(code_name(error.code)),
          .consequence = error.message};
}

Result<RecordFindings> record_findings(const Context& context, FileStore& store) {
  const Layout& layout = store.layout();
  RecordFindings all;
  for (const RecordShape& shape : shapes_of(layout)) {
    if (shape.kind == "log") continue;  // for people and never synced, so missing lines are no damage
    HOLDFAST_TRY(KindCheck(context, store, shape, all).run());
  }
  if (const std::string_view path = layout.traits().prompt_history; !path.empty()) {
    const RecordShape shape{
        .kind = "prompt", .root = layout.roots().front().name, .path = path, .form = RecordFormat::json_lines};
    HOLDFAST_TRY(KindCheck(context, store, shape, all).log({std::string(shape.root), std::string(path)}));
  }
  for (const Hooks& hooks : store.hooks()) {
    if (hooks.verifying != nullptr) HOLDFAST_TRY(hooks.verifying(context, store, all));
  }
  return all;
}

}  // namespace holdfast::inline v1
