#include "archive/finish_rewrite.h"

#include <holdfast/document.h>

#include "archive/archive_writer.h"
#include "base/hash.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// Empty when there is no such file.
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

Result<void> remove_file(Directory& directory, const std::string& path) {
  auto removed = directory.remove(path);
  return removed || removed.error().code == Code::not_found ? Result<void>() : removed;
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
  if (json.find("log").is_string(sha256_hex(log))) {
    for (const JsonItem& item : json.find("remove").elements()) {
      const auto pack = item.value.as_int64().value_or(0);
      if (pack <= 0 || pack > UINT32_MAX) continue;
      HOLDFAST_TRY(remove_file(directory, index_path(static_cast<std::uint32_t>(pack))));
      HOLDFAST_TRY(remove_file(directory, pack_path(static_cast<std::uint32_t>(pack))));
    }
    HOLDFAST_TRY(directory.sync_directory(kPacks));
  }
  return remove_document(context, root, kRewrite);
}

}  // namespace holdfast::inline v1
