"""pi: a tree of entries. openclaw stores the same ones in a database."""
from common import Clock, SEPARATOR, TIDES, WIDE, said, write_lines


class Entries:
    def __init__(self, session, minute, version, cwd, provider, model, **header):
        self.id, self.cwd, self.provider, self.model = session, cwd, provider, model
        self.clock, self.last, self.count = Clock(minute), None, 0
        self.started = self.clock.iso()
        self.records = [{"type": "session", "version": version, "id": session, "timestamp": self.started, "cwd": cwd, **header}]

    def add(self, kind, **more):
        self.count += 1
        entry = f"{self.id[-2:]}{self.count:06}"
        self.records.append({"type": kind, "id": entry, "parentId": self.last, "timestamp": self.clock.iso(), **more})
        self.last = entry

    def begin(self):
        self.add("model_change", provider=self.provider, modelId=self.model)
        self.add("thinking_level_change", thinkingLevel="medium")

    def message(self, role, content, **more):
        self.add("message", message={"role": role, "content": content, **more, "timestamp": self.clock.ms()})

    def prompt(self, text):
        self.message("user", [said(text)])

    def answer(self, response, output, *content, stop="stop", **more):
        spent = bool(output)
        usage = {"input": 40 * spent, "output": output, "cacheRead": 600 * spent, "cacheWrite": 9 * spent, "totalTokens": output + 649 * spent}
        named = {"responseId": response} if response else {}
        self.message("assistant", list(content), api="anthropic-messages", provider=self.provider, model=self.model, usage=usage,
                     stopReason=stop, **named, **more)

    def result(self, call, name, text, failed=False):
        self.message("toolResult", [said(text)], toolCallId=call, toolName=name, isError=failed)


def tool_call(call, name, **arguments):
    return {"type": "toolCall", "id": call, "name": name, "arguments": arguments}


def pi_session(number, minute, cwd=TIDES, **header):
    return Entries(f"01992000-0000-7000-8000-0000000000f{number}", minute, 3, cwd, "anthropic", "claude-sonnet-4-5", **header)


def pi_path(session):
    folder = "--" + session.cwd.strip("/").replace("/", "-") + "--"
    return f".pi/agent/sessions/{folder}/{session.started.replace(':', '-').replace('.', '-')}_{session.id}.jsonl"


def main():
    first = pi_session(1, 0)
    first.begin()
    first.prompt("Show the head of the table")
    first.answer("msg_p11", 26, said("I print it."), tool_call("toolu_p11", "bash", command="head -1 tides.csv"), stop="toolUse")
    first.result("toolu_p11", "bash", "2025-01-01 high 3.0 m\n")
    first.answer("msg_p12", 13, said(f"It begins in January.{SEPARATOR}一月 🌊"))
    write_lines("pi/" + pi_path(first), first.records)

    fork = pi_session(2, 5, parentSession="/home/dev/" + pi_path(first))
    fork.records += first.records[1:]
    fork.last, fork.count = first.last, first.count
    fork.prompt("And the end")
    fork.answer("msg_p21", 9, said("It ends in May."))
    write_lines("pi/" + pi_path(fork), fork.records)

    killed = pi_session(3, 10, cwd=WIDE)
    killed.begin()
    killed.prompt("Wait for high water")
    killed.answer("msg_p31", 18, {"type": "thinking", "thinking": "That is long.", "thinkingSignature": "c2ln"},
                  tool_call("toolu_p31", "bash", command="sleep 20000"), stop="toolUse")
    write_lines("pi/" + pi_path(killed), killed.records)

    failed = pi_session(4, 15)
    failed.begin()
    failed.prompt("What is the weather?")
    failed.answer("", 0, stop="error", errorMessage="529 Overloaded")
    write_lines("pi/" + pi_path(failed), failed.records)
