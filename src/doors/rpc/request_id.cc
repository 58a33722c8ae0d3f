#include "doors/rpc/request_id.h"

#include <utility>

#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLongest = 1024;  // of an id

}  // namespace

void RequestId::feed(std::string_view bytes) {
  for (const char c : bytes) {
    if (!is_object_) return;
    if (in_string_) {
      add(c);
      in_string_ = escaped_ || c != '"';
      escaped_ = !escaped_ && c == '\\';
      continue;
    }
    switch (c) {
      case ' ':
      case '\t':
      case '\r':
      case '\n': break;
      case '{':
      case '[':
        add(c);  // a nested value is not an id
        is_object_ = depth_ > 0 || c == '{';
        ++depth_;
        break;
      case '}':
      case ']':
        if (depth_ == 1) end_member();
        is_object_ = depth_ > 1;
        --depth_;
        break;
      case ',':
        if (depth_ == 1) end_member();
        break;
      case ':':
        if (depth_ == 1) key_ = std::exchange(value_, {});
        break;
      default: in_string_ = c == '"'; add(c);
    }
  }
}

void RequestId::add(char c) {
  if (depth_ == 1 && value_.size() <= kLongest) value_ += c;
}

void RequestId::end_member() {
  const bool plain = value_.size() <= kLongest && check_json(value_).ok();
  const JsonKind kind = plain ? JsonView(value_).kind() : JsonKind::none;
  if (key_ == "\"id\"" && id_.empty() && (kind == JsonKind::string || kind == JsonKind::number)) id_ = value_;
  key_.clear();
  value_.clear();
}

}  // namespace holdfast::inline v1
