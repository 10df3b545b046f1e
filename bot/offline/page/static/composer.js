// The message box: plain messages, and slash commands with their options and suggestions.
import { byId, h } from "/static/dom.js";
import { encoded } from "/static/forms.js";

const STRING = 3, INTEGER = 4, BOOLEAN = 5, USER = 6, CHANNEL = 7, ROLE = 8, MENTIONABLE = 9, NUMBER = 10, ATTACHMENT = 11;

export class Composer {
  // `ctx` offers post(action), handle(answer), people, commands, channel(), place(), fresh().
  constructor(ctx) {
    this.ctx = ctx;
    this.input = h("textarea", { id: "say", rows: "1", autocomplete: "off", enterkeyhint: "send", "aria-label": "Message or command" });
    this.list = h("div", { id: "suggestions", role: "listbox", "aria-label": "Suggestions", hidden: true });
    this.bar = h("div", { class: "bar" }, this.input, h("button", { type: "button", class: "send", "aria-label": "Send", onclick: () => this.send() }, "➤"));
    this.fields = null;
    this.picked = 0;
    byId("composer").replaceChildren(this.list, this.bar);
    this.input.addEventListener("input", () => { this.grow(); this.suggest(); });
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("blur", () => setTimeout(() => { if (![this.input, this.list].some((one) => one.contains(document.activeElement)) && !this.fields) this.list.hidden = true; }, 150));
    this.input.addEventListener("focus", () => this.suggest());
  }

  refresh() {
    this.input.placeholder = this.ctx.fresh() ? "Type /play to begin" : "Message, or / for commands";
  }

  // The commands of this place have changed.
  known() {
    if (!this.fields && document.activeElement === this.input) this.suggest();
  }

  grow() {
    this.input.style.height = "auto";
    this.input.style.height = Math.min(this.input.scrollHeight, 160) + "px";
  }

  matching() {
    const typed = this.input.value;
    if (!typed.startsWith("/") || typed.includes("\n")) return [];
    const wanted = typed.slice(1).toLowerCase();
    return this.ctx.commands.filter((one) => one.name.startsWith(wanted) || (wanted.length > 1 && one.name.includes(wanted)));
  }

  suggest() {
    const found = this.matching();
    this.show(found.map((one) => ({ title: "/" + one.name, words: one.description, more: one.options.map((o) => o.name).join("  "), pick: () => this.begin(one) })));
  }

  show(rows) {
    this.rows = rows;
    this.picked = 0;
    this.list.hidden = !rows.length;
    this.list.replaceChildren(...rows.slice(0, 25).map((row, n) => h("button", { type: "button", role: "option", tabindex: "-1", class: "option", "aria-selected": String(n === 0), onpointerdown: (event) => event.preventDefault(), onclick: () => row.pick() },
      h("span", {}, h("span", { class: "option-label" }, row.title), row.more ? h("span", { class: "option-more" }, row.more) : null, row.words ? h("span", { class: "option-words" }, row.words) : null))));
  }

  move(step) {
    const all = [...this.list.children];
    if (this.list.hidden || !all.length) return false;
    this.picked = (this.picked + step + all.length) % all.length;
    all.forEach((row, n) => row.setAttribute("aria-selected", String(n === this.picked)));
    all[this.picked].scrollIntoView({ block: "nearest" });
    return true;
  }

