#include "api/index_stream.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/was_stopped.h"
#include "find/counted_json.h"
#include "find/searchable_texts.h"
#include "find/stats.h"
#include "layout/layout.h"
#include "model/model_json.h"
#include "model/time_formats.h"
#include "store/engine.h"
#include "store/session_rows.h"
#include "sync/content.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxListed = std::size_t{256} << 10;  // largest row in bytes

// Passes on messages and their texts as a search on this machine sees them.
class MessageTeller final : public Events {
 public:
  explicit MessageTeller(const ProjectedMessageSink& take) : take_(take) {}

  void facts(const SessionFacts&) override {}
  bool message(Message message) override {
    ProjectedMessage row;
    row.ordinal = ordinal_++;
    row.same = message.id.empty() ? row.ordinal : first_.try_emplace(message.id, row.ordinal).first->second;
    row.role = role_name(message.role);
    const bool typed = message.role == Role::user && message.origin == Origin::typed;
    const bool answered = message.role == Role::assistant && message.origin == Origin::model;
    row.kind = typed ? "prompts" : answered ? "answers" : "rest";
    row.at = to_iso_time(message.timestamp);
    SearchableTexts said, thought, tools;
    project_texts(said.of(message, {.thinking = false, .tools = false}),
                  thought.of(message, {.prompts = false, .answers = false, .tools = false, .rest = false}),
                  tools.of(message, {.prompts = false, .answers = false, .thinking = false, .rest = false}), row);
    // Do not store what no search can find.
    if (row.said.text.empty() && row.thought.text.empty() && row.tools.text.empty()) return true;
    taken_ = take_(std::move(row));
    return taken_.has_value();
  }

  const Result<void>& taken() const { return taken_; }

 private:
  const ProjectedMessageSink& take_;
  std::uint64_t ordinal_ = 0;
  std::unordered_map<std::string, std::uint64_t> first_;  // first ordinal, by message id
  Result<void> taken_ = {};
};

class StoreIndexer {
 public:
  StoreIndexer(const Call& call, Projection& projection, const IndexedStream& stream, const KnownSessions& known,
               IndexReport& report)
      : call_(call), projection_(projection), stream_(stream), known_(known), report_(report) {}

  const std::set<std::string>& kept() const { return kept_; }
  bool overtaken() const { return overtaken_; }
  std::uint64_t left_out() const { return left_out_; }

  // Indexes the sessions of one store; skips what cannot be read.
  Result<void> run(const IndexedSource& source, const std::string& layout, const std::string& place,
                   const std::set<std::string>& ids) {
    layout_ = layout;
    place_ = place;
    for (const std::string& id : ids) kept_.insert(session_named(id).key());
    const CaptureState& state = source.files->state();
    std::set<std::string> here;
    for (const std::string& id : ids)
      if (source.files->holds(state.sessions.at({layout, place, id}))) here.insert(id);
    if (here.size() < ids.size())
      leave_out(ids.size() - here.size(), (ids.size() - here.size() == 1 ? std::string("its") : std::string("their")) +
                                              " bytes are not at the remote, or changed here since the last sync");
    if (here.empty()) return {};
    if (find_layout(layout) == nullptr) {
      leave_out(here.size(), "this version does not know the layout " + layout);
      return {};
    }
    source.files->show(layout, place, here);
    StoreOptions options{.layout = layout};
    options.roots[""] = CapturedFiles::path_of(source.path, layout, place);
    options.cache = call_.stores.settings().cache;
    auto store = Store::open(call_.context, *source.files, options);
    if (!store) {
      HOLDFAST_TRY(call_.context.check());
      leave_out(here.size(), store.error().message);
      return {};
    }
    return index(**store, state, here);
  }

 private:
  ProjectedSession session_named(std::string_view id) const {
    return {.stream = stream_.id, .session = {layout_, place_, std::string(id)}, .machine = stream_.machine};
  }

  void leave_out(std::uint64_t count, const std::string& why) {
    if (count == 0) return;
    left_out_ += count;
    report_.findings.push_back(
        {stream_.machine + " " + layout_ + ":" + place_, 0, 0, "left_out",
         std::to_string(count) + (count == 1 ? " session is" : " sessions are") + " left out: " + why, 0});
  }

