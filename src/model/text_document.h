// Documents that are texts. The model keeps the text as its writer gave it, in the member `source` of `extra`, so that
// it is written back unchanged. Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <string>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// The text of a source that holds one: {"type":"text","data":…}, or {"type":"content","content":…} with only texts.
std::string text_of_source(JsonView source);

// The text of a document that is one, in `extra` or in its bytes; empty for any other block.
std::string document_text(const Block& block);

// What the document is called; empty if that is not known.
std::string document_title(const Block& block);

// Makes a text inside `extra` the bytes of its document, if that has none.
void take_source(Block& document);
// The reverse, if the bytes are a text in UTF-8 that no store keeps in a separate file.
void put_source(Block& document);

}  // namespace holdfast::inline v1
