// What would change where a pod goes: proposed, applied, taken back; every value; copies; findings.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { chip, documents, paste, row, says, tray } from "./cluster.mjs";
import { assertAccessible, viewports, withApp } from "./harness.mjs";

/** n1 has a web pod, n2 of the other zone a taint, n3 no zone; web-2 waits, and its budget allows nothing. */
const traps = readFileSync(new URL("../../crates/berth_cli/tests/advise/traps.yaml", import.meta.url), "utf8");

const tab = page => page.getByRole("tab", { name: "Advice" });
const panel = page => page.getByRole("tabpanel");
/** Waits until something has the focus: the part may still have to come. */
const focused = (page, selector) => page.locator(`${selector}:focus`).waitFor();
const undo = page => page.getByRole("button", { name: "Undo" });
const apply = (page, what) => panel(page).getByRole("button", { name: `Apply: ${what}` });
const cells = (page, group) => panel(page).getByRole("group", { name: group }).getByRole("button");

/** Many nodes with taints of their own: more pairs of edits than are tried in a moment. */
const tainted = number => `apiVersion: v1
kind: Node
metadata: {name: n${number}}
spec: {taints: [${["a", "b", "c", "d"].map(key => `{key: ${key}${number}, effect: NoSchedule}`).join(", ")}]}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
`;
const waiting = `apiVersion: v1
kind: Pod
metadata: {name: web-2, labels: {app: web}}
spec: {containers: [{name: c, image: c, resources: {requests: {cpu: "1"}}}]}
`;
const many = [...Array.from({ length: 80 }, (_, number) => tainted(number)), waiting].join("---\n");

async function open(page, text) {
  await paste(page, text);
  await chip(tray(page), "web-2").waitFor();
  await page.getByRole("button", { name: "What would make it fit?" }).click();
  await focused(page, "#tab-advice");
  await says(panel(page), "What would make it fit");
}

test("the smallest edits come ranked, are applied by one click, and taken back by one", async () => {
  await withApp({}, async page => {
    await open(page, traps);
    await says(panel(page), "10 tried, all up to 1 edit");
    // The part's looks are its own.
    const border = await row(page, "n1").locator(".cell").first().evaluate(cell => getComputedStyle(cell).borderTopWidth);
    assert.equal(border, "0px");
    const listed = await panel(page).locator(".edits .what").allInnerTexts();
    assert.match(listed[0], /^nodeTaintsPolicy: Honor for topology.kubernetes.io\/zone\s*fits 1 node, best is n1$/);
    assert.match(listed[1], /^maxSkew 2 for topology.kubernetes.io\/zone\s*fits 1 node, best is n1$/);
    // What shows at first, and the rest.
    assert.equal(listed.length, 8);
    await panel(page).locator("summary", { hasText: "2 more" }).click();
    await says(panel(page).locator("details"), "preempts web-1 on n1, against 1 budget");

    await apply(page, "maxSkew 2 for topology.kubernetes.io/zone").click();
    await says(page.getByRole("status"), "maxSkew 2 for topology.kubernetes.io/zone: applied");
    await focused(page, "#tab-advice");
    await says(panel(page), "It fits as things are.");
    assert.equal(await page.locator("#maxSkew-0").inputValue(), "2");
    await undo(page).click();
    await says(panel(page), "10 tried, all up to 1 edit");
    assert.equal(await page.locator("#maxSkew-0").inputValue(), "1");
  });
});

test("by keys alone", async () => {
  await withApp({}, async page => {
    await open(page, traps);
    await says(panel(page), "10 tried");
    await page.keyboard.press("Tab");
    assert.match(await page.evaluate(() => document.activeElement.ariaLabel), /^Apply: nodeTaintsPolicy: Honor/);
    await page.keyboard.press("Enter");
    await says(panel(page), "It fits as things are.");
    await focused(page, "#tab-advice");
    await page.keyboard.press("ArrowLeft");
    await focused(page, "#tab-score");
    await page.keyboard.press("ArrowRight");
    await focused(page, "#tab-advice");
  });
});

