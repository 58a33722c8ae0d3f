// Takes the messages of one session and keeps those that match.
// Thread-safety: one thread per object.
#pragma once

#include <atomic>

#include "find/search.h"
#include "index/trigrams.h"
#include "model/events.h"
#include "model/id_set.h"

namespace holdfast::inline v1 {

class HitFinder final : public Events {
 public:
  // `stop` is set once enough was found. `trigrams` collects the trigrams of all texts; may be nullptr.
  HitFinder(const SearchQuery& query, const Matcher& matcher, const Session& session, const std::atomic<bool>& stop,
            TrigramSet* trigrams)
      : query_(query), matcher_(matcher), session_(session), stop_(stop), trigrams_(trigrams) {}

  void facts(const SessionFacts&) override {}
  bool message(Message message) override;

  std::uint64_t hits() const { return hits_; }
  std::vector<SearchHit> take_found() { return std::move(found_); }
  // Whether every message was examined.
  bool whole() const { return whole_; }

 private:
  bool matches() const;
  void keep(const Message& message, std::int64_t ordinal);

  const SearchQuery& query_;
  const Matcher& matcher_;
  const Session& session_;
  const std::atomic<bool>& stop_;
  TrigramSet* trigrams_;
  SearchableTexts said_;
  const std::vector<std::string_view>* texts_ = nullptr;
  std::int64_t ordinal_ = 0;
  std::uint64_t hits_ = 0;
  std::vector<SearchHit> found_;
  IdSet seen_;  // ids of messages with hits: a message that is stored twice is one hit
  bool whole_ = true;
};

}  // namespace holdfast::inline v1
