// Clusters that are too large for cards, and tables of any: rows, cells, the real card, keys, drops.
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertFocused, chip, documents, paste, says, tray } from "./cluster.mjs";
import { assertAccessible, drag, viewports, withApp } from "./harness.mjs";

const name = index => `node-${String(index).padStart(4, "0")}`;

/** Three zones of eight racks; one pod on every second node, all of one app, and one that waits for its zone. */
function cluster(nodes) {
  const items = [];
  for (let index = 0; index < nodes; index += 1) {
    const zone = `zone-${"abc"[index % 3]}`;
    const labels = { "topology.kubernetes.io/zone": zone, rack: `${zone}-r${Math.floor(index / 3) % 8}` };
    const status = { allocatable: { cpu: index % 10 === 9 ? "1" : "8", memory: "32Gi", pods: "110" } };
    items.push({ apiVersion: "v1", kind: "Node", metadata: { name: name(index), labels }, status });
  }
  const pod = (name, spec) => ({
    apiVersion: "v1", kind: "Pod", metadata: { name, labels: { app: "web" } },
    spec: { containers: [{ name: "main", image: "pause", resources: { requests: { cpu: "2" } } }], ...spec },
  });
  for (let index = 0; index < nodes; index += 2) items.push(pod(`web-${index}`, { nodeName: name(index) }));
  items.push(pod("new", {}));
  return JSON.stringify({ apiVersion: "v1", kind: "List", items });
}

const board = page => page.locator(".scale");
const look = (page, name) => board(page).getByRole("group", { name: "View" }).getByRole("button", { name });
const heat = (page, zone) => board(page).getByRole("listbox", { name: new RegExp(`^${zone}`) });
const card = page => board(page).getByRole("region", { name: /^Card of/ });

test("T shows a table of any cluster, sortable, and goes back", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    await chip(tray(page), "mypod").focus();
    await page.keyboard.press("t");
    const table = page.getByRole("table", { name: "Nodes" });
    await table.waitFor();
    assert.equal(await table.getAttribute("aria-rowcount"), "5");
    const first = () => table.locator("tbody tr").first().getByRole("rowheader").innerText();
    assert.equal(await first(), "node1");
    // Those that fit come first by score.
    await table.getByRole("button", { name: "Score" }).click();
    assert.equal(await first(), "node4");
    assert.equal(await table.getByRole("columnheader", { name: "Score" }).getAttribute("aria-sort"), "ascending");
    await assertAccessible(page);
    // A row is a place to drop.
    await drag(page, chip(tray(page), "mypod"), table.locator('tr[data-name="node4"]'));
    await says(page.getByRole("status"), "Successfully assigned default/mypod to node4");
    await look(page, "Pods").click();
    await page.getByRole("table", { name: "Pods" }).getByRole("button", { name: "default/p1" }).click();
    await says(page.getByRole("complementary"), "p1");
    await look(page, "Nodes").focus();
    await page.keyboard.press("t");
    await page.getByRole("grid", { name: "Nodes by topology domain" }).waitFor();
  });
});

test("a hundred nodes are rows, and open the card", async () => {
  await withApp({}, async page => {
    await paste(page, cluster(100));
    await says(board(page), "100 nodes and 51 pods: nodes are drawn as rows");
    const row = board(page).locator(`.node-row[data-name="${name(2)}"]`);
    await says(row, "✓");
    await says(board(page).locator(`.node-row[data-name="${name(9)}"]`), "NodeResourcesFit");
    await row.click();
    await says(card(page), "web-2");
    await assertAccessible(page);
    await page.keyboard.press("Escape");
    assert.equal(await card(page).count(), 0);
    await drag(page, chip(tray(page), "new"), board(page).locator(`.node-row[data-name="${name(1)}"]`));
    await says(page.getByRole("status"), `Successfully assigned default/new to ${name(1)}`);
    await page.getByRole("button", { name: "Undo" }).click();
    await chip(tray(page), "new").waitFor();
  });
});

test("a thousand nodes are cells: by keys", async () => {
  await withApp({}, async page => {
    await paste(page, cluster(1000));
    await says(board(page), "1000 nodes and 501 pods: nodes are drawn as cells");
    await says(board(page).getByRole("region", { name: "zone-a" }), "300 fit");
    await look(page, "Map").focus();
    await heat(page, "zone-a").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await says(heat(page, "zone-a").getByRole("option"), `${name(6)}, fits`);
    await page.keyboard.press("Enter");
    await says(card(page), "web-6");
    await assertAccessible(page);
    await page.keyboard.press("Escape");
    assert.equal(await card(page).count(), 0);
    // Picked up, aimed and dropped without a pointer.
    await chip(tray(page), "new").focus();
    await page.keyboard.press(" ");
    await assertFocused(page, ".heat");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await says(page.getByRole("status"), "Successfully assigned default/new to ");
    await page.keyboard.press("Control+z");
    await chip(tray(page), "new").waitFor();
  });
});

test("a thousand nodes are cells: by mouse, by rack, and as a table", async () => {
  await withApp({}, async page => {
    await paste(page, cluster(1000));
    const canvas = heat(page, "zone-b").locator("canvas");
    await canvas.click({ position: { x: 10, y: 10 } });
    await says(card(page), name(1));
    await card(page).getByRole("button", { name: "Close" }).click();
    const to = await canvas.boundingBox();
    const from = await chip(tray(page), "new").boundingBox();
    await page.mouse.move(from.x + 8, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(to.x + 34, to.y + 10, { steps: 8 });
    await says(page.getByRole("status"), `${name(4)}: fits`);
    await page.mouse.up();
    await says(page.getByRole("status"), `Successfully assigned default/new to ${name(4)}`);
    await page.getByRole("button", { name: "Free CPU" }).click();
    await board(page).getByLabel("Then by").selectOption("rack");
    await says(board(page).locator(".group h3").first(), "zone-a-r0");
    await look(page, "Nodes").click();
    const table = page.getByRole("table", { name: "Nodes" });
    assert.equal(await table.getAttribute("aria-rowcount"), "1001");
    await assertAccessible(page);
    assert.ok((await table.locator("tbody tr").count()) < 100, "only the rows in sight are in the document");
    await table.getByRole("button", { name: "Node", exact: true }).click();
    await page.locator(".rows-frame").evaluate(frame => { frame.scrollTop = frame.scrollHeight; });
    await table.locator(`tr[data-name="${name(999)}"]`).waitFor();
  });
});

for (const theme of ["light", "dark"]) {
  for (const [size, viewport] of Object.entries(viewports)) {
    test(`accessible, ${theme}, ${size}`, async () => {
      await withApp({ theme, viewport, touch: size === "phone" }, async page => {
        await paste(page, cluster(400));
        await assertAccessible(page);
        await look(page, "Nodes").click();
        await assertAccessible(page);
      });
    });
  }
}
