// Discord's Markdown as elements. Text is never parsed as HTML.
import { h } from "/static/dom.js";

const INLINE = new RegExp([
  String.raw`\\([^\sA-Za-z0-9])`,                                       // 1 escaped character
  "(`+)([\\s\\S]*?[^`])\\2(?!`)",                                       // 2, 3 code
  String.raw`<@!?(\d+)>`,                                               // 4 person
  String.raw`<@&(\d+)>`,                                                // 5 role
  String.raw`<#(\d+)>`,                                                 // 6 channel
  String.raw`<\/([^:>]+):\d+>`,                                         // 7 command
  String.raw`<a?:(\w+):\d+>`,                                           // 8 emoji of a server
  String.raw`<t:(-?\d+)(?::([tTdDfFRsS]))?>`,                           // 9, 10 time
  String.raw`\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)`,                     // 11, 12 named link
  String.raw`<?(https?:\/\/[^\s<>]*[^\s<>.,:;"')\]])>?`,                // 13 link
  String.raw`\*\*\*([\s\S]+?)\*\*\*`,                                   // 14 bold italic
  String.raw`\*\*([\s\S]+?)\*\*(?!\*)`,                                 // 15 bold
  String.raw`__([\s\S]+?)__(?!_)`,                                      // 16 underline
  String.raw`\*(?!\s)([^*]*[^\s*])\*`,                                  // 17 italic
  String.raw`\b_([^_]+)_\b`,                                            // 18 italic
  String.raw`~~([\s\S]+?)~~`,                                           // 19 struck out
  String.raw`\|\|([\s\S]+?)\|\|`,                                       // 20 spoiler
  String.raw`(@everyone|@here)`,                                        // 21
  String.raw`(\n)`,                                                     // 22
].join("|"), "g");

const PLACE = /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?\/?$/;

// The place that an address of Discord's means: {channel, message}; null for any other address.
export function placeOf(url) {
  const found = url.match(PLACE);
  return found && { channel: found[1], message: found[2] ?? null };
}

function link(text, url, names) {
  const place = placeOf(url);
  if (place) {
    const words = text === url ? `#${names.channels[place.channel] ?? "unknown"}${place.message ? " › message" : ""}` : text;
    return h("button", { type: "button", class: "plain jump mention", dataset: place.message ? { channel: place.channel, message: place.message } : { channel: place.channel } }, words);
  }
  return h("a", { href: url, target: "_blank", rel: "noreferrer noopener" }, text);
}

function spoiler(children) {
  const open = (event) => event.currentTarget.classList.add("open");
  return h("span", { class: "spoiler", role: "button", tabindex: "0", onclick: open, onkeydown: (event) => event.key === "Enter" && open(event) }, children);
}

function inline(text, names) {
  const found = [];
  let last = 0;
  for (const m of text.matchAll(INLINE)) {
    if (m.index > last) found.push(text.slice(last, m.index));
    last = m.index + m[0].length;
    if (m[1]) found.push(m[1]);
    else if (m[3]) found.push(h("code", {}, m[3].trim()));
    else if (m[4]) found.push(h("span", { class: m[4] === names.me ? "mention mine" : "mention" }, "@" + (names.users[m[4]]?.name ?? "unknown")));
    else if (m[5]) found.push(h("span", { class: "mention" }, "@" + (names.roles[m[5]] ?? "unknown role")));
    else if (m[6]) found.push(h("span", { class: "mention" }, "#" + (names.channels[m[6]] ?? "unknown")));
    else if (m[7]) found.push(h("span", { class: "mention" }, "/" + m[7]));
    else if (m[8]) found.push(":" + m[8] + ":");
    else if (m[9]) found.push(time(Number(m[9]), m[10] || "f"));
    else if (m[11]) found.push(link(inline(m[11], names), m[12], names));
    else if (m[13]) found.push(link(m[13], m[13], names));
    else if (m[14]) found.push(h("strong", {}, h("em", {}, inline(m[14], names))));
    else if (m[15]) found.push(h("strong", {}, inline(m[15], names)));
    else if (m[16]) found.push(h("u", {}, inline(m[16], names)));
    else if (m[17] || m[18]) found.push(h("em", {}, inline(m[17] || m[18], names)));
    else if (m[19]) found.push(h("s", {}, inline(m[19], names)));
    else if (m[20]) found.push(spoiler(inline(m[20], names)));
    else if (m[21]) found.push(h("span", { class: "mention" }, m[21]));
    else if (m[22]) found.push(h("br"));
  }
  if (last < text.length) found.push(text.slice(last));
  return found;
}

