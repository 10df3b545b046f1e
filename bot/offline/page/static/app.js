// One player's page: a live feed in, actions out.
import { avatar, byId, h } from "/static/dom.js";
import { Composer } from "/static/composer.js";
import { openForm } from "/static/forms.js";
import { message } from "/static/messages.js";

const base = location.pathname.replace(/\/$/, "");
const state = { me: null, bot: null, people: { server: "", users: {}, roles: {}, channels: {} }, places: [], commands: [], messages: [], channel: null };
const drawn = new Map(); // message id -> {key, element}
let socket = null;
let pinned = true; // the newest message stays in view
let composer = null;

// ---------------------------------------------------------------- asking the server

async function post(action) {
  try {
    const response = await fetch(base + "/act", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(action) });
    return response.ok ? await response.json() : { ok: false, why: `the offline table answered ${response.status}` };
  } catch {
    return { ok: false, why: "the offline table does not answer; is it still running?" };
  }
}

let noticeTimer = 0;
function notice(text) {
  const box = byId("notice");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { box.hidden = true; }, 8000);
}

function handle(answer) {
  if (!answer.ok) notice(answer.why);
  else if (answer.modal) openForm(answer.modal, answer.interaction, ctx);
}

const ctx = {
  post,
  follow() { pinned = true; state.expecting = Date.now(); stay(); },
  handle,
  get people() { return state.people; },
  get commands() { return state.commands; },
  get names() { return { ...state.people, me: state.me?.id }; },
  channel: () => state.channel,
  place: () => placeName(state.places.find((one) => one.id === state.channel)),
  fresh: isFresh,
  released,
  // Uses a button or menu of a message: it waits, and says so when it failed.
  async use(element, m, action) {
    if (element.classList.contains("pending")) return;
    element.classList.add("pending");
    state.expecting = Date.now();
    const answer = await post({ ...action, channel: state.channel, message: m.id });
    element.classList.remove("pending");
    if (answer.modal) openForm(answer.modal, answer.interaction, ctx);
    if (answer.ok) return;
    const failed = drawn.get(m.id)?.element.querySelector(":scope .failed");
    if (!failed) { notice(answer.why); return; }
    failed.textContent = answer.why;
    failed.hidden = false;
    stay();
    setTimeout(() => { failed.hidden = true; }, 6000);
  },
  enlarge(url, alt) {
    const dialog = byId("viewer");
    dialog.replaceChildren(h("img", { src: url, alt }), h("p", {}, alt), h("button", { type: "button", class: "button secondary", onclick: () => dialog.close() }, "Close"));
    dialog.showModal();
  },
};

// ---------------------------------------------------------------- places

function placeName(place) {
  if (!place) return "";
  if (place.kind === "dm") return "@" + place.name;
  return (place.kind === "thread" ? "\u{1F9F5} " : "#") + place.name;
}

function open(id) {
  state.channel = id;
  state.messages = [];
  drawn.clear();
  byId("messages").replaceChildren();
  pinned = true;
  document.body.classList.remove("places-open");
  sessionStorage.setItem("channel", id);
  tell({ open: id });
  drawPlaces();
}

// Goes where a link of Discord's leads: to a channel, or to a message in it.
function jump(channel, id) {
  if (!state.places.some((one) => one.id === channel)) { notice("That place is gone, or not open to you."); return; }
  state.jump = id ?? null;
  if (channel !== state.channel) open(channel);
  else land();
}

function land() {
  const element = state.jump && drawn.get(state.jump)?.element;
  if (!element) return;
  state.jump = null;
  pinned = false;
  element.scrollIntoView({ block: "start" });
  element.classList.add("found");
  setTimeout(() => element.classList.remove("found"), 2000);
}

function drawPlaces() {
  const row = (place) => h("button", { type: "button", class: ["place", place.kind, place.id === state.channel && "open", place.unread && "unread"].filter(Boolean).join(" "), "aria-current": place.id === state.channel ? "true" : null, dataset: { place: place.name }, onclick: () => open(place.id) },
    h("span", { class: "place-name" }, placeName(place)), place.archived ? h("span", { class: "subtext" }, "archived") : null,
    place.unread ? h("span", { class: place.pinged ? "badge pinged" : "badge", "aria-label": `${place.unread} unread` }, String(place.unread)) : null);
  const channels = state.places.filter((one) => one.kind === "channel");
  const rows = channels.flatMap((one) => [row(one), ...state.places.filter((t) => t.kind === "thread" && t.parent === one.id).map(row)]);
  const dms = state.places.filter((one) => one.kind === "dm").map(row);
  byId("places").replaceChildren(h("h2", {}, "Channels"), ...rows, h("h2", {}, "Direct messages"), ...(dms.length ? dms : [h("div", { class: "subtext none" }, "none yet")]));
  byId("server").textContent = state.people.server;
  const here = state.places.find((one) => one.id === state.channel);
  byId("title").textContent = placeName(here);
  byId("topic").textContent = here?.topic ?? "";
  const elsewhere = state.places.filter((one) => one.id !== state.channel).reduce((sum, one) => sum + one.unread, 0);
  byId("menu-unread").textContent = elsewhere ? String(elsewhere) : "";
  const all = state.places.reduce((sum, one) => sum + one.unread, 0);
  document.title = `${all ? `(${all}) ` : ""}${state.me?.name ?? ""} · ${placeName(here)}`;
  composer?.refresh();
}

