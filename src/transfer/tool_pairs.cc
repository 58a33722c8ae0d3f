#include "transfer/tool_pairs.h"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "layout/layout.h"
#include "layout/tool_dialect_parts.h"
#include "model/time_formats.h"
#include "text/json_edit.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

using Ids = std::unordered_set<std::string>;
using Inserted = std::map<std::size_t, std::vector<RescuedRecord>>;  // keyed by the record that they precede

class Pairing {
 public:
  Pairing(std::vector<RescuedRecord>& records, const RecordChain& chain, const ToolDialect& dialect)
      : records_(records), chain_(chain), dialect_(dialect) {
    look();
  }

  Result<ToolRepairs> pair() {
    HOLDFAST_TRY(give_results_their_calls());
    look();
    give_calls_their_results();
    return repairs_;
  }

 private:
  struct OpenCall {
    ToolMention call;
    std::string strand;
    std::size_t record = 0;
    std::optional<std::size_t> lost_before = std::nullopt;  // the record after the loss
  };

  // Reads what every record says about tools, and its id.
  void look() {
    talks_.clear();
    for (const RescuedRecord& record : records_) {
      const JsonView json(record.bytes);
      talks_.push_back(dialect_.talk(json));
      if (record.made_text) talks_.back().turn = false;
      for (const ToolMention& call : talks_.back().calls) calls_.insert(call.id);
      for (const ToolMention& mention : talks_.back().mentions)
        if (mention.answers) answers_.insert(mention.id);
      if (chain_.id.empty()) continue;
      const auto id = ids_.insert(string_in(json, chain_.id)).first;
      short_ids_ = short_ids_ || id->size() == 8;
    }
  }

  bool is_orphan(const ToolMention& mention) const { return !mention.id.empty() && !calls_.contains(mention.id); }

  // The named orphans from record `from` up to the next turn: one answer made these calls.
  std::vector<ToolMention> named_orphans(std::size_t from) const {
    std::vector<ToolMention> found;
    for (std::size_t n = from; n < talks_.size() && (n == from || !talks_[n].turn); ++n) {
      for (const ToolMention& mention : talks_[n].mentions) {
        const bool again = std::ranges::any_of(found, [&](const ToolMention& one) { return one.id == mention.id; });
        if (is_orphan(mention) && !mention.name.empty() && !again) found.push_back(mention);
      }
    }
    return found;
  }

  Result<void> give_results_their_calls() {
    Inserted made;
    bool loss = false;
    for (std::size_t n = 0; n < records_.size(); ++n) {
      loss = loss || records_[n].after_loss;
      const bool orphans = std::ranges::any_of(talks_[n].mentions, [&](const auto& one) { return is_orphan(one); });
      if (!loss || !orphans) continue;
      HOLDFAST_TRY(make_call_before(n, made));
      HOLDFAST_TRY(rest_as_text(n));
    }
    insert(std::move(made));
    return {};
  }

  // The made record gets the orphan's parent, and becomes the orphan's parent.
  Result<void> make_call_before(std::size_t n, Inserted& made) {
    const bool here =
        std::ranges::any_of(talks_[n].mentions, [&](const auto& one) { return is_orphan(one) && !one.name.empty(); });
    if (!here) return {};
    const std::vector<ToolMention> calls = named_orphans(n);
    RescuedRecord& record = records_[n];
    const JsonView json(record.bytes), parent = chain_.id.empty() ? JsonView() : json.find(chain_.parent);
    const InsertionPoint place{.records = records_,
                               .at = n,
                               .before = {},
                               .beside = json,
                               .id = new_id(calls.front().id + " call"),
                               .parent = std::string(parent ? parent.raw() : "null")};
    std::string text = dialect_.make_call(place, calls);
    if (text.empty()) return {};
    if (!chain_.id.empty()) {
      HOLDFAST_LET(linked, json_set(record.bytes, {chain_.parent}, JsonWriter().string(place.id).text()));
      record.bytes = std::move(linked);
    }
    for (const ToolMention& call : calls) calls_.insert(call.id);
    repairs_.calls_made += calls.size();
    made[n].push_back({.bytes = std::move(text), .after_loss = std::exchange(record.after_loss, false)});
    return {};
  }

  Result<void> rest_as_text(std::size_t n) {
    std::vector<std::string> ids;
    for (const ToolMention& mention : talks_[n].mentions)
      if (is_orphan(mention) && mention.answers) ids.push_back(mention.id);
    if (ids.empty()) return {};
    HOLDFAST_LET(text, dialect_.as_text(records_[n].bytes, ids));
    records_[n].bytes = std::move(text);
    records_[n].made_text = true;
    repairs_.results_as_text += ids.size();
    return {};
  }

  void give_calls_their_results() {
    std::map<std::size_t, std::vector<OpenCall>> due;  // by the record that the result precedes
    std::vector<OpenCall> open;
    std::map<std::string, std::string> turns;  // strand -> its turn_key
    for (std::size_t n = 0; n < records_.size(); ++n) {
      const ToolActivity& talk = talks_[n];
      std::string& turn = turns[talk.strand];
      for (OpenCall& one : open)
        if (records_[n].after_loss && !one.lost_before) one.lost_before = n;
      if (!talk.empty()) {
        for (const OpenCall& one : open)
          if (one.lost_before) due[*one.lost_before].push_back(one);
        const bool same_turn = !talk.turn || (!talk.turn_key.empty() && talk.turn_key == turn);
        std::erase_if(
            open, [&](const OpenCall& one) { return one.lost_before || (!same_turn && one.strand == talk.strand); });
      }
      if (talk.turn) turn = talk.turn_key;
      if (!talk.mentions.empty() && turn == kOneAnswer) turn.clear();
      for (const ToolMention& call : talk.calls)
        if (!call.id.empty() && !answers_.contains(call.id))
          open.push_back({.call = call, .strand = talk.strand, .record = n});
    }
    Inserted made;
    for (const auto& [at, calls] : due) make_results_before(at, calls, made);
    insert(std::move(made));
  }

