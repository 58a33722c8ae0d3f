#include "demo/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "demo/numbers.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kNamed = 5;  // lost or altered messages that are listed by id

class Text {
 public:
  explicit Text(bool colour) : colour_(colour) {}

  void line(std::string_view text = {}) { out_.append(text).push_back('\n'); }
  void row(std::string_view name, std::string_view value, std::string_view note, std::string_view paint = {}) {
    const std::string padded = fmt::format("{:>9}", value);
    line(fmt::format("  {:<23}{}{}{}", name, painted(padded, paint), note.empty() ? "" : "  ", note));
  }
  void more(std::string_view note) { line(fmt::format("{:36}{}", "", note)); }
  std::string painted(std::string_view text, std::string_view paint) const {
    return colour_ && !paint.empty() ? fmt::format("\033[{}m{}\033[0m", paint, text) : std::string(text);
  }
  std::string take() { return std::move(out_); }

 private:
  bool colour_;
  std::string out_;
};

// Claim only what was tested (decision 7).
bool survives_power_loss(std::string_view file_system) { return file_system == "ext4" || file_system == "xfs"; }

struct DamageSum {
  std::uint64_t moved = 0;
  std::uint64_t moved_bytes = 0;
  std::uint64_t left = 0;
  std::string folder;
  std::string log;
};

DamageSum sum_of(const std::vector<DemoDamage>& all) {
  DamageSum sum;
  for (const auto& damage : all) {
    if (damage.moved_to.empty()) {
      ++sum.left;
      sum.log = damage.file;
    } else {
      ++sum.moved;
      sum.moved_bytes += damage.length;
      sum.folder = damage.moved_to.substr(0, damage.moved_to.rfind('/'));
    }
  }
  return sum;
}

void add_bad(Text& text, std::string_view name, const std::vector<std::string>& bad) {
  text.row(name, with_commas(bad.size()), "", bad.empty() ? "1;32" : "1;31");
  for (std::size_t i = 0; i < std::min(bad.size(), kNamed); ++i) text.line("    " + bad[i]);
  if (bad.size() > kNamed) text.line(fmt::format("    and {} more", bad.size() - kNamed));
}

void add_damage(Text& text, const DemoReport& report) {
  const auto sum = sum_of(report.findings.damage);
  text.row("damaged places", with_commas(report.findings.damage.size()),
           report.findings.damage.empty() ? "no message was torn by a kill this time"
                                          : "messages torn by a kill, never acknowledged");
  if (sum.moved > 0)
    text.more(fmt::format("{} cut off, {} kept in {}/", sum.moved, in_bytes(sum.moved_bytes), sum.folder));
  if (sum.left > 0) {
    text.more(fmt::format("{} left in {}: a log that", sum.left, sum.log));
    text.more("others also write to is never cut");
  }
}

void add_next(Text& text, const DemoReport& report) {
  const std::string_view first = "sessions/ses_1/messages.jsonl";
  if (report.kept) {
    text.line("The files are in " + report.directory);
    text.line();
    text.line("Try next");
    text.line("  cd " + report.directory);
    text.line(fmt::format("  tail -n 2 {}", first));
    if (sum_of(report.findings.damage).moved > 0)
      text.line("  ls .holdfast/corrupt                 what the kills tore off");
  } else {
    text.line(fmt::format("{} was removed.", report.directory));
    text.line();
    text.line("Try next");
    text.line("  holdfast demo --keep                 keep the files and look at them");
  }
  text.line("  holdfast demo --seconds 60           a longer run");
  text.line("  holdfast demo --json                 the same report for programs");
}

}  // namespace

std::string report_text(const DemoReport& report, bool colour) {
  const Findings& findings = report.findings;
  Text text(colour);
  text.line(findings.good()
                ? text.painted("Nothing that was acknowledged is lost.", "1;32")
                : text.painted("Acknowledged messages are lost or altered. This is a bug: report it.", "1;31"));
  text.line();
  text.row("messages acknowledged", with_commas(report.acknowledged),
           fmt::format("{} in {:.1f} s, {}", in_bytes(report.bytes), report.storm.seconds,
                       survives_power_loss(report.file_system) ? "each safe from power loss" : "each after its sync"));
  text.row("kills (SIGKILL)", with_commas(report.storm.kills),
           fmt::format("{} while a message was being written", with_commas(report.storm.kills_in_append)));
  add_bad(text, "lost", findings.lost);
  add_bad(text, "altered", findings.altered);
  add_damage(text, report);
  text.row("session.json replaced", with_commas(report.documents), "times, always whole");
  text.line();
  const Timing& timing = report.timing;
  text.row("one durable message", in_time(timing.holdfast_us), fmt::format("median, 1 KiB, on {}", report.file_system));
  text.row("raw write + fdatasync", in_time(timing.raw_us),
           fmt::format("of the same bytes, in turns with it: {:.2f} x", timing.ratio()));
  text.line();
  add_next(text, report);
  return text.take();
}

}  // namespace holdfast::inline v1
