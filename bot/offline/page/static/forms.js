// A form (modal) that the bot opened.
import { byId, h } from "/static/dom.js";
import { markdown } from "/static/markdown.js";
import { offered } from "/static/messages.js";

// Reads a chosen file as name and base64, the way the server takes it.
export async function encoded(chosen) {
  const bytes = new Uint8Array(await chosen.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return { name: chosen.name, base64: btoa(text) };
}

// One control as {element, value()}; value() is undefined when nothing was given.
function control(one, ctx) {
  const id = "control-" + one.custom_id;
  const required = one.required ?? (one.type === 4 || (one.type >= 3 && one.type <= 8));
  if (one.type === 4) {
    const props = { id, name: one.custom_id, placeholder: one.placeholder ?? "", required, minlength: one.min_length ? String(one.min_length) : null, maxlength: String(one.max_length ?? 4000) };
    const element = one.style === 2 ? h("textarea", { ...props, rows: "5" }) : h("input", { ...props, type: "text", autocomplete: "off" });
    element.value = one.value ?? "";
    return { id, element, value: () => element.value || undefined };
  }
  if ([3, 5, 6, 7, 8].includes(one.type)) {
    const most = one.max_values ?? 1;
    if (most === 1) {
      const element = h("select", { id, required }, h("option", { value: "" }, one.placeholder || "Make a selection"), offered(one, ctx).map((option) => h("option", { value: option.value, selected: Boolean(option.default) }, option.label + (option.description ? " — " + option.description : ""))));
      return { id, element, value: () => (element.value ? [element.value] : undefined) };
    }
    return boxes(id, offered(one, ctx), "checkbox", (chosen) => (chosen.length ? chosen : undefined));
  }
  if (one.type === 21) return boxes(id, one.options, "radio", (chosen) => chosen[0]);
  if (one.type === 22) return boxes(id, one.options, "checkbox", (chosen) => (chosen.length ? chosen : undefined));
  if (one.type === 23) {
    const element = h("input", { id, type: "checkbox", checked: Boolean(one.default) });
    return { id, element, value: () => element.checked };
  }
  if (one.type === 19) {
    const element = h("input", { id, type: "file", multiple: (one.max_values ?? 1) > 1 });
    return { id, element, value: async () => { const all = await Promise.all([...element.files].map(encoded)); return all.length ? all : undefined; } };
  }
  return { id, element: h("div", { class: "subtext" }, `(control of type ${one.type})`), value: () => undefined };
}

function boxes(id, options, type, read) {
  const rows = options.map((option) => h("label", { class: "check" }, h("input", { type, name: id, value: option.value, checked: Boolean(option.default) }), h("span", {}, option.label, option.description ? h("span", { class: "option-words" }, option.description) : null)));
  const element = h("div", { id, class: "boxes", role: "group" }, rows);
  return { id, element, value: () => read([...element.querySelectorAll("input:checked")].map((input) => input.value)) };
}

export function openForm(modal, interaction, ctx) {
  const dialog = byId("form");
  const controls = new Map();
  const parts = modal.components.map((one) => {
    if (one.type === 10) return h("div", { class: "text" }, markdown(one.content, ctx.names));
    const inner = one.component ?? one.components?.[0] ?? one;
    const made = control(inner, ctx);
    controls.set(inner.custom_id, made);
    return h("div", { class: "label" }, h("label", { for: made.id }, one.label ?? inner.label ?? "", inner.required === false ? null : h("span", { class: "needed", title: "required" }, " *")), one.description ? h("div", { class: "subtext" }, one.description) : null, made.element);
  });
  const wrong = h("div", { class: "failed", role: "alert", hidden: true });
  const send = h("button", { type: "submit", class: "button primary" }, "Submit");
  const submit = async (event) => {
    event.preventDefault();
    send.disabled = true;
    const values = {};
    for (const [key, made] of controls) { const value = await made.value(); if (value !== undefined) values[key] = value; }
    const answer = await ctx.post({ do: "submit", interaction, values });
    send.disabled = false;
    if (!answer.ok) { wrong.textContent = answer.why; wrong.hidden = false; return; }
    dialog.close();
    if (answer.modal) openForm(answer.modal, answer.interaction, ctx);
  };
  dialog.replaceChildren(h("form", { onsubmit: submit }, h("h2", {}, modal.title), parts, wrong, h("div", { class: "row end" }, h("button", { type: "button", class: "button secondary", onclick: () => dialog.close() }, "Cancel"), send)));
  dialog.showModal();
}
