#include "archive/damaged_chunks.h"

#include <holdfast/document.h>

#include "archive/chunk.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

std::set<std::string> load_damaged(Directory& archive) {
  constexpr std::uint64_t kMost = std::uint64_t{64} << 20;
  std::set<std::string> chunks;
  const auto file = archive.open(kDamaged, OpenMode::read);
  const auto stat = file ? (*file)->stat() : Result<FileStat>(fail(file.error()));
  if (!stat || stat->size > kMost) return chunks;
  std::string text(static_cast<std::size_t>(stat->size), '\0');
  text.resize((*file)->read_at(0, text).value_or(0));
  if (!check_json(text).ok()) return chunks;
  for (const JsonItem& item : JsonView(text).find("chunks").elements()) {
    if (auto name = item.value.as_string(); name && is_chunk_name(*name)) chunks.insert(std::move(*name));
  }
  return chunks;
}

Result<void> save_damaged(const Context& context, Root& archive, const std::set<std::string>& chunks) {
  if (chunks.empty())
    return archive.directory().exists(kDamaged) ? remove_document(context, archive, kDamaged) : Result<void>();
  const std::string json = JsonWriter().begin_object().key("chunks").strings(chunks).end_object().take();
  HOLDFAST_TRY(replace_document(context, archive, kDamaged, json + "\n", {.backup = false}));
  return {};
}

}  // namespace holdfast::inline v1
