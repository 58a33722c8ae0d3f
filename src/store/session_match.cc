#include "store/session_match.h"

#include <algorithm>
#include <map>
#include <utility>

#include "store/lenient_feed.h"

namespace holdfast::inline v1 {

namespace {

constexpr std::size_t kCandidates = 10;  // listed in an error message

}  // namespace

bool abbreviates(std::string_view text, std::string_view id) {
  if (text.empty() || text.size() >= id.size() || !id.starts_with(text)) return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t before = text.find_last_not_of("0123456789");
  const std::string_view number = text.substr(before == std::string_view::npos ? 0 : before + 1);
  // Numbers with leading zeros all have the same number of digits.
  if (number.empty() || number.front() == '0') return true;
  return !std::ranges::all_of(id.substr(text.size()), is_digit);
}

namespace {

using Overlooked = std::function<bool(std::string_view id)>;

// Only in the files that `key` names; empty: in all.
Result<SessionMatch> match_in(const Layout& layout, Feed& feed, std::string_view id, std::string_view key,
                              Naming naming, const Overlooked& overlooked) {
  const auto is_meant = [&](const SessionRef& ref) {
    return key.empty() || ref.project == key || ref.place.path == key;
  };
  SessionMatch whole, match, others;
  const auto take_whole = [&](SessionRef ref) {
    if (is_meant(ref)) whole.files.push_back(std::move(ref));
    return true;
  };
  LenientFeed finding(feed);
  HOLDFAST_TRY(layout.locate_all(finding, id, take_whole));
  if (whole.files.empty()) {
    auto looked = layout.find(finding, [&](SessionRef ref) {
      if (ref.id == id) return take_whole(std::move(ref));
      const bool begins = naming == Naming::sure_prefix ? abbreviates(id, ref.id) : ref.id.starts_with(id);
      if (!begins || !is_meant(ref)) return true;
      SessionMatch& one = overlooked && overlooked(ref.id) ? others : match;
      if (std::ranges::find(one.ids, ref.id) == one.ids.end()) {
        ++one.count;
        if (one.ids.size() < kCandidates) one.ids.push_back(ref.id);
      }
      if (one.count == 1)
        one.files.push_back(std::move(ref));
      else
        one.files.clear();
      return true;
    });
    // What cannot be listed must not hide a session that was found.
    if (!looked && whole.files.empty()) return fail(std::move(looked).error());
  }
  if (!whole.files.empty()) {
    match = std::move(whole);
    match.count = 1;
  } else {
    if (match.count == 0 && others.count == 1) match = std::move(others);
    if (match.count > 1 || naming == Naming::whole) match.files.clear();
    // The session may be in what was left out.
    if (match.count == 0 && finding.left_out()) return fail(*finding.left_out());
  }
  if (!match.files.empty()) match.ref = match.files.front();
  return match;
}

}  // namespace

Result<SessionMatch> match_session(const Layout& layout, Feed& feed, std::string_view id, Naming naming,
                                   const std::function<bool(std::string_view id)>& overlooked) {
  HOLDFAST_LET(match, match_in(layout, feed, id, {}, naming, overlooked));
  const std::size_t at = id.find('@');
  if (match.count > 0 || at == std::string_view::npos || at == 0 || at + 1 == id.size()) return match;
  HOLDFAST_LET(keyed, match_in(layout, feed, id.substr(0, at), id.substr(at + 1), naming, overlooked));
  if (!keyed.ref) return keyed;
  HOLDFAST_LET(all, match_in(layout, feed, keyed.ref->id, {}, Naming::whole, {}));
  keyed.files = std::move(all.files);
  keyed.by_key = true;
  return keyed;
}

void name_copies(std::span<SessionFile> files) {
  const auto newest = std::ranges::max_element(
      files, {}, [](const SessionFile& file) { return std::pair(std::string_view(file.updated_at), file.bytes); });
  for (SessionFile& file : files) {
    if (&file == &*newest) continue;
    const auto is_beside = [&](const SessionFile& other) { return other.ref.project == file.ref.project; };
    const bool alone = !file.ref.project.empty() && std::ranges::count_if(files, is_beside) == 1;
    file.ref.copy = file.ref.id + "@" + (alone ? file.ref.project : file.ref.place.path);
  }
}

std::vector<std::vector<std::size_t>> find_repeated(std::span<const std::string_view> ids) {
  // Ids are rarely repeated: check that first, without a map.
  std::vector<std::size_t> hashes;
  hashes.reserve(ids.size());
  for (const std::string_view id : ids) hashes.push_back(std::hash<std::string_view>()(id));
  std::ranges::sort(hashes);
  std::vector<std::vector<std::size_t>> repeated;
  if (std::ranges::adjacent_find(hashes) == hashes.end()) return repeated;
  std::map<std::string_view, std::vector<std::size_t>> all;
  for (std::size_t i = 0; i < ids.size(); ++i) all[ids[i]].push_back(i);
  for (auto& [id, numbers] : all)
    if (numbers.size() > 1) repeated.push_back(std::move(numbers));
  return repeated;
}

Error ambiguous_session(std::string_view id, std::size_t count, const std::vector<std::string>& candidates,
                        const std::string& store) {
  std::string text = "\"" + std::string(id) + "\" is ambiguous: " + std::to_string(count) + " sessions begin with it";
  const std::size_t named = std::min(candidates.size(), kCandidates);
  for (std::size_t i = 0; i < named; ++i) text += "\n  " + candidates[i];
  if (count > named) text += "\n  and " + std::to_string(count - named) + " more";
  return {Code::not_found, std::move(text), store};
}

Error session_match_error(const SessionMatch& match, std::string_view id, const std::string& store) {
  if (match.count > 1) return ambiguous_session(id, match.count, match.ids, store);
  return {Code::not_found, "there is no session " + std::string(id), store};
}

}  // namespace holdfast::inline v1
