// What is attached to a prompt: images, documents and recordings, in whatever form their agent stores them.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Converts the attachments of a prompt that its reader kept as they are, in blocks of kind `other`, to media, with
// their bytes if the session holds them. The bytes of a document that is a text are that text. Block::text of a
// document becomes its title or its path, if one is known.
void read_attachments(Message& message);

// Whether the block is a document whose bytes are a text.
bool is_text_document(const Block& block);
// For agents without documents: the text, between a line with its title and one that ends it.
std::string document_as_text(const Block& document);

// "images", "documents" or "audio recordings", as named in the report.
std::string_view media_kind(BlockKind kind);

}  // namespace holdfast::inline v1
