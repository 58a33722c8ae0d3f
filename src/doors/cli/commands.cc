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
       "standard error. Needs neither root nor network; writes only to a new temporary\n"
       "directory (in $TMPDIR, or /tmp), prints its name and removes it at the end.\n"
       "\n"
       "Exits with 4 if anything acknowledged was lost or altered; the files are kept\n"
       "in that case.\n"
       "\n"
       "The JSON document holds schema_version, directory, kept, file_system, writers,\n"
       "seconds, acknowledged, bytes, kills, kills_in_append, lost, altered, records,\n"
       "unacknowledged, documents, lost_items[], altered_items[],\n"
       "damage[{file, offset, length, kind, moved_to}] and timing{samples, bytes,\n"
       "durable_message_p50_us, raw_write_fdatasync_p50_us, ratio}.",
       {{"--seconds", "N", "run for N seconds, 1 to 3600 (default 8)"},
        {"--keep", "", "keep the files and print where they are"}},
       {{"holdfast demo", "watch it"},
        {"holdfast demo --keep --seconds 3", "a short run that keeps its files"},
        {"holdfast demo --json | jq .lost", "for programs"}}},
      {"tail",
       "[ID]",
       "print the last messages of a session and follow it",
       "Prints the last messages of a session of any agent and, with --follow, new\n"
       "messages until Ctrl-C. ID is an id, a prefix of one, or @last. Without ID,\n"
       "follows the latest session and switches to a newer one when it starts. With\n"
       "--json, prints one message per line; a message that is completed later is\n"
       "printed again with the added blocks. Changes nothing.",
       {{"--follow", "", "keep printing new messages", false, 'f'},
        {"--count", "N", "start with the last N messages (default 10)", false, 'n'},
        {"--store", "STORE", "use this store, LAYOUT:ROOT"}},
       {{"holdfast tail -f", "watch the newest session"}, {"holdfast tail 7772 -n 2 --json", "for scripts"}}},
      {"pick",
       "",
       "choose a session from a list you can filter",
       "Lists sessions, newest first, with a preview. Typing filters by title,\n"
       "project, agent or the start of an id, and after a moment by message text, with\n"
       "the hits in the preview. Arrow and page keys move. Enter opens the session (q\n"
       "goes back to the list); tab prints its name, LAYOUT/ID, which every command\n"
       "takes; Ctrl-R resumes it with its own agent; Ctrl-O asks for another agent on\n"
       "this machine, writes a new session for it, as resume --in does, and starts that\n"
       "agent; esc quits. Takes the same filters as ls.\n"
       "\n"
       "Draws directly on the terminal. When standard output is not a terminal, only\n"
       "LAYOUT/ID of the chosen session is printed; with --json, the session as in\n"
       "ls --json. Exits with 1 if nothing was chosen.",
       {},
       {{"holdfast pick", "browse sessions"},
        {"holdfast pick --agent codex --since 7d", "Codex sessions of the last week"},
        {"holdfast show $(holdfast pick)", "show the session you choose"}}},
      {"resume",
       "ID",
       "continue a session with its own agent",
       "Starts the session's agent with that agent's own resume command (claude --resume\n"
       "ID, codex resume ID, ...), in the directory of the session's project. The agent\n"
       "replaces the holdfast process: no shell is involved, and no text of a session is\n"
       "ever run as a command.\n"
       "\n"
       "With --in, continues the session in another agent: first writes a new session\n"
       "for that agent, as handoff does, and reports on standard error. With --print,\n"
       "that session is written, too, each time. A session that is only in the archive\n"
       "must be restored first, or can be continued in another agent.\n"
       "\n"
       "The JSON document holds schema_version, command[], directory and environment{};\n"
       "with --in it is the answer of session.handoff, and nothing is run.",
       {{"--print", "", "print the command instead of running it"},
        {"--in", "AGENT", "continue in this agent"},
        {"--project", "DIR", "with --in: the directory to continue in"},
        {"--last", "N", "with --in: only the last N prompts, with their answers"},
        {"--from", "MESSAGE", "with --in: start from the prompt of this message"},
        {"--fit", "TOKENS", "with --in: keep at most this many tokens, as estimated"},
        {"--tools", "HOW", "with --in: map (default) or keep tool names"},
        {"--redact", "", "with --in: replace secrets with placeholders"},
        {"--dry-run", "", "with --in: print what would be carried over and write nothing"},
        {"--machine", "NAME", "with --in: a session from this other machine"},
        {"--yes", "", "with --machine: confirm that you have read the session"},
        {"--store", "STORE", "use this store, LAYOUT:ROOT"}},
       {{"holdfast resume 7772", "continue where you left off"},
        {"holdfast resume 7772 --in codex", "continue in another agent"},
        {"holdfast resume @last --print", "see the command first"},
        {"holdfast pick", "Ctrl-R resumes the chosen session"}}},
      {"doctor",
       "",
       "check every store and explain what is wrong",
       "Reads every store once and checks for damage, permissions, free space, leases,\n"
       "leftovers of crashes, and agents that delete old sessions. Changes nothing. The\n"
       "report contains no titles, session text or secrets, and shows your home\n"
       "directory as ~, so it can be pasted into a bug report. Exits with 4 if something\n"
       "is damaged, and with 5 if a store cannot be used.\n"
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
       "set and unset change your own file; path prints its name. Everything else in the\n"
       "file is kept, including comments. An environment variable, HOLDFAST_ and the\n"
       "key in capitals (HOLDFAST_STORE), overrides the project's\n"
       ".holdfast/config.toml, which overrides your own file.\n"
       "\n"
       "For the settings of a single store, see holdfast store settings and holdfast\n"
       "store configure.\n"
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
       "commands run in that directory or below keep their sessions in it. An existing\n"
       "store is left unchanged.",
       {{"--dry-run", "", "print what would be done and change nothing"}},
       {{"holdfast init", "in the current project"}}},
      {"call",
       "METHOD [JSON]",
       "run one API operation",
       "Runs METHOD with the parameters in JSON: an object, @FILE, or - for standard\n"
       "input. Prints the answer as one JSON document. Errors are printed as JSON on\n"
       "standard error, and the exit code gives their kind; store.verify and\n"
       "archive.verify exit with 4 if they find damage. holdfast api and docs/api.md\n"
       "list the methods and their parameters. If both JSON and --store name a store, it\n"
       "must be the same one. A call takes no lease unless --owner-pid names the process\n"
       "it is made for: the session then counts as running until that process exits or\n"
       "ends the session, and other callers get the error busy.",
       {{"--store", "STORE", "use this store, LAYOUT:ROOT"},
        {"--owner-pid", "PID", "the process that owns the session or run from now on"}},
       {{"holdfast call session.create '{\"title\":\"Fix it\"}'", "create a session"},
        {"holdfast call message.append - < message.json", "parameters from a file"},
        {"holdfast call session.create --owner-pid $$", "the session of this shell"}}},
      {"rpc",
       "",
       "serve the API as JSON-RPC 2.0 on standard input and output",
       "Reads one message per line; the first must be hello. After events.subscribe,\n"
       "events of open stores arrive as notifications, as do the items of streams.\n"
       "$/cancel with the id of a request cancels it. Requests for one session run in\n"
       "order, others in parallel. At the end of its input, closes everything that is\n"
       "open and exits.",
       {{"--store", "STORE", "store for requests that do not name one, LAYOUT:ROOT"}},
       {{"echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\"}' | holdfast rpc", "say hello"}}},
      {"mcp",
       "",
       "give agents tools to search and read sessions (MCP)",
       "Speaks the Model Context Protocol on standard input and output, versions\n"
       "2025-11-25 and 2026-07-28. Tools: search_sessions, list_sessions, get_session,\n"
       "get_messages, search_content, get_usage and get_handoff; every session is a\n"
       "resource too, session://AGENT/ID. Answers are limited in size, cite their\n"
       "sources, say that they quote history, and have secrets masked. Read-only, unless\n"
       "--write adds star_session, tag_session and rename_session, which store their\n"
       "notes in Holdfast's own files. Exits at the end of its input.\n"
       "\n"
       "holdfast mcp install AGENT adds the server to an agent's settings, and\n"
       "holdfast mcp uninstall AGENT removes it; both show the change, and make it with\n"
       "--yes.",
       {{"--store", "STORE", "use only this store, LAYOUT:ROOT"},
        {"--exclude-session", "ID", "never show this session (the caller's own)"},
        {"--write", "", "also let agents star, tag and rename sessions"}},
       {{"holdfast mcp install codex", "show what would be added to its settings"}}},
      {"serve",
       "",
       "show sessions in a browser",
       "Listens on a free port of this machine and opens the viewer in your browser. The\n"
       "address contains a one-time code for one browser; other web pages and other\n"
       "users of this machine are refused. Read-only unless --write is given, and serves\n"
       "nothing but sessions. Ctrl-C stops it.\n"
       "\n"
       "With --json, prints schema_version, url, code and token instead of opening\n"
       "anything; programs send the token as Authorization: Bearer.",
       {{"--no-open", "", "print the address instead of opening a browser"},
        {"--port", "N", "listen on this port (default: a free one)"},
        {"--bind", "ADDRESS", "127.0.0.1 (default) or ::1; nothing else"},
        {"--socket", "PATH", "listen on a Unix socket instead, for ssh -L"},
        {"--write", "", "let the viewer star, tag and rename sessions"},
        {"--remote", "NAME", "start with the sessions that a remote has indexed"},
        {"--store", "STORE", "use only this store, LAYOUT:ROOT"}},
       {{"holdfast serve", "browse sessions in your browser"},
        {"holdfast serve --remote team", "browse the sessions of your team"},
        {"holdfast serve --no-open --port 7777", "no browser; connect with ssh -L"}}},
      {"api",
       "",
       "list the API operations; with --json, their JSON Schemas",
       "Lists every method that call and rpc serve. With --json, the document holds\n"
       "schema_version, version, api_version, methods[{method, aliases, summary,\n"
       "writes, destructive, params, result, errors}], errors and $defs.",
       {{"--markdown", "", "as in docs/api.md", true}},
       {{"holdfast api --json | jq '.methods[].method'", "their names"}}},
      {"help",
       "[COMMAND]",
       "show help for a command",
       "Shows help for a command, or lists the commands. holdfast help agents lists the\n"
       "commands for agents and scripts: the nouns, call and rpc.",
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
       "Prints a script that completes commands, options, session ids and stores in your\n"
       "shell. The Debian package installs it; elsewhere, add the line for your shell to\n"
       "its startup file.",
       {},
       {{"eval \"$(holdfast completions bash)\"", "in ~/.bashrc"},
        {"eval \"$(holdfast completions zsh)\"", "in ~/.zshrc, after compinit"},
        {"holdfast completions fish | source", "in ~/.config/fish/config.fish"}},
       false,
       false},
      {"man",
       "[COMMAND]",
       "show the manual page of a command or a noun",
       "On a terminal, shows the page with man(1); otherwise prints its source in the\n"
       "man(7) format. Without a command, shows holdfast(1).",
       {{"--list", "", "print only the names of all pages"}},
       {{"holdfast man ls", "the manual page of ls"},
        {"holdfast man search > holdfast-search.1", "save the page to a file"}},
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
  static constexpr std::array<Option, 4> all{{{"--json", "", "print one JSON document, and errors as JSON"},
                                              {"--color", "WHEN", "use color: auto, always or never (default auto)"},
                                              {"--no-pager", "", "do not pipe long output into a pager"},
                                              {"--help", "", "show help for the command", false, 'h'}}};
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
       {1,
        "nothing found (ls, search, stats, stores, machine list, remote list, forget --match), or nothing done: "
        "the answer to a question was no"},
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
