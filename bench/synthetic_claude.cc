// A transcript of Claude Code 2.1: a line a content block, figures repeated on
// each of them, parallel calls that fork the tree, output of tools stored twice,
// snapshots of prompts and requests.
#include "bench/synthetic_session.h"

namespace holdfast::bench {
namespace {

class ClaudeTranscript {
 public:
  ClaudeTranscript(SyntheticFile& page, const SyntheticPools& pools, SyntheticSession& told)
      : page_(page), dice_(page.dice), pools_(pools), told_(told) {
    model_ = dice_.one_in(3) ? "claude-sonnet-5" : "claude-opus-5-5";
    told_.models = {model_};
    snapshots_ = dice_.one_in(2);
    tail_ = ",\"userType\":\"external\",\"entrypoint\":\"cli\",\"cwd\":\"" + told_.project + "\",\"sessionId\":\"" +
            told_.id + "\",\"version\":\"" + (snapshots_ ? "2.1.325" : "2.1.197") + "\",\"gitBranch\":\"" +
            told_.branch + "\"}";
  }

  void write(std::uint64_t bytes) {
    const std::size_t snapshot = std::min<std::size_t>(bytes / 8, 50'000);
    do {
      prompt();
      if (told_.prompts == 1) begin(snapshot);
      for (std::uint64_t rounds = dice_.between(1, 8); rounds > 0 && page_.bytes() < bytes; --rounds) respond(true);
      respond(false);
      last_prompt();
      page_.pause(dice_.between(5'000, 600'000));
    } while (page_.bytes() < bytes);
    if (dice_.one_in(5)) {
      told_.title = "Work on " + std::to_string(dice_.below(100'000));
      page_.put({R"({"type":"custom-title","customTitle":")", told_.title, R"(","sessionId":")", told_.id, "\"}"});
      page_.end_line();
    }
  }

 private:
  void open_line() { page_.put({R"({"parentUuid":)", parent_, R"(,"isSidechain":false)"}); }
  // The line becomes the parent of the next one.
  void close_line() {
    const std::string uuid = page_.uuid();
    page_.put({R"(,"uuid":")", uuid, R"(","timestamp":")", page_.stamp(), "\"", more_, tail_});
    page_.end_line();
    parent_ = "\"" + uuid + "\"";
    more_ = {};
  }

  void prompt() {
    prompt_id_ = page_.uuid();
    const std::string_view text = pools_.prose.slice(dice_, synthetic_length(dice_, 160, 4000));
    last_text_ = text;
    if (told_.prompts++ == 0) told_.first_prompt = text;
    open_line();
    page_.put({R"(,"promptId":")", prompt_id_, R"(","type":"user","message":{"role":"user","content":")", text, "\"}"});
    more_ = R"(,"permissionMode":"default","promptSource":"typed")";
    close_line();
  }

