"""Continue: one document per session."""
import json

from common import Clock, SEPARATOR, TIDES, line, write


def main():
    def entry(role, content, **more):
        return {"message": {"role": role, "content": content, **more}, "contextItems": []}

    def used(output):
        return {"prompt_tokens": 640, "completion_tokens": output, "total_tokens": 640 + output,
                "prompt_tokens_details": {"cached_tokens": 128}, "model": "gpt-5-mini"}

    def save(session, title, history, minute):
        write(f"continue/.continue/sessions/{session}.json", json.dumps(
            {"sessionId": session, "title": title, "workspaceDirectory": TIDES, "history": history}, ensure_ascii=False, indent=2))
        prompts = sum(one["message"]["role"] == "user" for one in history)
        return {"sessionId": session, "title": title, "dateCreated": str(Clock(minute).ms()), "workspaceDirectory": TIDES,
                "messageCount": prompts}

    calls = [{"id": call, "type": "function", "function": {"name": name, "arguments": line(arguments)}}
             for call, name, arguments in (("call_n11", "Bash", {"command": "ls"}), ("call_n12", "Read", {"filepath": "none.csv"}))]
    working = entry("assistant", "I look.", toolCalls=calls, usage=used(15))
    working["toolCallStates"] = [
        {"toolCallId": call["id"], "toolCall": call, "status": status, "parsedArgs": json.loads(call["function"]["arguments"]),
         "output": [{"content": text, "name": "Tool Result", "description": "Tool execution result"}]}
        for call, status, text in zip(calls, ("done", "errored"), ("tides.csv\n", "File not found"))]
    rows = [
        save("c0177000-0000-4000-8000-000000000001", "Which files", [
            entry("user", "Which files are there?"), working, entry("assistant", "Only tides.csv.", usage=used(7))], 0),
        save("c0177000-0000-4000-8000-000000000002", "Grüße", [
            entry("user", "Say hello 👋 こんにちは"), entry("assistant", f"Hello!{SEPARATOR}こんにちは", usage=used(12)),
            entry("user", "Again"), entry("assistant", "Hello, hello.", usage=used(7))], 5)]
    write("continue/.continue/sessions/sessions.json", json.dumps(rows, ensure_ascii=False, indent=2))
