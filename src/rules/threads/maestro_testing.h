// Golden stores of tests/fixtures/maestro on a simulated disk, at /store.
#pragma once

#include "base/paths_testing.h"
#include "rules/threads/thread_resume.h"
#include "rules/threads/threads.h"
#include "store/linggen_testing.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {

struct MaestroStore : LayoutStore {
  explicit MaestroStore(const std::string& fixture = {}, std::string name = "maestro") : LayoutStore(std::move(name)) {
    listen();
    if (fixture.empty()) return;
    const std::string top = paths::source() + "/tests/fixtures/maestro/" + fixture;
    std::map<std::string, std::string> files;
    read_fixture(*must(real_file_system().open_directory(top, false)), "", files);
    for (const auto& [path, bytes] : files) must(disk.put_file("/store/" + path, bytes));
    again();
  }
  void again(bool write = true) {
    reopen(write);
    listen();
  }
  void listen() {
    store->subscribe([this](const StoreEvent& event) { events.push_back(event.name + " " + event.json); });
  }
  // Everything except the side folder.
  std::map<std::string, std::string> tree() const {
    std::map<std::string, std::string> all;
    for (const SimEntry& entry : disk.tree()) {
      if (entry.kind == FileKind::file && entry.path.find("/.holdfast/") == std::string::npos)
        all[entry.path] = entry.bytes;
    }
    return all;
  }
  std::string thread(const std::string& project = "/p", const std::string& title = "t") {
    return must(create_thread(context, *store, {.title = title, .project = project})).thread.id;
  }
  std::string session(const std::string& thread) { return must(store->create(context, {.thread = thread})); }
  Result<AppendedMessage> append(const std::string& session, Message message) {
    HOLDFAST_LET(writer, store->write(context, session));
    return writer->append(context, message);
  }
  std::vector<std::string> texts(const std::string& session) {
    std::vector<std::string> all;
    for (const Message& message : must(store->read(context, session, {})).messages) {
      all.push_back(message.blocks.empty() ? "" : message.blocks.front().text);
    }
    return all;
  }
  // Returns the ids of index.json, in file order.
  std::vector<std::string> indexed() {
    std::vector<std::string> ids;
    const std::string index = bytes("/store/index.json");
    for (const JsonItem& item : JsonView(index).find("threads").elements())
      ids.push_back(text_in(item.value.raw(), "id"));
    return ids;
  }
  std::vector<std::string> listed() {
    std::vector<std::string> ids;
    for (const Thread& thread : must(list_threads(context, *store)).records) ids.push_back(thread.id);
    return ids;
  }

  std::vector<std::string> events;
};

using Strings = std::vector<std::string>;

}  // namespace holdfast::inline v1
