// The cluster of the documents, pasted and worked with: by mouse, by keys, by taps.
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertFocused, chip, documents, paste, row, says, tray } from "./cluster.mjs";
import { drag, viewports, withApp } from "./harness.mjs";

const REFUSED = "2 + 1 − 1 = 2 > maxSkew 1";

test("by mouse: refused, relaxed, dragged, undone", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    await chip(tray(page), "mypod").click();
    // zoneA holds two of three matching pods: a third would be 3 − 1 = 2 > 1.
    for (const name of ["node1", "node2"]) await says(row(page, name), REFUSED);
    for (const name of ["node3", "node4"]) await says(row(page, name), "Fits");
    await says(page.getByRole("rowgroup", { name: "zoneA" }), "skew if placed 2 > 1");
    await says(
      page.getByRole("region", { name: "Verdict" }),
      "2 of 4 nodes fit",
    );
    await page.getByRole("button", { name: "Increase maxSkew" }).click();
    for (const name of ["node1", "node2", "node3", "node4"]) await says(row(page, name), "Fits");
    await says(page.getByRole("complementary"), "edited, was 1");

    await drag(page, chip(tray(page), "mypod"), row(page, "node3"));
    await chip(row(page, "node3"), "mypod").waitFor();
    await says(page.getByRole("status"), "Successfully assigned default/mypod to node3");

    const undo = page.getByRole("button", { name: "Undo" });
    await undo.click();
    await chip(tray(page), "mypod").waitFor();
    await undo.click();
    await says(row(page, "node1"), REFUSED);
    assert.equal(await undo.getAttribute("aria-disabled"), "true");
    await page.getByRole("button", { name: "Redo" }).click();
    await says(row(page, "node1"), "Fits");
  });
});

test("by mouse: every node answers while the pod is held, and a refusal keeps its sum", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    await drag(page, chip(tray(page), "mypod"), row(page, "node2"), async () => {
      await says(row(page, "node1"), REFUSED);
      await says(row(page, "node2"), "matching pods in zoneA");
      await says(row(page, "node2"), "skew, limit is maxSkew 1");
      await says(row(page, "node4"), "rank 1 of 2 · binds here");
      await says(page.getByRole("status"), "node2: rejected");
    });
    // It came back, and the sum stays, with a way round it.
    await chip(tray(page), "mypod").waitFor();
    await says(row(page, "node2"), "skew, limit is maxSkew 1");
    await row(page, "node2").getByRole("button", { name: "Place anyway" }).click();
    await chip(row(page, "node2"), "mypod").waitFor();
    await says(page.getByRole("region", { name: "Verdict" }), "the scheduler was bypassed");
  });
});

test("by mouse: Alt bypasses, a zone takes its best node, a node changes zones", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    await page.keyboard.down("Alt");
    await drag(page, chip(tray(page), "mypod"), row(page, "node1"));
    await page.keyboard.up("Alt");
    await chip(row(page, "node1"), "mypod").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();

    await drag(page, chip(tray(page), "mypod"), page.getByRole("rowheader").filter({ hasText: "zoneB" }));
    // node4 is the emptier of the two.
    await chip(row(page, "node4"), "mypod").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();

    await drag(
      page,
      row(page, "node4").getByRole("rowheader"),
      page.getByRole("rowheader").filter({ hasText: "zoneA" }),
    );
    await says(page.getByRole("rowgroup", { name: "zoneA" }), "3 nodes");
    await says(page.getByRole("status"), "node4 moved to zoneA");
  });
});

test("Escape puts a held pod back", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    await drag(page, chip(tray(page), "mypod"), row(page, "node3"), async () => {
      await says(page.getByRole("status"), "node3: fits");
      await page.keyboard.press("Escape");
      await says(page.getByRole("status"), "mypod stays where it was");
    });
    await chip(tray(page), "mypod").waitFor();
    assert.equal(await chip(row(page, "node3"), "mypod").count(), 0);
  });
});

test("by keys alone", async () => {
  await withApp({}, async page => {
    const press = key => page.keyboard.press(key);
    const tabTo = async selector => {
      for (let stops = 0; stops < 60; stops += 1) {
        await press("Tab");
        if (await page.evaluate(wanted => document.activeElement?.matches(wanted), selector)) return;
      }
      await assertFocused(page, selector);
    };
    await tabTo('[aria-label="Import"]');
    await press("Enter");
    await page.getByRole("dialog").waitFor();
    await assertFocused(page, "textarea");
    await page.keyboard.insertText(documents);
    await tabTo(".btn.solid");
    await press("Enter");
    await says(row(page, "node1"), REFUSED);

    // Space picks the pod up and leads to the node the scheduler would take.
    await assertFocused(page, '[data-name="default/mypod"]');
    await press("Space");
    await says(page.getByRole("status"), "fits, rank 1 of 2");
    await press("ArrowLeft");
    await says(page.getByRole("status"), "rejected, node(s) didn't match pod topology spread constraints 2 > maxSkew 1");
    // Shift goes on to the next node that fits.
    await press("Shift+ArrowDown");
    await says(page.getByRole("status"), "node3: fits");
    await press("Enter");
    await chip(row(page, "node3"), "mypod").waitFor();
    await assertFocused(page, '[data-name="default/mypod"]');
    await press("Control+z");
    await chip(tray(page), "mypod").waitFor();

    // A refusal by keys, and Escape.
    await tabTo('[data-tray] [data-name="default/mypod"]').catch(() => {});
    await chip(tray(page), "mypod").focus();
    await press("m");
    await press("ArrowLeft");
    await press("Enter");
    await says(page.getByRole("status"), "refuses mypod");
    await chip(tray(page), "mypod").focus();
    await press("Space");
    await press("Escape");
    await says(page.getByRole("status"), "mypod stays where it was");
  });
});

