#include "handoff/attachments.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "model/block_read.h"
#include "model/text_document.h"
#include "text/base64.h"
#include "text/json_text.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// The first of these members that is a text.
std::string first_member(JsonView object, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (std::string text = json_text(object, name); !text.empty()) return text;
  return {};
}

// The path or address of what is attached; empty if there is none.
std::string place_of_attachment(JsonView attachment) {
  std::string place = first_member(attachment, {"path", "filePath", "url"});
  if (place.empty()) place = json_text(attachment.find("source"), "url");
  return place.starts_with("data:") ? std::string() : place;
}

// Its title, and its place, in one line.
std::string title_of_attachment(JsonView attachment) {
  std::string title = first_member(attachment, {"title", "displayName", "filename", "name"});
  const std::string place = place_of_attachment(attachment);
  if (place.contains(title)) title.clear();
  if (!title.empty() && !place.empty()) title += ", ";
  title += place;
  std::ranges::replace_if(title, [](char letter) { return letter == '\n' || letter == '\r'; }, ' ');
  return title;
}

BlockKind kind_of_type(std::string_view media_type) {
  if (media_type.starts_with("image/")) return BlockKind::image;
  return media_type.starts_with("audio/") ? BlockKind::audio : BlockKind::document;
}

Block with_data(BlockKind kind, std::string media_type, std::string data) {
  Block block{.kind = kind, .media_type = std::move(media_type), .data = std::move(data)};
  block.bytes = block.data.size();
  return block;
}

// The block of an API, or an object with a media type and data, with a place and a text, or with only a place.
std::optional<Block> attachment_in(JsonView json) {
  if (json.kind() != JsonKind::object) return std::nullopt;
  std::vector<Block> read;
  if (read_input_block(json, {}, Role::user, UnknownBlocks::keep, read) && read.size() == 1 && is_media(read[0].kind)) {
    take_source(read[0]);
    if (!read[0].data.empty()) return std::move(read[0]);
  }
  const JsonView source = json.find("source");
  const JsonView data = source ? source.find("data") : json.find("data");
  std::string media_type = first_member(source ? source : json, {"media_type", "mimeType", "mime"});
  const std::string title = title_of_attachment(json), text = json_text(json, "text");
  const bool placed = !place_of_attachment(json).empty();
  std::optional<Block> block;
  if (!media_type.empty() && data.kind() == JsonKind::string) {
    const BlockKind kind = kind_of_type(media_type);
    block = with_data(kind, std::move(media_type), from_base64(data.as_string().value_or("")).value_or(""));
  } else if (placed && !text.empty()) {
    block = with_data(BlockKind::document, "text/plain", text);
  } else if (placed || json.find("type").is_string("document")) {
    // Without a type it counts as only referred to.
    block = Block{.kind = BlockKind::document};
    block->extra = JsonWriter().begin_object().key("attachment").raw(json.raw()).end_object().take();
  }
  if (block && block->extra.empty() && !title.empty())
    block->extra = JsonWriter().begin_object().key("title").string(title).end_object().take();
  if (block) block->text = title;
  return block;
}

}  // namespace

void read_attachments(Message& message) {
  if (message.role != Role::user) return;
  for (Block& block : message.blocks) {
    if (block.kind == BlockKind::other) {
      if (auto attachment = attachment_in(JsonView(block.json))) block = std::move(*attachment);
    } else if (block.kind == BlockKind::document && block.data.empty()) {
      take_source(block);
    }
    if (block.kind == BlockKind::document && block.text.empty())
      block.text = title_of_attachment(JsonView(block.extra));
  }
}

bool is_text_document(const Block& block) {
  return block.kind == BlockKind::document && block.media_type.starts_with("text/") && !block.data.empty();
}

std::string document_as_text(const Block& document) {
  std::string text = "[" + media_words(document) + ":]\n" + document.data;
  if (!text.ends_with('\n')) text += '\n';
  return text + "[the end of the document]";
}

std::string_view media_kind(BlockKind kind) {
  if (kind == BlockKind::image) return "images";
  return kind == BlockKind::audio ? "audio recordings" : "documents";
}

}  // namespace holdfast::inline v1
