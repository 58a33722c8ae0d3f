#include "doors/cli/commands.h"

#include <algorithm>
#include <array>

namespace holdfast::inline v1 {

std::span<const Command> commands() {
  static const std::vector<Command> all{
      {"demo",
       "",
       "kill writers for a few seconds and show that nothing is lost",
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
        {"--keep", "", "keep the files and print where they are"}},
       {{"holdfast demo", "watch it"},
        {"holdfast demo --keep --seconds 3", "a short storm, then look at the files"},
        {"holdfast demo --json | jq .lost", "for programs"}}},
      {"tail",
       "[ID]",
       "print the last messages of a session and follow it",
       "Prints the last messages of a session of any agent and, with --follow, what is\n"
       "said from then on, until Ctrl-C. ID is an id, a prefix of one, or @last. Without\n"
       "it, follows the latest session and moves on when a newer one begins. With\n"
       "--json, one message a line; a message that is completed later is printed again\n"
       "with the blocks that were added. Changes nothing.",
       {{"--follow", "", "keep printing new messages", false, 'f'},
        {"--count", "N", "start with the last N messages (default 10)", false, 'n'},
        {"--store", "STORE", "use this store, LAYOUT:ROOT"}},
       {{"holdfast tail -f", "watch the newest session"}, {"holdfast tail 7772 -n 2 --json", "for scripts"}}},
      {"pick",
       "",
       "choose a session from a list you can filter",
       "Lists sessions, newest first, with a preview. Typing filters by title,\n"
       "project, agent or the start of an id, and after a moment by what was said,\n"
       "with the hits in the preview. Arrow and page keys move. Enter opens the session\n"
       "(q goes back to the list); tab prints its id; Ctrl-R resumes it with its own\n"
       "agent; Ctrl-O asks for another agent of this machine, writes a new session for\n"
       "it, as resume --in does, and starts that agent; esc quits. Takes\n"
       "the filters of ls.\n"
       "\n"
       "Draws on the terminal itself. When standard output is not a terminal, the id of\n"
       "the chosen session is all that is ever printed; with --json, the session as ls\n"
       "has it. Exits with 1 when nothing was chosen.",
       {},
       {{"holdfast pick", "look around"},
        {"holdfast pick --agent codex --since 7d", "sessions of Codex of the last week"},
        {"holdfast show $(holdfast pick)", "the id of the one you choose"}}},
      {"resume",
       "ID",
       "continue a session with its own agent",
       "Starts the agent that the session belongs to with its own command for resuming\n"
       "(claude --resume ID, codex resume ID, ...), in the directory of the session's\n"
       "project. The agent takes the place of holdfast: no shell is involved, and\n"
       "nothing that a session says is ever run as a command.\n"
       "\n"
       "With --in, continues the session in another agent: first writes a new session of\n"
       "that agent, as handoff does, and reports on standard error; --print writes it\n"
       "too, every time. A session that only the archive still has needs restore first,\n"
       "or continues in another agent.\n"
       "\n"
       "The JSON document holds schema_version, command[], directory and environment{};\n"
       "with --in it is the answer of session.handoff, and nothing is run.",
       {{"--print", "", "print the command instead of running it"},
        {"--in", "AGENT", "continue in this agent"},
        {"--project", "DIR", "with --in: the directory to continue in"},
        {"--last", "N", "with --in: only the last N prompts, with their answers"},
        {"--from", "MESSAGE", "with --in: start from the prompt of this message"},
        {"--fit", "TOKENS", "with --in: at most N tokens, as estimated"},
        {"--tools", "HOW", "with --in: map (default) or keep the names of tools"},
        {"--redact", "", "with --in: replace secrets with placeholders"},
        {"--dry-run", "", "with --in: print what would be carried and write nothing"},
        {"--machine", "NAME", "with --in: a session of this other machine"},
        {"--yes", "", "with --machine: you have looked at what it says"},
        {"--store", "STORE", "use this store, LAYOUT:ROOT"}},
       {{"holdfast resume 7772", "continue where you stopped"},
        {"holdfast resume 7772 --in codex", "continue in another agent"},
        {"holdfast resume @last --print", "see the command first"},
        {"holdfast pick", "Ctrl-R resumes the chosen session"}}},
      {"doctor",
       "",
       "check every store and explain what is wrong",
       "Looks at every store and reads everything in it once: sessions, damage, rights,\n"
       "free space, leases, what a crash left behind, and whether its agent deletes old\n"
       "sessions. Changes nothing. The report holds no titles, no text of sessions and\n"
       "no secrets, and ~ stands for your home directory, so it can be pasted into a bug\n"
       "report. Exits with 4 when something is damaged, with 5 when a store cannot be\n"
       "used.\n"
       "\n"
       "The JSON document holds schema_version, version, system, cache, settings[],\n"
       "stores[{layout, root, writable, sessions, bytes, running, interrupted, damaged,\n"
       "newest, oldest, mode, file_system, free_bytes, leases, holders[{name, alive,\n"
       "pid, since}], unfinished, poison, set_aside, deletes_after_days}] and\n"
       "problems[{kind, where, message}], where kind is note, damage or unavailable.",
       {{"--store", "STORE", "check only this store, LAYOUT:ROOT"}},
       {{"holdfast doctor", "before you ask for help"}, {"holdfast doctor --json | jq .problems", "for scripts"}}},
      {"config",
       "[list|get|set|unset|path] [KEY] [VALUE]",
       "show and change settings",
       "list shows every setting, its value and where it comes from; get prints one;\n"
       "set and unset change your own file, whose name path prints. Everything else in\n"
       "the file stays, comments too. A variable HOLDFAST_KEY overrides the project's\n"
       ".holdfast/config.toml, which overrides your own file.\n"
       "\n"
       "Settings of a single store: holdfast store settings, holdfast store configure.\n"
       "\n"
       "get exits with 1 if the key is not set. The JSON document of list holds\n"
       "schema_version and settings[{key, value, from, help}].",
       {{"--dry-run", "", "with set or unset: print what would be done and change nothing"}},
       {{"holdfast config list", "every setting and its source"},
        {"holdfast config set redact_inputs true", "mask secrets in stored prompts"},
        {"holdfast config set redact_outputs true", "and in answers and tool output"},
        {"holdfast config set prices.my-model.input 2.5", "US dollars per million tokens"},
        {"$EDITOR \"$(holdfast config path)\"", "edit the file"}}},
      {"init",
       "[DIR]",
       "create a store for a project",
       "Creates .holdfast/ in the directory (default: the current one). From then on,\n"
       "commands started there or below keep their sessions in it. An existing store\n"
       "stays as it is.",
       {{"--dry-run", "", "print what would be done and change nothing"}},
       {{"holdfast init", "for the project you are in"}}},
      {"call",
       "METHOD [JSON]",
       "run one operation of the api",
       "Runs METHOD with the parameters JSON: an object, @FILE, or - for standard\n"
       "input. Prints the answer as one JSON document; errors are JSON on standard\n"
       "error, and the exit code gives their kind; store.verify and archive.verify\n"
       "exit with 4 when they find damage. Methods and their parameters: holdfast api,\n"
       "docs/api.md. A store in JSON must be the one of --store, if both are given. A\n"
       "call takes no lease, unless --owner-pid names the process for which it is made:\n"
       "the session then counts as running until that process ends or ends the session,\n"
       "and others get the error busy.",
       {{"--store", "STORE", "use this store, LAYOUT:ROOT"},
        {"--owner-pid", "PID", "the process that owns the session or run from now on"}},
       {{"holdfast call session.create '{\"title\":\"Fix it\"}'", "create a session"},
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
       {{"--store", "STORE", "the store of requests that name none, LAYOUT:ROOT"}},
       {{"echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\"}' | holdfast rpc", "say hello"}}},
      {"mcp",
       "",
       "give agents tools to search and read sessions (MCP)",
       "Speaks the Model Context Protocol on standard input and output, versions\n"
       "2025-11-25 and 2026-07-28. Tools: search_sessions, list_sessions, get_session,\n"
       "get_messages, search_content, get_usage and get_handoff; every session is a\n"
       "resource too, session://AGENT/ID. Answers are bounded, carry citations, say that\n"
       "they quote history, and have secrets masked. Nothing changes, unless --write\n"
       "adds star_session, tag_session and rename_session, which keep what they note\n"
       "in Holdfast's own files. Ends with its input.\n"
       "\n"
       "holdfast mcp install AGENT adds it to the settings of an agent, and\n"
       "mcp uninstall AGENT removes it: each shows the change, and makes it with\n"
       "--yes.",
       {{"--store", "STORE", "LAYOUT:ROOT, instead of all stores of this machine"},
        {"--exclude-session", "ID", "never show this session: the caller's own"},
        {"--write", "", "let agents star, tag and rename sessions, too"}},
       {{"holdfast mcp install codex", "show what would be added to its settings"}}},
      {"serve",
       "",
       "show sessions in a browser",
       "Listens on this machine, at a free port, and opens the viewer in your browser.\n"
       "The address holds a code that lets one browser in, once; other pages and other\n"
       "people of this machine are refused. It only reads, unless --write is given, and\n"
       "shows nothing but sessions. Ctrl-C ends it.\n"
       "\n"
       "With --json prints schema_version, url, code and token instead of opening\n"
       "anything; programs send the token as Authorization: Bearer.",
       {{"--no-open", "", "print the address, open no browser"},
        {"--port", "N", "listen there (default: a free one)"},
        {"--bind", "ADDRESS", "127.0.0.1 (default) or ::1; nothing else"},
        {"--socket", "PATH", "listen on a Unix socket instead, for ssh -L"},
        {"--write", "", "let the viewer star, tag and rename sessions"},
        {"--store", "STORE", "LAYOUT:ROOT, instead of all stores of this machine"}},
       {{"holdfast serve", "look around in your browser"},
        {"holdfast serve --no-open --port 7777", "without a browser; then ssh -L"}}},
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
       "Explains a command, or lists the commands. holdfast help agents lists what\n"
       "agents and scripts use: the nouns, call and rpc.",
       {{"--markdown", "", "everything, as in docs/cli.md", true}},
       {{"holdfast help ls", "the same as holdfast ls --help"},
        {"holdfast help agents", "the nouns and their verbs"},
        {"holdfast help session create", "one verb of a noun"}},
       false,
       false},
      {"version", "", "print the version", "Prints the version, as --version does.", {}, {}},
      {"completions",
       "SHELL",
       "print shell completions for bash, zsh or fish",
       "Prints a script that makes the shell complete commands, options, session ids and\n"
       "stores. The Debian package installs them; elsewhere, put the line for your shell\n"
       "into its start file.",
       {},
       {{"eval \"$(holdfast completions bash)\"", "in ~/.bashrc"},
        {"eval \"$(holdfast completions zsh)\"", "in ~/.zshrc, after compinit"},
        {"holdfast completions fish | source", "in ~/.config/fish/config.fish"}},
       false,
       false},
      {"man",
       "[COMMAND]",
       "show the manual page of a command or a noun",
       "On a terminal shows the page with man(1); elsewhere prints it as man(7) writes\n"
       "it. Without a command: holdfast(1).",
       {{"--list", "", "print only the names of all pages"}},
       {{"holdfast man ls", "the page of ls"}, {"holdfast man search > holdfast-search.1", "to install it somewhere"}},
       false,
       false},
      {"complete", "[WORD]...", "complete a command line", "Run by the completion scripts.", {}, {}, true},
      {"demo-writer",
       "",
       "a writer process of the demo",
       "Started by the demo; not meant to be run by hand.",
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
       "hold a lease for another process",
       "Started by call --owner-pid; not meant to be run by hand.",
       {{"--store", "STORE", "", true},
        {"--session", "ID", "", true},
        {"--run", "ID", "", true},
        {"--project", "DIR", "", true},
        {"--owner-pid", "PID", "", true}},
       {},
       true},
  };
  return all;
}

std::span<const Option> global_options() {
  static constexpr std::array<Option, 4> all{{{"--json", "", "print one JSON document; errors as JSON too"},
                                              {"--color", "WHEN", "use color: auto, always or never (default auto)"},
                                              {"--no-pager", "", "do not pipe long output into a pager"},
                                              {"--help", "", "explain the command", false, 'h'}}};
  return all;
}

std::vector<Option> shared_options(const Command& command) {
  std::vector<Option> offered(global_options().begin(), global_options().end());
  if (!command.json) std::erase_if(offered, [](const Option& option) { return option.name == "--json"; });
  return offered;
}

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find(commands(), name, &Command::name);
  return found == commands().end() ? nullptr : &*found;
}

std::span<const ExitCode> exit_codes() {
  static constexpr std::array<ExitCode, 9> all{
      {{0, "done"},
       {1, "nothing found (ls, search, stats, stores, machine list, remote list, forget --match)"},
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
