"""Copilot CLI: one chain of events; sub-agents are in the same file."""
from common import Clock, SEPARATOR, TIDES, line, write


class Copilot:
    def __init__(self, digit, minute, name):
        self.id = f"c0{digit * 6}-0000-4000-8000-00000000000{digit}"
        self.digit, self.clock, self.records, self.last, self.count, self.agent = digit, Clock(minute), [], None, 0, ""
        start = self.clock.iso()
        self.folder = f"copilot/.copilot/session-state/{self.id}"
        self.add("session.start", sessionId=self.id, version=1, producer="copilot-agent", copilotVersion="1.0.102", startTime=start,
                 context={"cwd": TIDES, "gitRoot": TIDES, "branch": "main"})
        write(f"{self.folder}/workspace.yaml", f"id: {self.id}\ncwd: {TIDES}\ngit_root: {TIDES}\nbranch: main\nname: {name}\n"
              f"created_at: {start}\nupdated_at: {start}\n")

    def add(self, kind, **data):
        self.count += 1
        event = f"{self.count:08}-0000-4000-8000-c00000000000"[:-1] + self.digit
        mark = {"agentId": self.agent} if self.agent else {}
        self.records.append({"type": kind, "data": data, **mark, "id": event, "timestamp": self.clock.iso(), "parentId": self.last})
        self.last = event

    def prompt(self, text, **more):
        self.add("user.message", content=text, transformedContent=f"<current_datetime>2025-09-08</current_datetime>\n\n{text}", **more)
        self.add("assistant.turn_start", turnId="0")

    def answer(self, name, output, text, *requests):
        self.add("session.usage_record", usage={"model": "gpt-5-mini", "inputTokens": 700, "outputTokens": output, "cacheReadTokens": 300,
                                                "cacheWriteTokens": 0, "reasoningTokens": 0, "apiCallId": "api_" + name})
        self.add("assistant.message", messageId="message_" + name, model="gpt-5-mini", content=text, toolRequests=list(requests),
                 apiCallId="api_" + name)
        for request in requests:
            self.add("tool.execution_start", toolCallId=request["toolCallId"], toolName=request["name"], arguments=request["arguments"])

    def result(self, call, text, success=True):
        outcome = {"result": {"content": text}} if success else {"error": {"message": text, "code": "failure"}}
        self.add("tool.execution_complete", toolCallId=call, success=success, **outcome)

    def end(self):
        self.add("assistant.turn_end", turnId="0")

    def save(self):  # Copilot escapes U+2028
        write(f"{self.folder}/events.jsonl", "".join(line(record).replace(SEPARATOR, "\\u2028") + "\n" for record in self.records))


def request(call, name, **arguments):
    return {"toolCallId": call, "name": name, "arguments": arguments, "type": "function"}


def main():
    rich = Copilot("1", 0, "Compare two harbours")
    rich.prompt(f"Compare Emden and Brest 🌊{SEPARATOR}満潮")
    rich.answer("k11", 24, "I read both.", request("call_k11", "bash", command="cat emden.csv", description="Read"),
                request("call_k12", "view", path=TIDES + "/brest.csv"))
    rich.result("call_k11", "12:04 3.2 m\n")
    rich.result("call_k12", "The path does not exist.", success=False)
    rich.end()
    rich.answer("k12", 11, "Only Emden has a table.")
    rich.end()
    rich.prompt("Then print it")
    rich.answer("k13", 6, "12:04 3.2 m")
    rich.end()
    rich.add("session.shutdown", shutdownType="routine")
    rich.save()

    parent = Copilot("2", 5, "Check the table")
    parent.prompt("Have the table checked")
    parent.answer("k21", 23, "I delegate that.", request("call_k21", "task", description="Check", prompt="Check the table",
                                                         agent_type="general-purpose"))
    parent.agent = "0a9e0000-0000-4000-8000-0000000000a1"
    parent.add("subagent.started", toolCallId="call_k21", agentName="general-purpose", model="gpt-5-mini")
    parent.prompt("Check the table", source=f"agent-{parent.id}")
    parent.answer("k22", 10, "I count its lines.", request("call_k22", "bash", command="wc -l tides.csv", description="Count"))
    parent.result("call_k22", "150\n")
    parent.end()
    parent.answer("k23", 5, "It is right.")
    parent.end()
    parent.agent = ""
    parent.result("call_k21", "It is right.")
    parent.agent = "0a9e0000-0000-4000-8000-0000000000a1"
    parent.add("subagent.completed", toolCallId="call_k21", agentName="general-purpose", totalToolCalls=1)
    parent.agent = ""
    parent.end()
    parent.answer("k24", 9, "It was checked.")
    parent.end()
    parent.add("session.shutdown", shutdownType="routine")
    parent.save()

    killed = Copilot("3", 10, "A long story")
    killed.prompt("Tell me a very long story about tides")
    killed.save()
    write(f"{killed.folder}/inuse.99999999.lock", "99999999")  # no process of Linux has this id
