// Small helpers to build elements without ever parsing text as HTML.

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(element.dataset, value);
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const byId = (id) => document.getElementById(id);

const COLOURS = ["#e07a5f", "#81b29a", "#f2cc8f", "#6d9dc5", "#c58fd0", "#8fb85a", "#d9738c", "#5fb3b3", "#b8a15a", "#9a8fe0", "#d0895a"];

// A round picture with an initial; its colour follows from the id.
export function avatar(id, name, bot) {
  if (bot) return h("span", { class: "avatar moon", "aria-hidden": "true" });
  const element = h("span", { class: "avatar", "aria-hidden": "true" }, (name || "?")[0]);
  element.style.backgroundColor = COLOURS[Number(BigInt(id) % 9973n) % COLOURS.length];
  return element;
}

// Opens a list beside a button; arrow keys, Enter and Escape work. `rows` are buttons.
export function popover(anchor, rows, { footer = null, label = "", closed = () => {} } = {}) {
  const list = h("div", { class: "popover", role: "listbox", "aria-label": label }, rows, footer);
  const close = (event) => {
    if (event && (list.contains(event.target) || anchor.contains(event.target))) return;
    document.removeEventListener("pointerdown", close, true);
    if (list.isConnected) { list.remove(); anchor.setAttribute("aria-expanded", "false"); closed(); }
  };
  list.addEventListener("keydown", (event) => {
    const all = [...list.querySelectorAll("button")];
    const at = all.indexOf(document.activeElement);
    if (event.key === "ArrowDown") all[(at + 1) % all.length].focus();
    else if (event.key === "ArrowUp") all[(at - 1 + all.length) % all.length].focus();
    else if (event.key === "Escape") { close(); anchor.focus(); }
    else return;
    event.preventDefault();
  });
  anchor.after(list);
  anchor.setAttribute("aria-expanded", "true");
  document.addEventListener("pointerdown", close, true);
  // On the roomier side and never past the edge: opening a list scrolls nothing.
  const room = (anchor.closest("#scroll") ?? document.body).getBoundingClientRect();
  const at = anchor.getBoundingClientRect();
  const [above, below] = [at.top - room.top - 12, room.bottom - at.bottom - 12];
  const high = list.getBoundingClientRect().height;
  if (high > below && above > below) list.classList.add("above");
  list.style.maxHeight = `${Math.max(100, Math.min(high, Math.max(above, below)))}px`;
  (rows[0] || list).focus({ preventScroll: true });
  return close;
}
