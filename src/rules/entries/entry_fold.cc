#include "rules/entries/entry_fold.h"

#include <algorithm>

namespace holdfast::inline v1 {

EntryLineView::EntryLineView(std::string_view line) {
  // Walk only once: a line may be long.
  for (const JsonItem& field : JsonView(line).fields()) {
    const JsonView value = field.value;
    if (field.key_is("type")) {
      kind = value.is_string("write")     ? Kind::write
             : value.is_string("again")   ? Kind::again
             : value.is_string("entries") ? Kind::head
                                          : Kind::other;
    } else if (field.key_is("at")) {
      at = value.as_int64().value_or(0);
    } else if (field.key_is("drop")) {
      drop = static_cast<std::size_t>(std::max<std::int64_t>(value.as_int64().value_or(0), 0));
    } else if (field.key_is("entries")) {
      entries = value;
    } else if (field.key_is("summary")) {
      summary = value;
    } else if (field.key_is("operation")) {
      operation = value.as_string().value_or("");
    } else if (field.key_is("digest")) {
      digest = value.as_string().value_or("");
    }
  }
}

void EntryFold::drop(std::size_t count) {
  for (count = std::min(count, uuids.size()); count > 0; --count) {
    known.erase(uuids.back());
    uuids.pop_back();
    lines.pop_back();
  }
}

bool EntryFold::take(std::string_view line, std::uint64_t offset) {
  const EntryLineView seen(line);
  if (seen.kind == EntryLineView::Kind::head) id = JsonView(line).find("id").as_string().value_or("");
  if (seen.kind != EntryLineView::Kind::write) return false;
  written = true;
  at = std::max(at, seen.at);
  if (!seen.operation.empty()) operations.insert_or_assign(seen.operation, seen.digest);
  if (seen.summary) summary = seen.summary.raw();
  drop(seen.drop);
  for (const JsonItem& entry : seen.entries.elements()) {
    uuids.push_back(entry.value.find("uuid").as_string().value_or(""));
    lines.push_back(offset);
    if (!uuids.back().empty()) known.insert(uuids.back());
  }
  return true;
}

bool EntryContents::take(std::string_view line) {
  const EntryLineView seen(line);
  if (seen.kind == EntryLineView::Kind::head) {
    const JsonView head(line);
    const auto text = [&](std::string_view key) { return head.find(key).as_string().value_or(""); };
    id = text("id");
    project = text("project");
    session = text("session");
    stream = text("stream");
  }
  if (seen.kind != EntryLineView::Kind::write) return false;
  written = true;
  at = std::max(at, seen.at);
  entries.resize(entries.size() - std::min(seen.drop, entries.size()));
  for (const JsonItem& entry : seen.entries.elements()) entries.emplace_back(entry.value.raw());
  if (seen.summary) summary = seen.summary.raw();
  return true;
}

}  // namespace holdfast::inline v1
