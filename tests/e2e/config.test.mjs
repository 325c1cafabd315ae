// The scheduler's configuration: as a form, in step with its text, and held against another.
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertFocused, paste, says } from "./cluster.mjs";
import { assertAccessible, viewports, withApp } from "./harness.mjs";

const panel = page => page.getByRole("complementary", { name: "Scheduler configuration" });
const wrong = (page, text) => panel(page).locator(".wrong").filter({ hasText: text }).first().waitFor();
const args = (page, plugin) => panel(page).locator("details").filter({ has: page.locator("summary", { hasText: plugin }) });
const plugin = (page, name) => panel(page).locator(".plugins > li").filter({ has: page.getByRole("switch", { name, exact: true }) });
const undo = page => page.getByRole("button", { name: "Undo" });

async function open(page) {
  await page.locator("body").press("g");
  await panel(page).waitFor();
}

async function fill(field, text) {
  await field.fill(text);
  await field.press("Enter");
}

const node = (name, cpu) => `apiVersion: v1
kind: Node
metadata: {name: ${name}}
status: {allocatable: {cpu: "${cpu}", memory: 8Gi, pods: "110"}}
`;
const pod = (name, on) => `apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  ${on ? `nodeName: ${on}` : ""}
  containers:
  - {name: main, image: app, resources: {requests: {cpu: "1", memory: 1Gi}}}
`;
// One node is half full, the other is empty.
const cluster = [node("empty", 4), node("full", 4), pod("old-1", "full"), pod("old-2", "full"), pod("new-1"), pod("new-2")].join("---\n");

test("a strategy is changed, what differs is marked, and undo takes it back", async () => {
  await withApp({}, async page => {
    await paste(page, cluster);
    await open(page);
    await says(panel(page), "as by default");
    const fit = args(page, "NodeResourcesFit");
    await fit.locator("summary").click();
    await fit.getByRole("button", { name: "MostAllocated" }).click();
    await says(fit.locator("summary"), "changed");
    await undo(page).filter({ has: page.locator("svg") }).waitFor();
    await page.getByRole("button", { name: "Undo: NodeResourcesFit scoringStrategy: MostAllocated" }).click();
    await says(panel(page), "as by default");
    // A curve comes with its points.
    await fit.getByRole("button", { name: "RequestedToCapacityRatio" }).click();
    const shape = fit.getByRole("textbox", { name: "utilization" });
    await shape.nth(1).waitFor();
    await fill(shape.nth(0), "100");
    await wrong(page, "requestedToCapacityRatio.shape[1].utilization: Invalid value: 100: values must be sorted in increasing order");
    assert.equal(await shape.nth(0).inputValue(), "100", "what was typed stays");
    await fill(shape.nth(0), "many");
    await wrong(page, "json: cannot unmarshal string into Go struct field UtilizationShapePoint.scoringStrategy.requestedToCapacityRatio.shape.utilization of type int32");
    await fill(shape.nth(0), "10");
    await panel(page).locator(".wrong").first().waitFor({ state: "detached" });
    await fit.getByRole("button", { name: /^Set NodeResourcesFit scoringStrategy back/ }).click();
    await says(panel(page), "as by default");
  });
});

