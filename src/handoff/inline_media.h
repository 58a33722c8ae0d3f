// Images, documents and audio inside the records of a session, as base64. Readers report them without their bytes.
// Thread-safety: pure function.
#pragma once

#include <holdfast/message.h>

namespace holdfast::inline v1 {

// Fills Block::data of the media of a message that was read with its raw record. What is only referred to, or whose
// bytes cannot be decoded, stays empty, and so do those of which it is not certain which one is which.
void fill_media(Message& message);

}  // namespace holdfast::inline v1