function drawMe() {
  const owner = state.people.users[state.me.id]?.owner;
  byId("me").replaceChildren(avatar(state.me.id, state.me.name), h("span", {}, h("strong", {}, state.me.name), h("span", { class: "subtext" }, owner ? "owns this server" : "player")));
  byId("who").replaceChildren(avatar(state.me.id, state.me.name));
  byId("who").title = `You are ${state.me.name}`;
  byId("dms").checked = state.me.dms_closed;
}

function drawBot() {
  state.ran = state.ran || state.bot.state === "running";
  const again = state.ran || state.bot.starts > 1;
  const words = { running: "Bot running", restarting: again ? "Bot restarting…" : "Bot starting…", down: "Bot down, trying again…", gone: "Offline table stopped" }[state.bot.state];
  const box = byId("bot");
  box.className = "bot " + state.bot.state;
  box.replaceChildren(h("span", { class: "lamp", "aria-hidden": "true" }, { running: "●", restarting: "◌", down: "✕", gone: "✕" }[state.bot.state]), h("span", { class: "bot-words" }, words), h("span", { class: "subtext" }, state.bot.starts > 1 ? `start ${state.bot.starts}` : ""));
  box.title = state.bot.words;
  byId("kill").disabled = state.bot.state !== "running";
  const news = {
    restarting: again ? "The bot’s process is gone, and a new one starts. Nothing is lost: in a moment the game goes on where it stood." : "The bot starts.",
    down: `The bot does not stay up; it is tried again. The terminal says why. ${state.bot.words}`,
    gone: "The offline table has stopped. Start it again in the terminal, and this page goes on.",
  }[state.bot.state];
  byId("bot-news").textContent = news ?? "";
  byId("bot-news").hidden = !news;
}

// ---------------------------------------------------------------- messages

function atEnd() {
  const box = byId("scroll");
  return box.scrollHeight - box.scrollTop - box.clientHeight < 140;
}

function stay() {
  const box = byId("scroll");
  if (pinned && !box.querySelector(".popover")) box.scrollTop = box.scrollHeight;
  state.top = box.scrollTop;
  byId("newest").hidden = pinned || !state.fresh;
}

// Whether the bot has said nothing yet in this channel.
function isFresh() {
  const place = state.places.find((one) => one.id === state.channel);
  return place?.kind === "channel" && !state.messages.some((m) => m.author.bot);
}

function drawHint() {
  byId("hint").replaceChildren(...(isFresh() ? [h("div", { class: "hint" },
    h("h3", {}, state.me ? `Welcome to the offline table, ${state.me.name}` : "Welcome to the offline table"),
    h("p", {}, "This is a simulated Discord on your own computer: nothing leaves it. The bot beside it is the real one."),
    h("p", {}, "Type ", h("button", { type: "button", class: "key", onclick: () => { composer.input.value = "/play"; composer.input.focus(); composer.suggest(); } }, "/play"), " in the box below to open a table. Then open the other players’ links, which stand in the terminal, in tabs or windows of their own, and let them join."),
    h("p", {}, "“Kill the bot” ends its process in the middle of whatever it does; it starts again and the game goes on."))] : []));
}

// Whether a control in use stands in the next version of its message, too. Drawn anew under the hand
// (an open menu, a button between pressing and letting go) it would swallow the click.
function goesOn(used, next) {
  return [...next.querySelectorAll("[data-custom-id]:enabled")].some((one) => one.dataset.customId === used.dataset.customId);
}

// Draws what waited for a hand, once the click that ends the use has been heard.
function released() {
  state.pressed = null;
  setTimeout(() => { if (state.waiting) drawMessages(); });
}