test("what kube-scheduler refuses is said at its field and changes nothing", async () => {
  await withApp({}, async page => {
    await paste(page, cluster);
    await open(page);
    const share = panel(page).getByLabel("percentageOfNodesToScore").first();
    await fill(share, "101");
    await wrong(page, "percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]");
    await says(panel(page), "as by default");
    await fill(share, "50");
    await panel(page).locator(".wrong").first().waitFor({ state: "detached" });
    await fill(panel(page).getByLabel("podMaxBackoffSeconds"), "0");
    await wrong(page, "podMaxBackoffSeconds: Invalid value: 0: must be greater than or equal to PodInitialBackoffSeconds");

    const preemption = args(page, "DefaultPreemption");
    await preemption.locator("summary").click();
    await fill(preemption.getByLabel("minCandidateNodesAbsolute", { exact: true }), "0");
    await fill(preemption.getByLabel("minCandidateNodesPercentage", { exact: true }), "0");
    await wrong(page, "minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time as minCandidateNodesAbsolute");
    await wrong(page, "minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as minCandidateNodesPercentage");

    await panel(page).getByRole("switch", { name: "DefaultBinder" }).click();
    await wrong(page, 'at least one bind plugin is needed for profile with scheduler name "default-scheduler"');
    assert.equal(await panel(page).getByRole("switch", { name: "DefaultBinder" }).getAttribute("aria-checked"), "true");

    const balanced = args(page, "NodeResourcesBalancedAllocation");
    await balanced.locator("summary").click();
    await fill(balanced.getByRole("textbox", { name: "Weight of cpu" }), "2");
    await wrong(page, "resources[0].weight: Invalid value: 2: must be 1");

    const affinity = args(page, "NodeAffinity");
    await affinity.locator("summary").click();
    const yaml = affinity.getByLabel("addedAffinity");
    await yaml.fill("requiredDuringSchedulingIgnoredDuringExecution:\n  nodeSelectorTerms:\n  - matchExpressions:\n    - {key: disk, operator: Inn, values: [ssd]}\n");
    await yaml.blur();
    await wrong(page, 'matchExpressions[0].operator: Unsupported value: "Inn"');
    await yaml.fill("requiredDuringSchedulingIgnoredDuringExecution:\n  nodeSelectorTerms:\n  - matchExpressions:\n    - {key: disk, operator: In, values: [ssd]}\n");
    await yaml.blur();
    await says(affinity.locator("summary"), "changed");
    // Now no node will do.
    await page.getByText("didn't match", { exact: false }).first().waitFor({ state: "attached" });
    await panel(page).getByRole("button", { name: "Reset to the defaults" }).click();
    await says(panel(page), "as by default");
    await assertFocused(page, "#config-title");
  });
});

test("plugins are switched, moved and weighed, at all points or at one", async () => {
  await withApp({}, async page => {
    await paste(page, cluster);
    await open(page);
    const image = plugin(page, "ImageLocality");
    await image.getByRole("switch").click();
    await says(image, "on by default");
    await assertFocused(page, "[role=switch][aria-label=ImageLocality]");
    await image.getByRole("switch").click();
    await says(panel(page), "as by default");

    const taints = plugin(page, "TaintToleration");
    await taints.getByRole("slider").fill("7");
    await says(taints, "default: 3");
    assert.equal(await taints.getByRole("textbox").inputValue(), "7");
    await page.getByRole("button", { name: "Undo: TaintToleration weight: 7" }).click();
    await taints.getByText("default: 3").waitFor({ state: "detached" });

    const names = () => panel(page).locator(".plugins .mono").allTextContents();
    const before = await names();
    await taints.getByRole("button", { name: "Run TaintToleration earlier" }).press("Enter");
    await page.waitForFunction(() => document.querySelectorAll(".plugins .mono")[3]?.textContent === "TaintToleration");
    await assertFocused(page, "[id=up-TaintToleration]");
    assert.notDeepEqual(await names(), before);
    await undo(page).click();
    await page.waitForFunction(() => document.querySelectorAll(".plugins .mono")[4]?.textContent === "TaintToleration");

    await panel(page).getByLabel("Extension point").selectOption("filter");
    const fit = plugin(page, "NodeResourcesFit");
    await fit.getByRole("switch").click();
    await says(fit, "on by default");
    await panel(page).getByLabel("Extension point").selectOption("score");
    assert.equal(await plugin(page, "NodeResourcesFit").getByRole("switch").getAttribute("aria-checked"), "true");
    await panel(page).getByLabel("Extension point").selectOption("filter");
    await fit.getByRole("switch").click();
    await says(panel(page), "as by default");
  });
});

test("profiles come, are named, and go", async () => {
  await withApp({}, async page => {
    await paste(page, cluster);
    await open(page);
    await panel(page).getByRole("button", { name: "Add a profile" }).click();
    const name = panel(page).getByLabel("schedulerName", { exact: true });
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "schedulerName");
    assert.equal(await name.inputValue(), "second-scheduler");
    await fill(name, "default-scheduler");
    await wrong(page, "profiles[1].schedulerName: Duplicate value");
    await fill(name, "packer");
    await args(page, "NodeResourcesFit").locator("summary").click();
    await args(page, "NodeResourcesFit").getByRole("button", { name: "MostAllocated" }).click();
    await says(args(page, "NodeResourcesFit").locator("summary"), "changed");
    await panel(page).getByLabel("Profile", { exact: true }).selectOption("default-scheduler");
    await args(page, "NodeResourcesFit").getByText("changed").waitFor({ state: "detached" });
    await panel(page).getByRole("button", { name: "YAML" }).click();
    assert.match(await page.locator("#yaml-text").inputValue(), /schedulerName: packer/);
    await page.getByRole("button", { name: "Form", exact: true }).click();
    await panel(page).getByLabel("Profile", { exact: true }).selectOption("packer");
    await panel(page).getByRole("button", { name: "Remove the profile packer" }).click();
    await says(panel(page), "as by default");
    await page.getByRole("button", { name: "Undo: packer removed" }).waitFor();
  });
});

