#include "text/json_cursor.h"

#include "text/json_plain.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {

JsonCursor::JsonCursor(std::string_view text) : text_(without_bom(text)) { skip_space(); }

void JsonCursor::skip_space() {
  while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) <= ' ') ++at_;
}

JsonKind JsonCursor::kind() const {
  if (at_ >= text_.size()) return JsonKind::none;
  switch (text_[at_]) {
    case '{': return JsonKind::object;
    case '[': return JsonKind::array;
    case '"': return JsonKind::string;
    case 't':
    case 'f': return JsonKind::boolean;
    case 'n': return JsonKind::null;
    case '-': return JsonKind::number;
    default: return text_[at_] >= '0' && text_[at_] <= '9' ? JsonKind::number : JsonKind::none;
  }
}

bool JsonCursor::enter(char open) {
  if (at_ >= text_.size() || text_[at_] != open) return false;
  ++at_;
  first_ = true;
  return true;
}

bool JsonCursor::next(char close) {
  skip_space();
  if (at_ >= text_.size()) return false;
  const bool first = first_;
  first_ = false;
  if (text_[at_] == close) {
    ++at_;
    return false;
  }
  if (!first) {
    if (text_[at_] != ',') {
      give_up();
      return false;
    }
    ++at_;
    skip_space();
  }
  return at_ < text_.size();
}

bool JsonCursor::next_key(std::string_view& key) {
  if (!next('}')) return false;
  const std::size_t end = json_value_end(text_, at_);
  if (text_[at_] != '"' || end == std::string_view::npos) {
    give_up();
    return false;
  }
  key = text_.substr(at_ + 1, end - at_ - 2);
  at_ = end;
  skip_space();
  if (at_ >= text_.size() || text_[at_] != ':') {
    give_up();
    return false;
  }
  ++at_;
  skip_space();
  return true;
}

bool JsonCursor::next_element() { return next(']'); }

JsonView JsonCursor::skip() {
  const std::size_t end = json_value_end(text_, at_);
  if (end == std::string_view::npos) {
    give_up();
    return {};
  }
  const std::size_t begin = at_;
  at_ = end;
  return JsonView(text_.substr(begin, end - begin));
}

std::string JsonCursor::text() {
  if (kind() != JsonKind::string) {
    skip();
    return {};
  }
  // Most strings have no escape: one look finds their end.
  const char* const end = text_.data() + text_.size();
  const char* const body = text_.data() + at_ + 1;
  const char* const stop = skip_json_plain(body, end);
  const std::string_view run(body, static_cast<std::size_t>(stop - body));
  if (stop != end && *stop == '"' && utf8_fault(run) == std::string_view::npos) {
    at_ += run.size() + 2;
    return std::string(run);
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
