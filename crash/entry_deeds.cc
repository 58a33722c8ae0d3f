#include "entry_deeds.h"

#include <algorithm>
#include <array>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::lab {
namespace {

using Kind = EntryTransaction::Kind;

constexpr std::array<const char*, 3> kStreams{"", "sub", "sub/agent"};
constexpr const char* kSizes = "ssml";

std::string array_of(const std::vector<ModelEntry>& entries, const StoreTraits& traits) {
  JsonWriter json;
  json.begin_array();
  for (const ModelEntry& entry : entries) {
    json.begin_object();
    if (!entry.uuid.empty()) json.key("uuid").string(entry.uuid);
    json.key("text").string(text_of(entry.name, traits)).end_object();
  }
  return json.end_array().take();
}

std::string text_at(JsonView json, std::string_view key) { return json.find(key).as_string().value_or(""); }

class Maker {
 public:
  Maker(const EntryModel& model, const std::string& session, std::uint64_t number, Random& random)
      : model_(model), number_(number), random_(random) {
    made_.session = session;
    made_.number = number;
  }

  EntryTransaction make() {
    const EntryStreams& streams = model_.some(made_.session);
    const std::uint64_t draw = random_.below(100);
    if (draw < 25 && repeat(draw < 5)) return std::move(made_);
    made_.stream = kStreams[random_.below(kStreams.size())];
    if (draw < 31 && !streams.empty()) {
      made_.kind = Kind::remove;
      return std::move(made_);
    }
    const auto at = streams.find(made_.stream);
    const EntryStream stream = at == streams.end() ? EntryStream() : at->second;
    if (draw < 55) replace(stream);
    add_new(made_.kind == Kind::replace ? random_.below(3) : 1 + random_.below(3));
    if (random_.chance(20) && !stream.entries.empty()) add_known(stream);
    if (random_.chance(60)) made_.operation = "op" + std::to_string(number_);
    if (random_.chance(40)) made_.summary = "summary" + std::to_string(number_);
    if (random_.chance(25)) after(stream);
    return std::move(made_);
  }

 private:
  // An earlier one again, whoever asked for it; or another one under its operation id.
  bool repeat(bool misuse) {
    std::vector<EntryTransaction> all = model_.latest();
    std::erase_if(all, [&](const EntryTransaction& one) {
      return one.session != made_.session || one.kind == Kind::remove || (misuse && one.operation.empty());
    });
    if (all.empty()) return false;
    made_ = all[random_.below(all.size())];
    made_.number = number_;
    if (misuse) add_new(1);
    return true;
  }

  void replace(const EntryStream& stream) {
    made_.kind = Kind::replace;
    std::size_t count = std::min<std::size_t>(random_.below(4), stream.entries.size());
    made_.expected.assign(stream.entries.end() - static_cast<std::ptrdiff_t>(count), stream.entries.end());
    if (count > 1 && random_.chance(15)) made_.expected.pop_back();  // not the end of the stream
  }

  void add_new(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name =
          "e" + std::to_string(number_) + std::string(1, static_cast<char>('p' + i)) + kSizes[random_.below(4)];
      made_.entries.push_back({name, random_.chance(60) ? "u-" + name : std::string()});
    }
  }

  // An entry whose uuid is in the stream, or leaves it with this transaction.
  void add_known(const EntryStream& stream) {
    ModelEntry entry = stream.entries[random_.below(stream.entries.size())];
    if (entry.uuid.empty()) return;
    entry.name = "e" + std::to_string(number_) + "zs";
    made_.entries.push_back(entry);
  }

  void after(const EntryStream& stream) {
    const std::uint64_t changed = random_.chance(70) ? stream.changed : stream.changed / 2;
    const std::string version = model_.version(changed);
    if (changed == 0 || !version.empty()) made_.after = {changed, version};
  }

  const EntryModel& model_;
  const std::uint64_t number_;
  Random& random_;
  EntryTransaction made_;
};

}  // namespace

