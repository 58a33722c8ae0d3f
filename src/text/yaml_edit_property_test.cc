// For any document: an edit changes the lines of its key and no others.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "text/json_value.h"
#include "text/yaml_edit.h"
#include "text/yaml_lines.h"
#include "text/yaml_testing.h"
#include "text/yaml_value.h"
#include "text/yaml_write.h"

namespace holdfast {
namespace {

const std::vector<std::string> kKeys = {"a", "b", "no", "key with space", "\xC3\xA9", "1", "z: #"};

// A value as people and other programs write it, from the colon to the line end.
std::string written_value() {
  return nasty_pick({"",
                     " # c",
                     " 1",
                     " plain text",
                     "   'it''s'   # c",
                     " \"q # \\\" x\"\t# c",
                     " [1, {k: ']'}] # c",
                     " [1, # ]\n  2]",
                     " {}",
                     " |\n  x\n\n   # y",
                     " >- # c\n  fold\n  ed",
                     " |+\n  x\n\n",
                     " \"one\n  # two\"",
                     " one\n  two # c",
                     "\n  k: 1 # c\n  l:\n    - 1\n    - \"2\n      # 3\"",
                     " # c\n  - x\n  -\n  - k:",
                     "\n- x\n- k: |\n    y",
                     " !!str 12",
                     " &anchor x",
                     " 2026-01-01",
                     " ~"});
}

struct Written {
  std::vector<std::string> parts;  // each the lines of one key, with the key's index in kKeys
  std::vector<std::size_t> keys;
  std::string doc;
};

Written document() {
  Written out;
  const std::string eol = nasty_pick({"\n", "\r\n"});
  std::vector<std::size_t> order;
  for (std::size_t key = 0; key < kKeys.size(); ++key) {
    if (*rc::gen::inRange(0, 2) == 0) order.push_back(key);
  }
  if (order.empty()) order.push_back(0);
  for (const std::size_t key : order) {
    std::string part =
        yaml_scalar(kKeys[key]) + ":" + written_value() + "\n" + nasty_pick({"", "", "\n", "# c\n", "\n# c\n\n"});
    std::string lines;
    for (const char c : part) lines += c == '\n' ? eol : std::string(1, c);
    out.parts.push_back(lines);
    out.keys.push_back(key);
    out.doc += lines;
  }
  return out;
}

RC_GTEST_PROP(YamlEditProperty, set_changes_only_the_lines_of_its_key, ()) {
  const Written written = document();
  RC_ASSERT(yaml_to_json(written.doc).has_value());
  const std::size_t at = *rc::gen::inRange<std::size_t>(0, written.parts.size());
  const std::string value = nasty_json(3);
  const Result<std::string> edited = yaml_set(written.doc, kKeys[written.keys[at]], value);
  RC_ASSERT(edited.has_value());
  std::string before, after;
  for (std::size_t part = 0; part < written.parts.size(); ++part) {
    if (part != at) (part < at ? before : after) += written.parts[part];
  }
  RC_ASSERT(edited->starts_with(before));
  RC_ASSERT(edited->ends_with(after));
  RC_ASSERT(edited->size() > before.size() + after.size());
  const std::string json = yaml_to_json(*edited).value();
  RC_ASSERT(JsonView(json).find(kKeys[written.keys[at]]).raw() == value);
  RC_ASSERT(yaml_set(*edited, kKeys[written.keys[at]], value).value() == *edited);
  RC_ASSERT((edited->find("\r\n") != std::string::npos) == (written.doc.find("\r\n") != std::string::npos));
}

RC_GTEST_PROP(YamlEditProperty, remove_undoes_an_added_key, ()) {
  const Written written = document();
  const Result<std::string> added = yaml_set(written.doc, "never there before", nasty_json(2));
  RC_ASSERT(added.has_value());
  RC_ASSERT(added->starts_with(written.doc));
  RC_ASSERT(yaml_remove(*added, "never there before").value() == written.doc);
}

RC_GTEST_PROP(YamlEditProperty, remove_leaves_the_lines_of_the_others, ()) {
  const Written written = document();
  RC_PRE(written.parts.size() > 1u);
  const std::size_t at = *rc::gen::inRange<std::size_t>(0, written.parts.size());
  const std::string& key = kKeys[written.keys[at]];
  const Result<std::string> edited = yaml_remove(written.doc, key);
  RC_ASSERT(edited.has_value());
  std::string before, after;
  for (std::size_t part = 0; part < written.parts.size(); ++part) {
    if (part != at) (part < at ? before : after) += written.parts[part];
  }
  RC_ASSERT(edited->starts_with(before));
  RC_ASSERT(edited->ends_with(after));
  RC_ASSERT(!JsonView(yaml_to_json(*edited).value()).find(key));
}

RC_GTEST_PROP(YamlEditProperty, paths_into_written_documents, ()) {
  const std::string json = nasty_json_object(4);
  const std::string yaml = json_to_yaml(JsonView(json)).value();
  std::vector<std::string> keys;
  JsonView view(json);
  for (int left = *rc::gen::inRange(1, 4); left > 0 && view.kind() == JsonKind::object; --left) {
    std::vector<std::string> names = {"new"};
    for (const JsonItem& item : view.fields()) names.push_back(item.key());
    keys.push_back(nasty_pick(names));
    view = view.find(keys.back());
    if (!view) break;
  }
  const std::vector<JsonStep> path(keys.begin(), keys.end());
  const std::string value = nasty_json(2);
  RC_ASSERT(yaml_to_json(yaml_set(yaml, path, value).value()).value() == json_set(json, path, value).value());
  const Result<std::string> removed = yaml_remove(yaml, path);
  RC_ASSERT(yaml_to_json(removed.value()).value() == json_remove(json, path).value());
}

}  // namespace
}  // namespace holdfast
