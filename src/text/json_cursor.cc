#include "text/json_cursor.h"

#include "text/json_scan.h"
#include "text/json_skip.h"
#include "text/json_string.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {

JsonCursor::JsonCursor(std::string_view text) : text_(without_bom(text)) { skip_space(); }

std::size_t JsonCursor::escaped_end() const { return json_quick_end(text_, at_); }

JsonView JsonCursor::skip() {
  const JsonKind over = kind();
  const bool quick = over == JsonKind::string || over == JsonKind::object || over == JsonKind::array;
  const std::size_t end = quick ? json_quick_end(text_, at_) : json_value_end(text_, at_);
  if (end == std::string_view::npos) {
    give_up();
    return {};
  }
  const std::size_t begin = at_;
  at_ = end;
  return JsonView(text_.substr(begin, end - begin));
}

bool JsonCursor::skip_if(std::string_view bytes) {
  if (bytes.empty() || !text_.substr(at_).starts_with(bytes)) return false;
  at_ += bytes.size();
  return true;
}

std::string JsonCursor::text() {
  if (kind() != JsonKind::string) {
    skip();
    return {};
  }
  if (const std::size_t end = plain_end(); end != std::string_view::npos) {
    const std::string_view run = text_.substr(at_ + 1, end - at_ - 2);
    if (utf8_fault(run) == std::string_view::npos) {
      at_ = end;
      return std::string(run);
    }
  }
  auto decoded = decode_json_string(skip().raw());
  return decoded ? std::move(*decoded) : std::string();
}

std::string_view JsonCursor::word() {
  const std::string_view raw = skip().raw();
  if (raw.size() < 2 || raw.front() != '"') return {};
  const std::string_view inside = raw.substr(1, raw.size() - 2);
  return inside.find('\\') == std::string_view::npos ? inside : std::string_view();
}

}  // namespace holdfast::inline v1
