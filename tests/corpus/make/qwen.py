"""Qwen Code."""
import hashlib
import json

from common import Clock, SEPARATOR, TABLE, TIDES, WIDE, dashes, write, write_lines


class Qwen:
    def __init__(self, digit, minute, cwd=TIDES, agent="", session=""):
        self.id = session or f"9e{digit * 6}-0000-4000-8000-00000000000{digit}"
        self.digit, self.cwd, self.agent = digit, cwd, agent
        self.clock, self.records, self.last, self.count = Clock(minute), [], None, 0

    def add(self, kind, provenance, **more):
        self.count += 1
        uuid = f"{self.count:08}-0000-4000-8000-{'5' if self.agent else '9'}0000000000{self.digit}"
        mark = {"agentId": self.agent, "agentName": "general-purpose", "isSidechain": True} if self.agent else {"provenance": provenance}
        self.records.append({"uuid": uuid, "parentUuid": self.last, "sessionId": self.id, "timestamp": self.clock.iso(), "type": kind, **mark,
                             "cwd": self.cwd, "version": "0.24.4", "gitBranch": "main", **more})
        self.last = uuid

    def prompt(self, text):
        self.add("user", "real_user", message={"role": "user", "parts": [{"text": text}]})

    def answer(self, output, *parts):
        more = {} if self.agent else {"model": "qwen3-coder"}
        if output:
            more["usageMetadata"] = {"promptTokenCount": 800, "candidatesTokenCount": output, "thoughtsTokenCount": 0,
                                     "totalTokenCount": 800 + output, "cachedContentTokenCount": 250}
        if output and not self.agent:  # the client's own statistics repeat each response
            self.add("system", "system", subtype="ui_telemetry", systemPayload={"uiEvent": {
                "event.name": "qwen-code.api_response", "model": "qwen3-coder", "output_token_count": output}})
        self.add("assistant", "assistant_output", message={"role": "model", "parts": list(parts)}, **more)

    def result(self, call, name, response, status="success"):
        self.add("tool_result", "tool_result", message={"role": "user", "parts": [
            {"functionResponse": {"id": call, "name": name, "response": response}}]},
            toolCallResult={"callId": call, "status": status})

    def save(self):
        folder = f"qwen/.qwen/projects/{dashes(self.cwd)}"
        write_lines(f"{folder}/subagents/{self.id}/agent-{self.agent}.jsonl" if self.agent else f"{folder}/chats/{self.id}.jsonl", self.records)


def function_call(call, name, **arguments):
    return {"functionCall": {"id": call, "name": name, "args": arguments}}


def main():
    digest = hashlib.sha256(TIDES.encode()).hexdigest()
    rich = Qwen("1", 0)
    rich.prompt("When is high water in Emden? 満潮 🌊")
    rich.answer(28, {"text": "I look it up."}, function_call("call_q11", "run_shell_command", command="cat tides.csv", description="Read"),
                function_call("call_q12", "read_file", file_path="emden.csv"))
    rich.result("call_q11", "run_shell_command", {
        "output": f"Tool output was too large and has been truncated.\nThe full output has been saved to: "
                  f"/home/dev/.qwen/tmp/{digest}/run_shell_command_q11.output\nTruncated part of the output:\n{TABLE[:100]}"})
    write(f"qwen/.qwen/tmp/{digest}/run_shell_command_q11.output", TABLE)
    rich.result("call_q12", "read_file", {"error": "File not found: emden.csv"}, "error")
    rich.answer(12, {"text": "At noon."})
    rich.prompt(f"And in{SEPARATOR}Brest?")
    rich.answer(9, {"text": "At four."})
    rich.save()

    parent = Qwen("2", 5)
    parent.prompt("Have the table checked")
    parent.answer(25, {"text": "I delegate that."}, function_call("call_q21", "agent", description="Check", prompt="Check the table",
                                                                  subagent_type="general-purpose"))
    parent.result("call_q21", "agent", {"output": "It is right."})
    parent.answer(10, {"text": "It was checked."})
    parent.save()
    child = Qwen("2", 6, agent="general-purpose-call_q21", session=parent.id)
    child.prompt("Check the table")
    child.answer(11, {"text": "I count its lines."})  # one response in two records
    child.answer(0, function_call("call_q22", "run_shell_command", command="wc -l tides.csv", description="Count"))
    child.result("call_q22", "run_shell_command", {"output": "150"})
    child.answer(7, {"text": "It is right."})
    child.save()
    write(f"qwen/.qwen/projects/{dashes(TIDES)}/subagents/{parent.id}/agent-{child.agent}.meta.json", json.dumps(
        {"agentId": child.agent, "agentType": "general-purpose", "description": "Check", "parentSessionId": parent.id,
         "toolUseId": "call_q21", "parentAgentId": None, "status": "completed"}, indent=2))

    Qwen("3", 10).save()  # killed before the first record

    killed = Qwen("4", 15, cwd=WIDE)
    killed.prompt("Wait for high water")
    killed.answer(22, {"text": "I wait."}, function_call("call_q41", "run_shell_command", command="sleep 20000", description="Wait"))
    killed.save()
