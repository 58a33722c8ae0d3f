#include "store_verify.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "entry_deeds.h"
#include "store_picture.h"
#include "text/json_value.h"

namespace holdfast::lab {
namespace {

constexpr std::string_view kSession = "session ";
constexpr std::size_t kAgain = 3;

void rename_in(Picture& picture, const std::string& from, const std::string& to) {
  if (auto slot = picture.slots.extract(from)) {
    slot.key() = to;
    picture.slots.insert(std::move(slot));
  }
  if (auto shelf = picture.shelves.extract(from)) {
    shelf.key() = to;
    picture.shelves.insert(std::move(shelf));
  }
}

// Whether somebody was told that the missing half of an "orphan_call" or "orphan_result" is kept. Looks in
// the session that the damage names, since a fork may have been made between the two halves.
bool is_kept(const Ledger& ledger, const std::string& damage) {
  constexpr std::string_view kBefore = "the call c";
  const auto at = damage.find(kBefore);
  if (at == std::string::npos) return true;
  const auto number = std::strtoull(damage.c_str() + at + kBefore.size(), nullptr, 10);
  const std::string missing = damage.starts_with("orphan_call") ? "o" + std::to_string(number + 1) + "o"  // named next
                                                                : "c" + std::to_string(number) + "s";
  const auto keeps = [&](const LedgerShelf& shelf) {
    const auto item = shelf.items.find(missing);
    return item != shelf.items.end() && item->second.fate == Fate::power;
  };
  const std::size_t id = messages_shelf("").size();
  for (const auto& [name, shelf] : ledger.shelves()) {
    if (name.starts_with(messages_shelf("")) && damage.contains(std::string_view(name).substr(id))) return keeps(shelf);
  }
  return std::ranges::any_of(ledger.shelves(), [&](const auto& shelf) { return keeps(shelf.second); });
}

class StoreVerifier {
 public:
  StoreVerifier(FileSystem& files, const std::string& top, const StoreTraits& traits, const Ledger& ledger,
                const Judgement& judgement, std::uint64_t salt, const std::string& what, Outcome& outcome)
      : traits_(traits),
        ledger_(ledger),
        judgement_(judgement),
        what_(what),
        outcome_(outcome),
        door_(files, std::string(traits.layout), top, salt % 2 == 0) {}

  bool run() {
    if (!must("open", door_.call("store.create", "{}"))) return false;
    Picture seen;
    if (!look(seen) || !ledger_.compare(seen, judgement_, what_, outcome_)) return false;
    return bring_back(seen) && ask_again() && use(seen) && renewed_indexes();
  }

 private:
  bool must(const std::string& step, const Result<std::string>& answer) {
    if (answer) return true;
    outcome_.fail(&Outcome::unopenable, what_ + ": cannot " + step + ": " + answer.error().text());
    return false;
  }

  bool look(Picture& into) {
    auto picture = look_at(door_, traits_, true);
    if (!picture) return must("read", fail(picture.error()));
    into = std::move(*picture);
    adopt_unanswered(ledger_, judgement_.finished, into);
    stale_index_ =
        std::erase_if(into.damage, [](const std::string& each) { return each.starts_with("index_lies "); }) > 0;
    forgive_damage(traits_, ledger_, judgement_, into);
    return true;
  }

  // What is in the trash can be restored whole.
  bool bring_back(const Picture& seen) {
    Ledger after = ledger_;
    bool any = false;
    for (const auto& [name, value] : seen.slots) {
      if (!name.starts_with(kSession) || (value != "trashed" && value != "both")) continue;
      const std::string id = name.substr(kSession.size());
      if (!must("restore " + id, door_.call("session.restore", params({{"id", id}})))) return false;
      after.settle_value(name, "live", Fate::power);
      any = true;
    }
    if (!any) return true;
    Picture again;
    return look(again) && after.compare(again, judgement_, what_ + ", restored", outcome_);
  }