EntryTransaction some_transaction(const EntryModel& model, const std::string& session, std::uint64_t number,
                                  Random& random) {
  return Maker(model, session, number, random).make();
}

EntryCall call_of(const EntryTransaction& transaction, const StoreTraits& traits) {
  JsonWriter json;
  json.begin_object().key("project").string(kProject).key("session").string(transaction.session);
  if (!transaction.stream.empty()) json.key("stream").string(transaction.stream);
  if (transaction.kind == Kind::remove) return {"entry.delete", json.end_object().take()};
  const bool replaces = transaction.kind == Kind::replace;
  if (replaces) json.key("expected").raw(array_of(transaction.expected, traits));
  json.key("entries").raw(array_of(transaction.entries, traits));
  if (!transaction.operation.empty()) json.key("operation_id").string(transaction.operation);
  if (!transaction.summary.empty()) json.key("summary").string(transaction.summary);
  if (transaction.after) json.key("after").string(transaction.after->version);
  return {replaces ? "entry.replace" : "entry.append", json.end_object().take()};
}

EntryAnswer entry_answer(const EntryTransaction& transaction, const std::string& result) {
  const JsonView json(result);
  if (transaction.kind == Kind::remove) return {.applied = json.find("deleted").as_bool() == true};
  const auto count = [&](std::string_view key) {
    return static_cast<std::uint64_t>(json.find(key).as_int64().value_or(-1));
  };
  return {.applied = json.find("applied").as_bool() == true,
          .appended = count("appended"),
          .duplicates = count("duplicates"),
          .total = count("total"),
          .version = text_at(json, "version")};
}

EntryAnswer entry_answer(const EntryTransaction& transaction, const Result<std::string>& answer) {
  if (!answer) return {.error = std::string(code_name(answer.error().code))};
  return entry_answer(transaction, *answer);
}

Result<std::map<std::string, SeenStreams>> look_at_entries(Door& door, const StoreTraits& traits,
                                                           std::span<const std::string_view> sessions,
                                                           std::vector<std::string>& altered) {
  std::map<std::string, SeenStreams> seen;
  for (const std::string_view session : sessions) seen[std::string(session)];
  HOLDFAST_LET(listed, door.call("entry.list", params({{"project", kProject}})));
  std::map<std::string, std::string> summaries;
  for (const JsonItem& item : JsonView(listed).find("sessions").elements()) summaries[text_at(item.value, "session")];
  HOLDFAST_LET(summarised, door.call("entry.summaries", params({{"project", kProject}})));
  for (const JsonItem& item : JsonView(summarised).find("summaries").elements())
    summaries[text_at(item.value, "session")] = text_at(item.value, "summary");
  for (auto& [session, streams] : seen) {
    HOLDFAST_LET(names, door.call("entry.streams", params({{"project", kProject}, {"session", session}})));
    std::vector<std::string> all{""};
    for (const JsonItem& item : JsonView(names).find("streams").elements())
      all.push_back(item.value.as_string().value_or(""));
    for (const std::string& stream : all) {
      HOLDFAST_LET(loaded,
                   door.call("entry.load", params({{"project", kProject}, {"session", session}, {"stream", stream}})));
      const JsonView json(loaded);
      const bool is_listed = !stream.empty() || summaries.contains(session);
      if ((json.find("exists").as_bool() == true) != is_listed)
        altered.push_back(session + "/" + stream + " is listed and not there, or there and not listed");
      if (!is_listed) continue;
      SeenEntries& into = streams[stream];
      into.summary = text_at(json, "summary");
      if (stream.empty() && into.summary != summaries[session])
        altered.push_back(session + " has the summary " + into.summary + ", and " + summaries[session] + " is listed");
      for (const JsonItem& item : json.find("entries").elements()) {
        const std::string name = name_in(text_at(item.value, "text"), traits);
        if (name.empty())
          altered.push_back("an entry holds what nobody wrote: " + std::string(item.value.raw()).substr(0, 80));
        into.entries.push_back({name, text_at(item.value, "uuid")});
      }
    }
  }
  return seen;
}

}  // namespace holdfast::lab
