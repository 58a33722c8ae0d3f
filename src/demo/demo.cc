#include "demo/demo.h"

#include <fmt/core.h>

#include "demo/scratch.h"

namespace holdfast::inline v1 {
namespace {

constexpr auto kTimingTime = std::chrono::milliseconds(1200);

// Opens every log once more, as the next writer would: repairs what the last kills
// tore, and counts it like the rest.
Result<void> open_all(const Context& context, const std::shared_ptr<Root>& root,
                      const std::vector<DemoWriterOptions>& writers) {
  for (const auto& writer : writers) {
    LogOptions options;
    options.mode = writer.mode;
    HOLDFAST_TRY(AppendLog::open(context, root, writer.log, options));
  }
  return {};
}

Result<DemoReport> record_and_verify(const Context& context, const DemoOptions& options, const std::string& directory,
                                     DemoProgress& progress) {
  DemoReport report;
  report.directory = directory;
  RootOptions root_options;
  root_options.create = true;
  if (auto kind = real_file_system().kind_of(directory)) report.file_system = kind->name;
  HOLDFAST_LET(made, Root::open(context, real_file_system(), directory, root_options));
  made.reset();

  const auto writers = demo_writers(directory);
  report.writers = writers.size();
  progress.say(fmt::format("{} writers record sessions below {}", writers.size(), directory));
  progress.say("and are killed with SIGKILL, over and over.");
  Oracle oracle;
  HOLDFAST_LET(storm, run_storm(context, writers, options.seconds, oracle, progress));
  report.storm = storm;
  report.acknowledged = oracle.messages();
  report.bytes = oracle.bytes();
  report.documents = oracle.documents();

  progress.show("Opening everything again and comparing every byte ...");
  HOLDFAST_LET(root, Root::open(context, real_file_system(), directory));
  HOLDFAST_TRY(open_all(context, root, writers));
  HOLDFAST_LET(findings, oracle.verify(context, *root));
  report.findings = std::move(findings);

  progress.show("Measuring one durable message against the bare disk ...");
  HOLDFAST_LET(timing, measure_append(context, root, kTimingTime));
  report.timing = timing;
  return report;
}

}  // namespace

Result<DemoReport> run_demo(const Context& context, const DemoOptions& options, const Screen& screen) {
  HOLDFAST_LET(scratch, Scratch::create(options.base));
  DemoProgress progress(screen);
  auto report = record_and_verify(context, options, scratch.path(), progress);
  if (screen.terminal) progress.say("");
  if (!report && report.error().code == Code::cancelled) report.error().message = "interrupted; the demo cleaned up";
  // Keep the files after a loss, for inspection.
  if (options.keep || (report && !report->findings.good())) {
    scratch.keep();
    if (report) report->kept = true;
    if (!report) progress.say("The files were kept in " + scratch.path());
  }
  return report;
}

}  // namespace holdfast::inline v1
