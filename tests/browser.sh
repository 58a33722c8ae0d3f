#!/usr/bin/env bash
# Tests the HTML export in a real browser: tests/browser.sh HOLDFAST [KEEP]
# Exports a session full of hostile text and checks what a headless Chromium makes
# of it: text stays text, no script runs, and nothing is requested from the network.
# With KEEP, leaves the page and its screenshots in that directory.
set -euo pipefail

holdfast=$(realpath "$1")
browser=$(command -v chromium || command -v chromium-browser) || { echo "no chromium" >&2; exit 1; }
work=$(mktemp -d)
server=
cleanup() {
  [[ -z $server ]] || kill "$server" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
passed=0 failed=0

check() { # check WHAT COMMAND...
  local what=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $what" >&2
  fi
}
has() { grep -qF -- "$2" "$1"; }
lacks() { ! grep -qiE -- "$2" "$1"; }

# ---- a session that tries everything
store=$work/claude/projects/-home-dev-alpha
id=0ffbc846-e910-42c3-a401-610bc1bf1397
mkdir -p "$store"
# A port that nothing may connect to.
python3 - "$work/knocks" "$work/port" <<'P' &
import socket, sys
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(8)
open(sys.argv[2], "w").write(str(listener.getsockname()[1]))
while True:
    peer, _ = listener.accept()
    open(sys.argv[1], "a").write("knock\n")
    peer.close()
P
server=$!
for _ in $(seq 50); do
  [[ ! -s $work/port ]] || break
  sleep 0.1
done
port=$(cat "$work/port")

python3 - "$store/$id.jsonl" "$id" "$port" <<'P'
import json, sys
path, session, port = sys.argv[1:]
here = f"http://127.0.0.1:{port}"
hostile = (
    "<script>document.title='OWNED'</script>"
    f"<img src={here}/image onerror=\"document.title='OWNED'\">"
    f"<iframe src={here}/frame></iframe><svg onload=\"document.title='OWNED'\"></svg>"
    f"<link rel=stylesheet href={here}/style><meta http-equiv=refresh content='0;url={here}/go'>"
    "</pre></details></article></body><base href=//evil/>\u202egnp.exe\u001b[31m &amp; \"quoted\" 'too'"
)
markdown = (
    f"# Heading {hostile}\n\n[click](javascript:document.title='OWNED') ![x]({here}/markdown.png) "
    f"<{here}/auto> [good](https://example.org/)\n\n```html\n{hostile}\n```\n\n| a | b |\n|---|---|\n| {hostile.replace('|', '')} | 2 |\n"
)
parent = None
with open(path, "w") as log:
    def put(kind, message, **more):
        global parent
        name = f"{session[:-4]}{put.count:04d}"
        put.count += 1
        log.write(json.dumps({"parentUuid": parent, "isSidechain": False, "type": kind, "message": message, "uuid": name,
                              "timestamp": f"2026-11-15T01:00:{put.count:02d}.000Z", "cwd": "/home/dev/alpha",
                              "sessionId": session, "version": "2.1.325", "gitBranch": "main", **more}) + "\n")
        parent = name
    put.count = 0
    for turn in range(3):
        put("user", {"role": "user", "content": f"prompt number {turn} {hostile}"})
        answer = {"id": f"msg_{turn}", "role": "assistant", "model": f"model{hostile}",
                  "usage": {"input_tokens": 1, "output_tokens": 2}}
        put("assistant", answer | {"content": [{"type": "thinking", "thinking": hostile}]})
        put("assistant", answer | {"content": [{"type": "text", "text": markdown}]})
        put("assistant", answer | {"content": [{"type": "tool_use", "id": f"t{turn}", "name": f"Bash{hostile}",
                                                "input": {"command": hostile, hostile: hostile}}]})
        put("user", {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"t{turn}", "content": hostile}]})
    log.write(json.dumps({"type": "custom-title", "customTitle": f"title {hostile}", "sessionId": session}) + "\n")
P

page=$work/page.html
"$holdfast" show "$id" --store "claude-code:$work/claude" --format html >"$page"

# ---- the file itself
check "the page was written" test -s "$page"
check "a strict policy" has "$page" "default-src 'none'"
check "no script element" lacks "$page" '<script'
check "no foreign element" lacks "$page" '<(iframe|img|link|object|embed|svg|base|form)[ >]'
check "no handler" lacks "$page" '<[a-z]+[^>]* on[a-z]+ *='
check "no javascript: link" lacks "$page" 'href="? *javascript:'

