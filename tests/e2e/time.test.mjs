// Virtual time: a pod that preempts with a long grace, a node that comes meanwhile, the branch without it, and both compared.
import assert from "node:assert/strict";
import { test } from "node:test";

import { chip, paste, row, says, tray } from "./cluster.mjs";
import { assertAccessible, viewports, withApp } from "./harness.mjs";

const pod = (name, more) => `apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  priorityClassName: ${name}
  terminationGracePeriodSeconds: 30
  containers: [{name: c, image: i, resources: {requests: {cpu: "3"}}}]
${more}`;

const grade = (name, value) => `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: ${name}}
value: ${value}
`;

/** A full node, and a pod that is more important than the one on it. */
const full = [
  `apiVersion: v1
kind: Node
metadata: {name: node1, labels: {kubernetes.io/hostname: node1}}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
`,
  grade("low", 0),
  grade("high", 1000),
  pod("low", "  nodeName: node1\n"),
  pod("high", ""),
].join("---\n");

const panel = page => page.getByRole("region", { name: "Time", exact: true });
const clock = page => panel(page).locator(".clock");
const status = page => page.locator("p[role=status]");
const tab = (page, name) => panel(page).getByRole("button", { name, exact: true }).click();

async function seek(page, seconds) {
  await panel(page).getByRole("slider").fill(String(seconds * 1000));
  await says(clock(page), `t = ${seconds}.000 s`);
}

/** Opens the cluster and time, in which programs take a minute to end. */
async function slowly(page) {
  await paste(page, full);
  await chip(row(page, "node1"), "low").waitFor();
  await page.getByRole("button", { name: "Simulate time" }).click();
  await page.locator("#time-play:focus").waitFor();
  await tab(page, "Times");
  await panel(page).locator("#exitSeconds").fill("60");
  await panel(page).locator("#exitSeconds").press("Tab");
  await says(status(page), "Time begins anew");
}

const left = (page, text) => chip(row(page, "node1"), "low").and(page.locator(`[data-left="${text}"]`)).waitFor();

test("a node that comes while a victim ends is taken, and the branch without it can be compared", async () => {
  await withApp({}, async page => {
    await slowly(page);
    await tab(page, "Events");
    await panel(page).getByRole("button", { name: "Next event" }).click();
    await says(status(page), "FailedScheduling pod/default/high: 0/1 nodes are available");
    while (!(await panel(page).getByRole("cell", { name: "Preempted", exact: true }).isVisible())) {
      await panel(page).getByRole("button", { name: "Next event" }).click();
    }
    await left(page, "30 s");
    // The one that it goes for is awaited there, and waits.
    await row(page, "node1").locator(".nominated").waitFor();
    await chip(tray(page), "high").waitFor();
    await seek(page, 20);
    await left(page, "10 s");
    await tab(page, "Pods");
    await says(panel(page), "default/low on node1 ends in 10 s");

    await panel(page).getByRole("combobox", { name: "Action" }).selectOption("Add a node like");
    assert.equal(await panel(page).getByRole("textbox", { name: "metadata.name" }).inputValue(), "node2");
    await panel(page).getByRole("button", { name: "Do it" }).click();
    await says(status(page), "20.000 s: Add a node like: node1");
    await row(page, "node2").waitFor();
    await seek(page, 21);
    await chip(row(page, "node2"), "high").waitFor();
    await assertAccessible(page);

    // Back before that, where nobody asks for a node.
    await seek(page, 10);
    await row(page, "node2").waitFor({ state: "detached" });
    await left(page, "20 s");
    await panel(page).getByRole("button", { name: "Branch off here" }).click();
    await says(status(page), "Branch 2 begins at 10.000 s");
    await seek(page, 40);
    await chip(row(page, "node1"), "high").waitFor();
    assert.equal(await row(page, "node2").count(), 0);

    await tab(page, "Branches");
    await panel(page).getByRole("button", { name: "Compare with branch 1" }).click();
    const cells = panel(page).getByRole("row", { name: /default\/high/ }).getByRole("cell");
    assert.match(await cells.nth(0).innerText(), /^node1, since 3\d\./);
    assert.match(await cells.nth(1).innerText(), /^node2, since 20\./);
    await assertAccessible(page);
    await panel(page).getByRole("button", { name: "Show branch 1" }).click();
    await chip(row(page, "node2"), "high").waitFor();

    await panel(page).getByRole("button", { name: "Close" }).click();
    await chip(tray(page), "high").waitFor();
    await chip(row(page, "node1"), "low").waitFor();
    assert.equal(await page.locator("[data-left]").count(), 0);
    await page.locator(".work [aria-keyshortcuts=S]:focus").waitFor();
  });
});
