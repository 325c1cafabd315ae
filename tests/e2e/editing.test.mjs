// Nodes, pods and workloads changed by command: selection, menus, forms, drains, scaling, search, history.
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertFocused, chip, command, documents, paste, row, says, tray } from "./cluster.mjs";
import { assertAccessible, drag, viewports, withApp } from "./harness.mjs";

const menu = page => page.getByRole("menu");
const item = (page, name) => menu(page).getByRole("menuitem", { name: new RegExp(`^${name}`) });
const toolbar = page => page.getByRole("toolbar", { name: "What is selected" });
const form = page => page.locator("dialog.form");
const field = (page, name) => form(page).getByLabel(name, { exact: true });
const status = page => page.locator("p.status");
const head = (page, node) => row(page, node).getByRole("rowheader");
const picked = page => page.locator("[data-picked]");

/** Opens a cluster and waits for its first node. */
async function open(page, text = documents) {
  await paste(page, text);
  await row(page, "node1").waitFor();
}

const workload = `
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: pause}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
` + [1, 2, 3].map(number => `---
apiVersion: v1
kind: Pod
metadata:
  name: web-${number}
  labels: {app: web}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: "", controller: true}]
spec:
  nodeName: ${number < 3 ? "node1" : "node2"}
  containers: [{name: main, image: pause}]
`).join("");

test("several are selected by clicks, and acted on as one step", async () => {
  await withApp({}, async page => {
    await open(page);
    await chip(row(page, "node1"), "p1").click({ modifiers: ["Control"] });
    await says(toolbar(page), "Selected: 1 pod");
    await chip(row(page, "node3"), "p3").click({ modifiers: ["Shift"] });
    await says(toolbar(page), "Selected: 3 pods");
    assert.equal(await picked(page).count(), 3);
    await assertAccessible(page);
    await chip(row(page, "node2"), "p2").click({ modifiers: ["Control"] });
    await says(toolbar(page), "Selected: 2 pods");
    await toolbar(page).getByRole("button", { name: "Return to the queue" }).click();
    await says(status(page), "Return p1, p3 to the queue");
    assert.equal(await tray(page).locator("button[data-lift=pod]").count(), 3);
    await page.keyboard.press("Delete");
    await says(status(page), "Delete p1, p3");
    await toolbar(page).waitFor({ state: "detached" });
    assert.equal(await tray(page).locator("button[data-lift=pod]").count(), 1);
    const undo = page.getByRole("button", { name: "Undo: Delete p1, p3" });
    await undo.click();
    await page.getByRole("button", { name: "Undo: Return p1, p3 to the queue" }).click();
    await chip(row(page, "node3"), "p3").waitFor();
  });
});

test("several are selected by keys", async () => {
  await withApp({}, async page => {
    await open(page);
    await head(page, "node1").focus();
    await page.keyboard.press("Shift+ArrowDown");
    await says(toolbar(page), "Selected: 2 nodes");
    await page.keyboard.press("Control+a");
    await says(toolbar(page), "Selected: 4 nodes");
    await command(page, "cordon");
    await says(status(page), "Cordon 4 things");
    assert.equal(await page.locator(".tag.warn").count(), 4);
    await page.keyboard.press("Escape");
    await toolbar(page).waitFor({ state: "detached" });
    assert.equal(await picked(page).count(), 0);
    await page.keyboard.press("Control+z");
    await page.locator(".tag.warn").first().waitFor({ state: "detached" });
    assert.equal(await page.locator(".tag.warn").count(), 0);
  });
});

test("a finger that rests opens the menu, from where taps select more", async () => {
  await withApp({ viewport: viewports.phone, touch: true }, async page => {
    await open(page);
    const session = await page.context().newCDPSession(page);
    const box = await chip(row(page, "node1"), "p1").boundingBox();
    const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
    await page.locator(".ghost .pod").waitFor();
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await item(page, "Select more").tap();
    await says(toolbar(page), "Selected: 1 pod");
    await chip(row(page, "node2"), "p2").tap();
    await says(toolbar(page), "Selected: 2 pods");
    await assertAccessible(page);
    await toolbar(page).getByRole("button", { name: "More…" }).tap();
    await item(page, "Delete").tap();
    await says(status(page), "Delete p1, p2");
  });
});

