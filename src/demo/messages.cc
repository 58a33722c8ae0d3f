#include "demo/messages.h"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <random>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

using Random = std::mt19937_64;

constexpr std::size_t kLargeMin = std::size_t{2} << 20;
constexpr std::size_t kLargeSpread = std::size_t{3} << 20;

constexpr std::array<std::string_view, 8> kPrompts{
    "The login test fails on CI but not here. Please find out why.",
    "Rename `Session.owner` to `Session.account` everywhere, tests included.",
    "Why is the export so slow? Profile it first, then suggest one change.",
    "Füge bitte eine deutsche Übersetzung der Fehlermeldungen hinzu. 🙂",
    "Write a migration that keeps old rows readable.",
    "Stop! Revert the last change, it broke the build on macOS.",
    "Explain what \"durable\" means in docs/storage.md, in two sentences.",
    "すべてのテストを実行して、失敗したものだけ教えてください。"};
constexpr std::array<std::string_view, 8> kAnswers{
    "I found the cause: the fixture reads the clock twice, and midnight lies between.\n\n",
    "The function is called 41,000 times in the loop; hoisting it out makes it 12 x faster.\n",
    "```cpp\nif (auto session = store.find(id); !session) return fail(Code::not_found);\n```\n",
    "All 312 tests pass now. Two of them were passing for the wrong reason before, see below.\n",
    "Before I change anything: the file has uncommitted edits. Shall I keep them?\n",
    "I would rather not retry here. The second fsync would report success for data that is lost.\n",
    "Done. The old name stays as an alias until the next release, with a warning.\n",
    "That path does not exist on this machine; the configuration names another one.\n"};
constexpr std::array<std::string_view, 8> kCommands{"rg -n 'owner' src/ | head -50",
                                                    "./dev test",
                                                    "git diff --stat HEAD~1",
                                                    "sed -n '120,180p' src/store/session.cc",
                                                    "python3 tools/profile.py --top 20 \"export all\"",
                                                    "cat package.json | jq '.scripts'",
                                                    "ls -la build/ && du -sh build/",
                                                    "grep -rn \"TODO\\|FIXME\" include/"};
constexpr std::array<std::string_view, 8> kOutput{
    "[ 87%] Building CXX object CMakeFiles/store.dir/src/store/session.cc.o\n",
    "src/store/session.cc:141:  if (owner != other.owner) return false;\n",
    "test_login_expired (tests.test_auth.LoginTest) ... ok\n",
    "\tat Object.<anonymous> (/srv/app/node_modules/router/index.js:284:15)\n",
    "warning: unused variable 'größe' [-Wunused-variable]\n",
    "  0.413 s  62.1 %  export.py:88(render_row)\n",
    "-rw-r--r-- 1 dev dev  48213 Mar  3 14:07 holdfast.map\n",
    "\"dependencies\": {\"left-pad\": \"^1.3.0\", \"esbuild\": \"0.21.5\"},\n"};

template <std::size_t N>
std::string_view one_of(Random& random, const std::array<std::string_view, N>& choices) {
  return choices[random() % N];
}

template <std::size_t N>
std::string many_of(Random& random, const std::array<std::string_view, N>& choices, std::size_t size) {
  std::string text;
  text.reserve(size + 128);
  while (text.size() < size) text += one_of(random, choices);
  return text;
}

void write_user(JsonWriter& json, Random& random) {
  json.key("role").string("user");
  json.key("content").begin_array().begin_object().key("type").string("text");
  json.key("text").string(one_of(random, kPrompts)).end_object().end_array();
}

void write_assistant(JsonWriter& json, Random& random, const MessageId& id) {
  json.key("role").string("assistant").key("model").string("demo-1");
  json.key("content").begin_array();
  json.begin_object().key("type").string("text");
  json.key("text").string(many_of(random, kAnswers, random() % 1200)).end_object();
  if (id.number % 4 == 2) {
    json.begin_object().key("type").string("tool_call").key("id").string(fmt::format("call_{}", id.number));
    json.key("name").string("bash").key("input").begin_object();
    json.key("command").string(one_of(random, kCommands)).key("timeout_s").uint64(random() % 120).end_object();
    json.end_object();
  }
  json.end_array().key("usage").begin_object().key("input").uint64(random() % 90000);
  json.key("output").uint64(random() % 2000).key("cost_usd").number(static_cast<double>(random() % 5000) / 1e5);
  json.end_object();
}

void write_tool(JsonWriter& json, Random& random, const MessageId& id) {
  const std::size_t size = id.large ? kLargeMin + random() % kLargeSpread : random() % 3000;
  json.key("role").string("tool").key("content").begin_array().begin_object();
  json.key("type").string("tool_result").key("id").string(fmt::format("call_{}", id.number - 1));
  json.key("output").string(many_of(random, kOutput, size));
  json.key("is_error").boolean(random() % 9 == 0).end_object().end_array();
}

template <typename T>
bool take_number(std::string_view& text, T& value, char after) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end == text.data() + text.size() || *end != after) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return true;
}

}  // namespace

std::string id_text(const MessageId& id) {
  return fmt::format("{}-{}-{}-{}", id.large ? "big" : "msg", id.writer, id.life, id.number);
}

std::string make_message(const MessageId& id) {
  Random random(id.writer * 0x9E3779B97F4A7C15ULL ^ id.life * 0xC2B2AE3D27D4EB4FULL ^ id.number);
  JsonWriter json;
  json.begin_object().key("id").string(id_text(id));
  json.key("session").string(fmt::format("ses_{}", id.writer)).key("schema_version").int64(1);
  json.key("sequence").uint64(id.number);
  if (id.large || id.number % 4 == 3)
    write_tool(json, random, id);
  else if (id.number % 4 == 1)
    write_user(json, random);
  else
    write_assistant(json, random, id);
  return json.end_object().take();
}

std::optional<MessageId> id_of(std::string_view record) {
  MessageId id;
  if (record.starts_with(R"({"id":"big-)"))
    id.large = true;
  else if (!record.starts_with(R"({"id":"msg-)"))
    return std::nullopt;
  record.remove_prefix(11);
  if (take_number(record, id.writer, '-') && take_number(record, id.life, '-') && take_number(record, id.number, '"'))
    return id;
  return std::nullopt;
}

std::string make_document(std::uint32_t writer, std::uint64_t number) {
  Random random(writer ^ number << 8);
  JsonWriter json(JsonLayout::pretty);
  json.begin_object().key("schema_version").int64(1).key("session").string(fmt::format("ses_{}", writer));
  json.key("version").uint64(number).key("status").string("active");
  json.key("title").string(one_of(random, kPrompts)).key("tasks").begin_array();
  for (std::uint64_t task = 0; task < number % 20; ++task) {
    json.begin_object().key("title").string(one_of(random, kCommands));
    json.key("done").boolean(random() % 2 == 0).end_object();
  }
  return json.end_array().end_object().take() + "\n";
}

std::optional<std::uint64_t> document_number(std::string_view document) {
  const auto number = JsonView(document).find("version").as_int64();
  if (!number || *number < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

}  // namespace holdfast::inline v1
