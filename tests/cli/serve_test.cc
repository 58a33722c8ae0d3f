// holdfast serve as browsers, programs and intruders see it, over plain sockets.
#include <sys/file.h>

#include "tests/cli/serve_testing.h"
#include "tests/cli/sessions_testing.h"

namespace holdfast::inline v1 {
namespace {

struct Serve : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    ClaudeLog log(home, "aaaa1111-0000-4000-8000-000000000001");
    log.prompt("why does the login page fail?");
    log.turn();
  }
};

TEST_F(Serve, LoginCodeWorksOnce) {
  ServeProcess server(home);
  ASSERT_NE(server.port, 0) << text("serve.err");
  EXPECT_TRUE(server.url.starts_with("http://127.0.0.1:"));
  EXPECT_EQ(server.log_in("wrong").status, 403);
  const HttpReply entered = server.log_in(server.code);
  EXPECT_EQ(entered.status, 204);
  EXPECT_NE(entered.head.find("; HttpOnly; SameSite=Strict; Path=/\r\n"), std::string::npos) << entered.head;
  const HttpReply late = server.log_in(server.code);  // a stolen code, or one that was stolen
  EXPECT_EQ(late.status, 403);
  EXPECT_TRUE(late.body.contains("has already been used")) << late.body;

  const auto at = entered.head.find("Set-Cookie: ") + 12;
  server.cookie = entered.head.substr(at, entered.head.find(';', at) - at);
  EXPECT_TRUE(server.cookie.starts_with("hf" + std::to_string(server.port) + "=")) << "two servers, two names";
  const HttpReply listed = server.ask("POST /api/session.list", ServeProcess::posting(server.as_page()), "{}");
  EXPECT_EQ(listed.status, 200) << listed.body;
  EXPECT_NE(listed.body.find("why does the login page fail?"), std::string::npos) << listed.body;
  EXPECT_TRUE(listed.has("Content-Type: application/json"));
  EXPECT_EQ(listed.head.find("Access-Control"), std::string::npos);

  const HttpReply program = server.call("session.list");  // with the token
  EXPECT_EQ(program.body, listed.body);
  ASSERT_EQ(sh("$H api --json"), 0);
  EXPECT_TRUE(server.get("/api").body == out);
}

TEST_F(Serve, OnlyThePageNeedsNoLogin) {
  const ServeProcess server(home);
  const std::vector<std::string> nobody{"Host: " + server.host};
  for (const std::string target : {"/", "/?view=session&id=x", "/app.js", "/app.css", "/favicon.svg"})
    EXPECT_EQ(server.ask("GET " + target, nobody).status, 200) << target;
  const HttpReply page = server.ask("GET /", nobody);
  EXPECT_NE(page.body.find("<script"), std::string::npos);
  for (const std::string_view line :
       {"Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for "
        "'script'",
        "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer", "Cross-Origin-Opener-Policy: same-origin",
        "Cross-Origin-Resource-Policy: same-origin", "Cache-Control: no-store"})
    EXPECT_TRUE(page.has(line)) << line << "\n" << page.head;
  for (const std::string target :
       {"/api", "/blob?session=x", "/stream/session.follow", "/../etc/passwd", "/index.html"})
    EXPECT_EQ(server.ask("GET " + target, nobody).status, 401) << target;
  EXPECT_EQ(server.ask("POST /api/session.list", ServeProcess::posting(nobody), "{}").status, 401);
  EXPECT_EQ(server.get("/../etc/passwd").status, 404);
  EXPECT_EQ(server.get("/%2e%2e/etc/passwd").status, 404);
  EXPECT_EQ(server.ask("OPTIONS /api/session.list", nobody).head.find("Access-Control"), std::string::npos);
}