test("what is copied is a manifest, and what is pasted is added", async () => {
  await withApp({}, async page => {
    await open(page);
    await chip(row(page, "node1"), "p1").focus();
    await page.keyboard.press("Control+c");
    await says(status(page), "Copied p1");
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(text, /kind: Pod/);
    assert.match(text, /name: p1/);
    assert.doesNotMatch(text, /nodeName|status|uid/);
    await page.keyboard.press("Control+v");
    await chip(tray(page), "p4").waitFor();
    await page.keyboard.press("Control+d");
    await says(status(page), "Duplicate");
    const undo = page.getByRole("button", { name: /^Undo: / });
    await undo.click();
    await undo.click();
    await chip(tray(page), "p4").waitFor({ state: "detached" });
    // What cannot be read is shown with what is wrong.
    await page.evaluate(() => navigator.clipboard.writeText("kind: Pod\nspec: {containers: {}}\n"));
    await page.keyboard.press("Control+v");
    await says(page.getByRole("dialog"), "Object 'apiVersion' is missing");
  });
});

test("menus, by pointer and by keys, and back to where they came from", async () => {
  await withApp({}, async page => {
    await open(page);
    await head(page, "node2").click({ button: "right" });
    await assertFocused(page, "[role=menuitem]");
    await assertAccessible(page);
    await item(page, "Cordon").click();
    await says(status(page), "Cordon node2");
    await head(page, "node2").focus();
    await page.keyboard.press("Shift+F10");
    await menu(page).waitFor();
    await page.keyboard.press("ArrowDown");
    await assertFocused(page, '[role=menuitem][tabindex="-1"]');
    await page.keyboard.press("Escape");
    await menu(page).waitFor({ state: "detached" });
    await assertFocused(page, '[role=rowheader][data-name="node2"]');
    // Of the tray, of a column, and of a pod.
    await tray(page).click({ button: "right", position: { x: 4, y: 4 } });
    await item(page, "Add a pod…").waitFor();
    await page.keyboard.press("Escape");
    await menu(page).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "zoneB: Menu" }).click();
    await item(page, "Take down: not reachable").click();
    await says(status(page), "Outage of zoneB");
    assert.equal(await page.locator('.tag[title="node.kubernetes.io/unreachable:NoExecute"]').count(), 2);
    await chip(tray(page), "mypod").focus();
    await page.keyboard.press("ContextMenu");
    await item(page, "Let the scheduler place it").click();
    await says(status(page), "Schedule mypod");
    await page.getByRole("button", { name: "zoneB: Menu" }).click();
    await item(page, "Bring back: reachable").click();
    await says(status(page), "Bring zoneB back");
    assert.equal(await page.locator('.tag[title="node.kubernetes.io/unreachable:NoExecute"]').count(), 0);
  });
});

test("a node and a column are added, and mistakes are said at their fields", async () => {
  await withApp({}, async page => {
    await open(page);
    await head(page, "node1").focus();
    await page.keyboard.press("n");
    await field(page, "name").fill("Node 5");
    await field(page, "cpu").fill("-1");
    await assertAccessible(page);
    await page.keyboard.press("Enter");
    await says(form(page), "must be greater than or equal to 0");
    await assertFocused(page, "#form-cpu");
    await field(page, "cpu").fill("2");
    await page.keyboard.press("Enter");
    await says(form(page), 'metadata.name: Invalid value: "Node 5"');
    assert.equal(await page.locator("[role=grid] [data-lift=node]").count(), 4);
    await field(page, "name").fill("node1");
    await page.keyboard.press("Enter");
    await says(form(page), 'nodes "node1" already exists');
    await field(page, "name").fill("node5");
    await page.keyboard.press("Enter");
    await row(page, "node5").waitFor();
    await page.keyboard.press("Shift+N");
    assert.equal(await field(page, "domain").inputValue(), "zoneC");
    await page.keyboard.press("Enter");
    await page.getByRole("rowgroup", { name: "zoneC" }).waitFor();
    await page.getByRole("button", { name: "Undo: Add node6" }).click();
    await page.getByRole("rowgroup", { name: "zoneC" }).waitFor({ state: "detached" });
  });
});

