// A rollout of Codex 0.166: items of the Responses API, most of them once more as
// an event, figures once more as totals.
#include "bench/synthetic_session.h"

namespace holdfast::bench {
namespace {

struct TokenFigures {
  std::uint64_t input = 0, cached = 0, output = 0, reasoning = 0;

  TokenFigures& operator+=(const TokenFigures& more) {
    input += more.input;
    cached += more.cached;
    output += more.output;
    reasoning += more.reasoning;
    return *this;
  }
  std::string json() const {
    return R"({"input_tokens":)" + std::to_string(input) + R"(,"cached_input_tokens":)" + std::to_string(cached) +
           R"(,"cache_write_input_tokens":0,"output_tokens":)" + std::to_string(output) +
           R"(,"reasoning_output_tokens":)" + std::to_string(reasoning) + R"(,"total_tokens":)" +
           std::to_string(input + output) + "}";
  }
};

class CodexRollout {
 public:
  CodexRollout(SyntheticFile& page, const SyntheticPools& pools, SyntheticSession& told)
      : page_(page), dice_(page.dice), pools_(pools), told_(told) {
    model_ = dice_.one_in(3) ? "gpt-5.5" : "gpt-5.1-codex";
    told_.models = {model_};
  }

  void write(std::uint64_t bytes) {
    const std::size_t snapshot = std::min<std::size_t>(bytes / 8, 20'000);
    meta(snapshot);
    do {
      begin_turn(told_.prompts == 0 ? snapshot / 6 : 0);
      for (std::uint64_t rounds = dice_.between(1, 8); rounds > 0 && page_.bytes() < bytes; --rounds) call_round();
      answer(900);
      end_response();
      end_turn();
      page_.pause(dice_.between(5'000, 600'000));
    } while (page_.bytes() < bytes);
  }

 private:
  void open_line(std::string_view type) {
    page_.put({R"({"timestamp":")", page_.stamp(), R"(","ordinal":)"});
    page_.number(ordinal_++).put({R"(,"type":")", type, R"(","payload":)"});
  }
  void close_line() {
    page_.put({"}"});
    page_.end_line();
  }
  void line(std::string_view type, std::initializer_list<std::string_view> payload) {
    open_line(type);
    page_.put(payload);
    close_line();
  }
  // An item that stands for what a response_item says.
  void completed(std::initializer_list<std::string_view> item) {
    open_line("event_msg");
    page_.put({R"({"type":"item_completed","thread_id":")", told_.id, R"(","turn_id":")", turn_, R"(","item":)"});
    page_.put(item);
    page_.put({R"(,"started_at_ms":)"}).number(page_.seconds() * 1000).put({R"(,"completed_at_ms":)"});
    page_.number(page_.seconds() * 1000).put({"}"});
    close_line();
  }

  void meta(std::size_t snapshot) {
    line(
        "session_meta",
        {R"({"session_id":")", told_.id, R"(","id":")", told_.id, R"(","timestamp":")", page_.stamp(), R"(","cwd":")",
         told_.project,
         R"(","originator":"codex-tui","cli_version":"0.166.0","source":"vscode","model_provider":"openai","base_instructions":{"text":")",
         pools_.prose.slice(dice_, snapshot), R"("},"history_mode":"paginated","git":{"commit_hash":")",
         page_.name("e3d9"), R"(","branch":")", told_.branch, R"("}})"});
  }

