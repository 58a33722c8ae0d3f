#include "find/session_search.h"

#include <algorithm>

#include "base/time.h"
#include "find/candidates.h"
#include "find/hit_finder.h"
#include "store/inherited.h"
#include "text/fold.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

// Whether a text that begins with `phrase` could contain the literal partly inside it.
bool may_share(std::string_view phrase, std::string_view literal) {
  if (phrase.contains(literal) || literal.contains(phrase)) return true;
  for (std::size_t size = 1; size < std::min(phrase.size(), literal.size()); ++size) {
    if (phrase.substr(phrase.size() - size) == literal.substr(0, size)) return true;
  }
  return false;
}

// Estimates from its bytes how common a trigram is.
int how_common(std::uint32_t trigram) {
  int sum = 0;
  for (unsigned shift = 0; shift < 24; shift += 8) sum += byte_frequency(static_cast<unsigned char>(trigram >> shift));
  return sum;
}

// A feed of one log that passes only candidates, or all lines with the others marked to be skimmed; everything else is
// empty.
class CandidateFeed final : public Feed {
 public:
  CandidateFeed(const Context& context, const RootDirectories& roots, const Place& log, const Sieves& sieves,
                CandidateQuery request)
      : context_(context), roots_(roots), log_(log), sieves_(sieves), request_(request) {}

  bool clear() const { return verdict_ != CandidateVerdict::unclear; }

  Result<std::vector<FeedEntry>> list(const Place&) override { return std::vector<FeedEntry>(); }
  Result<std::optional<FeedStat>> stat(const Place&) override { return std::nullopt; }
  Result<std::optional<std::string>> document(const Place&, std::uint64_t) override { return std::nullopt; }
  Result<bool> last_records(const Place&, std::size_t, std::uint64_t, const TakeRecord&) override { return true; }
  Result<void> rows(const Place&, std::string_view, std::span<const std::string>, const TakeRow&) override {
    return {};
  }
  void complain(const Place&, std::uint64_t, std::string_view, std::string_view) override {}
  Result<void> records(const Place& log, FeedRange, const TakeRecord& take) override {
    const auto root = roots_.find(log.root);
    if (log != log_ || root == roots_.end() || root->second == nullptr) return {};
    HOLDFAST_LET(verdict, find_candidates(context_, *root->second, log.path, sieves_, request_, take));
    verdict_ = verdict;
    return {};
  }

 private:
  const Context& context_;
  const RootDirectories& roots_;
  const Place& log_;
  const Sieves& sieves_;
  const CandidateQuery request_;
  CandidateVerdict verdict_ = CandidateVerdict::none;
};

}  // namespace

SessionSearch::SessionSearch(const Context& context, FileStore& engine, const SearchQuery& query,
                             const Matcher& matcher, const FilterStore& filters, bool build)
    : context_(context), engine_(engine), query_(query), matcher_(matcher), filters_(filters), build_(build) {
  own_phrases_disjoint_ = true;
  for (const std::vector<std::string>& literals : matcher.needed()) {
    auto& list = trigrams_.emplace_back();
    for (const std::string& literal : literals) {
      list.push_back(trigrams_of(literal));
      std::ranges::sort(list.back(), {}, how_common);  // a rare trigram decides sooner
      for (const std::string_view phrase : engine.layout().traits().own_phrases)
        own_phrases_disjoint_ = own_phrases_disjoint_ && !may_share(folded(phrase), literal);
    }
  }
}

bool SessionSearch::may_contain(const SessionFilterEntry& filter, FilterRows& rows) const {
  return std::ranges::all_of(trigrams_, [&](const auto& list) {
    return std::ranges::any_of(list,
                               [&](const auto& trigrams) { return filters_.may_contain(filter, trigrams, rows); });
  });
}

// Whether the session comes from its log alone: no side file holds texts.
bool SessionSearch::can_sieve(const SessionRef& ref, const SessionEntry& entry) const {
  if (matcher_.sieves() == nullptr || !own_phrases_disjoint_ ||
      engine_.layout().traits().raw_text == RawText::elsewhere)
    return false;
  if (ref.place.path.ends_with(".zst")) return false;
  return std::ranges::all_of(entry.files, [&](const auto& file) {
    return file.first == ref.place ? file.second != Fingerprint::missing() : file.second == Fingerprint::missing();
  });
}

bool SessionSearch::holds(const SessionFilterEntry& filter, const SessionHead& head) const {
  return filter.generation == head.generation && filter.position == head.position &&
         std::ranges::all_of(filter.files, [&](const auto& file) {
           return unchanged(engine_.roots().directories(), file.first, file.second, filter.looked_ns);
         });
}

const SessionFilterEntry* SessionSearch::filter_of(const SessionRow& row) const {
  const SessionFilterEntry* const known = filters_.find(row.found.key);
  return known != nullptr && holds(*known, row.head) ? known : nullptr;
}

SessionHits SessionSearch::look(const SessionRow& row, const std::atomic<bool>& stop) const {
  if (stop.load(std::memory_order_relaxed)) return {};
  const SessionFilterEntry* const known = filters_.find(row.found.key);
  const bool filtered = known != nullptr && holds(*known, row.head);
  const SessionRef ref = row.found.ref();
  const Session session = row.session();
  const SessionEntry entry = row.entry();
  std::optional<NewFilter> fresh;
  if (build_ && !filtered && known != nullptr) fresh = grown(ref, entry, *known);
  const bool build = build_ && !filtered && !fresh;
  const bool sieved = !build && can_sieve(ref, entry);
  std::optional<SessionHits> found;
  const std::uint64_t sound = filtered ? known->sound : fresh ? fresh->entry.sound : 0;
  if (sieved) found = search_candidates(session, ref, sound, stop);
  if (!found) found = search_all_records(session, ref, entry, sieved, build, stop);
  if (fresh) found->filter = std::move(fresh);
  // Only its own files were read; the messages before a fork are hits of the session that they belong to.
  if (!found->found.empty()) {
    const auto inherited = count_inherited(context_, engine_, ref);
    if (!inherited && !found->error) found->error = inherited.error();
    for (SearchHit& hit : found->found) hit.ordinal += inherited.value_or(0);
  }
  return std::move(*found);
}