test("pods and workloads are added, and scaled as their controllers do it", async () => {
  await withApp({}, async page => {
    await open(page);
    await head(page, "node1").focus();
    await page.keyboard.press("p");
    await field(page, "labels").fill("app=-");
    await page.keyboard.press("Enter");
    await says(form(page), "metadata.labels: Invalid value");
    await field(page, "labels").fill("app=one");
    await page.keyboard.press("Enter");
    await chip(tray(page), "pod-1").waitFor();
    await command(page, "add workload");
    await field(page, "replicas").fill("many");
    await page.keyboard.press("Enter");
    await says(form(page), "cannot unmarshal string");
    await field(page, "replicas").fill("2");
    await field(page, "kind").selectOption("StatefulSet");
    await form(page).getByRole("button", { name: "Apply" }).click();
    await chip(tray(page), "app-1-1").waitFor();
    await command(page, "workloads");
    const panel = page.getByRole("complementary", { name: "Workloads and replicas" });
    await panel.getByRole("button", { name: "Increase replicas" }).click();
    await chip(tray(page), "app-1-2").waitFor();
    await assertAccessible(page);
    await panel.getByRole("textbox", { name: "replicas" }).fill("1");
    await page.keyboard.press("Enter");
    await chip(tray(page), "app-1-1").waitFor({ state: "detached" });
    await says(status(page), "Scale app-1 to 1");
    await page.getByRole("button", { name: "Undo: Scale app-1 to 1" }).click();
    await chip(tray(page), "app-1-2").waitFor();
    await panel.getByRole("textbox", { name: "replicas" }).fill("-1");
    await page.keyboard.press("Enter");
    await says(panel, "must be greater than or equal to 0");
  });
});

test("a drain goes as far as the budget allows, and says who stays and why", async () => {
  await withApp({}, async page => {
    await open(page, `${documents}${workload}`);
    await head(page, "node1").click({ button: "right" });
    await item(page, "Drain").click();
    const left = page.getByRole("region", { name: "What the drain left" });
    await says(left, "1 stay");
    await says(left, "The disruption budget web needs 2 healthy pods and has 2 currently");
    await assertAccessible(page);
    assert.equal(await row(page, "node1").locator("button[data-lift=pod]").count(), 1);
    await page.getByRole("button", { name: "Undo: Drain node1" }).click();
    assert.equal(await row(page, "node1").locator("button[data-lift=pod]").count(), 3);
    assert.equal(await page.locator(".tag.warn").count(), 0);
  });
});

test("taints, labels and allocatable, in kubectl's notation", async () => {
  await withApp({}, async page => {
    await open(page);
    await head(page, "node1").click({ button: "right" });
    await item(page, "Taints…").click();
    await field(page, "taint").fill("gpu=yes:Never");
    await page.keyboard.press("Enter");
    await says(form(page), 'Unsupported value: "Never"');
    await field(page, "taint").fill("gpu=yes:NoSchedule");
    await page.keyboard.press("Enter");
    await row(page, "node1").locator('.tag[title="gpu=yes:NoSchedule"]').waitFor();
    await head(page, "node1").click({ button: "right" });
    await item(page, "Taints…").click();
    await says(form(page), "Now: gpu=yes:NoSchedule");
    await field(page, "taint").fill("gpu-");
    await page.keyboard.press("Enter");
    await row(page, "node1").locator(".tag").first().waitFor({ state: "detached" });
    await head(page, "node1").click({ button: "right" });
    await item(page, "Labels…").click();
    await field(page, "label").fill("zone=zoneX");
    await page.keyboard.press("Enter");
    await page.getByRole("rowgroup", { name: "zoneX" }).waitFor();
    await head(page, "node1").click({ button: "right" });
    await item(page, "Allocatable…").click();
    await field(page, "cpu").fill("many");
    await page.keyboard.press("Enter");
    await says(form(page), "quantities must match the regular expression");
    await field(page, "cpu").fill("64");
    await page.keyboard.press("Enter");
    await says(row(page, "node1"), "64");
  });
});

