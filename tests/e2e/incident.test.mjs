// An incident, from paste to verdict: find why a pod waits, share a link, and have it open to the same verdict elsewhere.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { chip, documents, paste, row, says, tray } from "./cluster.mjs";
import { drag, urls, viewports, withApp } from "./harness.mjs";
import { board, shared } from "./share.mjs";

/** n1 has a web pod, n2 of the other zone a taint, n3 no zone; web-2 waits. */
const traps = new URL("../../crates/berth_cli/tests/advise/traps.yaml", import.meta.url);

const REFUSED = "2 + 1 − 1 = 2 > maxSkew 1";

/** Finds why mypod waits, and what it would take. */
async function investigate(page) {
  await paste(page, documents);
  await chip(tray(page), "mypod").click();
  for (const name of ["node1", "node2"]) await says(row(page, name), REFUSED);
  await page.getByRole("button", { name: "Increase maxSkew" }).click();
  for (const name of ["node1", "node2", "node3", "node4"]) await says(row(page, name), "Fits");
  await page.getByRole("button", { name: "Undo" }).click();
  await says(row(page, "node1"), REFUSED);
}

test("paste, find why, share, and the link says the same in a fresh profile", async () => {
  let link, before;
  await withApp({}, async page => {
    await investigate(page);
    link = await shared(page);
    before = await board(page);
  });
  assert.ok(link.startsWith(`${urls.site}#s=1.`), link);
  assert.ok(link.length < 2_000, `${link.length} characters`);
  await withApp({ url: link }, async page => {
    await says(row(page, "node1"), REFUSED);
    assert.deepEqual(await board(page), before);
    // The steps came along: what was taken back can be done again.
    await page.getByRole("button", { name: "Redo" }).click();
    for (const name of ["node1", "node2", "node3", "node4"]) await says(row(page, name), "Fits");
    await says(page.getByRole("complementary"), "edited, was 1");
  });
});

test("paste, find why, apply what would help, share, and a fresh profile has it all", async () => {
  let link, before;
  await withApp({}, async page => {
    await paste(page, readFileSync(traps, "utf8"));
    await chip(tray(page), "web-2").waitFor();
    await says(page.getByRole("region", { name: "Verdict" }), "0/3 nodes are available");
    await page.getByRole("button", { name: "What would make it fit?" }).click();
    const advice = page.getByRole("tabpanel");
    await advice.getByRole("button", { name: "Apply: maxSkew 2 for topology.kubernetes.io/zone" }).click();
    await says(advice, "It fits as things are.");
    await says(row(page, "n1"), "Fits");
    link = await shared(page);
    before = await board(page);
  });
  await withApp({ url: link }, async page => {
    await says(row(page, "n1"), "Fits");
    assert.deepEqual(await board(page), before);
    await page.getByRole("button", { name: "Undo" }).click();
    await says(page.getByRole("region", { name: "Verdict" }), "0/3 nodes are available");
  });
});

test("what was done by hand comes along: a pod dragged, the scheduler bypassed", async () => {
  let link;
  await withApp({}, async page => {
    await paste(page, documents);
    await page.keyboard.down("Alt");
    await drag(page, chip(tray(page), "mypod"), row(page, "node1"));
    await page.keyboard.up("Alt");
    await chip(row(page, "node1"), "mypod").waitFor();
    link = await shared(page);
  });
  await withApp({ url: link }, async page => {
    await chip(row(page, "node1"), "mypod").waitFor();
    await says(page.getByRole("region", { name: "Verdict" }), "the scheduler was bypassed");
    await page.getByRole("button", { name: "Undo" }).click();
    await chip(tray(page), "mypod").waitFor();
  });
});

test("on a phone, and under a path that is not the root", async () => {
  let link;
  await withApp({ viewport: viewports.phone, touch: true, url: urls.base }, async page => {
    await paste(page, documents);
    link = await shared(page);
  });
  assert.ok(link.startsWith(`${urls.base}#s=1.`), link);
  await withApp({ viewport: viewports.phone, touch: true, url: link }, async page => {
    await chip(tray(page), "mypod").waitFor();
    assert.equal(await page.locator("[data-lift=pod]").count(), 4);
  });
});

test("under other names the verdict is the same, and no name is left", async () => {
  let link;
  await withApp({}, async page => {
    await investigate(page);
    link = await shared(page, { redacted: true });
  });
  await withApp({ url: link }, async page => {
    await page.locator("[data-tray] [data-lift=pod]").waitFor();
    const refused = page.locator("[role=row]").filter({ hasText: REFUSED });
    assert.equal(await refused.count(), 2);
    const text = await page.locator("body").innerText();
    for (const name of ["mypod", "node3.example", "zoneA", "zoneB", "foo"]) assert.ok(!text.includes(name), name);
    // Only what stands is shared, not how it came about.
    assert.equal(await page.getByRole("button", { name: "Redo" }).getAttribute("aria-disabled"), "true");
  });
});
