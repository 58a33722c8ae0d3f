#include "archive/finish_rewrite.h"

#include <holdfast/document.h>

#include "archive/archive_writer.h"
#include "base/hash.h"
#include "disk/steps.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// Empty if there is no such file.
Result<std::string> bytes_of(Directory& directory, std::string_view path) {
  auto file = directory.open(path, OpenMode::read);
  if (!file && file.error().code == Code::not_found) return std::string();
  if (!file) return fail(std::move(file).error());
  HOLDFAST_LET(stat, (*file)->stat());
  std::string bytes(static_cast<std::size_t>(stat.size), '\0');
  HOLDFAST_LET(count, (*file)->read_at(0, bytes));
  bytes.resize(count);
  return bytes;
}

// A pack that is already gone may come back after a power loss if a sync has failed, and only a new removal
// can be synced (I-7).
Result<void> remove_file(Directory& directory, const std::string& path) {
  auto removed = directory.remove(path);
  if (removed || removed.error().code != Code::not_found) return removed;
  if (!does(Step::archive_removed_anew)) return {};
  HOLDFAST_TRY(directory.open(path, OpenMode::create_append));
  return directory.remove(path);
}

}  // namespace

Result<void> note_rewrite(const Context& context, Root& root, std::string_view log,
                          const std::vector<std::uint32_t>& packs) {
  JsonWriter json;
  json.begin_object().key("log").string(sha256_hex(log)).key("remove").begin_array();
  for (const std::uint32_t pack : packs) json.uint64(pack);
  const std::string text = json.end_array().end_object().take() + "\n";
  HOLDFAST_TRY(replace_document(context, root, kRewrite, text, {.backup = false}));
  return {};
}

Result<void> finish_rewrite(const Context& context, Root& root) {
  Directory& directory = root.directory();
  HOLDFAST_LET(note, bytes_of(directory, kRewrite));
  if (note.empty()) return {};
  HOLDFAST_LET(log, bytes_of(directory, kCaptureLog));
  const JsonView json(note);
  if (json.find("log").is_string(sha256_hex(log)) || !does(Step::archive_rewrite_look)) {
    for (const JsonItem& item : json.find("remove").elements()) {
      const auto pack = item.value.as_int64().value_or(0);
      if (pack <= 0 || pack > UINT32_MAX) continue;
      HOLDFAST_TRY(remove_file(directory, index_path(static_cast<std::uint32_t>(pack))));
      HOLDFAST_TRY(remove_file(directory, pack_path(static_cast<std::uint32_t>(pack))));
    }
    if (does(Step::archive_packs_gone)) HOLDFAST_TRY(directory.sync_directory(kPacks));
  }
  return remove_document(context, root, kRewrite);
}

}  // namespace holdfast::inline v1
