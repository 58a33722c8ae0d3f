"""Codex: items of the API; forks refer to their parent's file."""
import json

from common import Clock, SEPARATOR, TIDES, line, write, write_lines


class Codex:
    def __init__(self, number, minute, ordinal=0, segment="", folder="sessions/2025/09/08", **meta):
        self.id = f"01992000-0000-7000-8000-0000000000c{number}"
        self.clock, self.ordinal, self.turn = Clock(minute), ordinal, 0
        start = self.clock.iso()
        name = start[:19].replace(":", "-") + "-" + self.id + ("_" + segment if segment else "")
        self.path = f"codex/.codex/{folder}/rollout-{name}.jsonl"
        self.lines, self.started = [], start
        self.add("session_meta", {
            "session_id": self.id, "id": self.id, "timestamp": start, "cwd": TIDES, "originator": "codex_exec",
            "cli_version": "0.166.0", "source": "exec", "model_provider": "openai", "history_mode": "paginated",
            "base_instructions": {"text": "You are a coding agent."}, "git": {"branch": "main"}, **meta})

    def add(self, kind, payload, **more):
        record = {"timestamp": self.clock.iso(), "ordinal": self.ordinal, "type": kind, "payload": payload, **more}
        self.ordinal += 1
        self.lines.append(line(record) + "\n")

    def item(self, kind, **payload):
        self.add("response_item", {"type": kind, **payload})

    def prompt(self, text):
        self.turn += 1
        self.add("event_msg", {"type": "task_started", "turn_id": f"{self.id}-{self.turn}"})
        if self.turn == 1:
            self.item("message", role="user", content=[
                {"type": "input_text", "text": f"<environment_context>\n  <cwd>{TIDES}</cwd>\n</environment_context>"}])
        self.add("turn_context", {"turn_id": f"{self.id}-{self.turn}", "cwd": TIDES, "model": "gpt-5.1-codex",
                                  "approval_policy": "never", "sandbox_policy": {"type": "danger-full-access"}})
        self.item("message", role="user", content=[{"type": "input_text", "text": text}])

    def say(self, text):
        self.item("message", role="assistant", content=[{"type": "output_text", "text": text}])
        self.add("event_msg", {"type": "item_completed", "item": {"type": "AgentMessage", "content": [{"type": "Text", "text": text}]}})

    def call(self, call, name, **arguments):
        self.item("function_call", name=name, arguments=line(arguments), call_id=call)

    def output(self, call, text):
        self.item("function_call_output", call_id=call, output=text)

    def used(self, response, output, reasoning=0):
        self.add("token_usage_record", {"thread_id": self.id, "turn_id": f"{self.id}-{self.turn}", "response_id": response, "usage": {
            "input_tokens": 500, "cached_input_tokens": 300, "output_tokens": output, "reasoning_output_tokens": reasoning,
            "total_tokens": 500 + output}})

    def done(self, text):
        self.add("event_msg", {"type": "task_complete", "turn_id": f"{self.id}-{self.turn}", "last_agent_message": text})

    def here(self, lines=None):
        """A position in this file, as a fork or another segment names it."""
        taken = self.lines if lines is None else self.lines[:lines]
        ordinal = json.loads(taken[-1])["ordinal"] + 1
        return {"thread_id": self.id, "end_ordinal_exclusive": ordinal, "end_byte_offset": sum(len(one.encode()) for one in taken)}

    def save(self):
        write(self.path, "".join(self.lines))


def main():
    first = Codex(1, 0)
    first.prompt("List the harbours")
    first.say("I will look.")
    first.call("call_c11", "exec_command", cmd="ls harbours")
    first.used("resp_c11", 30)
    first.output("call_c11", "Process exited with code 0\nOutput:\nBrest\nBristol\nEmden\n")
    first.say("There are three.")
    first.used("resp_c12", 20)
    first.done("There are three.")
    first.prompt(f"Sort them, größte zuerst 🌊{SEPARATOR}and nothing else")
    first.item("reasoning", summary=[{"type": "summary_text", "text": "**Sorting**\n\nBy height."}], content=None, encrypted_content="eA==")
    first.say("Bristol, Brest, Emden.")
    first.used("resp_c13", 25, reasoning=9)
    first.done("Bristol, Brest, Emden.")
    first.save()

    base = first.here()
    fork = Codex(2, 5, ordinal=base["end_ordinal_exclusive"], forked_from_id=first.id, history_base=base,
                 forked_from_ordinal_exclusive=base["end_ordinal_exclusive"])
    fork.turn = 1  # the context is in the parent's file
    fork.prompt("Only the first two")
    fork.say("Bristol, Brest.")
    fork.used("resp_c21", 11)
    fork.done("Bristol, Brest.")
    fork.save()

    parent = Codex(3, 10)
    child = Codex(4, 11, session_id=parent.id, parent_thread_id=parent.id, source={"subagent": {"thread_spawn": {
        "parent_thread_id": parent.id, "depth": 1, "agent_nickname": "Wren"}}})
    parent.prompt("Ask somebody else")
    parent.say("I ask Wren.")
    parent.item("function_call", name="spawn_agent", namespace="multi_agent_v1", arguments=line({"message": "Count the harbours"}), call_id="call_c31")
    parent.used("resp_c31", 24)
    parent.output("call_c31", line({"agent_id": child.id, "nickname": "Wren"}))
    parent.say("Wren counts.")
    parent.used("resp_c32", 16)
    parent.done("Wren counts.")
    parent.save()
    child.prompt("Count the harbours")
    child.call("call_c41", "exec_command", cmd="ls harbours | wc -l")
    child.used("resp_c41", 13)
    child.output("call_c41", "Process exited with code 0\nOutput:\n3\n")
    child.say("Three.")
    child.used("resp_c42", 5)
    child.done("Three.")
    child.save()

    killed = Codex(5, 15)
    killed.prompt("Wait for high water")
    killed.say("I wait.")
    killed.call("call_c51", "exec_command", cmd="sleep 20000")
    killed.used("resp_c51", 27)
    killed.save()

    archived = Codex(6, 20, folder="archived_sessions")
    archived.prompt("Rename the table")
    archived.item("custom_tool_call", status="completed", name="apply_patch", call_id="call_c61",
                  input="*** Begin Patch\n*** Update File: a\n@@\n-a\n+b\n*** End Patch")
    archived.used("resp_c61", 12)
    archived.item("custom_tool_call_output", call_id="call_c61", output="Success. Updated the following files:\nM a\n")
    archived.say("Renamed.")
    archived.used("resp_c62", 7)
    archived.done("Renamed.")
    archived.save()

    curve = Codex(7, 25)
    curve.prompt("Draw the curve")
    curve.say("Drawn.")
    curve.used("resp_c71", 9)
    curve.done("Drawn.")
    kept = len(curve.lines)
    curve.prompt("In red")
    curve.say("It is red.")
    curve.used("resp_c72", 8)
    curve.done("It is red.")
    curve.save()
    base = curve.here(kept)
    again = Codex(7, 26, ordinal=base["end_ordinal_exclusive"], segment="01992000-0000-7000-8000-0000000000ff", history_base=base)
    again.turn = 2
    again.prompt("In blue")
    again.say("It is blue.")
    again.used("resp_c73", 6)
    again.done("It is blue.")
    again.save()

    write_lines("codex/.codex/session_index.jsonl", [
        {"id": first.id, "thread_name": "harbour", "updated_at": first.started},
        {"id": first.id, "thread_name": "harbours of the north", "updated_at": fork.started}])
