// What a person typed, in a test.
#pragma once

#include <holdfast/message.h>

#include <string>
#include <utility>

namespace holdfast::inline v1 {

inline Message said(std::string text) {
  Message message;
  message.origin = Origin::typed;
  message.blocks.push_back({.kind = BlockKind::text, .text = std::move(text)});
  return message;
}

}  // namespace holdfast::inline v1