const FORMATS = {
  t: { timeStyle: "short" }, T: { timeStyle: "medium" }, d: { dateStyle: "short" }, D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" }, F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" }, S: { dateStyle: "short", timeStyle: "medium" },
};
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const UNITS = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

function relative(seconds) {
  const away = seconds - Date.now() / 1000;
  const [unit, size] = UNITS.find(([, one]) => Math.abs(away) >= one) ?? ["second", 1];
  return RELATIVE.format(Math.trunc(away / size), unit);
}

function time(seconds, style) {
  const at = new Date(seconds * 1000);
  if (Number.isNaN(at.getTime())) return `<t:${seconds}:${style}>`;
  const full = at.toLocaleString("en-GB", FORMATS.F);
  const props = { class: "time", datetime: at.toISOString(), title: full };
  if (style !== "R") return h("time", props, at.toLocaleString("en-GB", FORMATS[style]));
  return h("time", { ...props, dataset: { until: String(seconds) } }, relative(seconds));
}

// Relative times count by themselves.
setInterval(() => {
  for (const element of document.querySelectorAll("time[data-until]")) {
    const text = relative(Number(element.dataset.until));
    if (element.textContent !== text) element.textContent = text;
  }
}, 500);

function list(lines, names) {
  const root = { depth: -1, ordered: null, element: h("div", { class: "list" }) };
  const open = [root];
  for (const line of lines) {
    const [, space, mark, text] = line.match(/^(\s*)([-*]|\d+\.)\s+(.*)$/);
    const depth = Math.floor(space.length / 2);
    const ordered = /\d/.test(mark);
    while (open.at(-1).depth > depth || (open.at(-1).depth === depth && open.at(-1).ordered !== ordered)) open.pop();
    if (open.at(-1).depth < depth) {
      const element = h(ordered ? "ol" : "ul", ordered ? { start: String(parseInt(mark, 10)) } : {});
      (open.at(-1).element.lastElementChild ?? open.at(-1).element).append(element);
      if (open.at(-1) === root && element.parentElement !== root.element) root.element.append(element);
      open.push({ depth, ordered, element });
    }
    open.at(-1).element.append(h("li", {}, inline(text, names)));
  }
  return root.element;
}

// `names` is {users, roles, channels, me}; returns a list of elements.
export function markdown(text, names) {
  const found = [];
  const lines = text.replace(/\r/g, "").split("\n");
  let paragraph = [];
  const flush = () => {
    if (paragraph.length) found.push(h("div", { class: "p" }, inline(paragraph.join("\n"), names)));
    paragraph = [];
  };
  for (let n = 0; n < lines.length; n += 1) {
    const line = lines[n];
    const fence = line.match(/^(.*?)```([\w+-]*)\s*$/) ?? line.match(/^(.*?)```()(.+)$/);
    if (fence && lines.slice(n).join("\n").slice(line.indexOf("```") + 3).includes("```")) {
      if (fence[1].trim()) paragraph.push(fence[1]);
      flush();
      const rest = [line.slice(line.indexOf("```") + 3 + fence[2].length), ...lines.slice(n + 1)].join("\n");
      const end = rest.indexOf("```");
      const code = rest.slice(0, end).replace(/^\n/, "").replace(/\n$/, "");
      found.push(h("pre", {}, h("code", {}, code)));
      n += rest.slice(0, end).split("\n").length - 1;
      const after = rest.slice(end + 3).split("\n")[0];
      if (after.trim()) paragraph.push(after);
      continue;
    }
    const heading = line.match(/^(#{1,3})\s+(.+)$/);
    if (heading) { flush(); found.push(h("h" + (heading[1].length + 2), {}, inline(heading[2], names))); continue; }
    if (/^-#\s+/.test(line)) { flush(); found.push(h("div", { class: "subtext" }, inline(line.replace(/^-#\s+/, ""), names))); continue; }
    if (/^>>>\s/.test(line)) { flush(); found.push(h("blockquote", {}, markdown([line.slice(4), ...lines.slice(n + 1)].join("\n"), names))); break; }
    if (/^>\s/.test(line)) {
      flush();
      const quoted = [];
      while (n < lines.length && /^>(\s|$)/.test(lines[n])) quoted.push(lines[n++].replace(/^>\s?/, ""));
      n -= 1;
      found.push(h("blockquote", {}, markdown(quoted.join("\n"), names)));
      continue;
    }
    if (/^\s*([-*]|\d+\.)\s+\S/.test(line)) {
      flush();
      const items = [];
      while (n < lines.length && /^\s*([-*]|\d+\.)\s+\S/.test(lines[n])) items.push(lines[n++]);
      n -= 1;
      found.push(list(items, names));
      continue;
    }
    paragraph.push(line);
  }
  flush();
  return found;
}