TEST_F(Serve, RejectsOtherHostsAndOrigins) {
  ServeProcess server(home);
  server.let_in();
  const std::string cookie = "Cookie: " + server.cookie;
  const auto status = [&](std::vector<std::string> headers) {
    headers.push_back(cookie);
    return server.ask("POST /api/session.list", ServeProcess::posting(std::move(headers)), "{}").status;
  };
  const std::string ours = "Host: " + server.host, port = std::to_string(server.port);
  EXPECT_EQ(status({ours}), 200);
  EXPECT_EQ(status({"Host: localhost:" + port}), 200);
  EXPECT_EQ(status({ours, "Origin: http://" + server.host, "Sec-Fetch-Site: same-origin"}), 200);
  // DNS rebinding: the name of another site that now leads to this machine.
  const std::vector<std::string> others{"evil.example:" + port,
                                        "evil.example",
                                        "127.0.0.1",
                                        "127.0.0.1:1",
                                        "127.0.0.1.evil.example:" + port,
                                        "localhost:" + port + ".evil.example",
                                        ""};
  for (const std::string& host : others) EXPECT_EQ(status({"Host: " + host}), 403) << host;
  EXPECT_EQ(status({}), 403);
  EXPECT_EQ(status({ours, "Host: evil.example"}), 403);
  for (const std::string origin : {"http://evil.example", "null", "http://localhost:1", "https://evil.example"})
    EXPECT_EQ(status({ours, "Origin: " + origin}), 403) << origin;
  for (const std::string site : {"cross-site", "same-site"})
    EXPECT_EQ(status({ours, "Sec-Fetch-Site: " + site}), 403) << site;
  EXPECT_EQ(server.ask("GET /", {"Host: evil.example:" + port}).status, 403);
}

// The file that `holdfast serve` gives the browser is not of this site: what leads from there to the viewer must be
// let through, and nothing else of what pages of other sites can send.
TEST_F(Serve, OtherSitesCanOnlyLeadToThePage) {
  ServeProcess server(home);
  server.let_in();
  const auto status = [&](const std::string& line, const std::string& mode, const std::string& dest,
                          const std::string& site = "cross-site", const std::string& more = "Accept: */*") {
    std::vector<std::string> headers = server.as_page();
    headers.insert(headers.end(),
                   {"Sec-Fetch-Site: " + site, "Sec-Fetch-Mode: " + mode, "Sec-Fetch-Dest: " + dest, more});
    return server.ask(line, headers).status;
  };
  EXPECT_EQ(status("GET /", "navigate", "document"), 200);
  EXPECT_EQ(status("GET /", "navigate", "document", "same-site"), 200);  // from another port of this machine
  EXPECT_EQ(status("GET /?s=claude-code/x", "navigate", "document"), 403) << "others do not choose what is shown";
  EXPECT_EQ(status("GET /", "navigate", "iframe"), 403);
  EXPECT_EQ(status("GET /", "no-cors", "document"), 403);
  EXPECT_EQ(status("GET /", "cors", "empty"), 403);
  EXPECT_EQ(status("GET /", "navigate", "document", "cross-site", "Origin: null"), 403);
  EXPECT_EQ(status("HEAD /", "navigate", "document"), 403);
  EXPECT_EQ(status("POST /", "navigate", "document"), 403);
  for (const std::string target : {"/app.js", "/app.css", "/favicon.svg", "/api", "/login", "/mcp", "/blob?session=x",
                                   "/stream/session.follow", "/api/session.list"})
    EXPECT_EQ(status("GET " + target, "navigate", "document"), 403) << target;
}

TEST_F(Serve, RejectsPostThatFormCouldSend) {
  ServeProcess server(home);
  server.let_in();
  std::vector<std::string> headers = server.as_page();
  headers.emplace_back("Content-Type: application/json");
  EXPECT_EQ(server.ask("POST /api/session.list", headers, "{}").status, 403);  // without our header
  headers = server.as_page();
  headers.insert(headers.end(), {"X-Holdfast: 1", "Content-Type: text/plain"});
  EXPECT_EQ(server.ask("POST /api/session.list", headers, "{}").status, 415);
  EXPECT_EQ(server.ask("GET /api/session.list", server.as_page()).status, 405);
  EXPECT_EQ(server.ask("POST /login", {"Host: " + server.host, "Content-Type: text/plain"}, "{}").status, 415);
}

TEST_F(Serve, RejectsWritesAndForeignPaths) {
  const ServeProcess server(home);
  for (const std::string method :
       {"session.delete", "session.update", "message.append", "session.create", "config.set"}) {
    const HttpReply refused = server.call(method, R"({"id":"x"})");
    EXPECT_EQ(refused.status, 403) << method;
    EXPECT_EQ(refused.code(), "permission_denied") << method;
  }
  // Methods that read, but write a file, reveal secrets, or open a path.
  for (const std::string method : {"session.rescue", "session.handoff", "session.share", "credential.list",
                                   "config.get", "archive.enable", "queue.init"})
    EXPECT_EQ(server.call(method, "{}").status, 403) << method;
  EXPECT_EQ(server.call("session.list", R"({"store":"claude-code:/etc"})").status, 403);
  EXPECT_EQ(server.call("session.list", R"({"st\u006fre":"claude-code:/etc"})").status, 403);
  EXPECT_EQ(server.call("session.list", R"({"store":"claude-code:)" + home + R"(/.claude"})").status, 200);
  EXPECT_EQ(server.call("session.list", R"({"project":"/w"})").status, 200);
  EXPECT_EQ(server.call("memory.list", R"({"project":"/etc"})").status, 403);
  EXPECT_EQ(server.call("list_messages", R"({"session_id":"aaaa1111"})").status, 400);  // a name of a seed
  EXPECT_EQ(server.call("no.such").status, 400);
  EXPECT_EQ(server.call("session.get", R"({"id":"nothing"})").status, 404);
  EXPECT_EQ(server.call("session.get", R"({"id":)").status, 400);
  const HttpReply hello = server.call("hello");
  EXPECT_NE(hello.body.find("\"session.list\""), std::string::npos) << hello.body;
  EXPECT_EQ(hello.body.find("\"session.delete\""), std::string::npos) << hello.body;
}