  void begin(std::size_t snapshot) {
    open_line();
    page_.put({R"(,"attachment":{"type":"skill_listing","content":")", pools_.prose.slice(dice_, snapshot / 4),
               R"("},"type":"attachment")"});
    close_line();
    if (!snapshots_) return;
    open_line();
    page_.put({R"(,"attachment":{"type":"prompt_snapshot","systemPrompt":[")", pools_.prose.slice(dice_, snapshot / 2),
               R"("]},"type":"attachment")"});
    close_line();
    page_.put({R"({"type":"api-request-shape","sessionId":")", told_.id, R"(","shapeHash":")", page_.name("c21d"),
               R"(","timestamp":")", page_.stamp(),
               R"(","version":"2.1.325","shape":{"system":[{"type":"text","text":")",
               pools_.prose.slice(dice_, snapshot / 2), R"("}],"tools":[{"name":"Bash","description":")",
               pools_.prose.slice(dice_, snapshot / 4), R"("}]}})"});
    page_.end_line();
  }

  void respond(bool with_calls) {
    message_ = page_.name("msg_01");
    request_ = page_.name("req_01");
    stop_ = with_calls ? "tool_use" : "end_turn";
    block_ = 0;
    figures();
    ++told_.answers;
    if (dice_.one_in(2))
      block({R"({"type":"thinking","thinking":")", pools_.prose.slice(dice_, synthetic_length(dice_, 500, 12'000)),
             R"(","signature":")", page_.name("Er"), "\"}"});
    if (!with_calls || dice_.one_in(2))
      block({R"({"type":"text","text":")",
             pools_.prose.slice(dice_, synthetic_length(dice_, with_calls ? 120 : 900, 12'000)), "\"}"});
    if (!with_calls) return;
    std::vector<std::pair<std::string, std::string>> open;  // call and the line that made it
    for (std::uint64_t count = dice_.one_in(4) ? dice_.between(2, 3) : 1; count > 0; --count) {
      const std::string call = page_.name("toolu_01");
      make_call(call);
      open.emplace_back(call, parent_);
    }
    for (const auto& [call, line] : open) {
      page_.pause(dice_.between(50, 20'000));
      parent_ = line;
      result(call);
    }
  }

  void make_call(const std::string& call) {
    ++told_.calls;
    if (dice_.one_in(3)) {
      block({R"({"type":"tool_use","id":")", call, R"(","name":"Edit","input":{"file_path":")", told_.project,
             R"(/src/part.cc","old_string":")", pools_.code.slice(dice_, synthetic_length(dice_, 200, 4000)),
             R"(","new_string":")", pools_.code.slice(dice_, synthetic_length(dice_, 300, 6000)), "\"}}"});
      return;
    }
    block({R"({"type":"tool_use","id":")", call, R"(","name":"Bash","input":{"command":"grep -rn )",
           page_.name("part_"), R"( src | head -50","description":"Look for it"}})"});
  }

  void result(const std::string& call) {
    ++told_.results;
    const std::string_view output = pools_.code.slice(dice_, synthetic_length(dice_, 1200, 30'000));
    open_line();
    page_.put({R"(,"promptId":")", prompt_id_,
               R"(","type":"user","message":{"role":"user","content":[{"tool_use_id":")", call,
               R"(","type":"tool_result","content":")", output, R"(","is_error":)", dice_.one_in(20) ? "true" : "false",
               R"(}]},"toolUseResult":{"stdout":")", output,
               R"(","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false})"});
    close_line();
  }

  void block(std::initializer_list<std::string_view> content) {
    open_line();
    page_.put({R"(,"message":{"id":")", message_, R"(","type":"message","role":"assistant","model":")", model_,
               R"(","content":[)"});
    page_.put(content);
    page_.put({R"(],"stop_reason":")", stop_, R"(","stop_sequence":null,"usage":)", usage_, "},\"apiBlockIndex\":"});
    page_.number(block_++).put({R"(,"requestId":")", request_, R"(","type":"assistant")"});
    close_line();
  }

  void figures() {
    const std::uint64_t input = dice_.between(3, 4000), output = dice_.between(20, 3000);
    const std::uint64_t read = dice_.between(0, 150'000), written = dice_.between(0, 8000);
    told_.input += input;
    told_.output += output;
    told_.cache_read += read;
    told_.cache_write += written;
    usage_ =
        R"({"input_tokens":)" + std::to_string(input) + R"(,"cache_creation_input_tokens":)" + std::to_string(written) +
        R"(,"cache_read_input_tokens":)" + std::to_string(read) + R"(,"output_tokens":)" + std::to_string(output) +
        R"(,"server_tool_use":{"web_search_requests":0,"web_fetch_requests":0},"service_tier":"standard","cache_creation":{"ephemeral_1h_input_tokens":0,"ephemeral_5m_input_tokens":)" +
        std::to_string(written) + R"(},"inference_geo":"","iterations":[],"speed":"standard"})";
  }

  void last_prompt() {
    page_.put({R"({"type":"last-prompt","lastPrompt":")", last_text_, R"(","leafUuid":)", parent_, R"(,"sessionId":")",
               told_.id, "\"}"});
    page_.end_line();
  }

  SyntheticFile& page_;
  Dice& dice_;
  const SyntheticPools& pools_;
  SyntheticSession& told_;
  std::string model_, tail_, prompt_id_, message_, request_, usage_;
  std::string_view stop_, more_, last_text_;
  std::string parent_ = "null";
  std::uint64_t block_ = 0;
  bool snapshots_;
};

}  // namespace

void write_synthetic_claude(SyntheticFile& page, const SyntheticPools& pools, std::uint64_t bytes,
                            SyntheticSession& told) {
  ClaudeTranscript(page, pools, told).write(bytes);
}

}  // namespace holdfast::bench
