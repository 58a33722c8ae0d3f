"""An agent that stores its session in Holdfast, with only Python's standard library.

    python3 agent.py PROMPT...      HOLDFAST=/path/to/holdfast, if it is not on the PATH
"""

import json
import os
import subprocess
import sys


class HoldfastError(Exception):
    """`code` is one of the codes in docs/api.md: not_found, busy, disk_full, ..."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error.get("data", {}).get("code")


class Holdfast:
    """Runs `holdfast rpc`. Calls wait for their answers. Events that arrive meanwhile go to on_event."""

    def __init__(self, on_event=lambda event: None):
        self.on_event = on_event
        self.next_id = 0
        self.child = subprocess.Popen(
            [os.environ.get("HOLDFAST", "holdfast"), "rpc"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def call(self, method, **params):
        self.next_id += 1
        request = {"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}
        self.child.stdin.write(json.dumps(request) + "\n")
        self.child.stdin.flush()
        for line in self.child.stdout:
            message = json.loads(line)
            if message.get("method") == "event":
                self.on_event(message["params"])
            elif message.get("id") == self.next_id:
                if "error" in message:
                    raise HoldfastError(message["error"])
                return message["result"]
        raise ConnectionError("holdfast rpc has ended")

    def pages(self, method, key, **params):
        """Yields every row of a list, fetched a page at a time. The cost of a page depends only on its rows."""
        while True:
            page = self.call(method, **params)
            yield from page[key]
            if not page["next_cursor"]:
                return
            params["cursor"] = page["next_cursor"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.stdin.close()  # calls in progress finish first
        self.child.wait()


def model(prompt):
    return f"You said: {prompt}"  # yours goes here


events = []
with Holdfast(on_event=events.append) as holdfast:
    holdfast.call("hello", client="example-agent/1")
    holdfast.call("events.subscribe")

    # Creating a session takes its lease: while this program runs, other writers fail with `busy`.
    session = holdfast.call("session.create", project=os.getcwd(), title="An example")["id"]
    for prompt in sys.argv[1:]:
        holdfast.call("message.append", session=session, text=prompt)
        text = model(prompt)
        # When this returns, the message is on the disk and survives kill -9 and a power cut.
        holdfast.call("message.append", session=session, message={
            "role": "assistant", "text": text, "model": "echo-1",
            "usage": {"input": len(prompt), "output": len(text)}})

    for message in holdfast.pages("message.list", "messages", session=session, limit=2):
        print(f"{message['role']}: {''.join(block.get('text', '') for block in message['blocks'])}")
    holdfast.call("session.end", id=session)
    print(f"saved: {str(any(event['name'] == 'session:persisted' for event in events)).lower()}")
