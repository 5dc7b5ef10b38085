// What the console does beyond pages and forms: keys, progress and what happens live.
// Without it everything can be read and decided all the same.
"use strict";

const find = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/** Parts of a page as the server wrote them: it has escaped what is said in them. */
function parts(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

// Keys

const PLACES = { o: "", i: "/inbox", y: "/memory", t: "/state", n: "/concepts", p: "/predicates", l: "/live", m: "/metrics", s: "/settings" };
let going = false;

function current() {
  return document.activeElement?.closest("[data-item]");
}

function step(by) {
  const link = find(by > 0 ? "[data-next]" : "[data-previous]");
  if (link || find("[data-next], [data-previous]")) return link?.click();
  const items = all("[data-item]");
  if (!items.length) return;
  const at = items.indexOf(current());
  const next = at < 0 ? (by > 0 ? 0 : items.length - 1) : Math.min(Math.max(at + by, 0), items.length - 1);
  items[next].focus();
  items[next].scrollIntoView({ block: "nearest" });
}

/** The item that is meant: the one in focus, else the only one that can be. */
function press(selector) {
  const within = current();
  const found = within && all(selector, within).length ? all(selector, within) : all(selector);
  const chosen = within && found.length ? found[0] : found.length === 1 ? found[0] : null;
  if (!chosen) return false;
  chosen.click();
  const details = chosen.closest("details");
  if (chosen.tagName === "SUMMARY" && details.open) find("textarea, input:not([type=hidden])", details)?.focus();
  return true;
}

function go(key) {
  const link = key in PLACES && all(".top nav a").find((it) => new URL(it.href).pathname === `/admin${PLACES[key]}`);
  if (link) link.click();
  return Boolean(link);
}

function pressed(key) {
  if (going) {
    going = false;
    return go(key);
  }
  switch (key) {
    case "j": case "k":
      step(key === "j" ? 1 : -1);
      return true;
    case "g":
      going = true;
      setTimeout(() => { going = false; }, 1500);
      return true;
    case "u":
      return press("[data-undo]");
    case "/": {
      const field = find("[data-search]");
      field?.focus();
      field?.select();
      return Boolean(field);
    }
    case "?":
      find("#help").showModal();
      return true;
    case "Enter":
      return document.activeElement === current() && press("[data-open]");
    default:
      return /^[1-4seadxromz]$/.test(key) && press(`[data-key="${key}"]`);
  }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const field = event.target.closest("input, select, textarea");
  if (field) {
    if (event.key === "Escape") (field.closest("[data-item]") ?? field).focus(), field.blur();
    return;
  }
  if (find("#help")?.open) return;
  if (pressed(event.key)) event.preventDefault();
});

find(".top nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

const help = find("[data-help]");
if (help) {
  help.hidden = false;
  help.addEventListener("click", () => find("#help").showModal());
}

for (const form of all("form[data-confirm]")) {
  form.addEventListener("submit", (event) => {
    if (!confirm(form.dataset.confirm)) event.preventDefault();
  });
}

for (const box of all("[data-all]")) {
  box.addEventListener("change", () => {
    // They stand outside of the form, which knows them by their attribute `form`.
    for (const each of box.form.elements) {
      if (each.name.startsWith("tick-")) each.checked = box.checked;
    }
  });
}

// Browsers have a clipboard for pages of this machine and encrypted ones only.
for (const button of navigator.clipboard ? all("[data-copy]") : []) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}

// A run of the resolver, or of dreaming, as it goes

async function* lines(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const whole = (rest + value).split("\n");
    rest = whole.pop();
    yield* whole.filter(Boolean).map((line) => JSON.parse(line));
  }
}

for (const progress of all("[data-progress]")) {
  const section = progress.closest("section");
  const button = find("button", progress);
  const wrong = find("[data-run-error]", section);
  const settled = find("[data-settled]", section);
  progress.addEventListener("submit", async (event) => {
    event.preventDefault();
    const label = button.textContent;
    button.disabled = true;
    button.textContent = progress.dataset.progress;
    wrong.hidden = true;
    settled.replaceChildren();
    try {
      const response = await fetch(progress.action, {
        method: "POST",
        headers: { Accept: "application/x-ndjson", "Content-Type": "application/x-www-form-urlencoded" },
      });
      if (!response.ok) throw new Error((await response.json()).error);
      for await (const line of lines(response)) {
        if (line.error) throw new Error(line.error);
        find("[data-run]", section).replaceChildren(parts(line.run));
        if (line.item) {
          settled.hidden = false;
          settled.append(parts(line.item));
        }
      }
    } catch (error) {
      wrong.textContent = error.message;
      wrong.hidden = false;
    }
    button.disabled = false;
    button.textContent = label;
  });
}

// What prompts are told, as it happens

const SHOWN = 50;
const state = find("[data-live]");
if (state) {
  const list = find("#accounts");
  const events = new EventSource(state.dataset.live);
  const say = (text) => { state.textContent = text; };
  say("Connecting …");
  events.onopen = () => say("● Watching");
  events.onerror = () => say("Not connected; trying again …");
  events.onmessage = (event) => {
    find("#nobody").hidden = true;
    list.prepend(parts(event.data));
    list.firstElementChild.classList.add("new");
    while (list.children.length > SHOWN) list.lastElementChild.remove();
    // What is learnt is written after the answer.
    if ("thenReload" in state.dataset) setTimeout(() => location.reload(), 3000);
  };
  addEventListener("pagehide", () => events.close());
}
