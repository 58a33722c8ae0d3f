// Browsers and models get no secrets, wherever a text is cut.
#include "tests/cli/serve_testing.h"
#include "tests/cli/sessions_testing.h"
#include "text/base64.h"

namespace holdfast::inline v1 {
namespace {

const std::string kToken = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const std::string kPart = "ghp_01234567";  // the rest of the token where a text is cut
const std::string kId = "aaaa1111-0000-4000-8000-000000000001";

struct Masked : CliHome {
  std::string encoded(const std::string& text) {
    std::string all;
    for (const char c : text) {
      constexpr char kDigits[] = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      all += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
    return all;
  }
  // Headers of a client that has the server's token and wants to see everything.
  static std::vector<std::string> revealing(const ServeProcess& server) {
    std::vector<std::string> headers = ServeProcess::posting(server.as_program());
    headers.emplace_back("X-Holdfast-Reveal: 1");
    return headers;
  }
  std::string mcp(const std::string& call) {
    std::ofstream(home + "/requests")
        << R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}})"
        << "\n"
        << R"({"jsonrpc":"2.0","id":1,)" << call << "}\n";
    EXPECT_EQ(sh("$H mcp < $HOME/requests"), 0) << err;
    return out;
  }
};

TEST_F(Masked, ServerRedactsUnlessRevealIsRequested) {
  claude(kId, "\"log in with " + kToken + ", please\"");
  std::ofstream(home + "/message")
      << R"({"session":"ses-file","message":{"role":"user","blocks":[{"type":"text","text":"see the file"},)"
      << R"({"type":"document","media_type":"text/plain","data":")" << base64("key: " + kToken + "\n") << R"("}]}})";
  ASSERT_EQ(sh("$H call session.create '{\"id\":\"ses-file\"}' && $H call message.append @$HOME/message"), 0) << err;
  const ServeProcess server(home);
  for (const auto& [method, params] :
       std::vector<std::pair<std::string, std::string>>{{"session.list", "{}"},
                                                        {"session.get", R"({"id":"aaaa1111"})"},
                                                        {"message.list", R"({"session":"aaaa1111"})"},
                                                        {"session.show", R"({"id":"aaaa1111"})"},
                                                        {"session.export", R"({"id":"aaaa1111","format":"md"})"},
                                                        {"session.search", R"({"words":["log"]})"}}) {
    const HttpReply hidden = server.call(method, params);
    EXPECT_EQ(hidden.status, 200) << method << hidden.body;
    EXPECT_FALSE(hidden.body.contains(kPart)) << method << hidden.body;
    EXPECT_TRUE(hidden.body.contains("[redacted: GitHub token]")) << method << hidden.body;
    const HttpReply shown = server.ask("POST /api/" + method, revealing(server), params);
    EXPECT_TRUE(shown.body.contains(kToken)) << method << shown.body;
  }
  const std::string file = "/blob?session=holdfast/ses-file&message=0&block=1";
  EXPECT_EQ(server.get(file).body, "key: [redacted: GitHub token]\n");
  EXPECT_EQ(server.get(file + "&reveal=1").body, "key: " + kToken + "\n");
}

TEST_F(Masked, StreamIsRedactedUnlessRevealIsRequested) {
  ClaudeLog log(home, kId);
  log.prompt("the token is " + kToken);
  ServeProcess server(home);
  const std::string target = "GET /stream/session.follow?params=" + encoded(R"({"id":"aaaa1111","last":1})");
  HttpClient hidden = server.connect(), shown = server.connect();
  hidden.send(server.request(target, server.as_program()));
  shown.send(server.request(target + "&reveal=1", server.as_program()));
  EXPECT_EQ(hidden.receive().status, 200);
  EXPECT_EQ(shown.receive().status, 200);
  const std::string event = hidden.event();
  EXPECT_TRUE(event.contains("[redacted: GitHub token]") && !event.contains(kPart)) << event;
  EXPECT_TRUE(shown.event().contains(kToken));
}

