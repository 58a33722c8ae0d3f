// The sources that a model named for what it said. Readers leave them in the record. Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <cstdint>

namespace holdfast::inline v1 {

// Adds the citations in the raw record of an answer to Block::extra of the texts that they belong to, as written.
void fill_citations(Message& message);

// How many citations the text has.
std::uint64_t citations_of(const Block& text);

// How many results of web searches in the raw record have a content that only the API can read.
std::uint64_t encrypted_results_in(const Message& message);

}  // namespace holdfast::inline v1
