#include "cli/commands.h"

#include <algorithm>
#include <array>

namespace holdfast::inline v1 {

std::span<const Command> commands() {
  static const std::vector<Command> all{
      {"demo",
       "",
       "kill writers for a few seconds, show that nothing is lost",
       "Starts writer processes that record sessions, kills them with SIGKILL again\n"
       "and again, opens everything once more and compares each byte with what was\n"
       "acknowledged. Ends with a report on standard output; progress goes to\n"
       "standard error. Needs no root and no network, writes only below a new\n"
       "temporary directory that it names (in $TMPDIR, or /tmp), and removes it.\n"
       "\n"
       "Exits with 4 if anything acknowledged was lost or altered; the files are then\n"
       "kept.\n"
       "\n"
       "The JSON document holds schema_version, directory, kept, file_system, writers,\n"
       "seconds, acknowledged, bytes, kills, kills_in_append, lost, altered, records,\n"
       "unacknowledged, documents, lost_items[], altered_items[],\n"
       "damage[{file, offset, length, kind, moved_to}] and timing{samples, bytes,\n"
       "durable_message_p50_us, raw_write_fdatasync_p50_us, ratio}.",
       {{"--seconds", "N", "length of the storm, 1 to 3600 (default 8)"},
        {"--keep", "", "keep the files and say where they are"}},
       {{"holdfast demo", "watch it"},
        {"holdfast demo --keep --seconds 3", "a short storm, then look at the files"},
        {"holdfast demo --json | jq .lost", "for programs"}}},
      {"help",
       "[COMMAND]",
       "explain a command",
       "Explains a command, or lists all of them.",
       {{"--markdown", "", "everything, as in docs/cli.md", true}},
       {{"holdfast help demo", "the same as holdfast demo --help"}}},
      {"demo-writer",
       "",
       "a writer process of the demo",
       "Started by the demo; of no use to anybody else.",
       {{"--root", "DIR", "", true},
        {"--writer", "N", "", true},
        {"--life", "N", "", true},
        {"--log", "PATH", "", true},
        {"--document", "PATH", "", true},
        {"--shared", "", "", true},
        {"--large", "", "", true}},
       {},
       true},
  };
  return all;
}

std::span<const Option> global_options() {
  static constexpr std::array<Option, 3> all{
      {{"--json", "", "one JSON document on standard output; errors as JSON too"},
       {"--color", "WHEN", "auto, always or never (default auto; NO_COLOR counts)"},
       {"--help", "", "explain the command"}}};
  return all;
}

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find(commands(), name, &Command::name);
  return found == commands().end() ? nullptr : &*found;
}

std::span<const ExitCode> exit_codes() {
  static constexpr std::array<ExitCode, 9> all{{{0, "done"},
                                                {1, "nothing found"},
                                                {2, "usage"},
                                                {3, "no such id, or ambiguous"},
                                                {4, "damage or schema mismatch"},
                                                {5, "storage unavailable (disk full, permission)"},
                                                {6, "busy"},
                                                {7, "remote"},
                                                {130, "interrupted"}}};
  return all;
}

}  // namespace holdfast::inline v1
