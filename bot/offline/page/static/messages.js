// A message as elements: text, embeds, pictures and the components that a player can use.
import { avatar, h, popover } from "/static/dom.js";
import { markdown, placeOf } from "/static/markdown.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };
const CLOCK = { hour: "2-digit", minute: "2-digit" };

function emoji(one) {
  if (!one) return null;
  return h("span", { class: "emoji" }, one.id ? `:${one.name}:` : one.name);
}

function picture(item, m, ctx) {
  const url = item.media.url;
  const alt = item.description ?? "";
  const file = m.attachments.find((one) => one.url === url);
  // With its size known it has its place before it comes, and moves nothing that is being pressed.
  const image = h("img", { src: url, alt, loading: "eager", draggable: "false", onclick: () => ctx.enlarge(url, alt) });
  if (file?.width) {
    image.classList.add("sized");
    image.style.setProperty("--wide", `${file.width}px`);
    image.style.setProperty("--ratio", String(file.width / file.height));
  }
  image.addEventListener("error", () => image.classList.add("broken"));
  const words = alt && h("button", { type: "button", class: "alt", title: alt, "aria-label": "Show the picture's description", onclick: (event) => {
    const figure = event.currentTarget.closest("figure");
    const shown = figure.querySelector("figcaption");
    if (shown) shown.remove(); else figure.append(h("figcaption", {}, alt));
  } }, "ALT");
  const figure = h("figure", { class: item.spoiler ? "picture spoiler" : "picture" }, image, words);
  if (item.spoiler) figure.addEventListener("click", () => figure.classList.add("open"), { once: true, capture: true });
  return figure;
}

function file(one) {
  const name = one.name ?? one.filename ?? "file";
  const url = one.file?.url ?? one.url;
  return h("a", { class: "file", href: url, download: name }, "\u{1F4C4} ", name, one.size ? ` (${Math.ceil(one.size / 1024)} kB)` : "");
}

function button(one, m, ctx) {
  const props = { type: "button", class: `button ${STYLES[one.style] ?? "secondary"}`, disabled: Boolean(one.disabled), title: one.label };
  const place = one.url && placeOf(one.url);
  if (place) return h("button", { type: "button", class: `${props.class} jump`, dataset: place.message ? { channel: place.channel, message: place.message } : { channel: place.channel } }, emoji(one.emoji), one.label);
  if (one.url) return h("a", { class: props.class, href: one.url, target: "_blank", rel: "noreferrer noopener" }, emoji(one.emoji), one.label, " ↗");
  props.dataset = { customId: one.custom_id ?? "" };
  props.onclick = (event) => ctx.use(event.currentTarget, m, { do: "click", custom_id: one.custom_id });
  return h("button", props, emoji(one.emoji), one.label);
}

// What a menu offers: its own options, or people, roles and channels.
export function offered(one, ctx) {
  if (one.type === 3) return one.options;
  const people = Object.entries(ctx.people.users).map(([value, user]) => ({ value, label: user.name }));
  const roles = Object.entries(ctx.people.roles).map(([value, label]) => ({ value, label: "@" + label }));
  if (one.type === 5) return people;
  if (one.type === 6) return roles;
  if (one.type === 7) return [...people, ...roles];
  return Object.entries(ctx.people.channels).map(([value, label]) => ({ value, label: "#" + label }));
}

function menu(one, m, ctx) {
  const options = offered(one, ctx);
  const most = one.max_values ?? 1;
  const least = one.min_values ?? 1;
  const before = options.filter((option) => option.default);
  const words = before.length ? before.map((option) => option.label).join(", ") : one.placeholder || "Make a selection";
  const anchor = h("button", { type: "button", class: before.length ? "menu chosen" : "menu", disabled: Boolean(one.disabled), "aria-haspopup": "listbox", "aria-expanded": "false", dataset: { customId: one.custom_id } }, h("span", {}, words), h("span", { "aria-hidden": "true" }, "⌄"));
  anchor.addEventListener("click", () => {
    if (anchor.getAttribute("aria-expanded") === "true") return;
    const chosen = new Set(before.map((option) => option.value));
    let close = () => {};
    const send = () => {
      close();
      const labels = options.filter((option) => chosen.has(option.value)).map((option) => option.label);
      anchor.firstChild.textContent = labels.join(", ") || one.placeholder || "";
      ctx.use(anchor, m, { do: "select", custom_id: one.custom_id, values: [...chosen] });
    };
    const done = h("button", { type: "button", class: "button primary", onclick: send }, "Done");
    const rows = options.map((option) => h("button", { type: "button", role: "option", "aria-selected": String(chosen.has(option.value)), class: "option", dataset: { value: option.value }, onclick: (event) => {
      if (most === 1) { chosen.clear(); chosen.add(option.value); send(); return; }
      if (!chosen.delete(option.value) && chosen.size < most) chosen.add(option.value);
      event.currentTarget.setAttribute("aria-selected", String(chosen.has(option.value)));
      done.disabled = chosen.size < least;
    } }, emoji(option.emoji), h("span", {}, h("span", { class: "option-label" }, option.label), option.description ? h("span", { class: "option-words" }, option.description) : null)));
    const several = most > 1 ? h("div", { class: "popover-foot" }, `Choose ${least === most ? least : `${least} to ${most}`}`, done) : null;
    done.disabled = chosen.size < least;
    const empty = most === 1 && least === 0 && before.length ? [h("button", { type: "button", class: "option", onclick: () => { chosen.clear(); send(); } }, "Choose nothing")] : [];
    close = popover(anchor, [...rows, ...empty], { footer: several, label: one.placeholder ?? "Options", closed: ctx.released });
  });
  return h("div", { class: "menu-box" }, anchor);
}

