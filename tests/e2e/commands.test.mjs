// The editor: the palette, the shortcuts, and what they run.
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertFocused, chip, command, documents, paste, says, tray } from "./cluster.mjs";
import { assertAccessible, viewports, withApp } from "./harness.mjs";

const palette = page => page.getByRole("dialog", { name: "Commands" });
const option = (page, name) => palette(page).getByRole("option", { name });

test("the palette lists every command, and runs what a few letters find", async () => {
  await withApp({}, async page => {
    await page.keyboard.press("Control+k");
    await palette(page).waitFor();
    await assertFocused(page, "[role=combobox]");
    assert.ok((await palette(page).getByRole("option").count()) > 15);
    // What cannot be done says why.
    assert.equal(await option(page, "There is nothing to undo").getAttribute("aria-disabled"), "true");
    await palette(page).getByRole("combobox").fill("drk thm");
    assert.equal(await palette(page).getByRole("option").count(), 1);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.documentElement.getAttribute("data-theme") === "dark");
    assert.equal(await palette(page).count(), 0);
    await page.keyboard.press("Control+k");
    await palette(page).getByRole("combobox").fill("no such command");
    await page.keyboard.press("Enter");
    await says(palette(page), "No command is called that.");
    await page.keyboard.press("Escape");
    await palette(page).waitFor({ state: "detached" });
  });
});

test("letters typed before the palette has come are in it, and do nothing else", async () => {
  let come;
  const later = new Promise(open => (come = open));
  const prepare = page =>
    page.route("**/edit-*.wasm", async route => {
      await later;
      await route.continue();
    });
  await withApp({ prepare }, async page => {
    await tray(page).locator("[data-lift=pod]").first().focus();
    await page.keyboard.press("Control+k");
    // Each letter is a command of its own while nobody writes.
    await page.keyboard.type("drkt");
    come();
    await palette(page).waitFor();
    await assertFocused(page, "[role=combobox]");
    await page.keyboard.type("hm");
    assert.equal(await palette(page).getByRole("combobox").inputValue(), "drkthm");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.documentElement.getAttribute("data-theme") === "dark");
    assert.equal(await page.getByRole("button", { name: "Undo", exact: true }).getAttribute("aria-disabled"), "true");
  });
});

test("arrows choose in the palette, and the focus returns to what had it", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    await chip(tray(page), "mypod").focus();
    await page.keyboard.press("Control+k");
    const active = () => page.locator("[role=combobox]").getAttribute("aria-activedescendant");
    await palette(page).waitFor();
    const first = await active();
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(
      before => document.querySelector("[role=combobox]").getAttribute("aria-activedescendant") !== before,
      first,
    );
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.match(await palette(page).locator("[aria-selected=true]").innerText(), /single-key/);
    await page.keyboard.press("Escape");
    await palette(page).waitFor({ state: "detached" });
    await assertFocused(page, '[data-name="default/mypod"]');
  });
});

test("one button opens the palette, also on a phone", async () => {
  await withApp({ viewport: viewports.phone, touch: true }, async page => {
    await page.getByRole("button", { name: "Menu", exact: true }).tap();
    await option(page, "Import manifests…").tap();
    await page.getByRole("dialog").getByRole("textbox").waitFor();
  });
});

test("the shortcuts have a page of their own, and can be turned off", async () => {
  await withApp({}, async page => {
    await page.getByRole("tab", { name: "Filter" }).waitFor();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await says(dialog, "Undo");
    await says(dialog, "Ctrl+Z");
    await assertAccessible(page);
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("2");
    await page.getByRole("tab", { name: "Score", selected: true }).waitFor();
    await command(page, "turn shortcuts off");
    await page.keyboard.press("1");
    await page.keyboard.press("?");
    await command(page, "turn shortcuts on");
    assert.equal(await page.getByRole("tab", { name: "Score", selected: true }).count(), 1);
    assert.equal(await dialog.count(), 0);
    await page.keyboard.press("1");
    await page.getByRole("tab", { name: "Filter", selected: true }).waitFor();
  });
});

test("letters are text in a field", async () => {
  await withApp({}, async page => {
    await page.getByRole("button", { name: "Import" }).click();
    const field = page.getByRole("dialog").getByRole("textbox");
    await field.fill("");
    await field.press("?");
    await field.press("2");
    assert.equal(await field.inputValue(), "?2");
    assert.equal(await page.getByRole("dialog").count(), 1);
  });
});

for (const theme of ["light", "dark"]) {
  for (const [name, viewport] of Object.entries(viewports)) {
    test(`the palette is accessible, ${theme}, ${name}`, async () => {
      await withApp({ theme, viewport }, async page => {
        await page.getByRole("button", { name: "Menu", exact: true }).click();
        await palette(page).waitFor();
        await assertAccessible(page);
      });
    });
  }
}
