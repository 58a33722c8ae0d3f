"""opencode: rows of SQLite. The tables are those of tests/fixtures/opencode."""
import sqlite3

from common import CORPUS, Clock, TABLE, TESTS, TIDES, line, said, write


class Opencode:
    def __init__(self, database, number, minute, title, parent=None, count=0):
        self.id = f"ses_7a1d0{number}00ffeTideTableSession"
        self.database, self.number, self.count, self.clock = database, number, count, Clock(minute)
        created = self.clock.ms()
        database.execute("INSERT INTO session VALUES (?, 'tides', ?, 'calm-harbour', ?, ?, '1.18.18', NULL, 'build', ?, ?, ?, NULL)",
                         (self.id, parent, TIDES, title, line({"id": "claude-sonnet-4-5", "providerID": "anthropic"}), created, created + 60000))

    def message(self, created, data, *parts):
        self.count += 1
        message = f"msg_e5{self.number}{self.count:09}001TideTableAnswer"
        self.database.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", (message, self.id, created, created, line(data)))
        for place, part in enumerate(parts):
            name = f"prt_e5{self.number}{self.count:06}{place:03}001TideTableAnswer"
            self.database.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", (name, message, self.id, created, created, line(part)))
        return message

    def prompt(self, text):
        created = self.clock.ms()
        self.asked = self.message(created, {
            "role": "user", "time": {"created": created}, "agent": "build", "model": {"providerID": "anthropic", "modelID": "claude-sonnet-4-5"}},
            {"type": "text", "text": text})

    def answer(self, output, *parts, reasoning=0, completed=True, **more):
        created = self.clock.ms()
        for part in parts:
            if part["type"] == "tool":
                start = self.clock.ms()
                part["state"]["time"] = {"start": start} if part["state"]["status"] == "running" else {"start": start, "end": start + 5}
        used = output + reasoning
        tokens = {"input": 120 if used else 0, "output": output, "reasoning": reasoning, "cache": {"read": 640 if used else 0, "write": 0}}
        time = {"created": created, "completed": self.clock.ms()} if completed else {"created": created}
        steps = [{"type": "step-start"}, *parts]
        if completed and "error" not in more:
            steps.append({"type": "step-finish", "reason": "stop", "tokens": tokens, "cost": 0})
        self.message(created, {
            "parentID": self.asked, "role": "assistant", "mode": "build", "agent": "build", "path": {"cwd": TIDES, "root": TIDES}, "cost": 0,
            "tokens": tokens, "modelID": "claude-sonnet-4-5", "providerID": "anthropic", "time": time, **more}, *steps)


def opencode_tool(call, name, status="completed", **state):
    return {"type": "tool", "tool": name, "callID": call, "state": {"status": status, **state}}


def main():
    path = CORPUS / "opencode/.local/share/opencode/opencode.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path)
    schema = (TESTS / "fixtures/opencode/schema.sql").read_text()
    database.executescript(schema[:schema.index("INSERT")])
    database.execute("INSERT INTO project VALUES ('tides', ?)", (TIDES,))

    tables = Opencode(database, 1, 0, "Tide tables")
    tables.prompt('"List the tables"')
    tables.answer(
        31, {"type": "reasoning", "text": "They are files."}, said("I look for them. 潮汐表 🌊"),
        opencode_tool("call_o11", "bash", input={"command": "cat tides.csv"}, output=TABLE[-100:], title="cat tides.csv", metadata={
            "exit": 0, "truncated": True, "outputPath": "/home/dev/.local/share/opencode/tool-output/tool_e5100000001tides"}),
        opencode_tool("call_o12", "read", "error", input={"filePath": "missing.csv"}, error="File not found: missing.csv"),
        reasoning=6, finish="tool-calls")
    tables.answer(14, said("There is one table."), finish="stop")
    write("opencode/.local/share/opencode/tool-output/tool_e5100000001tides", TABLE)

    fork = Opencode(database, 2, 5, "Tide tables (fork #1)", count=3)  # the same rows under new ids
    for table, ids in (("message", "id"), ("part", "id, message_id")):
        copied = ", ".join(f"replace({name}, '_e51', '_e52')" for name in ids.split(", "))
        rest = "time_created, time_updated, data"
        database.execute(f"INSERT INTO {table} SELECT {copied}, ?, {rest} FROM {table} WHERE session_id = ?", (fork.id, tables.id))
    fork.prompt('"Print its head"')
    fork.answer(10, said("2025-01-01 high 3.0 m"), finish="stop")

    parent = Opencode(database, 3, 10, "Check the table")
    child = Opencode(database, 4, 11, "Count (@general subagent)", parent=parent.id)
    parent.prompt('"Have the table checked"')
    parent.answer(20, said("I delegate that."), opencode_tool(
        "call_o31", "task", input={"description": "Count", "prompt": "Count the lines", "subagent_type": "general"}, output="150 lines",
        title="Count", metadata={"sessionId": child.id}), finish="tool-calls")
    parent.answer(13, said("It has 150 lines."), finish="stop")
    child.prompt("Count the lines")
    child.answer(11, opencode_tool("call_o41", "bash", input={"command": "wc -l tides.csv"}, output="150\n", title="wc", metadata={"exit": 0}),
                 finish="tool-calls")
    child.answer(5, said("150 lines"), finish="stop")

    killed = Opencode(database, 5, 15, "Wait")
    killed.prompt('"Wait for high water"')
    killed.answer(0, said("I wait."), opencode_tool("call_o51", "bash", "running", input={"command": "sleep 20000"}), completed=False)

    failed = Opencode(database, 6, 20, "Weather")
    failed.prompt('"What is the weather?"')
    failed.answer(0, error={"name": "APIError", "data": {"message": "Overloaded", "statusCode": 529, "isRetryable": False}})
    failed.prompt('"Try again"')
    failed.answer(4, said("Rain."), finish="stop")
    database.commit()
    database.execute("VACUUM")
    database.close()
