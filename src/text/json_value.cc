#include "text/json_value.h"

#include <charconv>
#include <system_error>

#include "text/json_scan.h"
#include "text/json_string.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

template <typename T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::string_view JsonView::without_edges(std::string_view text) {
  text = without_bom(text);
  text.remove_prefix(skip_json_space(text, 0));
  const std::size_t last = text.find_last_not_of(kSpace);
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

JsonKind JsonView::kind() const {
  if (raw_.empty()) return JsonKind::none;
  switch (raw_.front()) {
    case '{': return JsonKind::object;
    case '[': return JsonKind::array;
    case '"': return JsonKind::string;
    case 't':
    case 'f': return JsonKind::boolean;
    case 'n': return JsonKind::null;
    default: break;
  }
  const bool number = raw_.front() == '-' || (raw_.front() >= '0' && raw_.front() <= '9');
  return number ? JsonKind::number : JsonKind::none;
}

JsonView JsonView::find(std::string_view key) const {
  JsonView found;
  for (const JsonItem& field : fields()) {
    if (field.key_is(key)) found = field.value;
  }
  return found;
}

JsonItems JsonView::fields() const { return JsonItems(kind() == JsonKind::object ? raw_ : std::string_view{}); }
JsonItems JsonView::elements() const { return JsonItems(kind() == JsonKind::array ? raw_ : std::string_view{}); }

std::optional<std::string> JsonView::as_string() const { return decode_json_string(raw_); }
bool JsonView::is_string(std::string_view text) const { return json_string_equals(raw_, text); }

std::optional<std::int64_t> JsonView::as_int64() const {
  // Most integers are a few digits; the library handles the rest.
  constexpr std::size_t kFew = 18;
  if (raw_.empty() || raw_.size() > kFew) return parse_number<std::int64_t>(raw_);
  std::int64_t value = 0;
  for (const char byte : raw_) {
    if (byte < '0' || byte > '9') return parse_number<std::int64_t>(raw_);
    value = value * 10 + (byte - '0');
  }
  return value;
}

std::optional<double> JsonView::as_double() const {
  // from_chars also accepts "-inf" and the like; the grammar does not.
  if (kind() != JsonKind::number || json_value_end(raw_, 0) != raw_.size()) return std::nullopt;
  return parse_number<double>(raw_);
}

std::optional<bool> JsonView::as_bool() const {
  if (raw_ == "true") return true;
  if (raw_ == "false") return false;
  return std::nullopt;
}

std::string JsonItem::key() const { return decode_json_string(raw_key).value_or(std::string{}); }
bool JsonItem::key_is(std::string_view text) const { return json_string_equals(raw_key, text); }

JsonItems::Iterator::Iterator(std::string_view container) : text_(container) {
  if (text_.empty()) return;
  at_ = skip_json_space(text_, 1);
  done_ = !read_item();
}

JsonItems::Iterator& JsonItems::Iterator::operator++() {
  at_ = skip_json_space(text_, at_);
  if (at_ < text_.size() && text_[at_] == ',') {
    at_ = skip_json_space(text_, at_ + 1);
    done_ = !read_item();
  } else {
    done_ = true;
  }
  return *this;
}

// Reads the item that starts at at_. A closing bracket is not a value, so an empty
// container ends here like a broken one.
bool JsonItems::Iterator::read_item() {
  item_.raw_key = {};
  if (text_.front() == '{') {
    if (at_ >= text_.size() || text_[at_] != '"') return false;
    const std::size_t key_end = json_value_end(text_, at_);
    if (key_end == std::string_view::npos) return false;
    item_.raw_key = text_.substr(at_, key_end - at_);
    at_ = skip_json_space(text_, key_end);
    if (at_ >= text_.size() || text_[at_] != ':') return false;
    at_ = skip_json_space(text_, at_ + 1);
  }
  const std::size_t value_end = json_value_end(text_, at_);
  if (value_end == std::string_view::npos) return false;
  item_.value = JsonView(text_.substr(at_, value_end - at_));
  at_ = value_end;
  return true;
}

}  // namespace holdfast::inline v1
