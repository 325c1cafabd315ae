// Who would have to go for a pod that fits nowhere: read, changed, played and taken back.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { assertFocused, chip, paste, row, says, tray } from "./cluster.mjs";
import { assertAccessible, viewports, withApp } from "./harness.mjs";

// The cluster of a lesson: what follows its first document.
const example = name =>
  readFileSync(new URL(`../../web/lessons/${name}.yaml`, import.meta.url), "utf8").replace(/^[^]*?\n---\n/, "");

const tab = page => page.getByRole("tab", { name: /^Preemption/ });
const panel = page => page.getByRole("tabpanel");
const preempt = page => page.getByRole("button", { name: "Preempt", exact: true });

const DECIDED = "node3: its highest victim has priority 1 (node2: 100, node4: 100).";
const MOVED = "node2: the priorities of its victims come to the least, 1 S + 100 (node4: 2 S + 100).";

test("by mouse: what decides, another priority, another choice, played and undone", async () => {
  await withApp({}, async page => {
    await paste(page, example("L32"));
    await tab(page).click();
    assert.match(await tab(page).textContent(), /4$/);
    await says(page.getByRole("region", { name: "Verdict" }), "preempting on node3");
    await says(panel(page), DECIDED);
    assert.equal(await panel(page).locator(".crit th.by").innerText(), "highest priority\ndecides");
    assert.deepEqual(await panel(page).locator(".crit .out").allInnerTexts(), ["100", "100", "1"]);
    await row(page, "node3").getByTitle("default/report, priority 1, would be preempted").waitFor();
    const web = "web, priority 100, would be preempted if its node were chosen";
    await row(page, "node2").getByTitle(web).waitFor();
    await says(row(page, "node3"), "Preempts here");
    // The chosen one is open, another can be.
    await says(panel(page), "Remove all below 1000");
    await panel(page).getByRole("button", { name: /^node1/ }).click();
    await says(panel(page).locator(".ledger"), "ledger");
    await says(panel(page).locator(".steps"), "breaks a PDB, so tried first");

    await chip(row(page, "node3"), "report").click();
    // As high as the one that waits: it cannot be preempted any more.
    await page.getByLabel("priorityClassName").selectOption("high");
    await chip(row(page, "node3"), "report").filter({ hasText: "1000" }).waitFor();
    await chip(tray(page), "urgent").click();
    await says(panel(page), MOVED);
    assert.equal(await panel(page).locator(".crit th.by").innerText(), "sum of priorities\ndecides");

    await preempt(page).click();
    await chip(row(page, "node2"), "urgent").waitFor();
    assert.equal(await chip(row(page, "node2"), "web").count(), 0);
    await row(page, "node2").getByTitle("web, priority 100, was preempted").waitFor();
    await says(page.getByRole("status"), "web preempted on node2. Successfully assigned default/urgent to node2");
    assert.equal(await tab(page).count(), 0);

    await page.getByRole("button", { name: "Undo" }).click();
    await chip(row(page, "node2"), "web").waitFor();
    await chip(tray(page), "urgent").waitFor();
    await says(panel(page), MOVED);
    await page.getByRole("button", { name: "Undo" }).click();
    await says(panel(page), DECIDED);
  });
});

test("by keys alone", async () => {
  await withApp({}, async page => {
    await paste(page, example("L32"));
    await chip(tray(page), "urgent").waitFor();
    const press = key => page.keyboard.press(key);
    const tabTo = async selector => {
      for (let stops = 0; stops < 80; stops += 1) {
        if (await page.evaluate(wanted => document.activeElement?.matches(wanted), selector)) return;
        await press("Tab");
      }
      await assertFocused(page, selector);
    };
    await tabTo("#tab-filter");
    await press("ArrowLeft");
    await says(panel(page), DECIDED);
    await assertFocused(page, "#tab-preemption");
    await tabTo(".cand li:nth-child(2) .top-row");
    await press("Enter");
    await says(panel(page).locator(".steps"), "web");
    await press("Space");
    assert.equal(await panel(page).locator(".steps").count(), 0);

    // From the board to the pod, to its priority, and back to the one that waits.
    await tabTo('[role=grid] [tabindex="0"]');
    for (let steps = 0; steps < 12; steps += 1) {
      if (await page.evaluate(() => document.activeElement?.matches('[data-name="node3"]'))) break;
      await press("ArrowDown");
    }
    await press("ArrowRight");
    await assertFocused(page, '[data-name="default/report"]');
    await press("Enter");
    await tabTo('[aria-label="priorityClassName"]');
    await page.keyboard.type("high");
    await chip(row(page, "node3"), "report").filter({ hasText: "1000" }).waitFor();
    await tabTo('[data-tray] [data-name="default/urgent"]');
    await press("Enter");
    await says(panel(page), MOVED);
    await tabTo(".actions button:last-child");
    await press("Enter");
    await chip(row(page, "node2"), "urgent").waitFor();
    await assertFocused(page, '[data-name="default/urgent"]');
    await press("Control+z");
    await chip(row(page, "node2"), "web").waitFor();
  });
});

test("by taps, on a phone", async () => {
  await withApp({ viewport: viewports.phone, touch: true }, async page => {
    await page.getByRole("button", { name: "Import" }).tap();
    await page.getByRole("dialog").getByRole("textbox").fill(example("L33"));
    await page.getByRole("button", { name: "Show the board" }).tap();
    const resize = page.getByRole("button", { name: "Resize the panel" });
    await resize.tap();
    await resize.tap();
    await tab(page).tap();
    await says(panel(page), "node1 is the only candidate.");
    await says(panel(page), "Insufficient cpu");
    await assertAccessible(page);
    await preempt(page).tap();
    await chip(row(page, "node1"), "urgent").waitFor();
  });
});

for (const theme of ["light", "dark"]) {
  test(`every view of it is accessible, ${theme}`, async () => {
    for (const name of ["L25", "L32", "L33", "L35"]) {
      await withApp({ theme }, async page => {
        await paste(page, example(name));
        await tab(page).click();
        await panel(page).locator(".room").waitFor();
        await assertAccessible(page);
        if (await preempt(page).count()) {
          await preempt(page).click();
          await page.locator(".pod.gone").first().waitFor();
          await assertAccessible(page);
        }
      });
    }
  });
}

test("a pod that may not preempt is told so", async () => {
  await withApp({}, async page => {
    await paste(page, example("L25"));
    await tab(page).click();
    await says(panel(page), "not eligible due to preemptionPolicy=Never.");
    await says(page.getByRole("region", { name: "Verdict" }), "preemption: not eligible due to preemptionPolicy=Never.");
    assert.equal(await preempt(page).count(), 0);
    assert.equal(await page.locator(".pod.victim").count(), 0);
  });
});

test("goes on without the part, and fetches it once it can be had", async () => {
  await withApp({ expectTrouble: true }, async page => {
    await paste(page, example("L32"));
    await page.route("**/tables-*.wasm", route => route.abort());
    await tab(page).click();
    await page.getByRole("status").filter({ hasText: "could not be loaded" }).waitFor();
    await says(panel(page), "NodeResourcesFit");
    await page.unroute("**/tables-*.wasm");
    await tab(page).click();
    await says(panel(page), DECIDED);
  });
});
