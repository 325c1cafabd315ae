// In a language that nobody speaks, whatever is English does not come from the tables, and whatever is cut off would be cut
// off in a language of long words. See pseudo.mjs.
import assert from "node:assert/strict";
import { test } from "node:test";

import { viewports, withApp } from "./harness.mjs";
import { cutOff, englishWords, leftOver, said, speakPseudo, tableNames } from "./pseudo.mjs";

/** Opens the page in the language, and waits until it speaks. */
async function withPseudo(options, look) {
  let replaced;
  const prepare = async page => {
    replaced = await speakPseudo(page);
  };
  await withApp({ ...options, locale: "uk", prepare }, async page => {
    await page.getByText(said("story-why")).waitFor();
    await look(page, replaced);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
}

async function assertRead(page) {
  assert.deepEqual(englishWords(await leftOver(page)), []);
  assert.deepEqual(await cutOff(page), []);
}

/** Shows all of the inspector, where it is a sheet. */
async function unfold(page) {
  const resize = page.getByRole("button", { name: said("pull-sheet") });
  for (let step = 0; step < 2 && (await resize.isVisible()); step += 1) await resize.click();
}

const tab = id => async page => {
  await unfold(page);
  await page.locator(id).click();
};
const why = async page => {
  await unfold(page);
  await page.getByRole("button", { name: said("why"), exact: true }).click();
};
const table = async page => {
  await page.locator('[data-tray] [data-name="shop/web-6"]').focus();
  await page.keyboard.press("t");
};
const button = key => page => page.getByRole("banner").getByRole("button", { name: said(key), exact: true }).click();
const press = key => page => page.keyboard.press(key);
const text = (key, table) => page => page.getByText(said(key, table), { exact: true }).first();
const dialog = page => page.getByRole("dialog");

/** The main views: how each is opened, and what is there once it is. */
const VIEWS = {
  "the page as it opens": [async () => {}, page => page.locator(".verdict")],
  "the scores": [tab("#tab-score"), text("weighted-total")],
  preemption: [tab("#tab-preemption"), text("room-put-back", "-preemption")],
  advice: [tab("#tab-advice"), text("fit", "-advice")],
  "the Why panel": [why, text("event", "-why")],
  "the palette": [press("Control+k"), dialog],
  "the page of shortcuts": [press("?"), dialog],
  "a table of the cluster": [table, page => page.locator("table[aria-rowcount]")],
  import: [button("import"), dialog],
  share: [button("share"), dialog],
  lessons: [button("lessons"), dialog],
  "priorities and budgets": [button("rules-title"), page => page.getByRole("form", { name: said("new-class", "-rules") })],
};

for (const [size, viewport] of Object.entries({ desktop: viewports.desktop, phone: viewports.phone })) {
  for (const [name, [open, shown]] of Object.entries(VIEWS)) {
    test(`${name}: every word comes from the tables and can be read, ${size}`, async () => {
      await withPseudo({ viewport }, async page => {
        await open(page);
        await shown(page).waitFor();
        await assertRead(page);
      });
    });
  }
}

test("the language has every table, and what is not in it is found", async () => {
  await withPseudo({}, async (page, replaced) => {
    assert.deepEqual([...replaced].sort(), [...tableNames].sort());
    assert.equal(await page.locator("h1").textContent(), said("example"));
    await page.evaluate(() => {
      const text = document.createElement("p");
      text.append("Unheard words");
      text.title = "in a title";
      document.querySelector(".story").append(text);
    });
    assert.deepEqual(englishWords(await leftOver(page)).sort(), ["Unheard", "in", "title", "words"]);
    await page.locator(".story").evaluate(story => story.classList.add("clip"));
    assert.match((await cutOff(page)).join(), /^«wéeb-6 /);
  });
});