  void begin_turn(std::size_t context) {
    turn_ = page_.uuid();
    spent_ = {};
    line("event_msg", {R"({"type":"task_started","turn_id":")", turn_, R"(","model_context_window":258400})"});
    if (context > 0) {
      line(
          "response_item",
          {R"({"type":"message","role":"developer","content":[{"type":"input_text","text":"<permissions instructions>)",
           pools_.prose.slice(dice_, context), R"("}]})"});
      line("response_item",
           {R"({"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n  <cwd>)",
            told_.project, R"(</cwd>\n</environment_context>"}]})"});
      line("world_state",
           {R"({"full":true,"state":{"agents_md":{},"instructions":")", pools_.prose.slice(dice_, context), R"("}})"});
    }
    line("turn_context", {R"({"turn_id":")", turn_, R"(","cwd":")", told_.project,
                          R"(","approval_policy":"never","sandbox_policy":{"type":"danger-full-access"},"model":")",
                          model_, R"(","summary":"none"})"});
    const std::string_view text = pools_.prose.slice(dice_, synthetic_length(dice_, 160, 4000));
    if (told_.prompts++ == 0) told_.first_prompt = text;
    line("response_item", {R"({"type":"message","id":")", page_.name("msg_"),
                           R"(","role":"user","content":[{"type":"input_text","text":")", text,
                           R"("}],"internal_chat_message_metadata_passthrough":{"turn_id":")", turn_,
                           R"(","content_item_metadata":[{"provenance":{"type":"user"}}]}})"});
    completed({R"({"type":"UserMessage","id":")", page_.uuid(), R"(","content":[{"type":"text","text":")", text,
               R"(","text_elements":[]}]})"});
  }

  void answer(std::size_t median) {
    ++told_.answers;
    const std::string id = page_.name("msg_");
    const std::string_view text = pools_.prose.slice(dice_, synthetic_length(dice_, median, 12'000));
    completed({R"({"type":"AgentMessage","id":")", id, R"(","content":[{"type":"Text","text":")", text, "\"}]}"});
    line("response_item",
         {R"({"type":"message","status":"completed","id":")", id,
          R"(","role":"assistant","content":[{"type":"output_text","text":")", text,
          R"(","annotations":[]}],"internal_chat_message_metadata_passthrough":{"turn_id":")", turn_, "\"}}"});
    last_answer_ = text;
  }

  void call_round() {
    if (dice_.one_in(2))
      line("response_item",
           {R"({"type":"reasoning","id":")", page_.name("rs_"), R"(","summary":[{"type":"summary_text","text":")",
            pools_.prose.slice(dice_, synthetic_length(dice_, 200, 2000)), R"("}],"encrypted_content":")",
            page_.name("gAAAA"), page_.name("b"), R"("})"});
    if (dice_.one_in(3)) answer(120);
    const std::string call = page_.name("call_");
    const std::string word = page_.name("part_");
    ++told_.calls;
    line("response_item", {R"({"type":"function_call","status":"completed","id":")", page_.name("fc_"),
                           R"(","name":"exec_command","arguments":"{\"cmd\":\"grep -rn )", word,
                           R"( src\"}","call_id":")", call, "\"}"});
    end_response();
    page_.pause(dice_.between(50, 20'000));
    const std::string_view output = pools_.code.slice(dice_, synthetic_length(dice_, 1200, 30'000));
    completed({R"({"type":"CommandExecution","id":")", call, R"(","command":["/bin/bash","-lc","grep -rn )", word,
               R"( src"],"cwd":"file://)", told_.project, R"(","status":"completed","aggregated_output":")", output,
               R"(","exit_code":0})"});
    ++told_.results;
    line("response_item",
         {R"({"type":"function_call_output","id":")", page_.name("fco_"), R"(","call_id":")", call,
          R"(","output":"Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n)", output, R"("})"});
    token_count();
  }

  void end_response() {
    last_ = {dice_.between(4000, 90'000), dice_.between(0, 3999), dice_.between(20, 3000), dice_.between(0, 20)};
    spent_ += last_;
    total_ += last_;
    told_.input += last_.input - last_.cached;
    told_.cache_read += last_.cached;
    told_.output += last_.output;
    line("token_usage_record", {R"({"thread_id":")", told_.id, R"(","turn_id":")", turn_, R"(","response_id":")",
                                page_.name("resp_"), R"(","usage":)", last_.json(), R"(,"turn_token_usage":)",
                                spent_.json(), R"(,"thread_token_usage":)", total_.json(), "}"});
  }

  void token_count() {
    line("event_msg",
         {R"({"type":"token_count","info":{"total_token_usage":)", total_.json(), R"(,"last_token_usage":)",
          last_.json(), R"(,"model_context_window":258400},"rate_limits":{"limit_id":"codex","plan_type":null}})"});
  }

  void end_turn() {
    token_count();
    line("event_msg", {R"({"type":"task_complete","turn_id":")", turn_, R"(","last_agent_message":")", last_answer_,
                       R"(","duration_ms":215})"});
  }

  SyntheticFile& page_;
  Dice& dice_;
  const SyntheticPools& pools_;
  SyntheticSession& told_;
  std::string model_, turn_;
  std::string_view last_answer_;
  TokenFigures last_, spent_, total_;
  std::uint64_t ordinal_ = 0;
};

}  // namespace

void write_synthetic_codex(SyntheticFile& page, const SyntheticPools& pools, std::uint64_t bytes,
                           SyntheticSession& told) {
  CodexRollout(page, pools, told).write(bytes);
}

}  // namespace holdfast::bench
