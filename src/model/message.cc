#include <holdfast/message.h>

namespace holdfast::inline v1 {

Usage& Usage::operator+=(const Usage& other) {
  input += other.input;
  output += other.output;
  cache_read += other.cache_read;
  cache_write += other.cache_write;
  reasoning += other.reasoning;
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