// The statuses that docs/guides/viewer.md lists.
TEST_F(Serve, ErrorsHaveTheDocumentedStatus) {
  const ServeProcess server(home);
  const HttpReply stream = server.call("session.follow", R"({"id":"aaaa1111"})");
  EXPECT_EQ(stream.status, 400);
  EXPECT_TRUE(stream.body.contains("GET /stream/session.follow")) << stream.body;
  const std::string store = R"("store":"claude-code:)" + home + R"(/.claude")";
  const HttpReply missing = server.call("thread.list", "{" + store + "}");
  EXPECT_EQ(missing.status, 501) << missing.body;
  EXPECT_EQ(missing.code(), "unsupported");
  const auto refused = [&](std::vector<std::string> headers) {
    headers.push_back("Host: " + server.host);
    const HttpReply reply = server.ask("POST /api/session.list", ServeProcess::posting(std::move(headers)), "{}");
    EXPECT_EQ(reply.status, 401);
    return reply.body;
  };
  EXPECT_TRUE(refused({}).contains("open the address that holdfast serve printed"));
  const std::string program = refused({"Authorization: Bearer wrong"});
  EXPECT_TRUE(program.contains("token") && !program.contains("browser")) << program;
}

TEST_F(Serve, ServesReadOnlyMethods) {
  ASSERT_EQ(sh("$H call entry.append '{\"project\":\"p\",\"session\":\"s\",\"entries\":[{\"uuid\":\"a\"}]}'"), 0)
      << err;
  const ServeProcess server(home);
  const HttpReply loaded = server.call("entry.load", R"({"project":"p","session":"s"})");
  EXPECT_EQ(loaded.status, 200) << loaded.body;
  EXPECT_TRUE(loaded.body.contains(R"("uuid":"a")")) << loaded.body;
  for (const std::string method : {"initiative.get", "tool.list", "log.list", "interview.get", "research.list",
                                   "spec.list", "queue.list", "entry.streams", "archive.verify"})
    EXPECT_NE(server.call(method).status, 403) << method;
  EXPECT_EQ(server.call("initiative.get", R"({"project":"/etc"})").status, 403);
  for (const std::string method : {"config.get", "store.settings", "credential.get", "record.get", "record.list",
                                   "remote.list", "sync.status", "events.subscribe"})
    EXPECT_EQ(server.call(method).status, 403) << method;
}

TEST_F(Serve, StreamsSessionToSeveralReaders) {
  ServeProcess server(home);
  ClaudeLog log(home, "bbbb2222-0000-4000-8000-000000000002");
  log.prompt("first");
  const std::string target =
      "GET /stream/session.follow?params=" + encoded(R"({"id":"bbbb2222-0000-4000-8000-000000000002","last":10})");
  std::vector<HttpClient> readers;
  for (int i = 0; i < 3; ++i) {
    readers.push_back(server.connect());
    readers.back().send(server.request(target, server.as_program()));
    const HttpReply head = readers.back().receive();
    ASSERT_EQ(head.status, 200) << head.body;
    EXPECT_TRUE(head.has("Content-Type: text/event-stream")) << head.head;
    const std::string event = readers.back().event();
    EXPECT_TRUE(event.starts_with("data: {")) << event;
    EXPECT_NE(event.find("first"), std::string::npos) << event;
  }
  log.prompt("second");
  for (HttpClient& reader : readers) EXPECT_NE(reader.event().find("second"), std::string::npos);
  readers.pop_back();
  log.prompt("third");
  for (HttpClient& reader : readers) EXPECT_NE(reader.event().find("third"), std::string::npos);
  // A stream that ends by itself.
  HttpClient once = server.connect();
  once.send(server.request("GET /stream/session.follow?params=" + encoded(R"({"id":"bbbb2222","follow":false})"),
                           server.as_program()));
  EXPECT_EQ(once.receive().status, 200);
  std::string last, event;
  while (!(event = once.event()).empty()) last = event;
  EXPECT_TRUE(last.starts_with("event: end\ndata: {")) << last;
  // A stream that cannot begin, and a method that is not a stream.
  HttpClient none = server.connect();
  none.send(server.request("GET /stream/session.follow?params=" + encoded(R"({"id":"nothing"})"), server.as_program()));
  EXPECT_EQ(none.receive().status, 200);
  EXPECT_TRUE(none.event().starts_with("event: error\ndata: {\"error\":{\"code\":\"not_found\""));
  EXPECT_EQ(server.get("/stream/session.list").status, 400);
  const HttpReply whole = server.get("/stream/session.show?params=" + encoded(R"({"id":"bbbb2222"})"));
  EXPECT_EQ(whole.status, 400);
  EXPECT_TRUE(
      JsonView(whole.body)
          .find("error")
          .find("message")
          .as_string()
          .value_or("")
          .contains(
              R"(session.show is a stream only with "stream":true in params; for a single answer, use POST /api/session.show)"))
      << whole.body;
  EXPECT_EQ(server.get("/stream/session.follow?params=" + encoded(R"({"store":"codex:/etc"})")).status, 403);
}