test("every value has its verdict, and sets the field", async () => {
  await withApp({}, async page => {
    await open(page, traps);
    const skews = cells(page, "maxSkew for topology.kubernetes.io/zone");
    await skews.nth(4).waitFor();
    const names = await skews.evaluateAll(all => all.map(cell => cell.ariaLabel));
    assert.deepEqual(names.slice(0, 2), ["maxSkew 1: waits", "maxSkew 2: fits 1 node, best is n1"]);
    assert.equal(await skews.first().getAttribute("aria-pressed"), "true");
    await skews.nth(2).click();
    await says(page.getByRole("status"), "maxSkew 3: applied");
    assert.equal(await page.locator("#maxSkew-0").inputValue(), "3");
    await undo(page).click();
    const domains = cells(page, "minDomains for topology.kubernetes.io/zone");
    await domains.nth(3).waitFor();
    assert.equal(await domains.first().innerText(), "not set");
    const priorities = cells(page, "priority");
    await priorities.nth(1).waitFor();
    assert.match(await priorities.nth(1).getAttribute("aria-label"), /^priority 1: preempts web-1 on n1/);
    await priorities.nth(1).click();
    await says(page.getByRole("region", { name: "Verdict" }), "preempting on n1");
    await undo(page).click();
    await says(panel(page), "10 tried");
  });
});

test("copies are counted, and what stops the next is said", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    await chip(tray(page), "mypod").click();
    await tab(page).click();
    // 4 nodes of 110 pods, of which 3 are there; the zones stay within 1 of each other to the end.
    const section = panel(page).locator("section", { hasText: "How many more fit" });
    await says(section.locator("h3"), /^How many more fit437$/);
    await says(section, "The next: 0/4 nodes are available: 4 Too many pods.");
    await says(panel(page), "It fits as things are.");
    await says(panel(page), "Nothing here does anything else than it seems to.");
  });
});

test("findings say what they mean here, and are fixed by one click", async () => {
  await withApp({}, async page => {
    await open(page, traps);
    const finding = panel(page).locator(".findings > li", { hasText: "nodeTaintsPolicy" });
    await says(finding, "1 of 2 domains have only nodes with taints that the pod does not tolerate");
    await says(panel(page).locator(".findings"), "2 pods cannot be evicted, and drains wait");
    await finding.getByRole("button").click();
    await says(panel(page), "It fits as things are.");
    assert.equal(await finding.count(), 0);
    await undo(page).click();
    await finding.waitFor();
  });
});

test("what would move a pod that stands on a node", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    await chip(row(page, "node1"), "p1").click();
    await tab(page).click();
    await says(panel(page), "What would move it");
    await panel(page).getByRole("listitem").first().waitFor();
  });
});

test("a long search is shown while it goes on, and stopped", async () => {
  await withApp({}, async page => {
    await open(page, many);
    await says(panel(page), /Trying [23] edits together: \d+ tried/);
    await panel(page).getByRole("button", { name: "Stop searching" }).click();
    await says(panel(page), "The search was stopped.");
    await focused(page, "#tab-advice");
  });
});

for (const theme of ["light", "dark"]) {
  test(`axe finds nothing, ${theme}`, async () => {
    await withApp({ theme }, async page => {
      await open(page, traps);
      await says(panel(page), "10 tried");
      await cells(page, "priority").nth(1).waitFor();
      await assertAccessible(page);
      await panel(page).locator("summary").click();
      await assertAccessible(page);
    });
    await withApp({ theme, viewport: viewports.phone, touch: true }, async page => {
      await open(page, traps);
      await cells(page, "priority").nth(1).waitFor();
      await assertAccessible(page);
      for (const button of await panel(page).getByRole("button").all()) {
        const box = await button.boundingBox();
        assert.ok(box.height >= 44 && box.width >= 30, `${await button.textContent()}: ${box.width} × ${box.height}`);
      }
    });
  });
}
