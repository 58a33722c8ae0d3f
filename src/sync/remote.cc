#include "sync/remote.h"

#include <algorithm>

namespace holdfast::inline v1 {
namespace {

bool is_hex(std::string_view text, std::size_t size) {
  return text.size() == size &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace

bool is_device_id(std::string_view text) { return is_hex(text, 32); }
bool is_hash_name(std::string_view text) { return is_hex(text, 64); }

}  // namespace holdfast::inline v1
