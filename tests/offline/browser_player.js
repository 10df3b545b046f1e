// What a player of browser_player.py does inside the page. Part of a function body there.
const patience = 20000;

// What a control is for: its verb, and the question that it answers.
const read = (element) => {
  const found = /^n:[bmf]:(\w+):(\w+):(\w+):(\w*):(.*)$/.exec(element.dataset.customId ?? "");
  return found && { verb: found[1], question: `${found[2]}.${found[3]}:${found[4]}`, key: found[5] };
};
const articles = () => [...document.querySelectorAll("#messages > article")];
const controls = (within, ...verbs) => [...within.querySelectorAll("[data-custom-id]:enabled")]
  .filter((one) => verbs.includes(read(one)?.verb));
const panel = () => articles().findLast((one) => one.classList.contains("ephemeral") && controls(one, "panel").length);
const newest = () => articles().at(-1);
const isNewest = (article) => Boolean(article) && article === newest();

const until = async (condition, wait = patience) => {
  const end = performance.now() + wait;
  for (;;) {
    const found = condition();
    if (found || performance.now() > end) return found;
    await new Promise((done) => setTimeout(done, 4));
  }
};
const failure = () => [...document.querySelectorAll("#notice, .failed")].find((one) => !one.hidden && one.textContent)?.textContent ?? "";

// The page follows the newest message, unless the player has scrolled up (to a menu high in a panel,
// or to a panel that stands above newer messages): then it stays where it is.
const below = () => {
  const box = document.getElementById("scroll");
  return box.scrollHeight - box.scrollTop - box.clientHeight;
};
const following = () => below() < 100;
const inView = (id, followed) => {
  if (followed) return below() < 5;
  const box = document.getElementById("scroll").getBoundingClientRect();
  const at = articles().find((one) => one.dataset.id === id)?.getBoundingClientRect();
  return !at || (at.top < box.bottom && at.bottom > box.top);
};

// Until the click was answered and its message is drawn anew; a hand opens in a message of its own.
const settled = async (element, followed, wait) => {
  const article = element.closest("article");
  const last = newest().dataset.id;
  const opens = read(element).verb === "hand";
  await until(() => !element.classList.contains("pending"));
  await until(() => !article.isConnected || (opens && newest().dataset.id !== last) || failure(), wait);
  if (failure() || await until(() => inView(article.dataset.id, followed))) return failure();
  return followed ? "the newest message is out of view" : "what was used went out of view";
};
// Two frames; a window that the browser takes for hidden draws none.
const frames = () => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(done));
  setTimeout(done, 500);
});
// Brings a control into view, where nothing covers it; whether the page follows what is new then.
const reach = async (control) => {
  if (!control.checkVisibility()) throw new Error(`${control.textContent} is not to be seen`);
  let block = "nearest";
  for (const end = performance.now() + patience; performance.now() < end; block = "center") {
    const before = below();
    control.scrollIntoView({ block });
    // The page hears of scrolling with its next frame; nobody is quicker than that.
    if (below() !== before) await frames();
    const at = control.getBoundingClientRect();
    const there = document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2);
    if (control.contains(there) || !control.isConnected) return following();
    await frames();
  }
  throw new Error(`${control.textContent} stays covered`);
};
const press = async (button, wait) => {
  const followed = await reach(button);
  button.click();
  return settled(button, followed, wait);
};
const choose = async (menu, pick) => {
  const followed = await reach(menu);
  const scrolled = below();
  menu.click();
  const list = document.querySelector(".popover");
  if (!list) return "the menu does not open";
  if (below() !== scrolled) return "opening the menu moved the page";
  const options = [...list.querySelectorAll(".option[data-value]")];
  const option = pick(options);
  await reach(option);
  option.click();
  const done = list.querySelector(".popover-foot .button");
  if (done) {
    for (const one of options) if (done.disabled && one.ariaSelected === "false") one.click();
    done.click();
  }
  return settled(menu, followed);
};
const told = (article, wrong, answers = []) => ({ failure: wrong, answers, text: article?.querySelector(".container")?.innerText ?? "" });

const look = async () => {
  const place = panel();
  const wrong = await press(controls(place, "panel")[0], 250);
  return told(panel() ?? newest(), wrong);
};

// A ballot's tokens go on one option after the other: spread as far as can be.
const spend = (menu, token) => choose(menu, (options) => options[token % options.length]);
const spendOne = async () => told(panel(), await spend(controls(panel(), "draft")[0], 0));

// Answers one question among these controls; returns what went wrong.
const answer = async (open, prefer) => {
  const { question } = read(open[0]);
  const same = open.filter((one) => read(one).question === question);
  const preferred = (list, key) => prefer.map((wish) => list.find((one) => key(one) === wish)).find(Boolean) ?? list[0];
  const first = same[0];
  if (read(first).verb === "draft") {
    const count = same.filter((one) => read(one).verb === "draft").length;
    for (let token = 0; token < count; token += 1) {
      const menu = controls(panel(), "draft").filter((one) => read(one).question === question)[token];
      const wrong = menu.classList.contains("chosen") ? "" : await spend(menu, token);
      if (wrong) return wrong;
    }
    const cast = await until(() => controls(panel(), "cast").find((one) => read(one).question === question));
    if (!cast) return "a full ballot cannot be handed in";
    const wrong = await press(cast);
    newest().scrollIntoView({ block: "end" }); // reads on, where the next question will stand
    return wrong;
  }
  if (first.classList.contains("menu")) return choose(first, (options) => preferred(options, (option) => option.dataset.value));
  return press(preferred(same, (one) => read(one).key));
};

// Questions that may be revised stay open: each is answered once.
const answered = (window.answered ??= new Set());
const answerAll = async ({ prefer }) => {
  const done = [];
  for (;;) {
    const place = panel();
    if (!place) return told(newest(), "", done); // the last answer ended the game
    if (done.length && !isNewest(place)) break; // goes on in a panel further down
    const open = controls(place, "act", "draft", "cast").filter((one) => !answered.has(read(one).question));
    if (!open.length) break;
    const { question } = read(open[0]);
    const wrong = await answer(open, prefer);
    if (wrong) return told(panel() ?? newest(), wrong, done);
    answered.add(question);
    done.push(question);
  }
  return told(panel(), "", done);
};

const playACard = async ({ prefer }) => {
  let wrong = await press(controls(panel(), "hand")[0]);
  const hand = newest();
  const open = wrong ? [] : controls(hand, "act");
  if (open.length) wrong = await answer(open, prefer);
  return told(newest(), wrong, open.length ? [read(open[0]).question] : []);
};
