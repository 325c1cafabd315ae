// The scheduling queue: its lanes, and the scheduler let loose on it.
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertFocused, chip, paste, row, says, tray } from "./cluster.mjs";
import { assertAccessible, viewports, withApp } from "./harness.mjs";

const pod = (name, priority, cpu, more = "") => `---
apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  priority: ${priority}${more}
  containers:
  - {name: main, image: pause, resources: {requests: {cpu: "${cpu}"}}}
`;

// Two nodes of 4 cores: high fits on either, both mediums then one a node, big on none; low has no room any more.
const cluster = ["a", "b"].map(name => `apiVersion: v1
kind: Node
metadata: {name: ${name}}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
---
`).join("") + [
  pod("low", 0, 2),
  pod("high", 100, 3),
  pod("big", 50, 5),
  pod("held", 70, 1, "\n  schedulingGates: [{name: wait}]"),
  pod("mid", 60, 3),
].join("");

const lane = (page, name) => tray(page).getByRole("list", { name });
const names = async within =>
  (await within.locator("button[data-lift=pod]").all()).reduce(
    async (list, chip) => [...(await list), (await chip.getAttribute("data-name")).replace("default/", "")],
    Promise.resolve([]),
  );
const log = page => page.getByRole("region", { name: "What the scheduler did" });

test("one pod after another, in the queue's order", async () => {
  await withApp({}, async page => {
    await paste(page, cluster);
    assert.deepEqual(await names(lane(page, "Active")), ["high", "mid", "big", "low"]);
    assert.deepEqual(await names(lane(page, "Gated")), ["held"]);
    const next = page.getByRole("button", { name: "Schedule next", exact: true });
    await next.click();
    await says(page.getByRole("status"), "default/high → ");
    await next.click();
    await says(page.getByRole("status"), "default/mid → ");
    assert.deepEqual(await names(lane(page, "Active")), ["big", "low"]);
    await next.click();
    await says(page.getByRole("status"), "default/big: 0/2 nodes are available: 2 Insufficient cpu.");
    assert.deepEqual(await names(lane(page, "Unschedulable")), ["big"]);
    await page.getByRole("button", { name: "Undo" }).click();
    assert.deepEqual(await names(lane(page, "Active")), ["big", "low"]);
    assert.equal(await lane(page, "Unschedulable").count(), 0);
  });
});

test("all of them, and what came of it", async () => {
  await withApp({}, async page => {
    await paste(page, cluster);
    const all = page.getByRole("button", { name: "Schedule all", exact: true });
    await all.click();
    await says(page.getByRole("status"), "4 attempts, 2 placed");
    const lines = await log(page).getByRole("listitem").allInnerTexts();
    assert.equal(lines.length, 4);
    assert.match(lines[0], /default\/high → [ab]/);
    assert.match(lines[2], /default\/big: 0\/2 nodes are available/);
    assert.deepEqual(await names(lane(page, "Unschedulable")), ["big", "low"]);
    assert.equal(await all.getAttribute("aria-disabled"), "true");
    await log(page).getByRole("button", { name: "Close" }).click();
    await assertFocused(page, '[aria-label="Schedule all"]');
    assert.equal(await log(page).count(), 0);

    // A smaller request wakes a pod, and one command is taken back at once.
    await chip(tray(page), "low").click();
    await page.getByLabel("cpu", { exact: true }).fill("1");
    await page.keyboard.press("Enter");
    await chip(lane(page, "Active"), "low").waitFor();
    assert.deepEqual(await names(lane(page, "Active")), ["low"]);
    await all.click();
    await says(page.getByRole("status"), "1 attempt, 1 placed");
    const undo = page.getByRole("button", { name: "Undo" });
    for (let steps = 0; steps < 3; steps += 1) await undo.click();
    assert.deepEqual(await names(lane(page, "Active")), ["high", "mid", "big", "low"]);
    assert.equal(await row(page, "a").locator("button[data-lift=pod]").count(), 0);
  });
});

test("victims are named", async () => {
  await withApp({}, async page => {
    // Both nodes are taken, a by a lower pod than b.
    const taken = cluster
      .replace("  priority: 100", "  nodeName: a\n  priority: 1")
      .replace("  priority: 60", "  nodeName: b\n  priority: 70");
    await paste(page, taken);
    await page.getByRole("button", { name: "Schedule next", exact: true }).click();
    await says(page.getByRole("status"), "default/big: 0/2 nodes");
    await chip(tray(page), "big").click();
    await page.getByLabel("cpu", { exact: true }).fill("4");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Schedule all", exact: true }).click();
    await says(log(page), "default/big is nominated to a; preempted: default/high");
    await says(log(page), "default/big → a");
  });
});

test("arrows go from lane to lane", async () => {
  await withApp({}, async page => {
    await paste(page, cluster);
    await chip(tray(page), "low").focus();
    await page.keyboard.press("ArrowRight");
    await assertFocused(page, '[data-name="default/held"]');
    await page.keyboard.press("ArrowLeft");
    await assertFocused(page, '[data-name="default/low"]');
    await page.getByRole("button", { name: "Schedule next", exact: true }).focus();
    await page.keyboard.press("Enter");
    await says(page.getByRole("status"), "default/high → ");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await says(page.getByRole("status"), "3 attempts, 1 placed");
  });
});

for (const theme of ["light", "dark"]) {
  for (const [name, viewport] of Object.entries(viewports)) {
    test(`accessible, ${theme}, ${name}`, async () => {
      await withApp({ theme, viewport, touch: name === "phone" }, async page => {
        await paste(page, cluster);
        await assertAccessible(page);
        await page.getByRole("button", { name: "Schedule all", exact: true }).click();
        await log(page).waitFor();
        await assertAccessible(page);
      });
    });
  }
}