  key(event) {
    if ((event.key === "ArrowDown" && this.move(1)) || (event.key === "ArrowUp" && this.move(-1))) event.preventDefault();
    else if (event.key === "Escape") { this.list.hidden = true; }
    else if (event.key === "Tab" && !this.list.hidden && this.rows.length) { event.preventDefault(); this.rows[this.picked].pick(); }
    else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      const exact = this.typedCommand();
      if (!exact && !this.list.hidden && this.rows.length) this.rows[this.picked].pick();
      else this.send();
    }
  }

  // A command typed out in full, with `name:value` pairs; null if the text is none.
  typedCommand() {
    const typed = this.input.value.trim();
    if (!typed.startsWith("/")) return null;
    const known = [...this.ctx.commands].sort((a, b) => b.name.length - a.name.length);
    const spec = known.find((one) => typed === "/" + one.name || typed.startsWith("/" + one.name + " "));
    if (!spec) return null;
    const rest = typed.slice(spec.name.length + 1).trim();
    const names = spec.options.map((one) => one.name);
    const options = {};
    const parts = rest.split(new RegExp(`(?:^|\\s)(${names.join("|") || "\u0000"}):`));
    if (parts[0].trim() && names.length) options[names[0]] = parts[0].trim();
    for (let n = 1; n < parts.length; n += 2) options[parts[n]] = parts[n + 1].trim();
    return { spec, options };
  }

  async send() {
    if (this.fields) { await this.run(); return; }
    const text = this.input.value.trim();
    if (!text) return;
    const command = this.typedCommand();
    if (command) {
      const missing = command.spec.options.find((one) => one.required && !(one.name in command.options));
      if (missing || !this.plain(command)) { this.begin(command.spec, command.options, missing?.name); return; }
      this.clear();
      this.ctx.follow();
      this.ctx.handle(await this.ctx.post({ do: "slash", channel: this.ctx.channel(), name: command.spec.name, options: command.options }));
      return;
    }
    this.clear();
    this.ctx.follow();
    this.ctx.handle(await this.ctx.post({ do: "say", channel: this.ctx.channel(), text }));
  }

  // Typed values stand for themselves, except where a person or a listed choice is meant.
  plain({ spec, options }) {
    return spec.options.every((one) => {
      if (!(one.name in options)) return true;
      const choice = one.choices?.find((c) => c.name.toLowerCase() === options[one.name].toLowerCase() || c.value === options[one.name]);
      if (choice) options[one.name] = choice.value;
      return (one.choices?.length ? Boolean(choice) : true) && ![USER, CHANNEL, ROLE, MENTIONABLE, ATTACHMENT].includes(one.type);
    });
  }

  clear() {
    this.input.value = "";
    this.grow();
    this.show([]);
  }

  // Opens one field for each option of a command; a command without options is sent at once.
  begin(spec, values = {}, focus = null) {
    this.clear();
    if (!spec.options.length) { this.input.value = "/" + spec.name; this.send(); return; }
    this.spec = spec;
    this.fields = new Map();
    const rows = spec.options.map((one) => this.field(one, values[one.name]));
    const form = h("form", { class: "command", onsubmit: (event) => { event.preventDefault(); this.run(); } },
      h("div", { class: "command-head" }, h("span", { class: "command-name" }, "/" + spec.name), h("span", { class: "option-words" }, spec.description)),
      h("div", { class: "command-fields" }, rows),
      h("div", { class: "row end" }, h("button", { type: "button", class: "button secondary", onclick: () => this.end() }, "Cancel"), h("button", { type: "submit", class: "button primary" }, "Send")));
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.list.hidden) this.end();
      // An input sends its form by itself; a list of choices does not.
      if (event.key === "Enter" && event.target.tagName === "SELECT") { event.preventDefault(); form.requestSubmit(); }
    });
    byId("composer").replaceChildren(this.list, form);
    const first = focus ?? spec.options.find((one) => one.required)?.name ?? spec.options[0].name;
    this.fields.get(first).element.focus();
  }

  end() {
    this.fields = null;
    this.spec = null;
    byId("composer").replaceChildren(this.list, this.bar);
    this.show([]);
    this.input.focus();
  }

  field(one, value) {
    const { people } = this.ctx;
    const choices = {
      [BOOLEAN]: () => [["true", "True"], ["false", "False"]],
      [USER]: () => Object.entries(people.users).map(([id, user]) => [id, user.name]),
      [CHANNEL]: () => Object.entries(people.channels).map(([id, name]) => [id, "#" + name]),
      [ROLE]: () => Object.entries(people.roles).map(([id, name]) => [id, "@" + name]),
      [MENTIONABLE]: () => [...Object.entries(people.users).map(([id, user]) => [id, user.name]), ...Object.entries(people.roles).map(([id, name]) => [id, "@" + name])],
    }[one.type]?.() ?? (one.choices?.length ? one.choices.map((c) => [String(c.value), c.name]) : null);
    const id = "option-" + one.name;
    let element;
    if (choices) {
      element = h("select", { id }, h("option", { value: "" }, one.required ? "Choose…" : "(as usual here)"), choices.map(([v, label]) => h("option", { value: v, selected: String(value) === v || (one.required && choices.length === 1) }, label)));
    } else if (one.type === ATTACHMENT) {
      element = h("input", { id, type: "file" });
    } else {
      const number = one.type === INTEGER || one.type === NUMBER;
      element = h("input", { id, type: number ? "number" : "text", autocomplete: "off", step: one.type === NUMBER ? "any" : null, min: one.min_value ?? null, max: one.max_value ?? null, placeholder: one.required ? "" : "(as usual here)" });
      element.value = value ?? "";
    }
    const made = { spec: one, element, chosen: null };
    if (one.autocomplete) this.suggesting(made);
    this.fields.set(one.name, made);
    return h("div", { class: "command-field" }, h("label", { for: id }, one.name, one.required ? h("span", { class: "needed", title: "required" }, " *") : null), element, h("div", { class: "option-words" }, one.description));
  }

  // Suggestions of the bot while one types; the value behind a suggestion is what is sent.
  suggesting(made) {
    let turn = 0;
    let moved = false; // through the suggestions, with the arrow keys
    const ask = async () => {
      const mine = ++turn;
      if (this.fields?.get(made.spec.name) !== made) return; // the form is gone meanwhile
      made.chosen = null;
      moved = false;
      const others = Object.fromEntries([...this.fields].filter(([name, f]) => name !== made.spec.name && f.spec.type !== ATTACHMENT && f.element.value).map(([name, f]) => [name, f.chosen ?? f.element.value]));
      const answer = await this.ctx.post({ do: "autocomplete", channel: this.ctx.channel(), name: this.spec.name, option: made.spec.name, typed: made.element.value, options: others });
      if (mine !== turn || document.activeElement !== made.element) return;
      this.show((answer.choices ?? []).map((c) => ({ title: c.name, pick: () => { made.element.value = c.name; made.chosen = c.value; this.show([]); } })));
    };
    let timer = 0;
    made.element.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 150); });
    made.element.addEventListener("focus", ask);
    made.element.addEventListener("blur", () => { turn += 1; setTimeout(() => this.show([]), 150); });
    made.element.addEventListener("keydown", (event) => {
      // Enter in an empty field that need not be filled means the form, not its first suggestion.
      const passes = event.key === "Enter" && !made.spec.required && !made.element.value && !moved;
      if (event.key === "ArrowDown" && this.move(1)) { moved = true; event.preventDefault(); }
      else if (event.key === "ArrowUp" && this.move(-1)) { moved = true; event.preventDefault(); }
      else if (event.key === "Escape" && !this.list.hidden) { this.show([]); event.stopPropagation(); }
      else if (!passes && (event.key === "Enter" || event.key === "Tab") && !this.list.hidden && this.rows.length && made.chosen === null) { this.rows[this.picked].pick(); if (event.key === "Enter") event.preventDefault(); }
    });
  }

  async run() {
    const options = {};
    for (const [name, made] of this.fields) {
      if (made.spec.type === ATTACHMENT) { if (made.element.files[0]) options[name] = await encoded(made.element.files[0]); continue; }
      const value = made.chosen ?? made.element.value;
      if (value === "") { if (made.spec.required) { made.element.focus(); made.element.classList.add("missing"); return; } continue; }
      options[name] = value;
    }
    const name = this.spec.name;
    this.ctx.follow();
    const answer = await this.ctx.post({ do: "slash", channel: this.ctx.channel(), name, options });
    if (this.spec?.name === name) this.end();
    this.ctx.handle(answer);
  }
}
