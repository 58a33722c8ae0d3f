#include "tests/corpus/expected.h"

#include <ostream>

#include "layout/json_pick.h"

namespace holdfast::corpus {
namespace {

Figures read_figures(JsonView json) {
  return {number_of(json.find("user_prompts")), number_of(json.find("assistant_messages")),
          number_of(json.find("tool_calls")), number_of(json.find("tool_results")),
          number_of(json.find("output_tokens"))};
}

std::optional<Figures> maybe_figures(JsonView json) {
  if (!json) return std::nullopt;
  return read_figures(json);
}

ExpectedSession read_session(JsonView json) {
  ExpectedSession session;
  session.id = text_of(json.find("id"));
  for (const JsonItem& file : json.find("files").elements()) session.files.push_back(text_of(file.value));
  for (const JsonItem& model : json.find("models").elements()) session.models.push_back(text_of(model.value));
  session.cwd = text_of(json.find("cwd"));
  session.parent = text_of(json.find("parent").find("id"));
  session.parent_kind = text_of(json.find("parent").find("kind"));
  session.first_prompt = text_of(json.find("first_user_prompt"));
  session.killed = text_of(json.find("killed"));
  session.figures = read_figures(json);
  session.subagents = number_of(json.find("subagents"));
  session.reasoning = number_of(json.find("reasoning_tokens"));
  session.compactions = number_of(json.find("compactions"));
  session.interrupted = number_of(json.find("interrupted"));
  session.failed = number_of(json.find("failed_responses"));
  session.archived = json.find("archived").as_bool().value_or(false);
  session.stale_lock = json.find("stale_lock").as_bool().value_or(false);
  session.in_line = json.find("inline").as_bool().value_or(false);
  session.title = json.find("title").as_string();
  session.model_responses = json.find("model_responses").as_int64();
  session.with_history = maybe_figures(json.find("with_history"));
  session.first_prompt_with_history = text_of(json.find("with_history").find("first_user_prompt"));
  session.abandoned = maybe_figures(json.find("abandoned"));
  session.copied = maybe_figures(json.find("copied"));
  for (const JsonItem& agent : json.find("subagent_list").elements()) {
    session.subagent_list.push_back(read_session(agent.value));
    session.subagent_list.back().parent = session.id;
    session.subagent_list.back().parent_kind = "subagent";
  }
  return session;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Figures& figures) {
  return out << "{user " << figures.user_prompts << ", assistant " << figures.assistant_messages << ", calls "
             << figures.tool_calls << ", results " << figures.tool_results << ", output " << figures.output_tokens
             << "}";
}

ExpectedClient read_expected(JsonView client) {
  ExpectedClient expected;
  for (const JsonItem& session : client.find("sessions").elements()) {
    expected.sessions.push_back(read_session(session.value));
  }
  expected.total_sessions = number_of(client.find("totals").find("sessions"));
  expected.totals = read_figures(client.find("totals"));
  return expected;
}

}  // namespace holdfast::corpus
