// Uses the installed library as a stranger would: appends to a log, replaces a
// document, reads both back.  consumer DIRECTORY
#include <holdfast/append_log.h>
#include <holdfast/document.h>
#include <holdfast/log_reader.h>
#include <holdfast/root.h>

#include <iostream>
#include <string>

namespace {

holdfast::Result<std::string> work(const std::string& directory) {
  const holdfast::Context context;
  HOLDFAST_LET(root, holdfast::Root::open(context, holdfast::real_file_system(), directory, {.create = true}));
  HOLDFAST_LET(log, holdfast::AppendLog::open(context, root, "messages.jsonl"));
  HOLDFAST_LET(ack, log->append(context, R"({"role":"user","text":"hold fast"})"));
  if (ack.durability != holdfast::Durability::power) {
    return holdfast::fail(holdfast::Code::internal, "not durable");
  }
  HOLDFAST_TRY(log->close(context));
  HOLDFAST_TRY(holdfast::replace_document(context, *root, "session.json", R"({"schema_version":1})"));

  HOLDFAST_LET(document, holdfast::load_document(context, *root, "session.json"));
  HOLDFAST_LET(reader, holdfast::LogReader::open(context, root->directory(), "messages.jsonl"));
  std::string text = document.bytes;
  holdfast::Record record;
  while (true) {
    HOLDFAST_LET(more, reader.next(record));
    if (!more) return text;
    text += record.bytes;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto text = work(argv[1]);
  if (!text) {
    std::cerr << text.error().text() << '\n';
    return 1;
  }
  std::cout << *text << '\n';
  return *text == R"({"schema_version":1}{"role":"user","text":"hold fast"})" ? 0 : 1;
}