test("form and text stay in step", async () => {
  await withApp({}, async page => {
    await paste(page, cluster);
    await open(page);
    await panel(page).getByRole("button", { name: "YAML" }).click();
    const text = page.getByRole("textbox", { name: "YAML of KubeSchedulerConfiguration" });
    await text.fill("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\npercentageOfNodesToScore: 5\n");
    await text.press("Control+Enter");
    await page.getByRole("button", { name: "Form", exact: true }).click();
    await panel(page).waitFor();
    assert.equal(await panel(page).getByLabel("percentageOfNodesToScore").first().inputValue(), "5");
    await fill(panel(page).getByLabel("percentageOfNodesToScore").first(), "6");
    await page.getByRole("button", { name: "Undo: percentageOfNodesToScore: 6" }).waitFor();
    await panel(page).getByRole("button", { name: "YAML" }).click();
    assert.match(await text.inputValue(), /percentageOfNodesToScore: 6/);
  });
});

const compare = page => page.getByRole("complementary", { name: "Compare A and B" });

test("configuration A/B: by mouse", async () => {
  await withApp({}, async page => {
    await paste(page, cluster);
    await open(page);
    await panel(page).getByRole("button", { name: "A/B" }).click();
    await compare(page).getByRole("button", { name: "Pin the board as A" }).click();
    await says(compare(page), "A and B say the same of all pods asked (2). Scheduled all, no pod lands elsewhere.");
    await compare(page).getByRole("button", { name: "Scheduler configuration" }).click();
    await args(page, "NodeResourcesFit").locator("summary").click();
    await args(page, "NodeResourcesFit").getByRole("button", { name: "MostAllocated" }).click();
    await panel(page).getByRole("button", { name: "A/B" }).click();

    // The sentence first, then what differs: 81 and 43 become 18 and 56, so `full` wins.
    await says(compare(page).locator(".summary"), "A and B differ about 2 of 2 pods. Scheduled all, 2 pods come to something else.");
    await says(compare(page), "profiles[default-scheduler].pluginConfig[NodeResourcesFit].args.scoringStrategy.type");
    const first = compare(page).locator("li").filter({ has: page.getByRole("button", { name: "default/new-1" }) });
    await says(first.first(), "best: empty");
    await says(first.first(), "best: full");
    await first.first().getByText("2 nodes differ").click();
    const line = name => first.first().getByRole("row").filter({ hasText: name });
    await says(line("empty"), "NodeResourcesFit 81 → 18 (−63)");
    await says(line("full"), "NodeResourcesFit 43 → 56 (+13)");

    // A pod of the list is selected on the board, and the list stays.
    await first.nth(1).getByRole("button", { name: "default/new-1" }).click();
    await page.locator('[aria-pressed="true"][data-name="default/new-1"]').waitFor();
    await compare(page).waitFor();

    // Swap: the old strategy is on the board again, the new one is A.
    await compare(page).getByRole("button", { name: "Swap" }).click();
    await page.getByRole("button", { name: "Undo: A and B swapped" }).waitFor();
    await says(first.first(), "best: full");
    await compare(page).getByRole("button", { name: "Take A back" }).click();
    await says(compare(page), "A and B say the same of all pods asked (2).");
    await page.getByRole("button", { name: "Undo: A taken back" }).click();
    await says(compare(page).locator(".summary"), "A and B differ about 2 of 2 pods.");

    // Another file is held against A too.
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill([node("only", 1), pod("old-1", "only"), pod("new-1")].join("---\n"));
    await page.getByRole("button", { name: "Show the board" }).click();
    await page.locator("body").press("Shift+G");
    await says(compare(page), "0/1 nodes are available: 1 Insufficient cpu.");
    await says(compare(page), "not there");
    await compare(page).getByRole("button", { name: "Unpin" }).click();
    await compare(page).locator(".summary").waitFor({ state: "detached" });
  });
});