TEST_F(Serve, StreamsToTwoHundredReaders) {
  ServeProcess server(home);
  ClaudeLog log(home, "cccc3333-0000-4000-8000-000000000003");
  log.prompt("begin");
  std::vector<HttpClient> readers;
  for (int i = 0; i < 200; ++i) {
    readers.push_back(server.connect());
    readers.back().send(
        server.request("GET /stream/session.follow?params=" + encoded(R"({"id":"cccc3333"})"), server.as_program()));
  }
  for (HttpClient& reader : readers) {
    ASSERT_EQ(reader.receive().status, 200);
    ASSERT_NE(reader.event().find("begin"), std::string::npos);
  }
  log.prompt("more");
  for (HttpClient& reader : readers) ASSERT_NE(reader.event().find("more"), std::string::npos);
  EXPECT_EQ(server.call("session.list").status, 200);
}

TEST_F(Serve, SlowClientsDoNotBlockOthers) {
  ServeProcess server(home);
  std::vector<HttpClient> slow;
  for (int i = 0; i < 700; ++i) {  // more than it keeps open
    slow.push_back(server.connect());
    if (i % 2 == 0) slow.back().send("GET / HTTP/1.1\r\nHost: ");
  }
  EXPECT_EQ(server.call("session.list").status, 200);
  EXPECT_TRUE(slow.front().closed());  // the oldest idle connection made room
  EXPECT_EQ(server.interrupt(), 0);
}

