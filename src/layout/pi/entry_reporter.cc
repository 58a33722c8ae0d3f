#include "layout/pi/entry_reporter.h"

#include "layout/pi/entry.h"

namespace holdfast::inline v1::pi {

bool EntryReporter::take(std::string_view line, std::uint64_t offset) {
  PiEntry entry = read_entry(line, options_.whole);
  if (entry.kind == PiEntryKind::header) {
    if (headed_) return true;  // a header that came with a copy
    headed_ = true;
    cwd_ = std::move(entry.cwd);
    created_ = std::move(entry.message.timestamp);
    parent_session_ = std::move(entry.parent_session);
    return true;
  }
  leaf_.clear();
  if (entry.kind == PiEntryKind::name)
    name_ = std::move(entry.text);
  else if (entry.kind == PiEntryKind::leaf)
    leaf_ = std::move(entry.text);
  if (entry.moved) turn_.leave();
  turn_.take(entry.message);
  entry.message.offset = offset;
  if (options_.raw) entry.message.raw = line;
  return events_.report(std::move(entry.message));
}

void EntryReporter::finish(SessionFacts facts, std::string_view leaf) {
  if (facts.project.empty()) facts.project = cwd_;
  if (facts.created_at.empty()) facts.created_at = created_;
  if (!name_.empty()) facts.title = name_;
  facts.pending = turn_.pending();
  events_.facts(facts);
  if (!leaf.empty() || !leaf_.empty()) events_.leaf(leaf.empty() ? std::string_view(leaf_) : leaf);
}

}  // namespace holdfast::inline v1::pi