// Draws only messages that changed; a changed picture is loaded before the old one goes.
async function drawMessages() {
  const box = byId("messages");
  const channel = state.channel;
  const names = JSON.stringify(state.people);
  let before = null;
  const wanted = [];
  for (const m of state.messages) {
    const near = before && before.author.id === m.author.id && !m.asked && !m.reply && before.ephemeral === m.ephemeral && new Date(m.at) - new Date(before.at) < 420000;
    const key = JSON.stringify([m, near]) + names;
    const old = drawn.get(m.id);
    if (old?.key === key) wanted.push([m.id, old]);
    else wanted.push([m.id, { key, element: message(m, near, ctx), fresh: true }]);
    before = m;
  }
  const pictures = wanted.filter(([, one]) => one.fresh).flatMap(([, one]) => [...one.element.querySelectorAll("img")]);
  const patience = new Promise((done) => { setTimeout(done, 700); });
  const turn = ++state.turn;
  if (pictures.length) await Promise.race([Promise.allSettled(pictures.map((one) => one.decode())), patience]);
  if (channel !== state.channel || turn !== state.turn) return;
  state.waiting = true;
  if (state.pressed && wanted.some(([id, one]) => drawn.get(id)?.element.contains(state.pressed) && goesOn(state.pressed, one.element))) return;
  state.waiting = false;
  for (const one of wanted) {
    const old = drawn.get(one[0]);
    const menu = old !== one[1] && old?.element.querySelector("[aria-expanded='true']");
    if (!menu || !goesOn(menu, one[1].element)) continue;
    one[1] = old;
    state.waiting = true;
  }
  pinned = pinned || atEnd();
  const known = new Set(wanted.map(([id]) => id));
  for (const [id, one] of drawn) if (!known.has(id)) { one.element.remove(); drawn.delete(id); }
  let position = box.firstElementChild;
  for (const [id, one] of wanted) {
    const old = drawn.get(id);
    if (old && old.element !== one.element) {
      if (position === old.element) position = one.element;
      old.element.replaceWith(one.element);
    }
    drawn.set(id, one);
    one.fresh = false;
    if (one.element === position) position = position.nextElementSibling;
    else box.insertBefore(one.element, position);
  }
  const newest = state.messages.at(-1)?.id;
  // What only this player can see is the answer to what they just did: it comes into view.
  if (newest !== state.newest && state.messages.at(-1)?.ephemeral && Date.now() - state.expecting < 4000) pinned = true;
  state.fresh = state.fresh || (newest !== state.newest && state.newest !== undefined && !pinned);
  state.newest = newest;
  drawHint();
  composer.refresh();
  stay();
  land();
}
state.turn = 0;
state.pressed = null; // the control that a pointer is down on
state.waiting = false; // a message has a newer version, and is in use
state.expecting = 0;
state.top = 0; // where the messages were scrolled to last

// ---------------------------------------------------------------- the live feed

const draw = {
  me: () => { drawMe(); drawPlaces(); },
  bot: drawBot,
  people: () => { drawPlaces(); if (state.me) drawMe(); drawMessages(); },
  places: drawPlaces,
  commands: () => composer.known(),
  messages: drawMessages,
};

function tell(what) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(what));
}

function connect() {
  socket = new WebSocket(`ws://${location.host}${base}/live`);
  socket.addEventListener("open", () => {
    document.body.classList.remove("offline");
    const last = state.channel ?? sessionStorage.getItem("channel");
    if (last) tell({ open: last });
    tell({ watched: !document.hidden });
  });
  socket.addEventListener("message", (event) => {
    const { part, value } = JSON.parse(event.data);
    if (part === "messages") {
      if (state.channel !== null && state.channel !== value.channel && state.places.some((one) => one.id === state.channel)) return;
      if (state.channel !== value.channel) { state.channel = value.channel; drawn.clear(); byId("messages").replaceChildren(); pinned = true; }
      state.messages = value.messages;
      drawPlaces();
    } else state[part] = value;
    draw[part]();
  });
  socket.addEventListener("close", () => {
    document.body.classList.add("offline");
    if (state.bot) { state.bot = { ...state.bot, state: "gone", words: "start it again and this page goes on" }; drawBot(); }
    setTimeout(connect, 1000);
  });
}

composer = new Composer(ctx);
byId("kill").addEventListener("click", () => {
  state.bot = { ...state.bot, state: "restarting" };
  drawBot();
  fetch(base + "/kill", { method: "POST" }).catch(() => notice("The offline table does not answer."));
});
byId("dms").addEventListener("change", async (event) => handle(await post({ do: "dms", closed: event.target.checked })));
byId("menu").addEventListener("click", () => document.body.classList.toggle("places-open"));
document.querySelector("main").addEventListener("click", (event) => { if (!event.target.closest("#menu")) document.body.classList.remove("places-open"); });
byId("messages").addEventListener("pointerdown", (event) => { state.pressed = event.target.closest("[data-custom-id]"); });
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, released);
window.addEventListener("blur", released); // let go of outside the window
byId("messages").addEventListener("click", (event) => {
  const link = event.target.closest(".jump");
  if (link) jump(link.dataset.channel, link.dataset.message);
});
byId("newest").addEventListener("click", () => { pinned = true; state.fresh = false; stay(); });
byId("scroll").addEventListener("scroll", () => {
  const top = byId("scroll").scrollTop;
  // What grows (a picture that came late) also leaves the end behind, but only a person scrolls up.
  if (atEnd()) { pinned = true; state.fresh = false; } else if (top < state.top) pinned = false;
  state.top = top;
  byId("newest").hidden = pinned || !state.fresh;
});
byId("viewer").addEventListener("click", (event) => { if (event.target === event.currentTarget) event.currentTarget.close(); });
document.addEventListener("visibilitychange", () => tell({ watched: !document.hidden }));
new ResizeObserver(stay).observe(byId("messages"));
new ResizeObserver(stay).observe(byId("scroll"));
connect();
