// YAML of anything, edited: by keyboard, with errors at their place, what could stand there, and the form in step.
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertFocused, chip, choose, command, documents, paste, says, tray } from "./cluster.mjs";
import { assertAccessible, viewports, withApp } from "./harness.mjs";

const area = page => page.locator("#yaml-text");
const said = page => page.locator("#yaml-said");
const panel = page => page.getByRole("tabpanel", { name: "YAML" });
const undo = page => page.getByRole("button", { name: "Undo" });

/** Opens a pod's YAML. */
async function openPod(page, name) {
  await chip(tray(page), name).click();
  await page.getByRole("tab", { name: "YAML" }).click();
  await area(page).waitFor();
}

/** Puts the caret after a text, as a hand does with keys. */
async function caretAfter(page, text) {
  await area(page).focus();
  await area(page).evaluate((node, wanted) => {
    const at = node.value.indexOf(wanted) + wanted.length;
    node.setSelectionRange(at, at);
  }, text);
  await page.keyboard.press("Shift");
}

/** Replaces one text by another. */
async function replace(page, from, to) {
  await caretAfter(page, from);
  for (let left = from.length; left > 0; left -= 1) await page.keyboard.press("Backspace");
  await page.keyboard.type(to);
}

for (const theme of ["light", "dark"]) {
  test(`a pod is edited by keyboard alone, ${theme}`, async () => {
    await withApp({ theme }, async page => {
      await paste(page, documents);
      await chip(tray(page), "mypod").click();
      await page.getByRole("tab", { name: "Filter" }).focus();
      for (const name of ["Score", "Advice", "YAML"]) {
        await page.keyboard.press("ArrowRight");
        await page.getByRole("tab", { name, selected: true }).waitFor();
      }
      await says(said(page), "As it is in the cluster");
      await assertAccessible(page);

      // An error is at its place: its line, its path, its words.
      await replace(page, "maxSkew: 1", "maxSkew: 0");
      await says(said(page), "1 error: nothing was changed");
      const problem = panel(page).locator(".problem.error");
      assert.match(await problem.innerText(), /^Error\s+\d+:\d+\s+spec\.topologySpreadConstraints\[0\]\.maxSkew Invalid value: 0: must be greater than zero$/);
      const line = await area(page).evaluate(node => node.value.slice(0, node.value.indexOf("maxSkew")).split("\n").length);
      assert.equal(await panel(page).locator(".lines b.error").innerText(), `${line}\n`);
      assert.equal(await panel(page).locator(".back mark").innerText(), "maxSkew");
      await says(panel(page).locator(".pop.said"), "must be greater than zero");
      assert.equal(await area(page).getAttribute("aria-invalid"), "true");
      await assertAccessible(page);
      await problem.press("Enter");
      await assertFocused(page, "#yaml-text");
      const marked = await area(page).evaluate(node => node.value.slice(node.selectionStart, node.selectionEnd));
      assert.equal(marked, "maxSkew", "a problem leads to its place");
      await page.keyboard.press("Control+Enter");
      await says(page.getByRole("status"), "must be greater than zero");
      assert.equal(await page.getByLabel("maxSkew", { exact: true }).inputValue(), "1", "nothing is half applied");

      // What could stand here: a value, then a field.
      await replace(page, "maxSkew: 0", "maxSkew: 1");
      await says(said(page), "As it is in the cluster");
      await replace(page, "DoNotSchedule", "Sch");
      const offers = page.getByRole("listbox", { name: "What could stand here" });
      assert.deepEqual(await offers.getByRole("option").allInnerTexts(), ["ScheduleAnyway"]);
      await assertAccessible(page);
      await page.keyboard.press("Enter");
      await offers.waitFor({ state: "detached" });
      await page.keyboard.press("Enter");
      await page.keyboard.type("nodeT");
      assert.match(await offers.getByRole("option").first().innerText(), /^nodeTaintsPolicy\s*string$/);
      const chosen = await area(page).getAttribute("aria-activedescendant");
      assert.equal(await page.locator(`[id="${chosen}"]`).getAttribute("aria-selected"), "true");
      await page.keyboard.press("Tab");
      assert.deepEqual(await offers.getByRole("option").allInnerTexts(), ["Ignore", "Honor"]);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await says(panel(page).locator("#yaml-field"), "nodeTaintsPolicy");
      await says(said(page), "Not applied yet");
      await page.keyboard.press("Control+Enter");
      await says(page.getByRole("status"), "Pod default/mypod is changed");

      // The form is in step, and it was one step.
      const group = name => page.getByRole("group", { name }).getByRole("button", { pressed: true });
      assert.equal(await group("whenUnsatisfiable").innerText(), "ScheduleAnyway");
      assert.equal(await group("nodeTaintsPolicy").innerText(), "Honor");
      await undo(page).click();
      assert.equal(await group("whenUnsatisfiable").innerText(), "DoNotSchedule");
      assert.match(await area(page).inputValue(), /whenUnsatisfiable: DoNotSchedule/);
      assert.ok(await undo(page).isDisabled() || await undo(page).getAttribute("aria-disabled") === "true");
    });
  });
}