test("configuration A/B: by keys, with who is preempted", async () => {
  const full = [node("only", 2), pod("low-1", "only"), pod("low-2", "only"), pod("high").replace("spec:", "spec:\n  priority: 10")];
  await withApp({}, async page => {
    await paste(page, full.join("---\n"));
    const press = key => page.keyboard.press(key);
    const focus = async locator => {
      await locator.focus();
      await press("Enter");
    };
    await page.locator("body").press("Shift+G");
    await compare(page).waitFor();
    await assertFocused(page, "#compare-title");
    await focus(compare(page).getByRole("button", { name: "Pin the board as A" }));
    await says(compare(page), "no pod lands elsewhere");
    await assertFocused(page, "#compare-title");
    await press("g");
    await panel(page).waitFor();
    await panel(page).getByRole("switch", { name: "DefaultPreemption" }).focus();
    await press("Space");
    await says(plugin(page, "DefaultPreemption"), "on by default");
    await press("Shift+G");
    await says(compare(page).locator(".summary"), "Scheduled all, 2 pods come to something else.");
    await says(compare(page), "1 placed, 0 waiting, 1 preempted");
    await says(compare(page), "0 placed, 1 waiting, 0 preempted");
    await says(compare(page), "preempted for default/high");
    await focus(compare(page).getByRole("button", { name: "Take A back" }));
    await says(compare(page), "no pod lands elsewhere");
    await press("Control+z");
    await says(compare(page), "preempted for default/high");
    await press("Escape");
    await compare(page).waitFor({ state: "detached" });
    await assertFocused(page, "#open-rules");
  });
});

test("many pods are compared in slices, and it can be stopped", async () => {
  const many = [];
  for (let index = 0; index < 8; index += 1) many.push(node(`n${index}`, 8));
  for (let index = 0; index < 60; index += 1) many.push(pod(`p${index}`));
  await withApp({}, async page => {
    await paste(page, many.join("---\n"));
    await page.locator("body").press("Shift+G");
    // Stopped as soon as it can be, before it is over.
    await page.evaluate(() => {
      const watcher = new MutationObserver(() => {
        const cancel = document.querySelector(".compare .cap-line button");
        if (cancel) {
          watcher.disconnect();
          cancel.click();
        }
      });
      watcher.observe(document.body, { childList: true, subtree: true });
    });
    await compare(page).getByRole("button", { name: "Pin the board as A" }).click();
    await says(compare(page), "Stopped: what follows is not complete.");
    await assertFocused(page, "#compare-title");
    await compare(page).getByRole("button", { name: "Pin the board as A anew" }).click();
    await says(compare(page), "A and B say the same of all pods asked (60). Scheduled all, no pod lands elsewhere.");
    await says(compare(page), "60 placed, 0 waiting, 0 preempted");
  });
});

for (const theme of ["light", "dark"]) {
  for (const [name, viewport] of Object.entries(viewports)) {
    test(`the comparison is accessible, ${theme}, ${name}`, async () => {
      await withApp({ theme, viewport, touch: name === "phone" }, async page => {
        await paste(page, cluster);
        await page.locator("body").press("Shift+G");
        await compare(page).waitFor();
        await assertAccessible(page);
        await compare(page).getByRole("button", { name: "Pin the board as A" }).click();
        await compare(page).getByRole("button", { name: "Scheduler configuration" }).click();
        await args(page, "NodeResourcesFit").locator("summary").click();
        await args(page, "NodeResourcesFit").getByRole("button", { name: "MostAllocated" }).click();
        await panel(page).getByRole("button", { name: "A/B" }).click();
        await compare(page).getByText("2 nodes differ").first().click();
        await says(compare(page), "(−63)");
        await assertAccessible(page);
      });
    });
  }
}

for (const theme of ["light", "dark"]) {
  for (const [name, viewport] of Object.entries(viewports)) {
    test(`the form is accessible, ${theme}, ${name}`, async () => {
      await withApp({ theme, viewport, touch: name === "phone" }, async page => {
        await paste(page, cluster);
        await open(page);
        for (const summary of await panel(page).locator("details > summary").all()) await summary.click();
        await args(page, "NodeResourcesFit").getByRole("button", { name: "RequestedToCapacityRatio" }).click();
        await args(page, "PodTopologySpread").getByRole("button", { name: "List" }).click();
        await args(page, "PodTopologySpread").getByRole("button", { name: "Add: PodTopologySpread defaultConstraints" }).click();
        await fill(panel(page).getByLabel("percentageOfNodesToScore").first(), "-1");
        await panel(page).locator(".wrong").first().waitFor();
        await assertAccessible(page);
        await panel(page).getByRole("button", { name: "Close" }).click();
        await panel(page).waitFor({ state: "detached" });
      });
    });
  }
}
