// Real processes that save to one Maestro store concurrently.
#include <fstream>
#include <set>
#include <sstream>

#include "rules/rules_testing.h"
#include "rules/threads/maestro_testing.h"
#include "store/processes_testing.h"

namespace holdfast::inline v1 {
namespace {

std::set<std::string> indexed(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path + "/index.json").rdbuf();
  std::set<std::string> ids;
  const std::string index = text.str();
  for (const JsonItem& item : JsonView(index).find("threads").elements()) ids.insert(text_in(item.value.raw(), "id"));
  return ids;
}

TEST(MaestroProcesses, M04_TwentyConcurrentSavesAreAllIndexed) {
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("sessions");
  ASSERT_TRUE(open_at("maestro", path));
  in_processes(20, [&](int n) {
    const auto store = open_at("maestro", path);
    if (!store) return false;
    const std::string request = R"({"id":"thr_)" + std::to_string(n) + R"(","title":"x"})";
    return save_thread({}, *store, JsonView(request)).has_value();
  });
  std::set<std::string> want;
  for (int n = 0; n < 20; ++n) want.insert("thr_" + std::to_string(n));
  EXPECT_EQ(indexed(path), want);
}

TEST(MaestroProcesses, M01_TenConcurrentCreatorsShareOneThread) {
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("sessions");
  ASSERT_TRUE(open_at("maestro", path));
  in_processes(10, [&](int) {
    const auto store = open_at("maestro", path);
    return store && create_thread({}, *store, {.project = "/p"});
  });
  EXPECT_EQ(must(list_threads({}, *open_at("maestro", path))).records.size(), 1u);
}

TEST(MaestroProcesses, M05_FourWritersOfOneSessionLoseNothing) {
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("sessions");
  const std::string session = must(open_at("maestro", path)->create({}, {.project = "/p"}));
  in_processes(4, [&](int n) {
    const auto store = open_at("maestro", path);
    auto writer = store->write({}, session);
    for (int i = 0; i < 5; ++i) {
      if (!(*writer)->append({}, said(Role::user, std::to_string(n) + "." + std::to_string(i)))) return false;
    }
    return true;
  });
  const auto messages = must(open_at("maestro", path)->read({}, session, {})).messages;
  EXPECT_EQ(messages.size(), 20u);
  std::set<std::string> texts;
  for (const Message& message : messages) texts.insert(message.text());
  EXPECT_EQ(texts.size(), 20u);
}

}  // namespace
}  // namespace holdfast::inline v1
