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
  await panel(page).getByRole("slider").fill(String(seconds * 1000));
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