  Result<void> index(Store& store, const CaptureState& state, const std::set<std::string>& ids) {
    HOLDFAST_LET(engine, engine_of(store));
    HOLDFAST_LET(rows, engine->rows(call_.context, {.inner = true}));
    HOLDFAST_LET(counted, count_store(call_.context, store, {}));
    std::map<std::string, const Share*, std::less<>> shares;
    for (const CountedSession& session : counted.sessions) shares[session.id] = &session.share;
    std::map<Place, std::string> holders;  // which session a file belongs to
    for (const std::string& id : ids)
      for (const auto& [file, version] : state.sessions.at({layout_, place_, id}).head) holders.emplace(file, id);
    std::set<std::string> seen;
    for (const SessionRow& row : rows.all) {
      HOLDFAST_TRY(call_.context.check());
      const std::string id(row.found.id), name(row.head.row.id);  // ID@KEY for a copy
      seen.insert(id);
      // A transcript that is part of another session is shared like that session.
      const auto holder = holders.find(row.found.ref().place);
      if (!ids.contains(id) && holder == holders.end()) continue;
      ProjectedSession session = session_named(name);
      session.part_of = ids.contains(id) ? id : holder->second;
      const OpOrigin origin = read_origin(state.sessions.at({layout_, place_, session.part_of}).origin);
      session.number = origin.number;
      session.policy = origin.policy;
      session.identity = origin.identity;
      const auto share = shares.find(name);
      std::string buffer;
      const auto rollup = engine->rollup_of(call_.context, rows, row, buffer);
      session.counted = write_counted(share == shares.end() ? Share() : *share->second, rollup ? *rollup : Rollup());
      fill(row, session);
      HOLDFAST_TRY(put(*engine, row, session));
      if (overtaken_) return {};
    }
    std::uint64_t unread = 0;
    for (const std::string& id : ids) unread += seen.contains(id) ? 0 : 1;
    leave_out(unread, "they cannot be read");
    return {};
  }

  void fill(const SessionRow& row, ProjectedSession& session) const {
    Session listed = row.session();
    listed.store = layout_ + ":" + place_;
    session.project = listed.project;
    session.updated_at = listed.updated_at;
    session.status = status_name(listed.status);
    session.inner = row.found.inner;
    session.subagent = row.is_subagent();
    const auto written = [&] {
      JsonWriter json;
      write_session(json, listed);
      return json.take();
    };
    session.listed = written();
    if (session.listed.size() <= kMaxListed) return;
    listed.metadata.clear();
    listed.summary.clear();
    session.listed = written();
  }

  Result<void> put(FileStore& engine, const SessionRow& row, const ProjectedSession& session) {
    const std::string key = session.key();
    kept_.insert(key);
    const auto there = known_.find(key);
    const bool same = there != known_.end() && there->second.number == session.number;
    if (same && there->second.digest == session.digest()) return {};
    std::optional<Error> unread;
    const ProjectedMessageSource tell = [&](const ProjectedMessageSink& take) -> Result<void> {
      MessageTeller teller(take);
      DirectoryFeed feed = engine.looking(call_.context);
      auto read = engine.layout().read(feed, row.found.ref(), {}, teller);
      HOLDFAST_TRY(teller.taken());
      if (!read) unread = read.error();
      return read;
    };
    const auto outcome =
        projection_.put(call_.context, session, stream_.head, same ? ProjectedMessageSource() : tell, report_.written);
    if (!outcome && unread && !was_stopped(*unread)) {
      leave_out(1, unread->message);
      return {};
    }
    if (!outcome) return fail(outcome.error());
    if (*outcome == PutOutcome::busy) leave_out(1, "someone else is writing to it");
    report_.sessions += *outcome == PutOutcome::done ? 1 : 0;
    overtaken_ = *outcome == PutOutcome::overtaken;
    return {};
  }

  const Call& call_;
  Projection& projection_;
  const IndexedStream& stream_;
  const KnownSessions& known_;
  IndexReport& report_;
  std::string layout_, place_;
  std::set<std::string> kept_;  // keys
  bool overtaken_ = false;
  std::uint64_t left_out_ = 0;
};

// Whether nothing was added to the stream since, and all its sessions to index are indexed.
bool is_complete(const IndexedStream& stream, const KnownSessions& known) {
  if (!stream.indexed || stream.indexed->head != stream.head || stream.indexed->left_out > 0) return false;
  std::set<CaptureKey> there;
  for (const auto& [key, session] : known) there.insert(session.session);
  return std::ranges::all_of(stream.sources, [&](const IndexedSource& source) {
    return std::ranges::all_of(source.meant, [&](const CaptureKey& key) { return there.contains(key); });
  });
}

}  // namespace

Result<void> index_stream(const Call& call, Projection& projection, const IndexedStream& stream, const std::string& at,
                          IndexReport& report) {
  HOLDFAST_TRY(projection.begin(call.context, stream.id));
  HOLDFAST_LET(known, projection.known(call.context, stream.id));
  if (is_complete(stream, known)) return projection.confirm(call.context, stream.id, {stream.head, at});
  StoreIndexer indexer(call, projection, stream, known, report);
  for (const IndexedSource& source : stream.sources) {
    std::map<std::pair<std::string, std::string>, std::set<std::string>> stores;
    for (const CaptureKey& key : source.meant) stores[{key.layout, key.store}].insert(key.id);
    for (const auto& [store, ids] : stores) {
      HOLDFAST_TRY(indexer.run(source, store.first, store.second, ids));
      if (indexer.overtaken()) return {};
    }
  }
  for (const auto& [key, session] : known) {
    if (indexer.kept().contains(key)) continue;
    HOLDFAST_TRY(projection.remove(call.context, key));
    ++report.removed;
  }
  report.left_out += indexer.left_out();
  HOLDFAST_TRY(projection.finish(call.context, stream.id, {stream.head, at, indexer.left_out()}, indexer.kept()));
  return {};
}

}  // namespace holdfast::inline v1
