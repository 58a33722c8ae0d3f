// Edits of any document at any path must keep every other byte. Input: one byte of
// path length, then per step a kind byte and, for keys, a length byte and the key;
// the rest up to NUL is the value, followed by the document.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace {

using holdfast::JsonItem;
using holdfast::JsonStep;
using holdfast::JsonView;

void must(bool holds) {
  if (!holds) std::abort();
}

std::string_view take(std::string_view& from, std::size_t size) {
  const std::string_view front = from.substr(0, size);
  from.remove_prefix(front.size());
  return front;
}

std::size_t take_byte(std::string_view& from) {
  const std::string_view front = take(from, 1);
  return front.empty() ? 0 : static_cast<unsigned char>(front[0]);
}

JsonView lookup(JsonView view, const std::vector<JsonStep>& path) {
  for (const JsonStep& step : path) {
    JsonView next;
    if (!step.is_index()) next = view.find(step.key());
    std::size_t index = 0;
    for (const JsonItem& item : view.elements()) {
      if (step.is_index() && index++ == step.index()) next = item.value;
    }
    view = next;
  }
  return view;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  std::vector<JsonStep> path;
  for (std::size_t left = take_byte(input) % 5; left > 0; --left) {
    const std::size_t kind = take_byte(input);
    if (kind % 4 == 0) {
      path.emplace_back(kind / 4);
    } else {
      path.emplace_back(take(input, take_byte(input) % 4));
    }
  }
  const std::size_t nul = input.find('\0');
  const std::string_view value = input.substr(0, nul);
  const std::string_view doc = nul == std::string_view::npos ? std::string_view{} : input.substr(nul + 1);

  if (const auto edited = holdfast::json_set(doc, path, value)) {
    const holdfast::JsonCheck check = holdfast::check_json(holdfast::without_bom(*edited));
    must(check.ok() || check.fault == holdfast::JsonFault::bad_utf8);
    const std::string_view fresh = JsonView(value).raw();
    must(lookup(JsonView(*edited), path).raw() == fresh);
    must(holdfast::json_set(*edited, path, value) == *edited);
    if (const JsonView old = lookup(JsonView(doc), path)) {
      const auto at = static_cast<std::size_t>(old.raw().data() - doc.data());
      must(*edited == std::string(doc.substr(0, at)).append(fresh).append(doc.substr(at + old.raw().size())));
    } else {
      std::size_t head = 0;
      while (head < doc.size() && doc[head] == (*edited)[head]) ++head;
      must(edited->size() > doc.size() && edited->ends_with(doc.substr(head)));
    }
  }
  if (const auto edited = holdfast::json_remove(doc, path)) {
    const holdfast::JsonCheck check = holdfast::check_json(holdfast::without_bom(*edited));
    must(check.ok() || check.fault == holdfast::JsonFault::bad_utf8);
    must(path.back().is_index() || !lookup(JsonView(*edited), path));
    must((edited->size() < doc.size()) == static_cast<bool>(lookup(JsonView(doc), path)));
    must(edited->size() < doc.size() || *edited == doc);
  }
  return 0;
}
