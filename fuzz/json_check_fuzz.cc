// Compares the scanner with an independent parser and with itself.
#include <simdjson.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/json_value.h"
#include "text/utf8.h"

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

// Reads every value of a checked document once; the fuzzer bounds its size.
void read_all(holdfast::JsonView root) {
  std::vector<holdfast::JsonView> open{root};
  while (!open.empty()) {
    const holdfast::JsonView view = open.back();
    open.pop_back();
    must(static_cast<bool>(view));
    must(holdfast::json_value_end(view.raw(), 0) == view.raw().size());
    if (view.kind() == holdfast::JsonKind::string) {
      const auto text = view.as_string();
      must(text.has_value() && holdfast::utf8_fault(*text) == std::string_view::npos);
      std::string again;
      holdfast::append_json_string(again, *text);
      must(holdfast::check_json(again).ok() && holdfast::decode_json_string(again) == text);
    }
    for (const holdfast::JsonItem& field : view.fields()) open.push_back(field.value);
    for (const holdfast::JsonItem& item : view.elements()) open.push_back(item.value);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const holdfast::JsonCheck check = holdfast::check_json(text);
  must(check.at <= size);

  static simdjson::dom::parser parser;
  if (parser.parse(simdjson::padded_string(text)).error() == simdjson::SUCCESS) must(check.ok());

  const bool line = check.ok() && holdfast::JsonView(text).kind() == holdfast::JsonKind::object &&
                    text.find_first_of("\n\r\t") == std::string_view::npos;
  must(holdfast::is_json_object_line(text) == line);

  if (check.fault == holdfast::JsonFault::bad_utf8) must(check.at == holdfast::utf8_fault(text));
  if (check.fault == holdfast::JsonFault::trailing) {
    must(holdfast::check_json(text.substr(0, check.at)).fault != holdfast::JsonFault::trailing);
    must(holdfast::json_value_end(text, holdfast::skip_json_space(text, 0)) == check.at);
  }
  if (check.ok()) {
    read_all(holdfast::JsonView(text));
    // A truncated container is never accepted as complete.
    const std::string_view raw = holdfast::JsonView(text).raw();
    if (raw.front() == '{' || raw.front() == '[') must(!holdfast::check_json(raw.substr(0, raw.size() - 1)).ok());
  } else {
    const holdfast::JsonView view(text);
    for (const holdfast::JsonItem& field : view.fields()) static_cast<void>(field.key());
    for (const holdfast::JsonItem& item : view.elements()) static_cast<void>(item.value.as_double());
    static_cast<void>(view.as_string());
  }
  return 0;
}
