// Any bytes as Markdown: ranges stay inside, a tick is one byte, the body of a file
// survives new front matter, and cleaned text is harmless.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "text/checklist.h"
#include "text/clean.h"
#include "text/front_matter.h"
#include "text/markdown_sections.h"

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view doc(reinterpret_cast<const char*>(data), size);
  const holdfast::FrontMatter split = holdfast::split_front_matter(doc);
  const auto replaced = holdfast::replace_front_matter(doc, "a: 1\n");
  must(replaced.has_value());
  must(holdfast::split_front_matter(*replaced).body == split.body);
  must(holdfast::replace_front_matter(doc, split.yaml).value_or("").ends_with(split.body));

  for (const holdfast::ChecklistItem& item : holdfast::checklist(doc)) {
    must(item.description_at <= item.description_end && item.description_end <= doc.size());
    const auto ticked = holdfast::set_marker(doc, item, item.marker == 'x' ? '~' : 'x');
    must(ticked && ticked->size() == doc.size());
    std::size_t different = 0;
    for (std::size_t at = 0; at < doc.size(); ++at) different += doc[at] != (*ticked)[at] ? 1 : 0;
    must(different == 1);
  }
  std::size_t at = 0;
  for (const holdfast::MarkdownHeading& heading : holdfast::markdown_headings(doc)) {
    must(at <= heading.at && heading.at < heading.body_at && heading.body_at <= heading.end);
    must(heading.end <= heading.tree_end && heading.tree_end <= doc.size());
    at = heading.end;
  }
  if (const auto labelled = holdfast::set_label(doc, "Status", "v")) {
    must(holdfast::label_value(*labelled, "Status")->value == "v");
  }
  const std::string clean = holdfast::clean_for_terminal(doc);
  for (const char c : clean) must(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t');
  must(holdfast::clean_for_terminal(clean) == clean);
  return 0;
}
