#include "bench/sync_search.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <vector>

#include "base/hash.h"
#include "bench/must.h"
#include "bench/synthetic_text.h"
#include "sync/postgres_remote.h"
#include "sync/projection.h"
#include "text/sizes.h"

namespace holdfast::bench {
namespace {

constexpr std::size_t kMessagesOfEach = 50;  // in a session
constexpr std::size_t kRareWords = 100;      // each is in ten messages
constexpr std::size_t kMessagesWithRareWord = 10;
constexpr std::size_t kRows = 60;  // of a page
static_assert(kFewestMessages >= kRows * kMessagesOfEach && kFewestMessages >= kRareWords * kMessagesWithRareWord);
const StreamId kStream{std::string(32, 'd'), 1};

std::string rare_word(std::size_t n) { return fmt::format("qz{}vx", n); }

class Messages {
 public:
  explicit Messages(std::size_t count) : count_(count) {}
  std::uint64_t bytes = 0;

  ProjectedMessage next() {
    std::string text(pool_.slice(dice_, dice_.between(100, 1500)));
    // The rare words are in messages all over the tables.
    const std::size_t every = std::max<std::size_t>(count_ / (kRareWords * kMessagesWithRareWord), 1);
    if (at_ % every == 0 && at_ / every < kRareWords * kMessagesWithRareWord)
      text += " " + rare_word(at_ / every % kRareWords);
    ProjectedMessage message;
    message.ordinal = message.same = at_ % kMessagesOfEach;
    message.role = at_ % 2 == 0 ? "user" : "assistant";
    message.kind = at_ % 2 == 0 ? "prompts" : "answers";
    message.at = "2026-11-16T00:00:00.000Z";
    bytes += text.size();
    const std::string_view texts[] = {text};
    project_texts(texts, {}, {}, message);
    ++at_;
    return message;
  }

  std::string most_frequent_word() {
    std::map<std::string, std::size_t> counts;
    for (int n = 0; n < 200; ++n)
      for (std::string& word : words_in(next().said.text)) ++counts[std::move(word)];
    return std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; })->first;
  }

 private:
  const std::size_t count_;
  std::size_t at_ = 0;
  Dice dice_{7};
  const TextPool pool_{TextPool::Kind::prose, 11, std::size_t{32} << 20};
};

ProjectedSession session_at(std::size_t n) {
  ProjectedSession session{.stream = kStream,
                           .session = {"claude-code", "/home/me/.claude", fmt::format("{:08}-4d2c-9f6b-5b7a1c3e", n)}};
  session.part_of = session.session.id;
  session.number = 1;
  session.machine = "laptop";
  session.policy = "full";
  session.identity = "example.org/me/thing";
  session.project = "/home/me/thing";
  // By the hour, the newest last.
  session.updated_at = fmt::format("20{:02}-{:02}-{:02}T{:02}:00:00.000Z", 20 + n / 8064 % 10, n / 672 % 12 + 1,
                                   n / 24 % 28 + 1, n % 24);
  session.status = "complete";
  session.listed = R"({"id":")" + session.session.id + R"(","layout":"claude-code","title":"made up"})";
  session.counted = R"({"slots":[],"spent":[]})";
  return session;
}

void fill(Projection& tables, Messages& messages, std::size_t count) {
  must(tables.begin({}, kStream));
  PutCounts written;
  const StreamHead head{1, sha256_hex("1")};
  for (std::size_t n = 0; n * kMessagesOfEach < count; ++n) {
    const auto tell = [&](const ProjectedMessageSink& take) -> Result<void> {
      for (std::size_t i = 0; i < kMessagesOfEach; ++i) HOLDFAST_TRY(take(messages.next()));
      return {};
    };
    if (must(tables.put({}, session_at(n), head, tell, written)) != PutOutcome::done) stop("not indexed");
  }
}

Row timed(const std::string& name, std::size_t runs, const std::function<void(std::size_t)>& deed) {
  std::vector<double> times;
  deed(0);
  for (std::size_t n = 0; n < runs; ++n) {
    const auto begin = std::chrono::steady_clock::now();
    deed(n);
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  return timing(name, times);
}

}  // namespace

Group measure_sync_search(const SyncSearch& request) {
  const auto remote = must(open_postgres_remote(request.owner));
  const StreamSegment first{1, sha256_hex("1"), std::string(400, 'h'), std::string(100, 'b')};
  if (must(remote->publish({}, kStream, {}, {&first, 1})) != RemoteOutcome::done) stop("not published");
  Messages messages(request.messages);
  auto owner = must(Projection::open(request.owner));
  fill(owner, messages, request.messages);
  const std::uint64_t text = messages.bytes;
  (void)request.ask("VACUUM ANALYZE " + request.schema + ".hf_session, " + request.schema + ".hf_message");

  auto member = must(Projection::open(request.member));
  const auto search = [&](const std::string& words, std::size_t expected) {
    const std::string terms[] = {words};
    const auto found = must(member.find({}, {words_query(terms, ""), ""}, {}, nullptr));
    if (found.size() != expected) stop(fmt::format("{} messages were found for {}", found.size(), words));
  };
  const std::size_t sessions = (request.messages + kMessagesOfEach - 1) / kMessagesOfEach;
  Group group{fmt::format("search among {} messages of {} sessions, {} of text; one schema of several, a role that may "
                          "only search it",
                          request.messages, sessions, human_size(text)),
              {}};
  group.rows.push_back(
      timed("rare word, in 10 messages", 500, [&](std::size_t n) { search(rare_word(n % kRareWords), 10); }));
  Row& rare = group.rows.back();
  rare.goal = "<= 20 ms";
  rare.met = rare.p50 <= 20'000;
  group.rows.push_back(timed("word that is nowhere", 500, [&](std::size_t n) { search(fmt::format("xqj{}w", n), 0); }));
  group.rows.push_back(timed("rare word, counted", 500, [&](std::size_t n) {
    const std::string terms[] = {rare_word(n % kRareWords)};
    if (must(member.count({}, {words_query(terms, ""), ""}, {})).hits != 10) stop("counted wrong");
  }));
  const std::string common = messages.most_frequent_word();
  group.rows.push_back(timed("the word \"" + common + "\", first page", 5, [&](std::size_t) { search(common, 50); }));
  group.rows.push_back(timed("list, first page", 50, [&](std::size_t) {
    if (must(member.list({}, {}, {}, 0, kRows)).rows.size() != kRows) stop("listed wrong");
  }));
  const std::string sizes = request.ask("SELECT pg_total_relation_size('" + request.schema +
                                        ".hf_message'), pg_total_relation_size('" + request.schema + ".hf_session')");
  const double message_bytes = std::stod(sizes), session_bytes = std::stod(sizes.substr(sizes.find('|') + 1));
  group.rows.push_back({.name = "tables for search on the server's disk, a session",
                        .p50 = (message_bytes + session_bytes) / static_cast<double>(sessions) / 1000,
                        .unit = "kB"});
  group.rows.push_back({.name = "the same, to the text",
                        .p50 = (message_bytes + session_bytes) / static_cast<double>(text),
                        .unit = "x"});
  return group;
}

}  // namespace holdfast::bench
