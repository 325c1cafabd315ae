// The cluster of the Kubernetes documents on topology spread: two zones of two nodes, three pods, and one to come.
import { strict as assert } from "node:assert";

const node = (name, zone) => `apiVersion: v1
kind: Node
metadata:
  name: ${name}
  labels: {node: ${name}, zone: ${zone}}
status:
  allocatable: {cpu: "4", memory: 8Gi, pods: "110"}
`;

const pod = (name, spec) => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  labels: {foo: bar}
spec:
${spec}
  containers:
  - {name: pause, image: registry.k8s.io/pause:3.1}
`;

const constraint = `  topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: zone
    whenUnsatisfiable: DoNotSchedule
    labelSelector:
      matchLabels: {foo: bar}`;

/** The manifests. */
export const documents = [
  node("node1", "zoneA"),
  node("node2", "zoneA"),
  node("node3", "zoneB"),
  node("node4", "zoneB"),
  pod("p1", "  nodeName: node1"),
  pod("p2", "  nodeName: node2"),
  pod("p3", "  nodeName: node3"),
  pod("mypod", constraint),
].join("---\n");

/** Opens the import dialog, pastes and shows the board. */
export async function paste(page, text) {
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill(text);
  await page.getByRole("button", { name: "Show the board" }).click();
}

/** Opens the palette and runs the command that some letters find first. */
export async function command(page, letters) {
  await page.keyboard.press("Control+k");
  await choose(page, letters);
}

/** The same in the palette that was asked for: it comes when its part has. */
export async function choose(page, letters) {
  const palette = page.locator("dialog.palette");
  await palette.getByRole("combobox").fill(letters);
  await page.keyboard.press("Enter");
  await palette.waitFor({ state: "detached" });
}

/** The row of a node. */
export const row = (page, name) => page.locator(`[role=row][data-name="${name}"]`);

/** A pod's chip within a part of the page. */
export const chip = (within, name) => within.locator(`button[data-lift=pod][data-name="default/${name}"]`);

/** The tray. */
export const tray = page => page.getByRole("region", { name: "Scheduling queue" });

/** Waits until a part of the page says something. */
export async function says(locator, text) {
  await locator.filter({ hasText: text }).first().waitFor();
}

/** Waits until the focus is on what the selector names, or fails. */
export async function assertFocused(page, selector) {
  const found = page.waitForFunction(wanted => document.activeElement?.matches(wanted), selector);
  await found.catch(async () => {
    const focused = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 160));
    assert.fail(`the focus is on ${focused}, not on ${selector}`);
  });
}