  // Callers that were not answered repeat their transactions, and others do so by mistake.
  bool ask_again() {
    if (!traits_.entries) return true;
    EntryModel model = ledger_.entries();
    std::vector<EntryTransaction> latest = model.latest();
    std::erase_if(latest, [](const auto& one) { return one.kind == EntryTransaction::Kind::remove; });
    for (std::size_t i = latest.size() - std::min(kAgain, latest.size()); i < latest.size(); ++i) {
      latest[i].number = UINT64_MAX - i;
      model.attempt(latest[i]);
      const EntryCall call = call_of(latest[i], traits_);
      const auto answer = door_.call(call.method, call.params);
      if (!answer && !is_refusal_by_rule(code_name(answer.error().code))) return must("repeat a transaction", answer);
      (void)model.answered(latest[i], entry_answer(latest[i], answer));
    }
    std::vector<std::string> wrong;
    const auto seen = look_at_entries(door_, traits_, kEntrySessions, wrong);
    if (!seen) return must("read", fail(seen.error()));
    std::ranges::move(model.complaints(*seen), std::back_inserter(wrong));
    for (const std::string& each : wrong) outcome_.fail(&Outcome::wrong, what_ + ", asked again: " + each);
    return wrong.empty();
  }

  bool use(const Picture& seen) {
    if (!traits_.talks) return true;
    for (const auto& [name, value] : seen.slots) {
      if (!name.starts_with(kSession) || name.starts_with("session ?") || value != "live") continue;
      const std::string id = name.substr(kSession.size());
      if (!must("append to " + id, door_.call("message.append", params({{"session", id}, {"text", "after"}}))))
        return false;
      const auto answer = door_.call("message.list", params({{"session", id}, {"last", raw("1")}}));
      if (!must("list " + id, answer)) return false;
      used_ = answer->find("\"after\"") != std::string::npos;
      if (used_) return true;
      outcome_.fail(&Outcome::lost, what_ + ": what was appended afterwards is not in " + id);
      return false;
    }
    return true;
  }

  // After a process died, an index file may be older than what it lists; the next change renews it.
  bool renewed_indexes() {
    if (!stale_index_ || !used_) return true;
    if (const auto closed = door_.close(); !closed) return must("close", fail(closed.error()));
    Picture again;
    if (!look(again)) return false;
    if (!stale_index_) return true;
    outcome_.fail(&Outcome::wrong, what_ + ": an index file lies even after the next change");
    return false;
  }

  const StoreTraits& traits_;
  const Ledger& ledger_;
  const Judgement& judgement_;
  const std::string& what_;
  Outcome& outcome_;
  LibraryDoor door_;
  bool stale_index_ = false;
  bool used_ = false;
};

}  // namespace

void adopt_unanswered(const Ledger& ledger, bool finished, Picture& picture) {
  std::vector<std::string> unknown;
  for (const auto& [name, value] : picture.slots)
    if (name.starts_with(kSession) && !ledger.knows(name)) unknown.push_back(name.substr(kSession.size()));
  for (const std::string& id : unknown) {
    const std::string title = picture.slots[title_slot(id)];
    for (const auto& [name, slot] : ledger.slots()) {
      if (!name.starts_with("session ?")) continue;
      const std::string made = name.substr(kSession.size());
      const bool untitled = !finished && title.empty() && !slot.possible.empty();
      if (made.substr(1) != title && id.find(made.substr(1)) == std::string::npos && !untitled) continue;
      rename_in(picture, session_slot(id), session_slot(made));
      rename_in(picture, title_slot(id), title_slot(made));
      rename_in(picture, messages_shelf(id), messages_shelf(made));
      break;
    }
  }
}

void forgive_damage(const StoreTraits& traits, const Ledger& ledger, const Judgement& judgement, Picture& picture) {
  std::erase_if(picture.damage, [&](const std::string& each) {
    return withheld("damage", traits.layout, std::string_view(each).substr(0, each.find(' ')));
  });
  if (!traits.logs) return;
  static constexpr std::array<std::string_view, 5> kTorn{"torn ", "truncated ", "nul ", "glued ", "not_json "};
  std::erase_if(picture.damage, [&](const std::string& each) {
    if (each.starts_with("orphan_call ") || each.starts_with("orphan_result ")) return !is_kept(ledger, each);
    // Messages that need not survive may survive in any combination; the ledger detects those that were lost wrongly.
    if (each.starts_with("orphan_message ")) return judgement.power_loss;
    // Checksums are not synced with their data. The texts themselves are compared here instead.
    if (each.starts_with("checksum ")) return judgement.power_loss;
    return std::ranges::any_of(kTorn, [&](std::string_view kind) { return each.starts_with(kind); });
  });
}

bool verify_store(FileSystem& files, const std::string& top, const StoreTraits& traits, const Ledger& ledger,
                  const Judgement& judgement, std::uint64_t salt, const std::string& what, Outcome& outcome) {
  return StoreVerifier(files, top, traits, ledger, judgement, salt, what, outcome).run();
}

}  // namespace holdfast::lab
