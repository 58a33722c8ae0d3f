// session.list of a remote: the rows that its server has.
#include <algorithm>
#include <map>

#include "api/list_cursor.h"
#include "api/listed_sessions.h"
#include "api/remote_query.h"
#include "find/counted_json.h"
#include "model/session_json.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {

Result<ListedSessions> ListedSessions::list_at_remote(const Call& call) {
  Page page = page_of(call);
  ListCursor cursor;
  if (call.has("cursor")) {
    HOLDFAST_LET(parsed, ListCursor::parse(call.text("cursor")));
    cursor = std::move(parsed);
  }
  HOLDFAST_LET(query, ask_remote(call, {"store", "tree", "starred", "tag"}));
  query.filter.inner = call.flag("all");
  HOLDFAST_LET(there, query.projection.list(call.context, query.filter, {cursor.updated_at, cursor.id, cursor.store},
                                            page.skip, page.limit));
  page.skip = there.skip;
  ListedSessions list;
  list.there_ = true;
  list.notes_ = Notes::read(call.context, call.stores.settings());
  list.total_ = there.total;
  // Rows are grouped by machine; the page has the order in which they are shown.
  std::map<std::string, std::size_t> groups;
  std::vector<std::pair<std::size_t, std::size_t>> places;
  std::vector<Finding> findings;
  for (const ListedProjection& row : there.rows) {
    const JsonView json(row.listed);
    if (!check_json(row.listed).ok() || json.kind() != JsonKind::object || !check_json(row.counted).ok()) {
      findings.push_back({row.machine, 0, 0, std::string(code_name(Code::corrupt)),
                          "a session of " + row.machine + " is left out: its row is not what Holdfast writes", 0});
      continue;
    }
    const auto [group, is_new] = groups.try_emplace(row.machine, groups.size());
    if (is_new) {
      list.stores_.emplace_back();
      list.machines_.push_back({row.machine, true});
    }
    SessionRows& rows = list.stores_[group->second];
    places.emplace_back(group->second, rows.all.size());
    add_row(rows, session_from_json(json));
    if (call.flag("long")) list.costs_.push_back(cost_from_json(JsonView(row.counted), call.stores.settings().prices));
  }
  for (const auto& [group, row] : places) list.page_.push_back(&list.stores_[group].all[row]);
  JsonWriter json = begin_answer();
  json.key("sessions").begin_array();
  list.opening_ = json.text().size();
  json.end_array();
  write_page(json, page, there.rows.size(), list.total_, [&] {
    const JsonView last(there.rows.back().listed);
    const auto text = [&](std::string_view key) { return last.find(key).as_string().value_or(""); };
    return ListCursor{text("updated_at"), text("id"), text("store")}.text();
  });
  write_remote(json, query);
  write_findings(json, "findings", findings);
  list.frame_ = json.end_object().take();
  return list;
}

}  // namespace holdfast::inline v1
