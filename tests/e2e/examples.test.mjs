// Every example opens from the list, with its story, its pod, and the event that the real scheduler made of it.
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertFocused, says } from "./cluster.mjs";
import { withApp } from "./harness.mjs";

const NOT_HELPED = "no new claims to deallocate, preemption:";

/** What `kubectl describe` would print of the pod; `tests/tests/examples.rs` holds the same to the scheduler's answers. */
const EVENTS = {
  L25: `0/1 nodes are available: 1 Insufficient cpu. ${NOT_HELPED} not eligible due to preemptionPolicy=Never.`,
  L29: "0/2 nodes are available: 2 Insufficient cpu.",
  L30: `0/2 nodes are available: 2 Insufficient cpu. ${NOT_HELPED} 0/2 nodes are available: 1 Preemption is not helpful for scheduling, 1 node(s) didn't match pod affinity rules.`,
  L31: `0/2 nodes are available: 1 node(s) didn't match pod anti-affinity rules, 1 node(s) had untolerated taint(s). ${NOT_HELPED} 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.`,
  L32: "0/4 nodes are available: 4 Insufficient cpu.",
  L33: "0/1 nodes are available: 1 Insufficient cpu.",
  L34: "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu.",
  L35: "0/5 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 2 Insufficient cpu.",
  // The scheduler itself goes on to DynamicResources, which the oracle leaves out here (docs/exactness.md).
  L36: "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate",
  S10: "0/2 nodes are available: 2 Insufficient cpu.",
  "S14:": `0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) didn't match pod anti-affinity rules. ${NOT_HELPED} 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.`,
  "S14 ": `0/3 nodes are available: 1 node(s) didn't match pod topology spread constraints, 2 node(s) didn't match Pod's node affinity/selector. ${NOT_HELPED} 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.`,
};

/** What admission refuses. */
const REFUSALS = {
  L21: 'pods "unknown" is forbidden: no PriorityClass with name gold was found',
  S16: 'pods "quiet" is forbidden: the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
};

/** Opens the list and chooses the example whose name begins so; returns its name. */
async function open(page, start) {
  await page.getByRole("button", { name: "Import" }).click();
  const list = page.getByRole("combobox", { name: "Examples" });
  await list.waitFor();
  const names = await list.getByRole("option").allTextContents();
  const name = names.find(name => name.startsWith(start));
  assert.ok(name, `${start} is in the list: ${names.join(", ")}`);
  await list.selectOption({ label: name });
  await page.getByRole("button", { name: "Show the board" }).click();
  return name;
}

test("every example opens with the event of its pod", async () => {
  await withApp({}, async page => {
    for (const [start, event] of Object.entries(EVENTS)) {
      const name = await open(page, start);
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await says(page.getByRole("banner"), name);
      assert.equal(await page.locator(".verdict .event").textContent(), event, name);
      assert.notEqual(await page.locator(".story").textContent(), "");
      await assertFocused(page, '[data-tray] [tabindex="0"]');
    }
  });
});

test("an example with pods that admission refuses lists them in the API server's words", async () => {
  await withApp({}, async page => {
    for (const [start, refusal] of Object.entries(REFUSALS)) {
      const name = await open(page, start);
      await says(page.getByRole("banner"), name);
      await says(page.getByRole("dialog").getByRole("listitem"), refusal);
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    }
  });
});
