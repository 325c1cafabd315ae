// Numbers over time: a rollout that old pods distort and one that they do not, told by the charts and by their tables.
import assert from "node:assert/strict";
import { test } from "node:test";

import { paste, row, says } from "./cluster.mjs";
import { assertAccessible, viewports, withApp } from "./harness.mjs";

const node = (name, zone) => `apiVersion: v1
kind: Node
metadata: {name: ${name}, labels: {kubernetes.io/hostname: ${name}, topology.kubernetes.io/zone: ${zone}}}
status: {allocatable: {cpu: "8", memory: 8Gi, pods: "20"}}
`;

/** Three zones with a node each, and four pods that are spread over them. */
const cluster = [
  ...["a", "b", "c"].map(zone => node(`node-${zone}`, `zone-${zone}`)),
  `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: main, image: "web:1", resources: {requests: {cpu: 100m}}}]
      topologySpreadConstraints:
      - maxSkew: 1
        topologyKey: topology.kubernetes.io/zone
        whenUnsatisfiable: DoNotSchedule
        labelSelector: {matchLabels: {app: web}}
`,
  `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 3, selector: {matchLabels: {app: web}}}
`,
].join("---\n");

const panel = page => page.getByRole("region", { name: "Time", exact: true });
const clock = page => panel(page).locator(".clock");
const status = page => page.locator("p[role=status]");
const tab = (page, name) => panel(page).getByRole("button", { name, exact: true }).click();

async function seek(page, seconds) {
  await panel(page).getByRole("slider", { name: "Moment" }).fill(String(seconds * 1000));
  await says(clock(page), `t = ${seconds}.000 s`);
}

async function begin(page) {
  await paste(page, cluster);
  await row(page, "node-a").waitFor();
  // What was made of the manifests is said.
  await says(page.getByRole("dialog"), "created 4");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("s");
  await page.locator("#time-play:focus").waitFor();
}

/** What a chart's section says, line by line. */
const lines = async (page, name) =>
  (await panel(page).getByRole("region", { name }).getByRole("listitem").allInnerTexts()).map(text => text.replace(/\s+/g, " ").trim());

/** The cells of a table of numbers, from the first moment to the last. */
const cells = async (page, name) => {
  const rows = await panel(page).getByRole("table", { name }).locator("tbody tr").all();
  const texts = rows.map(async line => (await line.locator("th, td").allInnerTexts()).map(text => text.trim()));
  return (await Promise.all(texts)).reverse();
};

test("charts show the queue, budgets and constraints at the moment, and their tables say the same", async () => {
  await withApp({}, async page => {
    await begin(page);
    await tab(page, "Charts");
    await seek(page, 10);
    assert.deepEqual(await lines(page, "Queue"), ["Active 0 · most 4", "Backoff 0 · most 0", "Unschedulable 0 · most 0"]);
    assert.deepEqual(await lines(page, "PodDisruptionBudget/web"), ["disruptionsAllowed 1 · most 1", "currentHealthy 4 · desiredHealthy 3"]);
    const spread = await lines(page, /Deployment\/web/);
    assert.equal(spread[0], "Skew 1 · maxSkew 1");
    assert.deepEqual(spread.slice(1).map(line => line.match(/(\d+) · /)[1]).sort(), ["1", "1", "2"]);
    await assertAccessible(page);
    await tab(page, "As tables");
    assert.deepEqual(await cells(page, /PodDisruptionBudget/), [["0.000 s", "0", "0", "3"], ["1.000 s", "1", "4", "3"]]);
    assert.deepEqual(await cells(page, /Queue/), [["0.000 s", "0", "0", "0"]]);
    const [[at, skew, ...domains], ...later] = await cells(page, /Deployment\/web/);
    assert.deepEqual([at, skew, domains.sort(), later], ["0.000 s", "1", ["1", "1", "2"], []]);
    await assertAccessible(page);
  });
});

const field = (page, name) => panel(page).getByRole("textbox", { name });
const act = async (page, verb, fill) => {
  await panel(page).getByRole("combobox", { name: "Action" }).selectOption(verb);
  await fill?.();
  await panel(page).getByRole("button", { name: "Do it" }).click();
};

