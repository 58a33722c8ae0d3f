"""Reads a JSONL file as a Python program would, and prints one JSON line:
{"records": lines that parse, "bad": lines that do not, "offsets": where the bad ones start}."""
import json
import sys

records = 0
offsets = []
at = 0
with open(sys.argv[1], "rb") as file:
    for line in file:
        if line.strip():
            try:
                if not isinstance(json.loads(line), dict):
                    raise ValueError("not an object")
                records += 1
            except ValueError:  # UnicodeDecodeError is one too
                offsets.append(at)
        at += len(line)
print(json.dumps({"records": records, "bad": len(offsets), "offsets": offsets}))
