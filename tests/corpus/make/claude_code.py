"""Claude Code: one record per content block, a tree by parentUuid."""
from common import Clock, SEPARATOR, TABLE, TIDES, WIDE, dashes, line, said, write, write_lines


class Claude:
    def __init__(self, letter, minute, cwd=TIDES, agent=""):
        self.id = f"c1a0de00-0000-4000-8000-00000000000{letter}"
        self.letter, self.cwd, self.agent = letter, cwd, agent
        self.clock, self.records, self.last, self.count = Clock(minute), [], None, 0
        if not agent:
            self.flat("queue-operation", timestamp=self.clock.iso(), operation="enqueue")

    def flat(self, kind, **more):
        self.records.append({"type": kind, "sessionId": self.id, **more})

    def tree(self, kind, parent=None, **more):
        self.count += 1
        uuid = f"{self.count:08}-0000-4000-8000-{'5' if self.agent else 'c'}0000000000{self.letter}"
        common = {"userType": "external", "cwd": self.cwd, "sessionId": self.id, "version": "2.1.325", "gitBranch": "main"}
        if self.agent:
            common["agentId"] = self.agent
        self.records.append({"parentUuid": parent or self.last, "isSidechain": bool(self.agent), "type": kind, **more,
                             "uuid": uuid, "timestamp": self.clock.iso(), **common})
        self.last = uuid
        return uuid

    def user(self, text, **more):
        return self.tree("user", message={"role": "user", "content": text}, **more)

    def answer(self, message, output, *blocks):
        uuids = []
        for block in blocks:
            usage = {"input_tokens": 12, "cache_creation_input_tokens": 5, "cache_read_input_tokens": 700, "output_tokens": output}
            uuids.append(self.tree("assistant", message={
                "id": message, "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": [block],
                "stop_reason": "end_turn", "stop_sequence": None, "usage": usage}, requestId="req_" + message))
        return uuids

    def result(self, call, text, parent=None, failed=False, **more):
        block = {"tool_use_id": call, "type": "tool_result", "content": text, "is_error": failed}
        return self.tree("user", parent, message={"role": "user", "content": [block]}, **more)

    def save(self, end=True):
        if end:
            self.flat("last-prompt", lastPrompt="…", leafUuid=self.last)
        folder = f"claude-code/.claude/projects/{dashes(self.cwd)}"
        name = f"{self.id}/subagents/agent-{self.agent}" if self.agent else self.id
        write_lines(f"{folder}/{name}.jsonl", self.records)
        return f"{folder}/{self.id}"


def tool_use(call, name, **arguments):
    return {"type": "tool_use", "id": call, "name": name, "input": arguments}


def main():
    rich = Claude("a", 0)
    rich.user("Which harbour has the highest tide? Größte Tide 🌊, please")
    rich.tree("attachment", attachment={"type": "date", "date": "2025-09-08"})
    calls = rich.answer(
        "msg_a1", 90, {"type": "thinking", "thinking": "The table is in tides.csv.", "signature": "c2ln"}, said("I will look."),
        tool_use("toolu_a1", "Bash", command="sort -k2 tides.csv | tail -1", description="Highest tide"),
        tool_use("toolu_a2", "Read", file_path=TIDES + "/notes.md"))
    rich.result("toolu_a1", "Bristol 14.5")
    rich.records[-1]["parentUuid"] = calls[2]  # the results of parallel calls hang on their calls
    rich.result("toolu_a2", "File does not exist.", parent=calls[3], failed=True)
    rich.answer("msg_a2", 40, said(f"Bristol, with 14.5 m.{SEPARATOR}潮位 ✅"))
    before = rich.last
    rich.tree("system", subtype="compact_boundary", content="Conversation compacted", logicalParentUuid=before, isMeta=False,
              compactMetadata={"trigger": "manual", "preTokens": 900})
    rich.records[-1]["parentUuid"] = None
    rich.user("This session is being continued from a previous conversation. Summary: Bristol has the highest tide.",
              isCompactSummary=True, isVisibleInTranscriptOnly=True)
    rich.user("<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args></command-args>")
    rich.user("Write the answer to answer.txt")
    rich.answer("msg_a3", 21, said("It is written."))
    rich.flat("custom-title", customTitle="Highest tide")
    rich.save()

    plain = Claude("b", 5)
    plain.user("Add a test for leap years")
    plain.answer("msg_b1", 33, said("I add one."), tool_use("toolu_b1", "Edit", file_path=TIDES + "/t.py", old_string="a", new_string="b"))
    plain.result("toolu_b1", "The file has been updated.")
    plain.answer("msg_b2", 12, said("Added."))
    plain.save()

    fork = Claude("c", 6)  # --fork-session: the same records under another session id
    fork.records += [{**record, "sessionId": fork.id} for record in plain.records if "uuid" in record]
    fork.last = plain.last
    fork.user("And one for the year 2100")
    fork.answer("msg_c1", 17, said("That is not a leap year: added."))
    fork.save()

    delegating = Claude("d", 10)
    delegating.user("Have somebody check the table")
    delegating.answer("msg_d1", 50, said("I delegate that."), tool_use(
        "toolu_d1", "Agent", description="Check", prompt="Check the table of tides", subagent_type="general-purpose"))
    delegating.result("toolu_d1", "The table is right.", toolUseResult={
        "status": "completed", "agentId": "a0000000000000d01", "totalToolUseCount": 1, "content": [said("The table is right.")]})
    delegating.answer("msg_d2", 14, said("It was checked."))
    folder = delegating.save()
    agent = Claude("d", 10, agent="a0000000000000d01")
    agent.user("Check the table of tides")
    agent.answer("msg_d3", 22, said("I read it."), tool_use("toolu_d2", "Bash", command="wc -l tides.csv"))
    agent.result("toolu_d2", "150 tides.csv")
    agent.answer("msg_d4", 8, said("The table is right."))
    agent.save(end=False)
    write(f"{folder}/subagents/agent-{agent.agent}.meta.json",
          line({"agentType": "general-purpose", "description": "Check", "toolUseId": "toolu_d1", "spawnDepth": 1, "finished": True}))

    large = Claude("e", 15, cwd=WIDE)
    large.user("Print the whole table")
    large.answer("msg_e1", 41, said("Here it comes."), tool_use("toolu_e1", "Bash", command="cat tides.csv"))
    file = f"/home/dev/.claude/projects/{dashes(WIDE)}/{large.id}/tool-results/be1tidest.txt"
    large.result("toolu_e1", f"<persisted-output>\nOutput too large ({len(TABLE)} bytes). Full output saved to: {file}\n\n"
                 f"Preview (first 2KB):\n{TABLE[:200]}\n...\n</persisted-output>")
    large.answer("msg_e2", 19, said("These are 150 days."))
    write(large.save() + "/tool-results/be1tidest.txt", TABLE)

    killed = Claude("f", 20)
    killed.user("Wait for high water")
    killed.answer("msg_f1", 37, said("I wait."), tool_use("toolu_f1", "Bash", command="sleep 20000"))
    killed.save()

    failed = Claude("0", 25)
    failed.user("What is the weather?")
    failed.tree("assistant", message={
        "id": "synthetic-1", "type": "message", "role": "assistant", "model": "<synthetic>",
        "content": [said("API Error: 529 Overloaded")], "stop_reason": "stop_sequence",
        "usage": {"input_tokens": 0, "output_tokens": 0}}, isApiErrorMessage=True, apiErrorStatus=529)
    failed.save()
