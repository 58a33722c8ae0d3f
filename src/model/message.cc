#include <holdfast/message.h>

#include "model/text_document.h"
#include "model/usage_figures.h"

namespace holdfast::inline v1 {

Origin usual_origin(Role role) {
  switch (role) {
    case Role::user: return Origin::typed;
    case Role::assistant: return Origin::model;
    case Role::tool: return Origin::tool;
    case Role::system: return Origin::injected;
  }
  return Origin::notice;
}

bool is_media(BlockKind kind) {
  return kind == BlockKind::image || kind == BlockKind::document || kind == BlockKind::audio;
}

std::string media_words(const Block& block) {
  std::string words = block.kind == BlockKind::document ? "a document"
                      : block.kind == BlockKind::audio  ? "audio"
                                                        : "an image";
  if (!block.media_type.empty()) words += ", " + block.media_type;
  const std::string title = block.kind == BlockKind::document ? document_title(block) : block.text;
  if (!title.empty()) words += ", " + title;
  if (block.bytes > 0) words += ", " + std::to_string(block.bytes) + " bytes";
  return words;
}

Usage& Usage::operator+=(const Usage& other) {
  for (const auto figure : kUsageFigures) this->*figure += other.*figure;
  return *this;
}

std::string Message::text() const {
  std::string all;
  for (const Block& block : blocks) {
    if (block.kind != BlockKind::text) continue;
    if (!all.empty()) all += '\n';
    all += block.text;
  }
  return all;
}

}  // namespace holdfast::inline v1
