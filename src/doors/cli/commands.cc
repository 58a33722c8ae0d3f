#include "doors/cli/commands.h"

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
      {"tail",
       "[ID]",
       "print the end of a session and follow it",
       "Prints the last messages of a session of any agent; with --follow also what\n"
       "is said from then on, until Ctrl-C. ID is an id, a prefix of one, or @last\n"
       "(the default). With --json a message a line. Nothing in the store changes.",
       {{"--follow", "", "go on with what is said from now on", false, 'f'},
        {"--count", "N", "messages to begin with; default 10", false, 'n'},
        {"--store", "STORE", "LAYOUT:ROOT"}},
       {{"holdfast tail -f", "watch the newest session"}, {"holdfast tail 7772 -n 2 --json", "for programs"}}},
      {"pick",
       "",
       "choose a session on the terminal",
       "Lists sessions, newest first, with a preview. Arrow keys and page keys move;\n"
       "letters filter (every word, as a subsequence, in title, project, agent and id);\n"
       "enter shows the session; tab prints its id; r, or Ctrl-R while a filter is\n"
       "typed, prints the command with which its agent goes on with it; / begins a\n"
       "filter with any letter; esc leaves. Draws on the terminal itself. When standard\n"
       "output is not a terminal, all that is ever printed is the id of the chosen\n"
       "session. Takes the filters of ls. Exits with 1 when nothing was chosen.",
       {},
       {{"holdfast pick", "look around"},
        {"holdfast pick --layout codex --since 7d", "among those of Codex of the last week"},
        {"id=$(holdfast pick)", "the id of the one you choose"}}},
      {"doctor",
       "",
       "say what could go wrong with the stores of this machine",
       "Looks at every store, and reads everything in it once: sessions, damage, rights,\n"
       "free space, leases, what a crash left behind, and whether its agent deletes old\n"
       "sessions. Changes nothing. The\n"
       "report holds no titles, no text of sessions and no secrets, and ~ stands for the\n"
       "home, so it can be pasted into a bug report. Exits with 4 when something is\n"
       "damaged, with 5 when a store cannot be used.\n"
       "\n"
       "The JSON document holds schema_version, version, system, cache, settings[],\n"
       "stores[{layout, root, writable, sessions, bytes, running, interrupted, damaged,\n"
       "newest, oldest, mode, file_system, free_bytes, leases, holders[{name, alive,\n"
       "pid, since}], unfinished, poison, set_aside, deletes_after_days}] and\n"
       "problems[{kind, where, message}], where kind is note, damage or unavailable.",
       {{"--store", "STORE", "LAYOUT:ROOT: only this one"}},
       {{"holdfast doctor", "before you ask somebody"}, {"holdfast doctor --json | jq .problems", "for programs"}}},
      {"init",
       "[DIR]",
       "make a store of its own for a project",
       "Makes .holdfast/ in the directory (default: the current one). From then on\n"
       "commands started there or below keep their sessions in it. A store that is\n"
       "there already stays as it is.",
       {},
       {{"holdfast init", "for the project you are in"}}},
      {"call",
       "METHOD [JSON]",
       "run one operation of the api",
       "Runs METHOD with the parameters JSON: an object, @FILE, or - for standard\n"
       "input. Prints the answer as one JSON document; errors are JSON on standard\n"
       "error, and the exit code tells their kind. Methods and their parameters:\n"
       "holdfast api, docs/api.md. A call takes no lease, unless --owner-pid names the\n"
       "process for which it is made: the session then counts as running until that\n"
       "process ends or ends the session, and others are told that it is busy.",
       {{"--store", "STORE", "LAYOUT:ROOT, as the parameter store"},
        {"--owner-pid", "PID", "the process that owns the session from now on"}},
       {{"holdfast call session.create '{\"title\":\"Fix it\"}'", "make a session"},
        {"holdfast call message.append - < message.json", "parameters from a file"},
        {"holdfast call session.create --owner-pid $$", "the session of this shell"}}},
      {"rpc",
       "",
       "serve the api as JSON-RPC 2.0 on standard input and output",
       "One message a line. The first is hello; after events.subscribe the events of\n"
       "open stores come as notifications, and so do the items of streams. $/cancel\n"
       "with the id of a request cancels it. Requests of one session keep their\n"
       "order, others run side by side. The end of the input ends it, after closing\n"
       "what is open.",
       {{"--store", "STORE", "LAYOUT:ROOT, where requests name none"}},
       {{"echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\"}' | holdfast rpc", "who is there"}}},
      {"mcp",
       "",
       "give agents read-only tools to search and read sessions (MCP)",
       "Speaks the Model Context Protocol on standard input and output, versions\n"
       "2025-11-25 and 2026-07-28. Tools: search_sessions, list_sessions, get_session,\n"
       "get_messages, search_content and get_usage; every session is a resource too,\n"
       "session://AGENT/ID. Answers are bounded, carry citations, say that they quote\n"
       "history, and have secrets masked. Nothing in any store changes. Ends with its\n"
       "input.",
       {{"--store", "STORE", "LAYOUT:ROOT, instead of all stores of this machine"},
        {"--exclude-session", "ID", "never show this session: the caller's own"}},
       {{"AGENT mcp add holdfast -- holdfast mcp", "add it to an agent"}}},
      {"api",
       "",
       "print the operations; with --json their JSON Schemas",
       "Every method that call and rpc serve. With --json the document holds\n"
       "schema_version, version, api_version, methods[{method, aliases, summary,\n"
       "writes, destructive, params, result, errors}], errors and $defs.",
       {{"--markdown", "", "as in docs/api.md", true}},
       {{"holdfast api --json | jq '.methods[].method'", "their names"}}},
      {"help",
       "[COMMAND]",
       "explain a command",
       "Explains a command or a noun, or lists all of them.",
       {{"--markdown", "", "everything, as in docs/cli.md", true}},
       {{"holdfast help demo", "the same as holdfast demo --help"},
        {"holdfast help session create", "one verb of a noun"}}},
      {"completions",
       "SHELL",
       "print the completions for bash, zsh or fish",
       "Prints a script that makes the shell complete commands, options, ids of sessions\n"
       "and stores. The Debian package installs them; elsewhere put the line of your\n"
       "shell into its start file.",
       {},
       {{"eval \"$(holdfast completions bash)\"", "in ~/.bashrc"},
        {"eval \"$(holdfast completions zsh)\"", "in ~/.zshrc, behind compinit"},
        {"holdfast completions fish | source", "in ~/.config/fish/config.fish"}}},
      {"man",
       "[COMMAND]",
       "show the manual page of a command or a noun",
       "On a terminal shows the page with man(1); elsewhere prints it as man(7) writes\n"
       "it. Without a command: holdfast(1).",
       {{"--list", "", "only the names of all pages"}},
       {{"holdfast man ls", "the page of ls"}, {"holdfast man search > holdfast-search.1", "to install it somewhere"}}},
      {"complete", "[WORD]...", "what may follow", "Asked by the completion scripts.", {}, {}, true},
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
      {"lease-holder",
       "",
       "keeps a lease for another process",
       "Started by call --owner-pid; of no use to anybody else.",
       {{"--store", "STORE", "", true}, {"--session", "ID", "", true}, {"--owner-pid", "PID", "", true}},
       {},
       true},
  };
  return all;
}

std::span<const Option> global_options() {
  static constexpr std::array<Option, 4> all{
      {{"--json", "", "one JSON document on standard output; errors as JSON too"},
       {"--color", "WHEN", "auto, always or never (default auto; NO_COLOR counts)"},
       {"--no-pager", "", "long output on a terminal as it is"},
       {"--help", "", "explain the command", false, 'h'}}};
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