// Returns nullopt if everything must be read.
std::optional<SessionHits> SessionSearch::search_candidates(const Session& session, const SessionRef& ref,
                                                            std::uint64_t sound, const std::atomic<bool>& stop) const {
  const RootDirectories& roots = engine_.roots().directories();
  const bool alone = engine_.layout().traits().raw_text == RawText::records;
  // Ordinals, and which records form one message, depend on all records; so all must be whole, which only a check
  // can tell.
  const bool every = !alone || !query_.count_only;
  const Sieves* const sieves = alone ? matcher_.sieves() : matcher_.sieves_of_any();
  if (!every || (sound > 0 && sieves != nullptr)) {
    CandidateFeed feed(context_, roots, ref.place, *sieves, {.sound = sound, .every = every});
    HitFinder seeker(query_, matcher_, session, stop, nullptr);
    if (!engine_.layout().read(feed, ref, {}, seeker) || !feed.clear()) return std::nullopt;
    return SessionHits{.hits = seeker.hits(), .found = seeker.take_found()};
  }
  const auto root = roots.find(ref.place.root);
  if (root == roots.end() || root->second == nullptr) return std::nullopt;
  const auto verdict = find_candidates(context_, *root->second, ref.place.path, *matcher_.sieves(), {},
                                       [](const FeedRecord&) { return false; });
  if (!verdict || *verdict != CandidateVerdict::none) return std::nullopt;
  return SessionHits();
}

SessionHits SessionSearch::search_all_records(const Session& session, const SessionRef& ref, const SessionEntry& entry,
                                              bool sieved, bool build, const std::atomic<bool>& stop) const {
  // A message of several records may contain each word in another record, and a damaged record between two may separate
  // them.
  const bool alone = engine_.layout().traits().raw_text == RawText::records;
  // Ordinals must equal those of `show`, which checks everything; a search that only counts checks just the lines that
  // may match.
  const bool counting = sieved && alone && query_.count_only;
  bool broken = false;
  DirectoryFeed feed = engine_.looking(context_, counting ? Check::framing : Check::whole);
  if (sieved) {
    feed.skim_unless(ref.place, [&, alone](std::string_view line) {
      const bool wanted = alone ? matcher_.sieves()->stand_in(line) : matcher_.may_hold_any(line);
      broken = broken || (wanted && counting && !is_json_object_line(line));
      return wanted;
    });
  }
  TrigramSet* const trigrams = build ? &trigram_set() : nullptr;
  const std::int64_t looked_ns = unix_ns(context_.clock->now());
  HitFinder seeker(query_, matcher_, session, stop, trigrams);
  const auto read = engine_.layout().read(feed, ref, {}, seeker);
  if (broken) return search_all_records(session, ref, entry, false, build, stop);
  SessionHits found{.hits = seeker.hits(), .found = seeker.take_found()};
  if (!read) found.error = read.error();
  if (!build) return found;
  if (!read || !seeker.whole()) {
    (void)trigrams->take();
    return found;
  }
  // The filter fits the entry only if the log did not change between the two reads.
  const auto log = feed.read_files().find(ref.place);
  const auto then = entry.files.find(ref.place);
  if ((log == feed.read_files().end()) != (then == entry.files.end()) ||
      (log != feed.read_files().end() && log->second != then->second)) {
    (void)trigrams->take();
    return found;
  }
  found.filter = make_filter(ref, entry, feed, looked_ns, engine_.file_system().entropy());
  return found;
}

// Returns the filter extended by what was appended to the log, if each record can be understood by itself.
std::optional<NewFilter> SessionSearch::grown(const SessionRef& ref, const SessionEntry& entry,
                                              const SessionFilterEntry& before) const {
  if (engine_.layout().traits().raw_text != RawText::records || !before.files.empty() ||
      before.generation != entry.generation || before.position >= position_of(entry))
    return std::nullopt;
  auto bits = filters_.bits_of(before);
  if (!bits) return std::nullopt;
  DirectoryFeed feed = engine_.looking(context_);
  const SearchQuery nothing{.count_only = true};
  const std::atomic<bool> on = false;
  TrigramSet& set = trigram_set();
  const Session session;
  HitFinder seeker(nothing, matcher_, session, on, &set);
  const auto read = engine_.layout().read(feed, ref, {.from = before.position}, seeker);
  const std::vector<std::uint32_t> more = set.take();
  // No other file may hold texts, and a filter that is too full is useless.
  const bool only_log = std::ranges::all_of(feed.read_files(), [&](const auto& file) {
    return file.first == ref.place || file.second == Fingerprint::missing();
  });
  if (!read || !only_log || before.count + more.size() > std::size_t{before.shape.blocks} * 80) return std::nullopt;
  NewFilter filter{before, std::move(*bits)};
  const std::uint64_t more_sound = sound_bytes(feed, ref.place);
  const bool sound = before.sound == before.position && more_sound > 0;
  filter.entry.sound = sound ? before.position + more_sound : 0;
  filter.entry.position = position_of(entry);
  filter.entry.count += more.size();
  filter.entry.shape.serial = engine_.file_system().entropy();
  add_to_filter(filter.entry.shape, filter.bits, more);
  return filter;
}

}  // namespace holdfast::inline v1