TEST_F(Serve, RejectsTooLargeRequests) {
  const ServeProcess server(home);
  std::vector<std::string> headers = server.as_program();
  headers.push_back("X-Long: " + std::string(20'000, 'x'));
  EXPECT_EQ(server.ask("GET /api", headers).status, 431);
  EXPECT_EQ(server.call("session.list", std::string(2'000'000, ' ')).status, 413);
  HttpClient claims = server.connect();  // only announces a large body
  claims.send("POST /api/session.list HTTP/1.1\r\nHost: " + server.host + "\r\nContent-Length: 99999999999\r\n\r\n");
  EXPECT_EQ(claims.receive().status, 413);
  HttpClient garbage = server.connect();
  garbage.send("\x16\x03\x01 hello\r\n\r\n");
  EXPECT_EQ(garbage.receive().status, 400);
  EXPECT_EQ(server.call("session.list").status, 200);
}

TEST_F(Serve, BlobsAreInlineOnlyIfSafe) {
  const std::string id = "dddd4444-0000-4000-8000-000000000004";
  claude(id, R"([{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/png",)"
             R"("data":"iVBORw0KGgo="}},{"type":"image","source":{"type":"base64","media_type":"image/svg+xml",)"
             R"("data":"PHN2Zy8+"}}])");
  const ServeProcess server(home);
  const HttpReply png = server.get("/blob?session=" + id + "&message=0&block=1");
  EXPECT_EQ(png.status, 200) << png.body;
  EXPECT_EQ(png.body, "\x89PNG\r\n\x1a\n");
  EXPECT_TRUE(png.has("Content-Type: image/png")) << png.head;
  EXPECT_TRUE(png.has("Content-Disposition: inline"));
  const HttpReply svg = server.get("/blob?session=" + id + "&message=0&block=2");
  EXPECT_EQ(svg.body, "<svg/>");
  EXPECT_TRUE(svg.has("Content-Type: application/octet-stream")) << svg.head;  // it could contain a script
  EXPECT_NE(svg.head.find("Content-Disposition: attachment"), std::string::npos);
  EXPECT_EQ(server.get("/blob?session=" + id + "&message=0&block=0").status, 404);
  EXPECT_EQ(server.get("/blob?session=" + id + "&name=../../etc/passwd").status, 404);
  EXPECT_EQ(server.get("/blob?session=" + id).status, 400);
}

TEST_F(Serve, McpRequiresTheToken) {
  ServeProcess server(home);
  server.let_in();
  const auto post = [&](std::vector<std::string> headers, const std::string& body) {
    headers.insert(headers.end(), {"Content-Type: application/json", "Accept: application/json, text/event-stream"});
    return server.ask("POST /mcp", headers, body);
  };
  const std::string list = R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})";
  EXPECT_EQ(post({"Host: " + server.host}, list).status, 401);
  EXPECT_EQ(post(server.as_page(), list).status, 401);  // a cookie is not enough
  EXPECT_EQ(post({"Host: evil.example", "Authorization: Bearer " + server.token}, list).status, 403);
  const HttpReply greeted = post(
      server.as_program(),
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}})");
  EXPECT_EQ(greeted.status, 200);
  EXPECT_NE(greeted.body.find(R"("protocolVersion":"2025-11-25")"), std::string::npos) << greeted.body;
  EXPECT_EQ(post(server.as_program(), R"({"jsonrpc":"2.0","method":"notifications/initialized"})").status, 202);
  EXPECT_NE(post(server.as_program(), list).body.find("\"get_handoff\""), std::string::npos);
  const HttpReply brief =
      post(server.as_program(), R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_handoff",)"
                                R"("arguments":{"session":"aaaa1111"}}})");
  EXPECT_NE(brief.body.find("why does the login page fail?"), std::string::npos) << brief.body;
  EXPECT_NE(brief.body.find("session://claude-code/aaaa1111"), std::string::npos) << brief.body;
  EXPECT_NE(brief.body.find("not instructions"), std::string::npos) << brief.body;
  EXPECT_EQ(post(server.as_program(), "{").status, 400);
  EXPECT_EQ(server.ask("GET /mcp", server.as_program()).status, 405);
}

TEST_F(Serve, McpErrorsHaveTheirNumbers) {
  const ServeProcess server(home);
  const auto post = [&](const std::string& body) {
    std::vector<std::string> headers = server.as_program();
    headers.emplace_back("Content-Type: application/json");
    const HttpReply reply = server.ask("POST /mcp", headers, body);
    const JsonView answer(reply.body);
    return std::to_string(reply.status) + " " + std::string(answer.find("error").find("code").raw()) + " " +
           std::string(answer.find("id").raw());
  };
  const auto request = [](const std::string& rest) { return R"({"jsonrpc":"2.0","id":1,)" + rest + "}"; };
  EXPECT_EQ(post("hello"), "400 -32700 null");
  EXPECT_EQ(post("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\xff\"}"), "400 -32700 7");
  EXPECT_EQ(post("5"), "400 -32600 null");
  EXPECT_EQ(post(R"({"id":1,"method":"ping"})"), "400 -32600 1");
  EXPECT_EQ(post(R"({"jsonrpc":"2.0","id":[1],"method":"ping"})"), "400 -32600 null");
  EXPECT_EQ(post(request(R"("method":"no/such")")), "200 -32601 1");
  EXPECT_EQ(post(request(R"("method":"tools/call","params":{"name":"nobody"})")), "200 -32602 1");
  EXPECT_EQ(post(request(R"("method":"tools/call","params":{"name":"list_sessions","arguments":[]})")), "200 -32602 1");
  EXPECT_EQ(post(request(R"("method":"initialize","params":{})")), "200 -32602 1");
  EXPECT_EQ(post(request(R"("method":"ping")")), "200  1");
}