// After &quot; or across line breaks a secret is not recognized, so it is masked before anything is formatted.
TEST_F(Masked, ServerRedactsEverySessionFormat) {
  std::ofstream(home + "/message")
      << R"({"session":"ses-a","message":{"role":"assistant","blocks":[)"
      << R"({"type":"text","text":"DB_PASSWORD=\"s3cr3tpassw0rd\" and {\"api_key\":\"abcdef0123456789abcdef\"}"},)"
      << R"({"type":"tool_call","id":"c","name":"login","input":{"password":"hunter2hunter2"}}]}})";
  ASSERT_EQ(sh("$H call session.create '{\"id\":\"ses-a\"}' && $H call message.append @$HOME/message"), 0) << err;
  const ServeProcess server(home);
  const auto expect_none = [](const std::string& text, const std::string& what) {
    EXPECT_TRUE(text.contains("[redacted: password]")) << what << "\n" << text;
    for (const std::string secret : {"s3cr3tpassw0rd", "abcdef0123456789", "hunter2"})
      EXPECT_FALSE(text.contains(secret)) << what << "\n" << text;
  };
  for (const std::string format : {"html", "md", "text", "json", "yaml"}) {
    const std::string params = R"({"id":"ses-a","format":")" + format + R"(","tools":true,"width":20})";
    expect_none(server.call("session.show", params).body, format);
    HttpClient stream = server.connect();
    const std::string streamed = params.substr(0, params.size() - 1) + R"(,"stream":true})";
    stream.send(server.request("GET /stream/session.show?params=" + encoded(streamed), server.as_program()));
    EXPECT_EQ(stream.receive().status, 200);
    expect_none(stream.event(), "stream of " + format);
    const HttpReply shown = server.ask("POST /api/session.show", revealing(server), params);
    EXPECT_TRUE(shown.body.contains("hunter2hunter2")) << shown.body;
  }
  for (const std::string format : {"html", "md", "json", "jsonl", "atif"})
    expect_none(server.call("session.export", R"({"id":"ses-a","format":")" + format + "\"}").body, format);
  for (const std::string as : {"holdfast", "anthropic", "openai", "raw"})
    expect_none(server.call("message.list", R"({"session":"ses-a","as":")" + as + "\"}").body, as);
}

TEST_F(Masked, ServerRedactsTextAttachments) {
  const std::string text = "{\"key\": \"" + kToken + "\"}\n";
  for (const std::string type : {"text/plain", "application/json"}) {
    const std::string id = "ses-" + type.substr(0, 4);
    std::ofstream(home + "/message") << R"({"session":")" << id << R"(","message":{"role":"user","blocks":[)"
                                     << R"({"type":"text","text":"see the file"},{"type":"document","media_type":")"
                                     << type << R"(","data":")" << base64(text) << R"("}]}})";
    ASSERT_EQ(sh("$H call session.create '{\"id\":\"" + id + "\"}' && $H call message.append @$HOME/message"), 0)
        << err;
    const ServeProcess server(home);
    const std::string session = R"({"session":")" + id + "\"", masked = "{\"key\": \"[redacted: GitHub token]\"}\n";
    const HttpReply media = server.call("message.media", session + R"(,"message":0,"block":1})");
    EXPECT_EQ(JsonView(media.body).find("data").as_string(), base64(masked)) << media.body;
    EXPECT_EQ(JsonView(media.body).find("bytes").as_int64(), static_cast<std::int64_t>(masked.size()));
    EXPECT_EQ(server.get("/blob?session=" + id + "&message=0&block=1").body, masked);
    for (const std::string more :
         {R"(,"data":true})", R"(,"as":"anthropic"})", R"(,"as":"openai"})", R"(,"as":"raw"})"}) {
      const std::string hidden = server.call("message.list", session + more).body;
      EXPECT_FALSE(hidden.contains(base64(text).substr(0, 24))) << more << hidden;
      const std::string shown = server.ask("POST /api/message.list", revealing(server), session + more).body;
      EXPECT_TRUE(more.contains("raw") || shown.contains(base64(text))) << more << shown;
    }
    const HttpReply whole =
        server.ask("POST /api/message.media", revealing(server), session + R"(,"message":0,"block":1})");
    EXPECT_EQ(JsonView(whole.body).find("data").as_string(), base64(text));
  }
}

