// For any document: an edit changes its own bytes and no others.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast {
namespace {

std::string pick(const std::vector<std::string>& choices) { return *rc::gen::elementOf(choices); }

// Tokens that careless rewriting damages.
std::string scalar() {
  return pick({"0", "-0", "1.10", "1E5", "1e400", "12345678901234567890123", "true", "null", "\"\"", R"("\ud800")",
               R"("\u00e9\/")", "\"\xE4\xB8\xAD}],{[\"", R"("a\\\"")", "\"\xF0\x9F\x98\x80\""});
}
std::string key() {
  return pick({"\"a\"", "\"b\"", R"("\u0061")", R"("\ud800")", "\"\"", R"("q\"x")", "\"\xC3\xA9\""});
}
std::string space() { return pick({"", "", "", " ", "\n", "\r\n\t", "  "}); }

std::string value(int depth) {
  const int kind = depth == 0 ? 0 : *rc::gen::inRange(0, 3);
  if (kind == 0) return scalar();
  const bool object = kind == 1;
  std::string out(object ? "{" : "[");
  out += space();
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
    if (object) out += key() + space() + ":" + space();
    out += value(depth - 1) + space();
    if (left > 1) out += "," + space();
  }
  return out += object ? '}' : ']';
}

std::string document() {
  std::string out = pick({"", "\xEF\xBB\xBF"}) + space() + "{" + space();
  const int count = *rc::gen::inRange(0, 5);
  for (int at = 0; at < count; ++at) {
    out += (at > 0 ? "," + space() : "") + key() + space() + ":" + space() + value(3) + space();
  }
  return out + "}" + space();
}

// Steps that mostly follow the document and leave it now and then.
std::vector<JsonStep> path_into(JsonView view) {
  static const std::vector<std::string> kKeys = {"a", "b", "", "q\"x", "new", "\xC3\xA9"};
  std::vector<JsonStep> path;
  for (int left = *rc::gen::inRange(1, 4); left > 0; --left) {
    if (view.kind() == JsonKind::array) {
      std::vector<JsonView> elements;
      for (const JsonItem& item : view.elements()) elements.push_back(item.value);
      const std::size_t index = *rc::gen::inRange<std::size_t>(0, elements.size() + 1);
      path.emplace_back(index);
      view = index < elements.size() ? elements[index] : JsonView();
    } else if (view.kind() == JsonKind::object || !view) {
      const std::string& name = kKeys[*rc::gen::inRange<std::size_t>(0, kKeys.size())];
      path.emplace_back(std::string_view(name));
      view = view.find(name);
    } else {
      break;
    }
  }
  return path;
}

JsonView lookup(JsonView view, JsonPath path) {
  for (const JsonStep& step : path) {
    JsonView next;
    std::size_t index = 0;
    if (!step.is_index()) next = view.find(step.key());
    for (const JsonItem& item : view.elements()) {
      if (step.is_index() && index++ == step.index()) next = item.value;
    }
    view = next;
  }
  return view;
}

bool is_insertion(std::string_view before, std::string_view after) {
  std::size_t head = 0, tail = 0;
  while (head < before.size() && head < after.size() && before[head] == after[head]) ++head;
  while (tail < before.size() - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  return head + tail == before.size();
}

RC_GTEST_PROP(JsonEditProperty, set_is_found_and_changes_nothing_else, ()) {
  const std::string doc = document();
  RC_ASSERT(check_json(without_bom(doc)).ok());
  const std::vector<JsonStep> path = path_into(JsonView(doc));
  const std::string fresh = value(2);
  const JsonView old = lookup(JsonView(doc), path);
  const Result<std::string> edited = json_set(doc, path, fresh);
  RC_ASSERT(edited.has_value());
  RC_ASSERT(check_json(without_bom(*edited)).ok());
  RC_ASSERT(lookup(JsonView(*edited), path).raw() == fresh);
  RC_ASSERT(json_set(*edited, path, fresh).value() == *edited);
  if (old) {
    const auto at = static_cast<std::size_t>(old.raw().data() - doc.data());
    RC_ASSERT(*edited == doc.substr(0, at) + fresh + doc.substr(at + old.raw().size()));
    RC_ASSERT(json_set(*edited, path, old.raw()).value() == doc);
  } else {
    RC_ASSERT(is_insertion(doc, *edited));
  }
}

RC_GTEST_PROP(JsonEditProperty, remove_leaves_all_other_bytes, ()) {
  const std::string doc = document();
  const std::vector<JsonStep> path = path_into(JsonView(doc));
  const bool was_there = static_cast<bool>(lookup(JsonView(doc), path));
  const Result<std::string> edited = json_remove(doc, path);
  RC_ASSERT(edited.has_value());
  RC_ASSERT(check_json(without_bom(*edited)).ok());
  if (!was_there) {
    RC_ASSERT(*edited == doc);
    return;
  }
  const JsonPath parent_path = JsonPath(path).first(path.size() - 1);
  const JsonView before = lookup(JsonView(doc), parent_path);
  const JsonView after = lookup(JsonView(*edited), parent_path);
  // Nothing changed outside the container; inside, the other items keep their order.
  const auto at = static_cast<std::size_t>(before.raw().data() - doc.data());
  RC_ASSERT(*edited == doc.substr(0, at) + std::string(after.raw()) + doc.substr(at + before.raw().size()));
  std::vector<std::string_view> kept, left;
  std::size_t index = 0;
  for (const JsonItem& item : before.kind() == JsonKind::object ? before.fields() : before.elements()) {
    const JsonStep& step = path.back();
    const bool named = step.is_index() ? step.index() == index : item.key_is(step.key());
    if (!named) kept.insert(kept.end(), {item.raw_key, item.value.raw()});
    ++index;
  }
  for (const JsonItem& item : after.kind() == JsonKind::object ? after.fields() : after.elements()) {
    left.insert(left.end(), {item.raw_key, item.value.raw()});
  }
  RC_ASSERT(kept == left);
}

RC_GTEST_PROP(JsonEditProperty, remove_undoes_an_added_member, ()) {
  const std::string doc = document();
  const std::vector<JsonStep> path = {"never there before"};
  RC_PRE(JsonView(doc).fields().begin() != std::default_sentinel);
  RC_ASSERT(json_remove(json_set(doc, path, value(2)).value(), path).value() == doc);
}

}  // namespace
}  // namespace holdfast