function component(one, m, ctx) {
  const within = (list) => (list ?? []).map((child) => component(child, m, ctx));
  switch (one.type) {
    case 1: return h("div", { class: "row" }, within(one.components));
    case 2: return button(one, m, ctx);
    case 3: case 5: case 6: case 7: case 8: return menu(one, m, ctx);
    case 9: return h("div", { class: "section" }, h("div", {}, within(one.components)), component(one.accessory, m, ctx));
    case 10: return h("div", { class: "text" }, markdown(one.content, ctx.names));
    case 11: return h("div", { class: "thumbnail" }, picture(one, m, ctx));
    case 12: return h("div", { class: `gallery of-${Math.min(one.items.length, 3)}` }, one.items.map((item) => picture(item, m, ctx)));
    case 13: return file(one);
    case 14: return h("hr", { class: `${one.divider === false ? "space" : "line"} ${one.spacing === 2 ? "large" : "small"}` });
    case 17: {
      const box = h("div", { class: one.spoiler ? "container spoiler" : "container" }, within(one.components));
      if (one.accent_color !== null && one.accent_color !== undefined) box.style.borderLeftColor = "#" + one.accent_color.toString(16).padStart(6, "0");
      if (one.spoiler) box.addEventListener("click", () => box.classList.add("open"), { once: true, capture: true });
      return box;
    }
    default: return h("div", { class: "subtext" }, `(component of type ${one.type})`);
  }
}

function embed(one, m, ctx) {
  const box = h("div", { class: "container embed" },
    one.author?.name ? h("div", { class: "subtext" }, one.author.name) : null,
    one.title ? h("h4", {}, one.title) : null,
    one.description ? h("div", { class: "text" }, markdown(one.description, ctx.names)) : null,
    one.fields?.length ? h("div", { class: "fields" }, one.fields.map((field) => h("div", { class: field.inline ? "field inline" : "field" }, h("strong", {}, markdown(field.name, ctx.names)), markdown(field.value, ctx.names)))) : null,
    one.image?.url?.startsWith("/") ? picture({ media: one.image }, m, ctx) : null,
    one.footer?.text ? h("div", { class: "subtext" }, one.footer.text) : null);
  if (one.color) box.style.borderLeftColor = "#" + one.color.toString(16).padStart(6, "0");
  return box;
}

// `compact`: the author is the same as in the message above.
export function message(m, compact, ctx) {
  const at = new Date(m.at);
  const v2 = m.components.some((one) => one.type !== 1);
  const pictures = v2 ? [] : m.attachments.filter((one) => (one.content_type ?? "").startsWith("image/"));
  const others = v2 ? [] : m.attachments.filter((one) => !pictures.includes(one));
  const asker = m.asked && ctx.people.users[m.asked.user]?.name;
  const above = asker && m.asked.command
    ? h("div", { class: "above" }, `${asker} used `, h("span", { class: "mention" }, "/" + m.asked.command))
    : m.reply ? h("div", { class: "above" }, h("strong", {}, "@" + m.reply.author), " ", m.reply.content.slice(0, 120) || "(a message without text)") : null;
  const head = compact && !above ? null : h("div", { class: "head" }, h("strong", {}, m.author.name), m.author.bot ? h("span", { class: "tag" }, "BOT") : null, h("time", { class: "at", datetime: m.at, title: at.toLocaleString("en-GB") }, at.toLocaleTimeString("en-GB", CLOCK)));
  const body = h("div", { class: "body" },
    head,
    m.loading ? h("div", { class: "loading" }, `${m.author.name} is thinking…`) : null,
    m.content ? h("div", { class: "text" }, markdown(m.content, ctx.names)) : null,
    m.embeds.map((one) => embed(one, m, ctx)),
    pictures.length ? h("div", { class: `gallery of-${Math.min(pictures.length, 3)}` }, pictures.map((one) => picture({ media: one, description: one.description }, m, ctx))) : null,
    others.map(file),
    m.components.map((one) => component(one, m, ctx)),
    m.edited && !v2 ? h("span", { class: "subtext" }, "(edited)") : null,
    m.ephemeral ? h("div", { class: "only-you" }, "\u{1F441} Only you can see this · ", h("button", { type: "button", class: "plain", onclick: (event) => ctx.use(event.currentTarget, m, { do: "dismiss" }) }, "Dismiss message")) : null,
    h("div", { class: "failed", role: "alert", hidden: true }));
  return h("article", { class: ["message", m.ephemeral && "ephemeral", head ? "" : "compact", m.mine && "pinged"].filter(Boolean).join(" "), dataset: { id: m.id } },
    above, h("div", { class: "line" }, head ? avatar(m.author.id, m.author.name, m.author.bot) : h("span", { class: "gutter" }), body));
}