// A hit is shown with little context, and a value of an input without its key.
TEST_F(Masked, RedactsSecretCutBySnippet) {
  claude(kId, "\"needle " + std::string(100, 'x') + " " + kToken + " " + std::string(200, 'y') + "\"");
  claude("bbbb2222-0000-4000-8000-000000000002", "\"" + kToken + " " + std::string(40, 'z') + " needle\"");
  ASSERT_EQ(sh("$H search needle --json"), 0) << err;
  EXPECT_TRUE(out.contains(kPart)) << "cut, or there would be nothing to test: " << out;
  ASSERT_EQ(sh("$H search needle --redact --json"), 0) << err;
  EXPECT_FALSE(out.contains("ghp_") || out.contains("012345")) << out;
  EXPECT_TRUE(out.contains("needle")) << out;
  // The query may be the secret itself: the session is found, the secret is not shown.
  ASSERT_EQ(sh("$H search " + kToken + " --redact --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "2") << out;
  EXPECT_TRUE(JsonView(out).find("hits").raw().contains("[redacted: GitHub token]")) << out;
  EXPECT_FALSE(JsonView(out).find("hits").raw().contains(kPart)) << out;
}

TEST_F(Masked, McpRedactsBeforeTruncating) {
  ASSERT_EQ(sh("$H call session.create '{\"id\":\"ses-a\",\"title\":\"A\"}' && $H call message.append "
               "'{\"session\":\"ses-a\",\"message\":{\"role\":\"tool\",\"blocks\":[{\"type\":\"tool_result\",\"id\":"
               "\"c\",\"output\":\"" +
               std::string(380, 'x') + " " + kToken + "\"}]}}'"),
            0)
      << err;
  ASSERT_EQ(sh("$H message append ses-a 'needle " + std::string(190, 'x') + " " + kToken + "'"), 0) << err;
  for (const std::string call :
       {R"("method":"tools/call","params":{"name":"get_messages","arguments":{"session":"ses-a"}})",
        R"("method":"tools/call","params":{"name":"search_sessions","arguments":{"query":"needle"}})",
        R"("method":"tools/call","params":{"name":"search_content","arguments":{"query":"needle"}})",
        R"("method":"tools/call","params":{"name":"list_sessions","arguments":{}})",
        R"("method":"tools/call","params":{"name":"get_handoff","arguments":{"session":"ses-a"}})",
        R"("method":"resources/read","params":{"uri":"session://holdfast/ses-a"})"})
    EXPECT_FALSE(mcp(call).contains("ghp_0123")) << call << "\n" << out;
}

TEST_F(Masked, BriefIsRedactedOnRequest) {
  claude(kId, "\"use " + kToken + "\"");
  ASSERT_EQ(sh("$H handoff aaaa1111 --brief"), 0) << err;
  EXPECT_TRUE(out.contains(kToken)) << out;
  ASSERT_EQ(sh("$H handoff aaaa1111 --brief --redact"), 0) << err;
  EXPECT_TRUE(out.contains("[redacted: GitHub token]") && !out.contains(kPart)) << out;
}

TEST_F(Masked, ShowRedactsTagsAndTitles) {
  const std::string secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  ASSERT_EQ(sh("$H session create --id s-1 && $H message append s-1 hello && $H tag s-1 " + secret +
               " && $H rename s-1 'the " + secret + "'"),
            0)
      << err;
  for (const std::string format : {"text", "md", "json", "yaml", "html"}) {
    EXPECT_EQ(sh("$H show s-1 --redact --format " + format), 0) << err;
    EXPECT_FALSE(out.contains(secret)) << format << out;
    EXPECT_TRUE(out.contains("hello")) << format << out;
  }
  EXPECT_EQ(sh("$H show s-1 --redact --json"), 0) << err;
  EXPECT_FALSE(out.contains(secret)) << out;
  EXPECT_EQ(sh("$H show s-1"), 0) << err;
  EXPECT_TRUE(out.contains("#" + secret)) << "only where it is asked for: " << out;
}

}  // namespace
}  // namespace holdfast::inline v1
