#include "demo/writer.h"

#include <holdfast/document.h>
#include <unistd.h>

#include "demo/messages.h"
#include "demo/wire.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kMessagesPerDocument = 20;

Result<void> tell(const Note& note) {
  const std::string line = to_line(note);
  const auto count = ::write(STDOUT_FILENO, line.data(), line.size());
  if (count == static_cast<ssize_t>(line.size())) return {};
  return fail(Code::cancelled, "nobody reads from this writer");
}

Result<std::uint64_t> last_document(const Context& context, Root& root, const std::string& path) {
  LoadOptions options;
  options.move_bad_aside = true;
  auto loaded = load_document(context, root, path, options);
  if (!loaded && loaded.error().code == Code::not_found) return 0;
  if (!loaded) return fail(std::move(loaded).error());
  if (loaded->finding) HOLDFAST_TRY(tell({NoteKind::found, 0, 0, 0, loaded->finding->kind}));
  return document_number(loaded->bytes).value_or(0);
}

Result<void> record(const DemoWriterOptions& options) {
  const Context context;
  HOLDFAST_LET(root, Root::open(context, real_file_system(), options.root));
  LogOptions log_options;
  log_options.mode = options.mode;
  HOLDFAST_LET(log, AppendLog::open(context, root, options.log, log_options));
  for (const auto& finding : log->findings()) HOLDFAST_TRY(tell({NoteKind::found, 0, 0, 0, finding.kind}));
  HOLDFAST_LET(document, last_document(context, *root, options.document));

  for (MessageId id{options.writer, options.life, 1, false};; ++id.number) {
    id.large = options.large && id.number % 2 == 0;
    const std::string message = make_message(id);
    HOLDFAST_TRY(tell({NoteKind::begin, id.number, 0, 0, {}}));
    HOLDFAST_LET(ack, log->append(context, message, Durability::power));
    HOLDFAST_TRY(tell({NoteKind::ack, id.number, ack.offset, ack.end, id.large ? "large" : ""}));
    if (id.number % kMessagesPerDocument != 1) continue;
    HOLDFAST_TRY(replace_document(context, *root, options.document, make_document(options.writer, ++document)));
    HOLDFAST_TRY(tell({NoteKind::document, document, 0, 0, {}}));
  }
}

}  // namespace

int run_writer(const DemoWriterOptions& options) {
  const auto ended = record(options);
  if (ended || ended.error().code == Code::cancelled) return 0;
  (void)tell({NoteKind::error, 0, 0, 0, std::string(code_name(ended.error().code)) + " " + ended.error().text()});
  return 5;
}

}  // namespace holdfast::inline v1
