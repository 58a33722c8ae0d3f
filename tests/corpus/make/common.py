"""What all stores have in common: places, times, lines."""
import datetime
import json
import pathlib

TESTS = pathlib.Path(__file__).resolve().parents[2]
CORPUS = TESTS / "fixtures" / "corpus"

TIDES = "/home/dev/tides"
WIDE = "/home/dev/Größe & Länge"  # a name that every client encodes in its own way
MORNING = datetime.datetime(2025, 9, 8, 10, 0, 0, tzinfo=datetime.timezone.utc)
SEPARATOR = "\u2028"  # which most clients write as it is, in the middle of a line
TABLE = "".join(f"2025-{1 + day // 31:02}-{1 + day % 31:02}  high {3 + day % 7}.{day % 10} m\n" for day in range(150))


class Clock:
    """Each question is a second later."""

    def __init__(self, minute):
        self.now = MORNING + datetime.timedelta(minutes=minute)

    def ms(self):
        self.now += datetime.timedelta(seconds=1)
        return int(self.now.timestamp() * 1000)

    def iso(self):
        return iso_of(self.ms())


def iso_of(milliseconds):
    moment = datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{milliseconds % 1000:03}Z"


def line(record):
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def write(path, content):
    file = CORPUS / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode())


def write_lines(path, records):
    write(path, "".join(line(record) + "\n" for record in records))


def dashes(path):
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in path)


def said(text):
    return {"type": "text", "text": text}
