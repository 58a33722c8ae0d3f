"""Gemini CLI: a log of operations; messages are upserts by id."""
import hashlib
import json

from common import Clock, MORNING, SEPARATOR, TABLE, TIDES, iso_of, write, write_lines


class Gemini:
    def __init__(self, digit, minute, parent="", **header):
        self.id = f"6e{digit * 6}-0000-4000-8000-00000000000{digit}"
        self.digit, self.clock, self.records, self.count, self.parent = digit, Clock(minute), [], 0, parent
        self.start = self.clock.iso()
        self.header(**header)
        if not parent:
            self.context = {"id": "c0c0c0c0c0c0c0c0", "timestamp": self.start, "type": "user", "content": [
                {"text": f"<session_context>\nThis is the Gemini CLI.\n- **Workspace Directories:**\n  - {TIDES}\n</session_context>"}]}
            self.set(messages=[self.context])

    def header(self, **more):
        digest = hashlib.sha256(TIDES.encode()).hexdigest()
        self.records.append({"sessionId": self.id, "projectHash": digest, "startTime": self.start, "lastUpdated": self.start,
                             "kind": "subagent" if self.parent else "main", **more})

    def set(self, **values):
        self.records.append({"$set": values})

    def add(self, kind, **members):
        self.count += 1
        message = {"id": f"{self.digit}{self.count:07}-0000-4000-8000-00000000006e", "timestamp": self.clock.iso(), "type": kind, **members}
        self.records.append(message)
        self.set(lastUpdated=message["timestamp"])
        return message

    def prompt(self, text):
        return self.add("user", content=[{"text": text}])

    def answer(self, text, output, thoughts=0, calls=()):
        tokens = {"input": 900, "output": output, "cached": 400, "thoughts": thoughts, "tool": 0, "total": 900 + output + thoughts}
        thinking = [{"subject": "Looking", "description": "The depth is in a file.", "timestamp": self.start}] if thoughts else []
        message = self.add("gemini", content=text, thoughts=thinking, tokens=tokens, model="gemini-3-flash")
        if calls:  # the same message again, now with its calls; then their results as the user's message
            self.records.append({**message, "toolCalls": list(calls)})
            self.add("user", content=[call["result"][0] for call in calls])
        return message

    def save(self, name):
        write_lines(f"gemini/.gemini/tmp/tides/chats/{name}.jsonl", self.records)


def gemini_call(call, name, response, status="success", **more):
    arguments = more.pop("args")
    return {"id": call, "name": name, "args": arguments, "result": [{"functionResponse": {"id": call, "name": name, "response": response}}],
            "status": status, "timestamp": iso_of(int(MORNING.timestamp() * 1000)), **more}


def main():
    write("gemini/.gemini/projects.json", json.dumps({"projects": {TIDES: "tides"}}, indent=2))
    write("gemini/.gemini/tmp/tides/.project_root", TIDES)
    rich = Gemini("1", 0)
    spilled = f"session-{rich.id}/run_shell_command__g11.txt"
    asked = rich.prompt(f"How deep is the harbour? 港の深さ{SEPARATOR}in metres")
    looked = rich.answer("I look at the chart.", 30, thoughts=11, calls=[
        gemini_call("run_shell_command__g11", "run_shell_command", {
            "output": f"Output too large. Showing the first characters. For full output see: /home/dev/.gemini/tmp/tides/tool-outputs/{spilled}\n"
                      + TABLE[:100]}, args={"command": "cat chart.csv"}),
        gemini_call("read_file__g12", "read_file", {"error": "File not found: depth.txt"}, "error", args={"file_path": "depth.txt"})])
    told = rich.answer("Nine metres.", 15)
    rich.header()  # resumed within the same minute: all messages again, without figures and calls
    rich.set(messages=[rich.context, asked, {key: looked[key] for key in ("id", "timestamp", "type", "content")},
                       {key: told[key] for key in ("id", "timestamp", "type", "content")}])
    rich.prompt("And at low water?")
    rich.answer("Four metres.", 9)
    rich.save("session-2025-09-08T10-00-6e111111")
    write("gemini/.gemini/tmp/tides/tool-outputs/" + spilled, TABLE)

    parent = Gemini("2", 5)
    child = Gemini("4", 6, parent=parent.id, directories=[TIDES])
    parent.prompt("Have the chart checked")
    parent.answer("I delegate that.", 21, calls=[gemini_call(
        "invoke_agent__g21", "invoke_agent", {"output": "Subagent 'generalist' finished.\nResult:\nIt is right."}, agentId=child.id,
        args={"prompt": "Check the chart", "agent_name": "generalist"})])
    parent.answer("It was checked.", 8)
    parent.save("session-2025-09-08T10-05-6e222222")
    child.prompt("Check the chart")
    child.answer("I count its lines.", 12, calls=[
        gemini_call("run_shell_command__g41", "run_shell_command", {"output": "Output: 150"}, args={"command": "wc -l chart.csv"})])
    child.answer("It is right.", 5)
    child.save(f"{parent.id}/{child.id}")

    killed = Gemini("3", 10)
    killed.prompt("Tell me a very long story about tides")
    killed.save("session-2025-09-08T10-10-6e333333")