test("the form changes the text, also one that is being written", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    await openPod(page, "mypod");
    await page.getByRole("button", { name: "Increase maxSkew" }).click();
    await says(panel(page).locator(".back"), "maxSkew: 2");
    assert.match(await area(page).inputValue(), /maxSkew: 2/);
    // What is written stays, with what was changed elsewhere.
    await replace(page, "foo: bar", "foo: baz");
    await page.getByRole("button", { name: "Increase maxSkew" }).click();
    await says(panel(page).locator(".back"), "maxSkew: 3");
    assert.match(await area(page).inputValue(), /foo: baz/);
    await page.getByRole("button", { name: "Discard what I wrote" }).click();
    assert.doesNotMatch(await area(page).inputValue(), /foo: baz/);
    // A text that cannot be read waits.
    await replace(page, "maxSkew: 3", "maxSkew: {");
    await says(said(page), "error");
    await page.getByRole("button", { name: "Decrease maxSkew" }).click();
    await assertFocused(page, "button");
    assert.match(await area(page).inputValue(), /maxSkew: {/);
    await replace(page, "maxSkew: {", "maxSkew: 3");
    await replace(page, "foo: bar", "foo: qux");
    await page.keyboard.press("Control+Enter");
    await says(panel(page).locator(".back"), "foo: qux");
    assert.match(await area(page).inputValue(), /maxSkew: 2/, "what was not written anew is as it was set elsewhere");
  });
});

test("a pod keeps what scheduling does not read, and undo takes that back too", async () => {
  await withApp({}, async page => {
    await paste(page, documents.replace("image: registry.k8s.io/pause:3.1}", "image: registry.k8s.io/pause:3.1, env: [{name: A, value: one}]}"));
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Close" }).first().click();
    await command(page, "whole cluster as YAML");
    await says(panelOf(page).locator(".back"), "value: one");
    await replace(page, "value: one", "value: two");
    await page.keyboard.press("Control+Enter");
    await says(page.getByRole("status"), "The whole cluster is changed");
    assert.match(await area(page).inputValue(), /value: two/);
    await undo(page).click();
    await says(panelOf(page).locator(".back"), "value: one");
  });
});

