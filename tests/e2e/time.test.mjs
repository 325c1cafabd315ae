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
    const charts = panel(page).locator(".charts li");
    assert.deepEqual((await charts.allInnerTexts()).map(text => text.replace(/\s+/g, " ").trim()), ["Waiting 1 / 1", "On nodes 0 / 1", "Ending 1 / 1"]);

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

test("by keyboard alone: phases of an attempt, a branch of what is asked for in the past, the moment kept", async () => {
  await withApp({ theme: "dark", viewport: viewports.laptop }, async page => {
    await paste(page, full);
    await chip(row(page, "node1"), "low").waitFor();
    await page.keyboard.press("s");
    await page.locator("#time-play:focus").waitFor();
    // One phase after the other, in words.
    for (const said of ["Queue: default/high is taken", "PreFilter: Every node", "Filter: 0 of 1 nodes pass", "PostFilter: nominated to node1"]) {
      await page.keyboard.press(".");
      await says(status(page), said);
    }
    const phases = panel(page).getByRole("region", { name: "attempt 1 for default/high" });
    await says(phases.locator("[aria-current=step]"), "nominated to node1; preempted: default/low");
    await assertAccessible(page);
    // The program ends by itself, and the pod that waited is there at once.
    while ((await chip(row(page, "node1"), "high").count()) === 0) {
      // Several events may come at one moment.
      const said = await status(page).innerText();
      await page.keyboard.press("]");
      await page.waitForFunction(then => document.querySelector("p[role=status]").innerText !== then, said);
    }
    await says(status(page), "Scheduled pod/default/high: Successfully assigned default/high to node1");
    const bound = await clock(page).innerText();
    await page.keyboard.press("[");
    await page.waitForFunction(then => document.querySelector(".clock").innerText !== then, bound);
    assert.equal(await chip(row(page, "node1"), "high").count(), 0);

    // Asked for in the past, the pod is gone from then on, on a branch of its own.
    await panel(page).getByRole("combobox", { name: "Action" }).focus();
    await page.keyboard.type("Delete");
    await panel(page).getByRole("combobox", { name: "Object" }).focus();
    await page.keyboard.type("default/high");
    await panel(page).getByRole("button", { name: "Do it" }).focus();
    await page.keyboard.press("Enter");
    await says(status(page), "A new branch begins");
    await panel(page).getByRole("slider").focus();
    await page.keyboard.press("End");
    await says(clock(page), "t = 60.000 s");
    assert.equal(await page.locator('[data-name="default/high"]').count(), 0);
    await assertAccessible(page);

    await panel(page).getByRole("button", { name: "Keep this moment" }).focus();
    await page.keyboard.press("Enter");
    await says(status(page), "Keep the moment 60.000 s");
    assert.equal(await page.locator('.main [data-lift=pod]').count(), 0);
    await page.keyboard.press("Control+z");
    await chip(row(page, "node1"), "low").waitFor();
    await chip(tray(page), "high").waitFor();
  });
});

test("what is done on the board is asked for at the moment", async () => {
  await withApp({}, async page => {
    await slowly(page);
    await seek(page, 5);
    await chip(row(page, "node1"), "low").focus();
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: "Return to the queue" }).click();
    await says(status(page), "the scheduler alone places pods");
    await left(page, "25 s");
    // A taint that says that nobody hears of the node: its kubelet is down, and nobody ends the pod.
    await row(page, "node1").locator(".node-head").focus();
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: "Take down: not reachable" }).click();
    await tab(page, "Events");
    await panel(page).getByRole("cell", { name: "NodeDown", exact: true }).waitFor();
    await seek(page, 60);
    await left(page, "0 s");
    await row(page, "node1").locator(".badges").getByText("unreachable").first().waitFor();

    // Another cluster ends it.
    await paste(page, full.replaceAll("node1", "other"));
    await row(page, "other").waitFor();
    await panel(page).waitFor({ state: "detached" });
    assert.equal(await page.locator("[data-left]").count(), 0);
  });
});

test("time flows while it is played, and stands where it is paused; it goes by events for who wants less motion", async () => {
  for (const reducedMotion of ["no-preference", "reduce"]) {
    await withApp({ viewport: viewports.phone, reducedMotion }, async page => {
      await paste(page, full);
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Find a command" }).fill("Simulate");
      await page.keyboard.press("Enter");
      await page.locator("#time-play:focus").waitFor();
      for (const wide of [panel(page).getByRole("slider", { name: "Moment" }), panel(page).locator(".choose > .seg")]) {
        const right = await wide.evaluate(element => element.getBoundingClientRect().right);
        assert.ok(right <= viewports.phone.width, `it ends at ${right} px`);
      }
      await panel(page).getByRole("combobox", { name: "Speed" }).selectOption("64×");
      // Everything that is shown while it plays.
      await page.evaluate(() => {
        window.seen = new Set();
        const clock = document.querySelector(".clock");
        new MutationObserver(() => window.seen.add(clock.innerText)).observe(clock, { characterData: true, subtree: true, childList: true });
      });
      await panel(page).getByRole("button", { name: "Play", exact: true }).click();
      await chip(row(page, "node1"), "high").waitFor();
      if (reducedMotion === "no-preference") await page.waitForFunction(() => window.seen.size > 5);
      await panel(page).getByRole("button", { name: "Pause", exact: true }).click();
      const now = await clock(page).innerText();
      if (reducedMotion === "reduce") {
        // It stands at an event: a step back and one forth lead to it.
        await panel(page).getByRole("button", { name: "Previous event" }).click();
        await page.waitForFunction(then => document.querySelector(".clock").innerText !== then, now);
        await panel(page).getByRole("button", { name: "Next event" }).click();
        await says(clock(page), now);
      }
      await assertAccessible(page);
      // Nothing has moved while axe looked.
      assert.equal(await clock(page).innerText(), now);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewports.phone.width);
    });
  }
});