# ---- in the browser
chrome() {
  "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --disable-dev-shm-usage --no-first-run \
    --disable-background-networking --disable-component-update --user-data-dir="$work/profile" --virtual-time-budget=3000 "$@" 2>"$work/chrome.log"
}
dom=$work/dom.html
chrome --dump-dom "file://$page" >"$dom"
check "the browser showed the page" has "$dom" "</html>"
check "no script ran" lacks "$dom" '<title>OWNED'
check "the title is the session's" has "$dom" "<title>title"
check "hostile text is text" has "$dom" "&lt;script&gt;document.title='OWNED'&lt;/script&gt;"
check "no script element was created" lacks "$dom" '<script'
check "no foreign element was created" lacks "$dom" '<(iframe|img|link|object|embed|svg|base)[ >]'
check "a list of prompts" has "$dom" '<a href="#m0">'
check "the list has every prompt" test "$(grep -o '<li><a href="#m[0-9]*">' "$dom" | wc -l)" -eq 3
anchors=true
while read -r anchor; do
  has "$dom" "id=\"$anchor\"" || anchors=false
done < <(grep -o 'href="#m[0-9]*"' "$dom" | grep -o 'm[0-9]*' | sort -u)
check "every anchor exists" $anchors
check "tools are folded" has "$dom" "<details>"
check "no connection was made" test ! -e "$work/knocks"

chrome --window-size=900,1400 --screenshot="$work/light.png" "file://$page" >/dev/null
chrome --window-size=900,1400 --force-dark-mode --blink-settings=preferredColorScheme=0 \
  --screenshot="$work/dark.png" "file://$page" >/dev/null
check "a screenshot was taken" test "$(stat -c %s "$work/light.png" 2>/dev/null || echo 0)" -gt 10000
check "no connection was made for the screenshot" test ! -e "$work/knocks"

# ---- the page for sharing: its own script runs, and no other
share=$work/share.html
"$holdfast" share "$id" --store "claude-code:$work/claude" -o "$share" >/dev/null 2>"$work/share.log"
check "the shared page was written" test -s "$share"
check "one script, named by its hash" test "$(grep -c '<script>' "$share")" -eq 1
check "no foreign element in it" lacks "$share" '<(iframe|img|link|object|embed|svg|base|form)[ >]'
check "no handler in it" lacks "$share" '<[a-z]+[^>]* on[a-z]+ *='
chrome --dump-dom "file://$share" >"$work/share_dom.html"
check "its script ran" has "$work/share_dom.html" '<div id="bar" role="search">'
check "no other script ran" lacks "$work/share_dom.html" '<title>OWNED'
sed 's|</body>|<script>document.title="INJECTED"</script></body>|' "$share" >"$work/injected.html"
chrome --dump-dom "file://$work/injected.html" >"$work/injected_dom.html"
check "an injected script does not run" lacks "$work/injected_dom.html" '<title>INJECTED'
# Do with a script what a person does. The policy would block that script, so it is removed.
sed -e 's|<meta http-equiv="Content-Security-Policy"[^>]*>||' "$share" >"$work/used.html"
cat >>"$work/used.html" <<'P'
<script>
function shown() { return document.querySelectorAll('main > article:not([hidden])').length; }
var find = document.getElementById('find'), said = [shown()];
function type(words) { find.value = words; find.dispatchEvent(new Event('input')); }
type('number 1 prompt'); said.push(shown(), document.getElementById('hits').textContent);
find.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'})); said.push(document.getElementById('hits').textContent);
type('nobody said this'); said.push(shown());
type(''); said.push(shown());
var box = document.getElementById('prompts'); box.checked = true; box.dispatchEvent(new Event('change'));
said.push(getComputedStyle(document.querySelector('article.answer')).display);
box.checked = false; box.dispatchEvent(new Event('change'));
var tools = document.getElementById('tools'); tools.checked = false; tools.dispatchEvent(new Event('change'));
said.push(getComputedStyle(document.querySelector('.work')).display);
document.title = 'USED ' + said.join('|');
</script>
P
chrome --dump-dom "file://$work/used.html" >"$work/used_dom.html"
check "find and filters work" has "$work/used_dom.html" "<title>USED 6|3|3 hits|1 of 3|0|6|none|none</title>"
check "no connection was made by the shared page" test ! -e "$work/knocks"
chrome --window-size=900,1400 --screenshot="$work/share.png" "file://$share" >/dev/null

if [[ -n ${2:-} ]]; then
  mkdir -p "$2"
  cp "$page" "$dom" "$share" "$work"/*.png "$2"/
fi
echo "$passed passed, $failed failed"
((failed == 0))
