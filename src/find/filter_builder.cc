#include "find/filter_builder.h"

#include <algorithm>

#include "find/searchable_texts.h"

namespace holdfast::inline v1 {

TrigramSet& trigram_set() {
  thread_local TrigramSet set;
  return set;
}

std::uint64_t sound_bytes(const DirectoryFeed& feed, const Place& log) {
  const bool alone = std::ranges::all_of(
      feed.read_files(), [&](const auto& file) { return file.first == log || file.second == Fingerprint::missing(); });
  return alone && feed.findings().empty() && feed.unfinished().empty() ? feed.bytes_read() : 0;
}

NewFilter make_filter(const SessionRef& ref, const SessionEntry& entry, const DirectoryFeed& feed,
                      std::int64_t looked_ns, std::uint64_t serial) {
  const std::vector<std::uint32_t> all = trigram_set().take();
  NewFilter filter;
  filter.entry = {.generation = entry.generation, .position = position_of(entry), .looked_ns = looked_ns};
  for (const auto& [place, print] : feed.read_files()) {
    if (!entry.files.contains(place)) filter.entry.files.emplace(place, print);
  }
  if (feed.read_files().contains(ref.place)) filter.entry.sound = sound_bytes(feed, ref.place);
  filter.entry.count = all.size();
  filter.entry.shape = filter_shape(all.size(), serial);
  filter.bits = empty_filter(filter.entry.shape);
  add_to_filter(filter.entry.shape, filter.bits, all);
  return filter;
}

void FilterBuilder::message(Message message) {
  thread_local SearchableTexts said;
  for (const std::string_view text : said.of(message, {})) trigram_set().add(text);
}

void FilterBuilder::end(const SessionRef& ref, const SessionEntry& entry, const DirectoryFeed& feed) {
  NewFilter filter = make_filter(ref, entry, feed, entry.looked_ns, file_system_.entropy());
  const ScopedLock guard(mutex_);
  filters_.put(SessionKey::of(ref), std::move(filter.entry), filter.bits);
}

void FilterBuilder::forget() { (void)trigram_set().take(); }

}  // namespace holdfast::inline v1