// Over HTTP, a client cancels by closing the connection. A tool that changes notes waits half a minute while another
// program holds their lock: as many such calls as the server has threads would let nothing else through.
TEST_F(Serve, McpCallEndsWithItsConnection) {
  ASSERT_EQ(sh("$H tag aaaa1111 mine"), 0) << err;
  const ServeProcess server(home, {"--write"});
  const std::string lock = home + "/.local/share/holdfast/notes/.holdfast/lock";
  const int held = ::open(lock.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(held, 0) << lock;
  ASSERT_EQ(::flock(held, LOCK_EX | LOCK_NB), 0);
  const auto waits = [&] {
    std::error_code gone;
    for (const auto& one : std::filesystem::directory_iterator("/proc/" + std::to_string(server.pid()) + "/fd"))
      if (std::filesystem::read_symlink(one, gone) == lock) return true;
    return false;
  };
  std::vector<std::string> headers = server.as_program();
  headers.emplace_back("Content-Type: application/json");
  const std::string star = server.request("POST /mcp", headers,
                                          R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)"
                                          R"({"name":"star_session","arguments":{"session":"aaaa1111"}}})");
  {
    std::vector<HttpClient> clients;
    for (int n = 0; n < 8; ++n) clients.push_back(server.connect());
    for (const HttpClient& client : clients) client.send(star);
    for (int n = 0; n < 300 && !waits(); ++n) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_TRUE(waits()) << "a call has begun";
  }
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(server.call("session.list").status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(15));
  ::close(held);
  EXPECT_EQ(sh("$H ls --starred"), 1) << out;
}

