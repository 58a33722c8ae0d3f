// session.list: over one store, or over all of this machine.
#include <algorithm>
#include <tuple>

#include "api/call.h"
#include "api/session_filter.h"
#include "api/tables.h"
#include "model/model_json.h"

namespace holdfast::inline v1 {
namespace {

// The sessions of a store, each as JSON too: made where the store is read, by several at once.
struct WrittenList {
  SessionList list = {};
  std::string json = {};
  std::vector<std::size_t> ends = {};  // of each session's bytes
};

Result<WrittenList> written_list(const Call& call, Store& store, const SessionFilter& filter) {
  WrittenList written;
  HOLDFAST_LET(list, store.list(call.context, filter));
  written.list = std::move(list);
  written.ends.reserve(written.list.sessions.size());
  JsonWriter json;
  for (const Session& session : written.list.sessions) {
    write_session(json, session);
    written.ends.push_back(json.text().size());
  }
  written.json = json.take();
  return written;
}

struct Line {
  const Session* session = nullptr;
  std::string_view json = {};
};

bool comes_first(const Line& a, const Line& b) {
  if (a.session->updated_at != b.session->updated_at) return a.session->updated_at > b.session->updated_at;
  return std::tie(a.session->id, a.session->store) < std::tie(b.session->id, b.session->store);
}

Result<std::string> list(Call& call) {
  const Page page = page_of(call);
  HOLDFAST_LET(filter, filter_of(call));
  filter.inner = call.flag("all");
  filter.limit = page.limit + page.skip;
  HOLDFAST_LET(stores, stores_of(call));
  std::vector<WrittenList> lists;
  HOLDFAST_LET(unread, for_each_store(
                           call, stores, [&](Store& store) { return written_list(call, store, filter); },
                           [&](WrittenList list) { lists.push_back(std::move(list)); }));
  std::vector<Line> all;
  std::vector<StoreFinding> findings;
  std::size_t total = 0;
  for (WrittenList& written : lists) {
    total += written.list.total;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < written.ends.size(); ++i) {
      all.push_back({&written.list.sessions[i], std::string_view(written.json).substr(begin, written.ends[i] - begin)});
      begin = written.ends[i];
    }
    std::ranges::move(written.list.findings, std::back_inserter(findings));
  }
  std::ranges::move(unread, std::back_inserter(findings));
  std::ranges::sort(all, comes_first);
  const std::size_t from = std::min(page.skip, all.size());
  const std::size_t count = std::min(page.limit, all.size() - from);
  std::size_t bytes = 0;
  for (std::size_t i = from; i < from + count; ++i) bytes += all[i].json.size() + 1;
  JsonWriter json = begin_answer();
  json.expect(bytes + 4096).key("sessions").begin_array();
  for (std::size_t i = from; i < from + count; ++i) json.raw(all[i].json);
  json.end_array();
  write_page(json, page, count, total);
  write_findings(json, "findings", findings);
  return json.end_object().take();
}

std::vector<Parameter> parameters() {
  std::vector<Parameter> all = filter_parameters();
  all.push_back({.name = "all",
                 .help = "with the transcripts of sub-agents that are part of a session",
                 .type = ParamType::boolean});
  all.push_back(limit_parameter());
  all.push_back(skip_parameter());
  return all;
}

}  // namespace

Operation list_sessions_operation() {
  return {.method = "session.list",
          .help = "list sessions, newest first",
          .parameters = parameters(),
          .result = "sessions:session[] total:integer next:integer? findings:finding[]",
          .handler = list,
          .aliases = {"list_sessions"},
          .example = "ls --status active --limit 10",
          .command = "ls"};
}

}  // namespace holdfast::inline v1