test("a rollout counts old pods too, unless matchLabelKeys tells revisions apart; undo takes it back at the same moment", async () => {
  await withApp({ theme: "dark" }, async page => {
    await begin(page);
    await tab(page, "Charts");
    await seek(page, 20);
    await act(page, "Change the template of", async () => {
      assert.equal(await field(page, "maxSurge").inputValue(), "1");
      assert.equal(await field(page, "maxUnavailable").inputValue(), "0");
      await field(page, /image/).fill("web:2");
    });
    await says(status(page), "20.000 s: Change the template of: Deployment default/web");
    await seek(page, 40);
    // One constraint, which counts old and new pods as alike.
    const regions = panel(page).getByRole("region", { name: /Deployment\/web/ });
    assert.equal(await regions.count(), 1);
    // Chance decides which old pods go first, and so how uneven the new ones are left.
    const [skew, ...domains] = await lines(page, /Deployment\/web/);
    const counts = domains.map(line => Number(line.match(/(\d+) · /)[1]));
    assert.equal(counts.reduce((sum, count) => sum + count), 4);
    assert.equal(skew, `Skew ${Math.max(...counts) - Math.min(...counts)} · maxSkew 1`);
    await tab(page, "As tables");
    const counted = (await cells(page, /Deployment\/web/)).map(([at, , ...domains]) => [at, domains.reduce((sum, count) => sum + Number(count), 0)]);
    assert.deepEqual(counted, [["0.000 s", 4], ["20.000 s", 5], ["21.000 s", 5], ["22.000 s", 5], ["23.000 s", 5], ["24.000 s", 4]]);
    await tab(page, "As tables");

    await page.keyboard.press("Control+z");
    await says(status(page), "Taken back: Change the template of: Deployment default/web");
    await says(clock(page), "t = 40.000 s");
    assert.equal(await panel(page).locator(".mark.request").count(), 0);
    await page.keyboard.press("Control+y");
    await says(status(page), "Asked for again: Change the template of");
    assert.equal(await panel(page).locator(".mark.request").count(), 1);
    await panel(page).getByRole("button", { name: "Undo: Change the template of: Deployment default/web" }).click();
    await says(status(page), "Taken back");

    await seek(page, 20);
    await act(page, "Change the template of", async () => {
      await field(page, /image/).fill("web:2");
      await panel(page).getByRole("checkbox", { name: "matchLabelKeys: pod-template-hash" }).check();
    });
    await seek(page, 40);
    // The new revision is counted by itself, and is even by itself.
    assert.equal(await regions.count(), 2);
    await says(regions.nth(1), "pod-template-hash");
    const own = (await regions.nth(1).getByRole("listitem").allInnerTexts()).map(text => text.replace(/\s+/g, " ").trim());
    assert.equal(own[0], "Skew 1 · maxSkew 1");
    assert.deepEqual(own.slice(1).map(line => line.match(/(\d+) · /)[1]).sort(), ["1", "1", "2"]);
    await assertAccessible(page);
  });
});

test("scaling shows how many there are, a zone goes as a whole, and two attempts are held against each other", async () => {
  await withApp({ viewport: viewports.laptop }, async page => {
    await begin(page);
    await seek(page, 10);
    await act(page, "Scale", async () => {
      assert.equal(await field(page, "replicas").inputValue(), "4");
      await field(page, "replicas").fill("6");
    });
    await says(status(page), "10.000 s: Scale: Deployment default/web");
    await seek(page, 15);
    await act(page, "Zone outage: nodes go down", async () => {
      await panel(page).getByRole("combobox", { name: "Object" }).selectOption("topology.kubernetes.io/zone=zone-b");
    });
    await tab(page, "Events");
    await panel(page).getByRole("cell", { name: "NodeDown", exact: true }).waitFor();

    await tab(page, "Attempts");
    const picks = panel(page).getByRole("button", { name: /^Compare: default\/web/ });
    assert.equal(await picks.count(), 6);
    await picks.nth(0).click();
    await picks.nth(3).click();
    const differences = panel(page).getByRole("table", { name: "Nodes of which the two attempts differ" });
    await differences.waitFor();
    assert.ok((await differences.locator("tbody tr").count()) > 0);
    await says(differences, "node(s) didn't match pod topology spread constraints");
    await assertAccessible(page);
  });
});

test("memory pressure is tried out with the ranking, by keyboard, and then happens", async () => {
  await withApp({ viewport: viewports.phone }, async page => {
    await begin(page);
    await seek(page, 10);
    await tab(page, "Memory");
    await says(panel(page), "No pod would be evicted.");
    const beside = panel(page).getByRole("slider", { name: "Node, beside its pods" });
    await beside.focus();
    await page.keyboard.press("End");
    await says(panel(page), /default\/web-\S+ would be evicted at the kubelet’s next look/);
    const pods = panel(page).getByRole("row", { name: /default\/web/ });
    const order = async () => Promise.all((await pods.all()).map(pod => pod.getByRole("cell").first().innerText()));
    const before = await order();
    assert.deepEqual([...before].sort(), before.map((_, place) => String(place + 1)));
    // Who uses more than it asked for goes first.
    await pods.last().getByRole("slider").focus();
    await page.keyboard.press("ArrowRight");
    assert.equal((await order()).at(-1), "1");
    await assertAccessible(page);
    await panel(page).getByRole("button", { name: "Use so much from now on" }).focus();
    await page.keyboard.press("Enter");
    await says(status(page), "10.000 s: Memory: node-a");
    await seek(page, 21);
    await tab(page, "Events");
    await panel(page).getByRole("cell", { name: "Evicted", exact: true }).first().waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewports.phone.width);
  });
});
