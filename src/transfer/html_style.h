// The style sheet of exported pages. Its hash is in their policy, so pages
// contain exactly these bytes.
#pragma once

#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::string_view kHtmlStyle = R"css(
:root{--bg:#fff;--fg:#1b1f24;--soft:#656d76;--line:#d8dee4;--box:#f6f8fa;--you:#0550ae;--bad:#b35900;--ins:#116329;--del:#a40e26}
@media(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--soft:#8d96a0;--line:#30363d;--box:#161b22;--you:#79c0ff;--bad:#f0883e;--ins:#7ee787;--del:#ffa198}}
body{background:var(--bg);color:var(--fg);font:16px/1.55 system-ui,sans-serif;max-width:52rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.4rem;overflow-wrap:anywhere}h2{font-size:1.05rem}h3{font-size:.85rem;font-weight:600;color:var(--soft);margin:0 0 .4rem}
h3 a,nav a{color:inherit;text-decoration:none}nav a:hover,h3 a:hover{text-decoration:underline}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;font-size:.85rem;color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
nav{border:1px solid var(--line);border-radius:.5rem;padding:.2rem 1rem;font-size:.9rem}nav li{overflow-wrap:anywhere}
article{padding:.9rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}article:target{background:var(--box)}
.prompt{border-left:3px solid var(--you);padding-left:.9rem}.prompt h3{color:var(--you)}
img{max-width:100%}
pre{background:var(--box);border-radius:.4rem;padding:.7rem;overflow-x:auto;font:13px/1.45 ui-monospace,monospace;white-space:pre-wrap}
pre.said{background:none;padding:0;font:inherit}code{font:.9em ui-monospace,monospace;background:var(--box);padding:.1em .3em;border-radius:.25rem}pre code{padding:0;background:none}
.h{font-weight:700}details{margin:.3rem 0}summary{cursor:pointer;color:var(--soft);font-size:.9rem;overflow-wrap:anywhere}
.diff ins{color:var(--ins);text-decoration:none}.diff del{color:var(--del);text-decoration:none}.bad,footer{color:var(--bad)}
table{border-collapse:collapse}td,th{border:1px solid var(--line);padding:.2rem .6rem}blockquote{border-left:3px solid var(--line);margin-left:0;padding-left:1rem;color:var(--soft)}
)css";

}  // namespace holdfast::inline v1