test("a search dims what does not match, and says how much", async () => {
  await withApp({}, async page => {
    await open(page);
    await page.keyboard.press("/");
    await page.locator("#find:focus").waitFor();
    await page.keyboard.type("p2");
    await says(page.getByRole("search"), "1 found; 3 pods and 3 nodes are dimmed");
    assert.equal(await page.locator("button[data-lift=pod][data-dim]").count(), 3);
    assert.equal(await page.locator("[role=rowheader][data-dim]").count(), 3);
    await assertAccessible(page);
    await page.getByRole("search").getByRole("button", { name: "Select these" }).click();
    await says(toolbar(page), "Selected: 1 pod");
    await page.locator("#find").fill("node:node3 ns:default");
    await says(page.getByRole("search"), "1 found; 3 pods and 3 nodes are dimmed");
    await page.locator("#find").press("Escape");
    await page.getByRole("search").waitFor({ state: "detached" });
    assert.equal(await page.locator("[data-dim]").count(), 0);
  });
});

test("the history goes back and forth by name", async () => {
  await withApp({}, async page => {
    await open(page);
    await head(page, "node1").click({ button: "right" });
    await item(page, "Cordon").click();
    await says(status(page), "Cordon node1");
    await drag(page, chip(row(page, "node3"), "p3"), tray(page).getByRole("heading").first());
    await chip(tray(page), "p3").waitFor();
    await page.keyboard.press("h");
    const history = page.getByRole("dialog", { name: "History" });
    const steps = history.getByRole("listitem");
    assert.deepEqual(
      (await steps.allInnerTexts()).map(text => text.replaceAll(/\s+/g, " ").trim()),
      ["0 Start", "1 Cordon node1", "2 Return p3 to the queue now"],
    );
    await assertAccessible(page);
    await steps.first().getByRole("button").click();
    await history.getByRole("listitem").first().getByText("now").waitFor();
    await page.keyboard.press("Escape");
    await history.waitFor({ state: "detached" });
    await chip(row(page, "node3"), "p3").waitFor();
    await page.getByRole("button", { name: "Redo: Cordon node1" }).waitFor();
    await command(page, "redo");
    await says(row(page, "node1"), "cordoned");
  });
});

test("the Filter matrix is one Tab stop, with arrows inside", async () => {
  await withApp({}, async page => {
    await open(page);
    await chip(tray(page), "mypod").click();
    const stops = page.locator(".mx td button[tabindex='0']");
    assert.equal(await stops.count(), 1);
    await stops.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator(".mx tr:nth-child(2) td.cur button[tabindex='0']").waitFor();
    assert.equal(await stops.count(), 1);
  });
});

test("on paper there is the board and the verdict", async () => {
  await withApp({}, async page => {
    await open(page);
    await page.emulateMedia({ media: "print" });
    for (const shown of [row(page, "node1"), page.locator(".verdict")]) assert.ok(await shown.isVisible());
    for (const hidden of [page.getByRole("button", { name: "Import" }), page.locator(".side-body"), status(page)]) {
      assert.equal(await hidden.isVisible(), false);
    }
  });
});

test("an empty board says what to do", async () => {
  await withApp({}, async page => {
    await open(page);
    await head(page, "node1").focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await says(page.locator(".canvas"), "There are no nodes");
    await assertAccessible(page);
    await page.locator(".canvas").getByRole("button", { name: "Import" }).click();
    await page.getByRole("dialog").waitFor();
  });
});

for (const theme of ["light", "dark"]) {
  for (const [name, viewport] of Object.entries(viewports)) {
    test(`selection, menu and form are accessible, ${theme}, ${name}`, async () => {
      await withApp({ theme, viewport }, async page => {
        await open(page);
        await page.keyboard.press("/");
        await page.locator("#find").fill("p1");
        await page.getByRole("search").getByRole("button", { name: "Select these" }).click();
        await assertAccessible(page);
        await toolbar(page).getByRole("button", { name: "More…" }).click();
        await menu(page).waitFor();
        await assertAccessible(page);
        await page.keyboard.press("Escape");
        await menu(page).waitFor({ state: "detached" });
        await command(page, "add pod");
        await assertAccessible(page);
      });
    });
  }
}