  void make_results_before(std::size_t at, const std::vector<OpenCall>& calls, Inserted& made) {
    for (const OpenCall& one : calls) {
      const JsonView beside(records_[one.record].bytes);
      const JsonView before(made[at].empty() ? records_[at - 1].bytes : made[at].back().bytes);
      const std::string parent = id_before(at, made[at], is_aside(beside));
      const InsertionPoint place{.records = records_,
                                 .at = at,
                                 .before = before,
                                 .beside = beside,
                                 .id = new_id(one.call.id + " result"),
                                 .parent = parent.empty() ? "null" : JsonWriter().string(parent).take()};
      std::string text = dialect_.make_result(place, one.call);
      if (text.empty()) continue;
      text = no_earlier(std::move(text), one.record, at);
      ++repairs_.results_made;
      made[at].push_back({.bytes = std::move(text)});
    }
  }

  // A made record has the time of its call, or the latest time of the records since: times in a log do not go back.
  std::string no_earlier(std::string made, std::size_t call, std::size_t at) const {
    const JsonView own = JsonView(made).find("timestamp");
    auto latest = own.kind() == JsonKind::string ? parse_any_time(own.as_string().value_or("")) : std::nullopt;
    if (!latest) return made;
    std::string_view written = own.raw();
    for (std::size_t n = call + 1; n < at; ++n) {
      const JsonView time = JsonView(records_[n].bytes).find("timestamp");
      const auto when = time.kind() == JsonKind::string ? parse_any_time(time.as_string().value_or("")) : std::nullopt;
      if (!when || *when <= *latest) continue;
      latest = when;
      written = time.raw();
    }
    return json_set(made, {"timestamp"}, written).value_or(made);
  }

  // The id of the last record before `at`, in the main or in the side conversation.
  std::string id_before(std::size_t at, const std::vector<RescuedRecord>& made, bool aside) const {
    if (chain_.id.empty()) return {};
    const auto id_of = [&](const RescuedRecord& record) {
      const JsonView json(record.bytes);
      return is_aside(json) == aside ? string_in(json, chain_.id) : std::string();
    };
    for (std::size_t n = made.size(); n > 0; --n)
      if (std::string id = id_of(made[n - 1]); !id.empty()) return id;
    for (std::size_t n = at; n > 0; --n)
      if (std::string id = id_of(records_[n - 1]); !id.empty()) return id;
    return {};
  }

  void insert(Inserted made) {
    if (made.empty()) return;
    std::vector<RescuedRecord> out;
    out.reserve(records_.size() + made.size());
    for (std::size_t n = 0; n < records_.size(); ++n) {
      if (const auto here = made.find(n); here != made.end()) std::ranges::move(here->second, std::back_inserter(out));
      out.push_back(std::move(records_[n]));
    }
    records_ = std::move(out);
  }

  // The same for the same damage, and as long as the ids of the log: 8 digits, or a UUID derived from a hash.
  std::string new_id(const std::string& seed) {
    for (int attempt = 0;; ++attempt) {
      std::string hex = xxh3_hex(seed + std::to_string(attempt));
      if (short_ids_) {
        hex.resize(8);
      } else {
        hex[12] = '5';
        hex[16] = '8';
        for (const std::size_t dash : {8U, 13U, 18U, 23U}) hex.insert(dash, "-");
      }
      if (ids_.insert(hex).second) return hex;
    }
  }

  std::vector<RescuedRecord>& records_;
  const RecordChain chain_;
  const ToolDialect& dialect_;
  std::vector<ToolActivity> talks_;
  Ids calls_, answers_, ids_;
  bool short_ids_ = false;  // pi
  ToolRepairs repairs_;
};

}  // namespace

std::vector<const ToolDialect*> tool_dialects() {
  std::vector<const ToolDialect*> all;
  for (const Layout* layout : layouts())
    if (layout->tools() != nullptr) all.push_back(layout->tools());
  return all;
}

const ToolDialect* dialect_of(const std::vector<RescuedRecord>& records) {
  for (const ToolDialect* const dialect : tool_dialects()) {
    for (const RescuedRecord& record : records) {
      const ToolActivity talk = dialect->talk(JsonView(record.bytes));
      if (!talk.calls.empty() || !talk.mentions.empty()) return dialect;
    }
  }
  return nullptr;
}

Result<ToolRepairs> pair_tools(std::vector<RescuedRecord>& records, const RecordChain& chain) {
  if (std::ranges::none_of(records, [](const RescuedRecord& record) { return record.after_loss; }))
    return ToolRepairs{};
  const ToolDialect* const dialect = dialect_of(records);
  if (dialect == nullptr) return ToolRepairs{};
  return Pairing(records, chain, *dialect).pair();
}

}  // namespace holdfast::inline v1