test("a node by its key, the cluster and the configuration by the palette, a class and a budget by their buttons", async () => {
  await withApp({}, async page => {
    await page.locator('[role=rowheader][data-name="node-b2"]').focus();
    await page.keyboard.press("e");
    await page.getByRole("heading", { name: "Node node-b2" }).waitFor();
    await assertFocused(page, "#yaml-text");
    await replace(page, "PreferNoSchedule", "NoSchedul");
    await says(said(page), "1 error");
    await says(panelOf(page).locator(".problem"), 'Unsupported value: "NoSchedul": supported values: "NoExecute", "NoSchedule", "PreferNoSchedule" Did you mean NoSchedule?');
    await page.keyboard.type("e");
    await page.keyboard.press("Control+Enter");
    await says(page.getByRole("status"), "Node node-b2 is changed");
    await assertAccessible(page);
    await page.getByRole("button", { name: "Close" }).first().click();
    await undo(page).click();

    const open = async name => {
      await command(page, name);
      await area(page).waitFor();
    };
    await open("configuration as YAML");
    await page.getByRole("heading", { name: "KubeSchedulerConfiguration" }).waitFor();
    await caretAfter(page, "kind: KubeSchedulerConfiguration\n");
    await page.keyboard.type("percentageOfNodesToScore: 101");
    await says(panelOf(page).locator(".problem"), "not in valid range [0-100]");
    await page.getByRole("button", { name: "Discard what I wrote" }).click();
    await says(said(page), "As it is in the cluster");
    await page.getByRole("button", { name: "Close" }).first().click();

    await open("whole cluster as YAML");
    await assertFocused(page, "#yaml-text");
    assert.equal(await area(page).evaluate(area => area.selectionStart), 0, "it is read from its beginning");
    await replace(page, "name: batch-5", "name: batch-6");
    await page.getByRole("button", { name: "Apply" }).click();
    await says(page.getByRole("status"), "The whole cluster is changed");
    await page.locator('[data-name="shop/batch-6"]').first().waitFor();
    assert.equal(await page.locator('[data-name="shop/batch-5"]').count(), 0);
    await page.getByRole("button", { name: "Close" }).first().click();
    await undo(page).click();
    await page.locator('[data-name="shop/batch-5"]').first().waitFor();

    for (const [summary, button, from, to, wrong] of [
      ["web-standard", "YAML web-standard", "value: 100", "value: 1", "may not be changed in an update."],
      ["shop/cache", "YAML shop/cache", "minAvailable: 2", "minAvailable: 200%", "must not be greater than 100%"],
    ]) {
      await page.getByRole("banner").getByRole("button", { name: "Priorities & budgets" }).click();
      await page.locator("summary", { hasText: summary }).click();
      await page.getByRole("button", { name: button }).click();
      await area(page).waitFor();
      await replace(page, from, to);
      await says(panelOf(page).locator(".problem"), wrong);
      await page.getByRole("button", { name: "Discard what I wrote" }).click();
      await page.getByRole("button", { name: "Close" }).first().click();
    }
  });
});

test("what a field is for is said beside it", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    await openPod(page, "mypod");
    await caretAfter(page, "whenUnsatisfiable: DoNot");
    const about = panel(page).locator("#yaml-field");
    await says(about, "whenUnsatisfiable string DoNotSchedule | ScheduleAnyway");
    await says(about, "Whether a node that breaks it is refused or only scores lower.");
    await caretAfter(page, "    foo: bar\n");
    await page.keyboard.press("Control+Space");
    const offers = page.getByRole("listbox", { name: "What could stand here" });
    await offers.waitFor();
    await page.keyboard.press("Escape");
    await offers.waitFor({ state: "detached" });
    await assertFocused(page, "#yaml-text");
    await page.keyboard.press("Tab");
    assert.notEqual(await page.evaluate(() => document.activeElement?.id), "yaml-text", "Tab leads out");
  });
});

for (const theme of ["light", "dark"]) {
  test(`on a phone, ${theme}`, async () => {
    await withApp({ theme, viewport: viewports.phone, touch: true }, async page => {
      await page.locator('[data-tray] [data-name="shop/web-6"]').tap();
      await page.getByRole("button", { name: "Menu" }).first().tap();
      await choose(page, "The pod as YAML");
      await area(page).waitFor();
      // The tab has the focus once it is drawn; only then does the text keep it.
      await page.locator("#tab-yaml:focus").waitFor();
      await caretAfter(page, "maxSkew: 1");
      await page.keyboard.press("Enter");
      await page.keyboard.type("min");
      const offer = page.getByRole("option", { name: "minDomains" });
      const box = await offer.boundingBox();
      assert.ok(box.height >= 24, `${box.height}`);
      await assertAccessible(page);
      await offer.tap();
      await page.keyboard.type("2");
      await page.getByRole("button", { name: "Apply" }).tap();
      await says(page.getByRole("status"), "Pod shop/web-6 is changed");
      assert.match(await area(page).inputValue(), /minDomains: 2/);
    });
  });
}

const panelOf = page => page.getByRole("complementary");