test("by taps alone", async () => {
  await withApp({ viewport: viewports.phone, touch: true }, async page => {
    await page.getByRole("button", { name: "Import" }).tap();
    await page.getByRole("dialog").getByRole("textbox").fill(documents);
    await page.getByRole("button", { name: "Show the board" }).tap();
    await chip(tray(page), "mypod").tap();
    await says(row(page, "node1"), REFUSED);
    await page.getByRole("button", { name: "Move to…" }).tap();
    await row(page, "node3").getByRole("button", { name: "Place here" }).tap();
    await chip(row(page, "node3"), "mypod").waitFor();
    await page.getByRole("button", { name: "Undo" }).tap();
    await page.getByRole("button", { name: "Move to…" }).tap();
    await row(page, "node1").getByRole("button", { name: "Place anyway" }).tap();
    await chip(row(page, "node1"), "mypod").waitFor();
    await says(page.getByRole("status"), "the scheduler was bypassed");
  });
});

test("the scheduler chooses", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    await page.getByRole("button", { name: "Schedule", exact: true }).click();
    await chip(row(page, "node4"), "mypod").waitFor();
    await says(page.getByRole("status"), "Successfully assigned default/mypod to node4");
  });
});

test("every field of a constraint has its effect, and undo brings it back", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    const key = page.getByLabel("topologyKey");
    const undo = page.getByRole("button", { name: "Undo" });
    // By node instead of by zone: only node4 is empty.
    await key.selectOption("node");
    await says(row(page, "node3"), "1 + 1 − 0 = 2 > maxSkew 1");
    await says(row(page, "node4"), "rank 1 of 1");
    await undo.click();
    await says(row(page, "node3"), "Fits");
    assert.equal(await key.inputValue(), "zone");

    await page.getByRole("button", { name: "ScheduleAnyway" }).click();
    await says(row(page, "node1"), "Fits");
    await undo.click();

    // With three domains wanted and two there, the minimum counts as 0.
    await page.getByLabel("minDomains", { exact: true }).fill("3");
    await page.keyboard.press("Enter");
    await says(row(page, "node3"), "1 + 1 − 0 = 2 > maxSkew 1");
    await undo.click();

    // A pod that does not match its own selector adds nothing.
    const selector = page.getByLabel("labelSelector");
    await selector.fill("foo=other");
    await page.keyboard.press("Enter");
    await says(row(page, "node1"), "Fits");
    await undo.click();
    assert.equal(await selector.inputValue(), "foo=bar");
    await selector.fill("foo=a b");
    await page.keyboard.press("Enter");
    await says(page.getByRole("status"), "Invalid value");
    await selector.fill("foo=bar");
    await page.keyboard.press("Enter");
    // What was wrong makes room before anything below it is pointed at.
    await page.locator(".wrong").waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Add" }).first().click();
    // Two of one key and action would be refused.
    await says(page.getByRole("complementary"), "zone · maxSkew 1 · ScheduleAnyway");
    await page.getByRole("button", { name: "Remove Constraint 1" }).click();
    await says(row(page, "node1"), "Fits");
  });
});

test("requests, labels and priority are edited in place", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    await page.getByLabel("cpu", { exact: true }).fill("5");
    await page.keyboard.press("Enter");
    await says(row(page, "node4"), "0 + 5 = 5 > 4");
    await says(page.getByRole("region", { name: "Verdict" }), "Insufficient cpu");
    await page.getByRole("button", { name: "Undo" }).click();

    await page.getByLabel("priority", { exact: true }).fill("7");
    await page.keyboard.press("Enter");
    await says(chip(tray(page), "mypod"), "7");

    await page.getByRole("button", { name: "Remove foo" }).click();
    // Without the label it is no match for itself: 2 + 0 − 1.
    await says(row(page, "node1"), "Fits");
    await page.getByLabel("New label").fill("foo=bar");
    await page.keyboard.press("Enter");
    await says(row(page, "node1"), REFUSED);
  });
});

test("a list shows what is chosen, whatever its options were before", async () => {
  const cluster = (labels, key) => `apiVersion: v1
kind: Node
metadata: {name: node, labels: ${JSON.stringify(labels)}}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
---
apiVersion: v1
kind: Pod
metadata: {name: waits, labels: {app: a}}
spec:
  topologySpreadConstraints:
  - {maxSkew: 1, topologyKey: ${key}, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: a}}}
  containers: [{name: main, image: pause}]
`;
  await withApp({}, async page => {
    for (const [labels, key] of [
      [{ node: "n1", zone: "z1" }, "zone"],
      [{ rack: "r1", zone: "z1" }, "rack"],
      [{ a: "1", rack: "r1", zone: "z1", zz: "1" }, "zone"],
      [{ zone: "z1" }, "zone"],
      [{ a: "1", rack: "r1", zone: "z1", zz: "1" }, "zz"],
    ]) {
      await paste(page, cluster(labels, key));
      const list = page.getByRole("combobox", { name: "topologyKey" });
      const options = list.getByRole("option");
      await options.nth(Object.keys(labels).length - 1).waitFor({ state: "attached" });
      assert.deepEqual(await options.allInnerTexts(), Object.keys(labels));
      assert.equal(await list.inputValue(), key);
    }
  });
});
