#include "text/json_style.h"

#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kBlank = " \t";

const char* item_start(const JsonItem& item) {
  return item.raw_key.empty() ? item.value.raw().data() : item.raw_key.data();
}

std::string_view between(const char* begin, const char* end) { return {begin, static_cast<std::size_t>(end - begin)}; }

JsonItems items_of(JsonView view) { return view.kind() == JsonKind::object ? view.fields() : view.elements(); }

std::string_view colon_of(const JsonItem& item) {
  return between(item.raw_key.data() + item.raw_key.size(), item.value.raw().data());
}

}  // namespace

std::string_view line_end_in(std::string_view space) {
  const std::size_t at = space.rfind('\n');
  if (at == std::string_view::npos) return {};
  return at > 0 && space[at - 1] == '\r' ? space.substr(at - 1, 2) : space.substr(at, 1);
}

std::string_view indent_in(std::string_view space) {
  const std::size_t at = space.rfind('\n');
  if (at == std::string_view::npos) return {};
  const std::string_view line = space.substr(at + 1);
  return line.substr(0, line.find_first_not_of(kBlank));
}

std::string_view line_indent(std::string_view doc, std::size_t at) {
  const std::size_t newline = doc.substr(0, at).rfind('\n');
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  const std::size_t stop = doc.find_first_not_of(kBlank, start);
  return doc.substr(start, (stop == std::string_view::npos ? doc.size() : stop) - start);
}

JsonStyle json_style_of(std::string_view doc, JsonView root) {
  JsonStyle style{.colon = ":"};
  const std::string_view raw = root.raw();
  if (root.kind() != JsonKind::object && root.kind() != JsonKind::array) return style;

  const auto first = items_of(root).begin();
  const bool empty = first == std::default_sentinel;
  const std::size_t inner_end = skip_json_space(raw, 1);
  const std::string_view lead = empty ? raw.substr(1, inner_end - 1) : between(raw.data() + 1, item_start(*first));
  style.eol = line_end_in(lead);
  if (!style.eol.empty()) {
    const std::string_view outer = line_indent(doc, static_cast<std::size_t>(raw.data() - doc.data()));
    const std::string_view inner = indent_in(lead);
    if (!empty) style.unit = inner.starts_with(outer) ? inner.substr(outer.size()) : inner;
  }
  if (!style.eol.empty()) style.colon = ": ";
  if (root.kind() == JsonKind::object) {
    if (!empty) style.colon = colon_of(*first);
  } else if (!empty) {
    const auto field = first->value.fields().begin();
    if (field != std::default_sentinel) style.colon = colon_of(*field);
  }
  style.spacer = style.colon.ends_with(':') ? "" : " ";
  return style;
}

}  // namespace holdfast::inline v1
