// The script and the additional style of shared pages. Their hashes are in the policy of
// the page, so pages contain exactly these bytes. The script only hides, shows, opens
// and scrolls; it creates no elements from the text of a session.
#pragma once

#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::string_view kShareStyle = R"css(
#bar{position:sticky;top:0;background:var(--bg);border-bottom:1px solid var(--line);padding:.6rem 0;display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center;font-size:.9rem;z-index:1}
#bar[hidden],[hidden]{display:none}
#find{flex:1 1 12rem;font:inherit;color:inherit;background:var(--box);border:1px solid var(--line);border-radius:.4rem;padding:.35rem .6rem}
#bar button{font:inherit;color:inherit;background:var(--box);border:1px solid var(--line);border-radius:.4rem;padding:.3rem .6rem;cursor:pointer}
#bar :focus-visible{outline:2px solid var(--you);outline-offset:1px}
#hits{color:var(--soft)}article,.work{scroll-margin-top:4rem}.here{outline:2px solid var(--you);outline-offset:.2rem;border-radius:.2rem}
.work{border-top:1px solid var(--line);padding:.5rem 0;margin:0}.work>summary{font-size:.85rem}.note{color:var(--soft);font-size:.9rem}
body.only-prompts article.answer,body.only-prompts .work,body.no-work .work{display:none}
@media print{#bar{display:none}}
)css";

inline constexpr std::string_view kShareScript = R"js(
(function () {
  'use strict';
  var bar = document.getElementById('bar'), find = document.getElementById('find');
  var hits = document.getElementById('hits'), body = document.body;
  var parts = Array.prototype.slice.call(document.querySelectorAll('main > article, main > .work'));
  var texts = parts.map(function (part) { return part.textContent.toLowerCase(); });
  var found = [], at = -1;
  function show() {
    var words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = [];
    parts.forEach(function (part, i) {
      var match = words.every(function (word) { return texts[i].indexOf(word) >= 0; });
      part.hidden = !match;
      part.classList.remove('here');
      if (match && words.length && part.offsetParent !== null) found.push(part);
    });
    at = -1;
    hits.textContent = words.length ? found.length + (found.length === 1 ? ' hit' : ' hits') : '';
  }
  function step(by) {
    if (!found.length) return;
    if (at >= 0) found[at].classList.remove('here');
    at = (at + by + found.length) % found.length;
    if (found[at].tagName === 'DETAILS') found[at].open = true;
    found[at].classList.add('here');
    found[at].scrollIntoView();
    hits.textContent = (at + 1) + ' of ' + found.length;
  }
  function toggle(id, name, on) {
    var box = document.getElementById(id);
    if (!box) return;
    box.addEventListener('change', function () { body.classList.toggle(name, box.checked === on); show(); });
  }
  bar.hidden = false;
  toggle('prompts', 'only-prompts', true);
  toggle('tools', 'no-work', false);
  find.addEventListener('input', show);
  find.addEventListener('keydown', function (event) {
    if (event.key === 'Enter') { event.preventDefault(); step(event.shiftKey ? -1 : 1); }
    if (event.key === 'Escape') { find.value = ''; show(); }
  });
  document.addEventListener('keydown', function (event) {
    if (event.key === '/' && document.activeElement !== find) { event.preventDefault(); find.focus(); }
  });
  var open = document.getElementById('open');
  if (open) open.addEventListener('click', function () {
    var all = Array.prototype.slice.call(document.querySelectorAll('main details'));
    var closed = all.some(function (one) { return !one.open; });
    all.forEach(function (one) { one.open = closed; });
  });
  Array.prototype.forEach.call(document.querySelectorAll('time[datetime]'), function (time) {
    var when = new Date(time.getAttribute('datetime'));
    if (!isNaN(when)) { time.title = time.textContent; time.textContent = when.toLocaleString(); }
  });
})();
)js";

}  // namespace holdfast::inline v1
