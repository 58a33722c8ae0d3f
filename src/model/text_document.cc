#include "model/text_document.h"

#include <utility>

#include "model/block_read.h"
#include "text/json_edit.h"
#include "text/json_text.h"
#include "text/json_write.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {
namespace {

bool has_text_as_bytes(const Block& block) {
  return block.kind == BlockKind::document && block.media_type.starts_with("text/") && !block.data.empty() &&
         utf8_fault(block.data) == std::string_view::npos;
}

}  // namespace

std::string text_of_source(JsonView source) {
  const JsonView type = source.find("type");
  if (type.is_string("text")) return json_text(source, "data");
  if (!type.is_string("content")) return {};
  const JsonView content = source.find("content");
  for (const JsonItem& part : content.elements())
    if (part.value.find("text").kind() != JsonKind::string) return {};
  return content ? text_of_output(content) : std::string();
}

std::string document_text(const Block& block) {
  if (block.kind != BlockKind::document) return {};
  if (has_text_as_bytes(block)) return block.data;
  return text_of_source(JsonView(block.extra).find("source"));
}

std::string document_title(const Block& block) {
  return block.text.empty() ? json_text(JsonView(block.extra), "title") : block.text;
}

void take_source(Block& document) {
  if (document.kind != BlockKind::document || !document.data.empty()) return;
  const JsonView source = JsonView(document.extra).find("source");
  std::string text = text_of_source(source);
  if (text.empty()) return;
  document.media_type = json_text(source, "media_type");
  if (!document.media_type.starts_with("text/")) document.media_type = "text/plain";
  document.data = std::move(text);
  document.bytes = document.data.size();
  document.extra = json_remove(document.extra, {"source"}).value_or(std::string());
  if (document.extra == "{}") document.extra.clear();
}

void put_source(Block& document) {
  if (!has_text_as_bytes(document) || !document.blob.empty()) return;
  JsonWriter source;
  source.begin_object().key("type").string("text").key("media_type").string(document.media_type);
  source.key("data").string(document.data).end_object();
  auto extra = json_set(document.extra.empty() ? "{}" : document.extra, {"source"}, source.text());
  if (!extra) return;
  document.extra = std::move(*extra);
  document.bytes = document.data.size();
  document.data.clear();
}

}  // namespace holdfast::inline v1