// The newer versions repeat in headers what the body says.
TEST_F(Serve, McpChecksProtocolVersion) {
  const ServeProcess server(home);
  const auto post = [&](const std::string& body, const std::string& version = "") {
    std::vector<std::string> headers = server.as_program();
    headers.emplace_back("Content-Type: application/json");
    if (!version.empty()) headers.push_back("MCP-Protocol-Version: " + version);
    return server.ask("POST /mcp", headers, body);
  };
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  for (const std::string version : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", ""})
    EXPECT_EQ(post(ping, version).status, 200) << version;
  for (const std::string version : {"1999-01-01", "2025-01-01", "2099-01-01", "x"}) {
    const HttpReply refused = post(ping, version);
    EXPECT_EQ(refused.status, 400) << version << refused.body;
    EXPECT_EQ(JsonView(refused.body).find("error").find("code").as_int64(), -32022) << version << refused.body;
    EXPECT_TRUE(refused.body.contains(version) && refused.body.contains("2025-11-25")) << refused.body;
    EXPECT_EQ(JsonView(refused.body).find("id").as_int64(), 1) << version << refused.body;
  }
  const std::string two = "[" + ping + R"(,{"jsonrpc":"2.0","id":2,"method":"tools/list"}])";
  for (const std::string version : {"", "2025-03-26"}) {
    const HttpReply batch = post(two, version);
    EXPECT_EQ(batch.status, 200) << batch.body;
    EXPECT_TRUE(batch.body.starts_with("[") && batch.body.contains("search_sessions")) << batch.body;
  }
  EXPECT_EQ(post(two, "2025-06-18").status, 400);
  EXPECT_EQ(post("[]").status, 400);
  EXPECT_EQ(post(R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])").status, 202);
}

TEST_F(Serve, RejectsMcpHeadersThatContradictTheBody) {
  const ServeProcess server(home);
  const std::string meta =
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";
  const std::string version = "MCP-Protocol-Version: 2026-07-28";
  const auto post = [&](const std::vector<std::string>& more, const std::string& method, const std::string& params) {
    std::vector<std::string> headers = server.as_program();
    headers.insert(headers.end(), more.begin(), more.end());
    headers.emplace_back("Content-Type: application/json");
    const HttpReply reply = server.ask(
        "POST /mcp", headers, R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + params + "}}");
    return std::to_string(reply.status) + " " + std::string(JsonView(reply.body).find("error").find("code").raw());
  };
  EXPECT_EQ(post({version, "Mcp-Method: tools/list"}, "tools/list", meta), "200 ");
  EXPECT_EQ(post({version, "Mcp-Method: tools/call", "Mcp-Name: get_usage"}, "tools/call",
                 R"("name":"get_usage","arguments":{},)" + meta),
            "200 ");
  EXPECT_EQ(post({version, "Mcp-Method: tools/call", "Mcp-Name: =?base64?Z2V0X3VzYWdl?="}, "tools/call",
                 R"("name":"get_usage","arguments":{},)" + meta),
            "200 ");
  EXPECT_EQ(post({version}, "tools/list", meta), "400 -32020");
  EXPECT_EQ(post({version, "Mcp-Method: TOOLS/LIST"}, "tools/list", meta), "400 -32020");
  EXPECT_EQ(post({version, "Mcp-Method: tools/call", "Mcp-Name: x"}, "tools/call", R"("name":"get_usage",)" + meta),
            "400 -32020");
  EXPECT_EQ(post({"MCP-Protocol-Version: 2025-11-25", "Mcp-Method: tools/list"}, "tools/list", meta), "400 -32020");
  EXPECT_EQ(post({version, "Mcp-Method: tools/list"}, "tools/list", ""), "400 -32602");
  EXPECT_EQ(post({version, "Mcp-Method: no/such"}, "no/such", meta), "404 -32601");
  EXPECT_EQ(post({"MCP-Protocol-Version: 2030-01-01"}, "tools/list",
                 R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01"})"),
            "400 -32022");
  EXPECT_EQ(post({"MCP-Protocol-Version: 2025-11-25"}, "tools/list", ""), "200 ");
  EXPECT_EQ(post({}, "no/such", ""), "200 -32601");
}

TEST_F(Serve, StopsOnCtrlC) {
  ServeProcess server(home);
  HttpClient stream = server.connect();
  stream.send(server.request("GET /stream/session.follow", server.as_program()));
  EXPECT_EQ(stream.receive().status, 200);
  EXPECT_NE(stream.event(), "");
  HttpClient half = server.connect();
  half.send("POST /api/session.list HTTP/1.1\r\n");
  EXPECT_EQ(server.interrupt(), 0) << text("serve.err");
  EXPECT_EQ(text("serve.err"), "");
}

TEST_F(Serve, ListensOnThisMachineOnly) {
  EXPECT_EQ(sh("$H serve --no-open --bind 0.0.0.0"), 2);
  EXPECT_NE(err.find("listens on this machine only"), std::string::npos) << err;
  EXPECT_EQ(sh("$H serve --no-open --port 70000"), 2);
  EXPECT_EQ(sh("$H serve --socket s --port 7"), 2);
  EXPECT_EQ(sh("$H serve --no-open --socket ''"), 2) << out << err;  // as from an unset variable
  EXPECT_EQ(sh("echo x > taken; $H serve --no-open --socket taken"), 2) << err;
  const ServeProcess first(home);
  EXPECT_EQ(sh("$H serve --no-open --port " + std::to_string(first.port)), 6);
  EXPECT_NE(err.find("cannot listen"), std::string::npos) << err;
}

TEST_F(Serve, SocketIsPrivateToItsOwner) {
  ServeProcess server(home, {"--socket", home + "/s"});
  EXPECT_EQ(server.socket, home + "/s");
  EXPECT_EQ(server.url, "") << "nothing that a browser could open";
  EXPECT_EQ(sh("stat -c %a $HOME/s"), 0);
  EXPECT_EQ(out, "600\n");
  EXPECT_EQ(sh("$H serve --no-open --socket $HOME/s"), 6) << err;  // another server listens there
  EXPECT_EQ(server.interrupt(), 0);
  EXPECT_FALSE(std::filesystem::exists(home + "/s"));
}

TEST_F(Serve, SocketHintCanBePasted) {
  EXPECT_EQ(sh("$H serve --no-open --socket $HOME/s > address 2> hint & until [ -s hint ]; do sleep 0.05; done; "
               "kill -TERM $!; wait $!; sed 's/.*#code=//' address > code; "
               "grep -F \"http://localhost:8000/#code=$(cat code)\" hint"),
            0)
      << out << err;
}

// Everybody on the machine can read command lines.
TEST_F(Serve, OpensBrowserWithFileInsteadOfCode) {
  std::filesystem::create_directories(home + "/bin");
  std::ofstream(home + "/bin/xdg-open") << "#!/bin/sh\necho \"$@\" > $HOME/words\nstat -c %a \"$1\" > $HOME/mode\n"
                                           "cat \"$1\" > $HOME/page\nmv $HOME/page $HOME/opened\n";
  ASSERT_EQ(sh("chmod +x $HOME/bin/xdg-open; mkdir -m 700 $HOME/run; export PATH=$HOME/bin:$PATH "
               "XDG_RUNTIME_DIR=$HOME/run; $H serve 2> address & until [ -s $HOME/opened ]; do sleep 0.05; done; "
               "kill -TERM $!; wait $!"),
            0)
      << err;
  EXPECT_EQ(text("mode"), "600\n");
  EXPECT_TRUE(text("words").starts_with(home + "/run/holdfast/serve-")) << text("words");
  EXPECT_EQ(text("words").find("code"), std::string::npos) << text("words");
  const std::string page = text("opened");
  ASSERT_EQ(sh("grep -o 'http://[^ ]*' address | head -n 1"), 0);
  EXPECT_NE(page.find("0;url=" + out.substr(0, out.size() - 1) + "\""), std::string::npos) << page << out;
  EXPECT_TRUE(std::filesystem::is_empty(home + "/run/holdfast")) << "it goes with the server";
}

TEST_F(Serve, SaysThatThereIsNoBrowser) {
  EXPECT_EQ(sh("mkdir -m 700 run; PATH=$HOME/none XDG_RUNTIME_DIR=$PWD/run $H serve 2> address & "
               "until [ -s address ]; do sleep 0.05; done; kill -TERM $!; wait $!; cat address"),
            0)
      << err;
  EXPECT_TRUE(out.starts_with("holdfast: there is no xdg-open to open a browser with; open it yourself: http://"))
      << out;
}

TEST_F(Serve, PrintsTheAddressWithNoOpen) {
  EXPECT_EQ(sh("$H serve --no-open > address & until [ -s address ]; do sleep 0.05; done; kill -TERM $!; wait $!; "
               "code=$?; cat address; exit $code"),
            0)
      << err;
  EXPECT_TRUE(out.starts_with("http://127.0.0.1:")) << out;
  EXPECT_NE(out.find("/#code="), std::string::npos) << out;
  EXPECT_EQ(err, "");
}

// Half of a request is a different request: the newest session would be shown instead of the one that was meant.
TEST_F(Serve, RejectsMalformedQuery) {
  const ServeProcess server(home);
  const std::string params = R"({"id":"aaaa1111-0000-4000-8000-000000000001","follow":false})";
  const std::string good = "/stream/session.follow?params=" + encoded(params);
  EXPECT_EQ(server.get(good).status, 200);
  EXPECT_EQ(server.get(good + "&reveal=1").status, 200);
  for (const std::string& query :
       {"params=" + params + "%", std::string("params=%zz"), std::string("params=%"), std::string("params="),
        std::string("params"), "params=" + encoded(params) + "&reveal=%g1",
        "params=" + encoded(params) + "&params=" + encoded(params)}) {
    const HttpReply reply = server.get("/stream/session.follow?" + query);
    EXPECT_EQ(reply.status, 400) << query << reply.body;
    EXPECT_EQ(reply.code(), "invalid_argument") << query;
  }
  const HttpReply misspelt = server.get("/stream/session.follow?param=" + encoded(params));
  EXPECT_EQ(misspelt.status, 400);
  EXPECT_TRUE(misspelt.body.contains("unknown parameter param in the query; did you mean params?")) << misspelt.body;
  EXPECT_EQ(server.get("/blob?sesion=x").status, 400);
  for (const char* const query : {"/api?x=1", "/api?x=%zz"}) EXPECT_EQ(server.get(query).status, 400) << query;
  EXPECT_EQ(server.ask("POST /api/session.list?limit=5", ServeProcess::posting(server.as_program()), "{}").status, 400);
}

TEST_F(Serve, AnswersHeadWithoutBody) {
  const ServeProcess server(home);
  for (const std::string target : {"/", "/app.js", "/api", "/nowhere", "/blob?session=x", "/stream/session.follow"}) {
    HttpClient client = server.connect();
    client.send(server.request("HEAD " + target, server.as_program()) + server.request("GET /", server.as_program()));
    // Anything before the next answer is a body that must not be there.
    std::string head;
    while (!head.contains("</html>") && client.more()) head = client.received();
    const std::string behind = head.substr(head.find("\r\n\r\n") + 4);
    EXPECT_TRUE(behind.starts_with("HTTP/1.1 200 OK\r\n")) << target << head.substr(0, 400);
  }
  EXPECT_EQ(server.ask("HEAD /", {"Host: " + server.host}).status, 200);
  EXPECT_FALSE(server.log_in(server.code).head.contains("Content-Length")) << "204 has none";
}

TEST_F(Serve, AcceptsAbsoluteTargetAndLowercaseBearer) {
  const ServeProcess server(home);
  const std::vector<std::string> small{"Host: " + server.host, "Authorization: bearer " + server.token};
  EXPECT_EQ(server.ask("GET /api", small).status, 200);
  EXPECT_EQ(server.ask("GET http://" + server.host + "/api", server.as_program()).status, 200);
  EXPECT_EQ(server.ask("GET http://" + server.host, {"Host: " + server.host}).status, 200);
  EXPECT_EQ(server.ask("GET http://evil.example/", {"Host: " + server.host}).status, 403);
  EXPECT_EQ(server.ask("GET http://" + server.host + "/", {"Host: evil.example"}).status, 403);
  const HttpReply hello = server.call("hello");
  EXPECT_EQ(JsonView(hello.body).find("features").raw(), R"(["streams"])") << "there are no events here";
}

}  // namespace
}  // namespace holdfast::inline v1
