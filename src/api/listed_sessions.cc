#include "api/listed_sessions.h"

#include <algorithm>
#include <map>

#include "api/guarded.h"
#include "api/list_cursor.h"
#include "api/machine_copies.h"
#include "api/own_machine.h"
#include "api/session_filter.h"
#include "api/session_tree.h"
#include "base/sort_stably.h"
#include "find/finding_places.h"
#include "model/archived_status.h"
#include "store/engine.h"
#include "store/noted_facts.h"

namespace holdfast::inline v1 {
namespace {

// The order of the list; the sessions of a store already have it.
bool comes_first(const SessionRow* a, const SessionRow* b) {
  const RowHead &mine = a->head.row, &its = b->head.row;
  if (mine.updated_at != its.updated_at) return mine.updated_at > its.updated_at;
  return mine.id < its.id;
}

constexpr std::size_t kAtOnce = 128;  // rows per piece
constexpr std::size_t kNames = 700;   // approximate bytes of a row besides its texts

struct StoreRows {
  std::string name;
  SessionRows rows;
  std::shared_ptr<Store> store = {};
  std::string machine = {};  // empty for this machine
  std::string layout = {};   // if there is no `store`
  bool here = true;          // the bytes are on this machine
};

bool passes(const Session& session, const SessionFilter& filter) {
  const auto in = [&](const std::string& project) {
    return project.empty() || (session.project + "/").starts_with(project) || session.project == project;
  };
  return (in(filter.project) || (!filter.also_project.empty() && in(filter.also_project))) &&
         (filter.since.empty() || session.updated_at >= filter.since) &&
         (filter.until.empty() || session.updated_at <= filter.until) &&
         (!filter.status || *filter.status == session.status);
}

// Rows for sessions of other machines whose bytes are not here, from what their devices published.
std::vector<StoreRows> absent_rows(const std::vector<AbsentSession>& absent, const SessionFilter& filter,
                                   std::string_view layout) {
  std::map<std::pair<std::string, std::string>, StoreRows> stores;
  for (const AbsentSession& one : absent) {
    const JsonView row(one.row);
    const auto text = [&](std::string_view key) { return row.find(key).as_string().value_or(""); };
    Session entry;
    entry.id = one.key.id;
    entry.layout = one.key.layout;
    entry.store = one.key.layout + ":" + one.key.store;
    entry.project = text("project");
    entry.title = text("title");
    entry.first_prompt = text("first_prompt");
    add_noted_facts(one.row, false, entry);
    entry.status = kArchivedStatus;
    entry.counted = false;
    if (!passes(entry, filter) || (!layout.empty() && layout != one.key.layout)) continue;
    StoreRows& store = stores[{one.machine, entry.store}];
    store.name = one.machine + " " + entry.store;
    store.machine = one.machine;
    store.layout = one.key.layout;
    store.here = false;
    add_row(store.rows, std::move(entry));
  }
  std::vector<StoreRows> all;
  for (auto& [key, store] : stores) {
    for (std::size_t i = 0; i < store.rows.all.size(); ++i) store.rows.order.push_back(i);
    std::ranges::sort(store.rows.order, [rows = &store.rows.all](std::size_t a, std::size_t b) {
      return comes_first(&(*rows)[a], &(*rows)[b]);
    });
    all.push_back(std::move(store));
  }
  return all;
}

// The costs of the rows of a page, which may come from any of the stores.
Result<std::vector<SessionCost>> costs_of(const Call& call, const std::vector<const SessionRow*>& page,
                                          const std::vector<SessionRows>& rows,
                                          const std::vector<std::shared_ptr<Store>>& stores) {
  std::vector<SessionCost> costs;
  std::string buffer;
  for (const SessionRow* const session : page) {
    const auto its = std::ranges::find_if(rows, [&](const SessionRows& one) {
      return !one.all.empty() && session >= one.all.data() && session < one.all.data() + one.all.size();
    });
    const std::shared_ptr<Store>& store = stores[static_cast<std::size_t>(its - rows.begin())];
    if (store == nullptr) {
      costs.emplace_back();
      continue;
    }
    HOLDFAST_LET(engine, engine_of(*store));
    const auto rollup = engine->rollup_of(call.context, *its, *session, buffer);
    costs.push_back(rollup ? cost_of(*rollup, call.stores.settings().prices) : SessionCost());
  }
  return costs;
}

// Keeps only the sessions with the requested star or tag.
void keep_noted(const Call& call, const Notes& notes, std::vector<StoreRows>& stores) {
  const bool starred = call.flag("starred");
  auto tag = call.maybe_text("tag");
  if (tag && tag->starts_with('#')) tag->erase(0, 1);  // tags are shown with it
  if (!starred && !tag) return;
  for (StoreRows& store : stores)
    std::erase_if(store.rows.order, [&](std::size_t number) {
      const SessionNote* const note = notes.of(store.store->layout_name(), store.rows.all[number].head.row.id);
      return note == nullptr || (starred && !note->starred) || (tag && !note->has_tag(*tag));
    });
}

// Merges both in order; of equal rows, those of `before` come first.
std::vector<const SessionRow*> merged(const std::vector<const SessionRow*>& before, const SessionRows& rows,
                                      std::size_t most) {
  std::vector<const SessionRow*> its(std::min(most, rows.order.size()));
  for (std::size_t i = 0; i < its.size(); ++i) its[i] = &rows.all[rows.order[i]];
  std::vector<const SessionRow*> both(before.size() + its.size());
  std::ranges::merge(before, its, both.begin(), comes_first);
  return both;
}

// How many of a store's sessions come before the cursor in the list.
std::size_t skipped(const ListCursor& cursor, const StoreRows& in) {
  const auto before = [&](std::size_t number) {
    const RowHead& row = in.rows.all[number].head.row;
    return !cursor.is_before(row.updated_at, row.id, in.name);
  };
  return static_cast<std::size_t>(std::ranges::partition_point(in.rows.order, before) - in.rows.order.begin());
}

BranchesByRow branches_in(std::vector<StoreRows>& found, const std::map<SessionName, std::string>& continued,
                          const HandOffs& handed_off) {
  std::vector<BranchedStore> stores;
  for (StoreRows& one : found) {
    const std::string_view name = one.store ? std::string_view(one.store->layout_name()) : std::string_view(one.layout);
    stores.push_back({one.rows, name, !one.machine.empty()});
  }
  return gather_branches(stores, continued, handed_off);
}

}  // namespace

Result<ListedSessions> ListedSessions::look(const Call& call) {
  if (call.has("remote")) return list_at_remote(call);
  Page page = page_of(call);
  const bool tree = call.flag("tree");
  if (tree) HOLDFAST_TRY(check_cursor(call));
  std::optional<ListCursor> cursor;
  if (call.has("cursor") && !tree) {
    HOLDFAST_LET(parsed, ListCursor::parse(call.text("cursor")));
    cursor = std::move(parsed);
  }
  HOLDFAST_LET(filter, filter_of(call));
  filter.inner = call.flag("all");
  HOLDFAST_LET(stores, stores_of(call));
  std::vector<StoreRows> found;
  HOLDFAST_LET(unread, for_each_store(
                           call, stores,
                           [&](Store& store) -> Result<StoreRows> {
                             HOLDFAST_LET(engine, engine_of(store));
                             HOLDFAST_LET(rows, listed_rows(call.context, *engine, filter));
                             if (stores.size() > 1) place_findings(store, rows.findings);
                             return StoreRows{store.name(), std::move(rows), engine->shared_from_this()};
                           },
                           [&](StoreRows one) { found.push_back(std::move(one)); }));
  std::vector<Finding> findings;
  for (StoreRows& store : found) std::ranges::move(store.rows.findings, std::back_inserter(findings));
  std::ranges::move(unread, std::back_inserter(findings));
  ListedSessions list;
  list.notes_ = Notes::read(call.context, call.stores.settings());
  if (list.notes_->finding()) findings.push_back(*list.notes_->finding());
  keep_noted(call, *list.notes_, found);
  list.handed_off_ = list.notes_->handed_off();
  std::map<SessionName, std::string> continued;
  if (call.has("machine")) {
    HOLDFAST_LET(view, call.stores.machines().look(call.context, call.stores, call.text("machine")));
    HOLDFAST_LET(layout, requested_layout(call));
    std::ranges::move(absent_rows(view.not_here, filter, layout), std::back_inserter(found));
    for (StoreRows& store : found)
      if (const auto origin = call.stores.machines().origin_of(store.name, {})) store.machine = origin->machine;
    CopiesElsewhere copies = copies_elsewhere(call);
    if (call.text("machine") == "all") continued = std::move(copies.continued);
    list.handed_off_.merge(copies.handed_off);
  }
  list.branches_ = branches_in(found, continued, list.handed_off_);
  // Rows with the same time and id are ordered by the name of their store.
  sort_stably(found, [](const StoreRows& a, const StoreRows& b) { return a.name < b.name; });
  if (cursor) {
    page.skip = 0;
    for (const StoreRows& store : found) page.skip += skipped(*cursor, store);
  }
  std::vector<std::shared_ptr<Store>> opened;
  for (StoreRows& store : found) {
    opened.push_back(store.store);
    if (call.has("machine")) list.machines_.push_back({store.machine, store.here});
    const SessionRows& rows = list.stores_.emplace_back(std::move(store.rows));
    list.total_ += rows.order.size();
    if (!rows.order.empty() && !tree) list.page_ = merged(list.page_, rows, page.skip + page.limit);
  }
  if (tree) {
    for (const TreeRow& row : order_as_trees(list.stores_, page.skip + page.limit, comes_first)) {
      list.page_.push_back(row.row);
      list.depths_.push_back(row.depth);
    }
  }
  const std::size_t from = std::min(page.skip, list.page_.size());
  list.page_.erase(list.page_.begin(), list.page_.begin() + static_cast<std::ptrdiff_t>(from));
  list.page_.resize(std::min(page.limit, list.page_.size()));
  if (tree) list.depths_.erase(list.depths_.begin(), list.depths_.begin() + static_cast<std::ptrdiff_t>(from));
  if (call.flag("long")) {
    HOLDFAST_LET(costs, costs_of(call, list.page_, list.stores_, opened));
    list.costs_ = std::move(costs);
  }
  JsonWriter json = begin_answer();
  json.key("sessions").begin_array();
  list.opening_ = json.text().size();
  json.end_array();
  write_page(json, page, list.page_.size(), list.total_, [&] {
    if (tree) return counted_cursor(page.skip + list.page_.size());
    Session last = list.page_.back()->session();
    return ListCursor{std::string(list.page_.back()->head.row.updated_at), std::move(last.id), std::move(last.store)}
        .text();
  });
  write_findings(json, "findings", findings);
  list.frame_ = json.end_object().take();
  return list;
}

std::vector<std::string_view> ListedSessions::ids() const {
  std::vector<std::string_view> all;
  for (const SessionRows& rows : stores_) {
    for (const SessionRow& row : rows.all) all.push_back(row.head.row.id);
  }
  return all;
}

void ListedSessions::view(std::size_t row, SessionView& into) const {
  view_of(*page_[row], into);
  if (const SessionNote* const noted = note(into); noted != nullptr && !noted->title.empty()) into.title = noted->title;
}

std::string_view ListedSessions::machine_of(const SessionRow& row, bool& here) const {
  for (std::size_t n = 0; n < machines_.size(); ++n) {
    const auto& all = stores_[n].all;
    if (all.empty() || &row < all.data() || &row >= all.data() + all.size()) continue;
    here = machines_[n].here;
    return machines_[n].machine;
  }
  return {};
}

std::vector<ListedSessions::Branch> ListedSessions::branches(std::size_t row) const {
  std::vector<Branch> all;
  const auto found = branches_.find(page_[row]);
  if (found == branches_.end()) return all;
  for (const SessionRow* const one : *found->second) {
    Branch& branch = all.emplace_back();
    branch.machine = machine_of(*one, branch.here);
    view_of(*one, branch.session);
    if (const auto at = std::ranges::find(page_, one); at != page_.end())
      branch.row = static_cast<std::size_t>(at - page_.begin());
  }
  return all;
}

// The source of a session according to another machine; nullptr if a note on this machine has it.
const SessionName* ListedSessions::noted_elsewhere(const SessionView& session) const {
  if (handed_off_.empty()) return nullptr;
  const auto source = handed_off_.find({std::string(session.layout), std::string(session.id)});
  const SessionNote* const noted = note(session);
  return source == handed_off_.end() || (noted != nullptr && !noted->source.id.empty()) ? nullptr : &source->second;
}

void ListedSessions::write_branches(JsonWriter& json, std::size_t row) const {
  json.begin_array();
  for (const Branch& branch : branches(row)) {
    const SessionView& session = branch.session;
    json.begin_object().key("machine");
    branch.machine.empty() ? json.null() : json.string(branch.machine);
    json.key("layout").string(session.layout).key("id").string(session.id).key("messages");
    branch.here ? json.int64(session.counts.user + session.counts.assistant) : json.null();
    json.key("updated_at");
    session.updated_at.empty() ? json.null() : json.string(session.updated_at);
    json.key("here").boolean(branch.here).end_object();
  }
  json.end_array();
}

void ListedSessions::write(JsonWriter& json, std::size_t begin, std::size_t end) const {
  json.expect(about(begin, end));
  SessionView row;
  for (std::size_t i = begin; i < end; ++i) {
    view(i, row);
    const SessionNote* const noted = note(row);
    bool here = true;
    const std::string_view machine = machine_of(*page_[i], here);
    const bool branched = branches_.contains(page_[i]);
    if (costs_.empty() && depths_.empty() && noted == nullptr && machine.empty() && !branched) {
      write_session(json, row);
      continue;
    }
    JsonWriter one;
    write_session(one, row);
    std::string text = one.take();
    text.pop_back();
    if (!machine.empty()) text += ",\"machine\":" + JsonWriter().string(machine).take();
    if (!machine.empty() && !there_) text += std::string(",\"here\":") + (here ? "true" : "false");
    if (!costs_.empty()) {
      const double cost = costs_[i].total();
      text += ",\"cost\":" + (cost > 0 ? JsonWriter().number(rounded_usd(cost)).take() : std::string("null"));
      if (const double estimated = costs_[i].estimated; estimated > 0)
        text += ",\"estimated_usd\":" + JsonWriter().number(rounded_usd(estimated)).take();
    }
    if (!depths_.empty()) text += ",\"depth\":" + std::to_string(depths_[i]);
    if (branched) {
      JsonWriter branches;
      write_branches(branches, i);
      text += ",\"branches\":" + branches.take();
    }
    if (const SessionName* const source = noted_elsewhere(row); source != nullptr)
      text += ",\"handed_off_from\":" + json_of(*source);
    text += "}";
    json.raw(noted == nullptr ? text : with_note(std::move(text), *noted));
  }
}

std::size_t ListedSessions::about(std::size_t begin, std::size_t end) const {
  std::size_t bytes = 0;
  for (std::size_t i = begin; i < end; ++i) bytes += page_[i]->head.packed.size() + kNames;
  return bytes;
}

std::string ListedSessions::answer() const {
  std::string text;
  text.reserve(frame_.size() + about(0, size()));
  tell([&](std::string_view piece) {
    text += piece;
    return true;
  });
  return text;
}

// The rows of piece n, with a comma before them unless it is the first.
std::string ListedSessions::piece(std::size_t n) const {
  JsonWriter json;
  json.begin_array();
  write(json, n * kAtOnce, std::min((n + 1) * kAtOnce, size()));
  std::string rows = json.take();
  n == 0 ? rows.erase(0, 1) : rows.replace(0, 1, ",");  // the opening bracket
  return rows;
}

bool ListedSessions::tell(const std::function<bool(std::string_view piece)>& take) const {
  const std::string_view frame = frame_;
  if (!take(frame.substr(0, opening_))) return false;
  const std::size_t pieces = (size() + kAtOnce - 1) / kAtOnce;
  bool wanted = true;
  run_in_order(
      pieces, threads_for(pieces), [&](std::size_t n) { return piece(n); },
      [&](const std::string& rows) { return wanted = take(rows); });
  return wanted && take(frame.substr(opening_));
}

Result<ListedSessions> list_sessions(const Context& context, Stores& stores, std::string_view params) {
  return guarded([&]() -> Result<ListedSessions> {
    const Operation& operation = *find_operation("session.list");
    std::string respelled;
    HOLDFAST_LET(view, checked_params(operation, params, respelled));
    HOLDFAST_TRY(context.check());
    const auto here = without_own_machine({context, operation, view, stores});
    if (here) view = JsonView(*here);
    return ListedSessions::look(Call{context, operation, view, stores});
  });
}

}  // namespace holdfast::inline v1
