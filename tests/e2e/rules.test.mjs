// Priority classes and disruption budgets, edited beside the board: by mouse, by keys, by taps.
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertFocused, documents, paste, says } from "./cluster.mjs";
import { assertAccessible, viewports, withApp } from "./harness.mjs";

const panel = page => page.getByRole("complementary", { name: "Priorities & budgets" });
const item = (page, name) => panel(page).locator("details").filter({ has: page.locator("summary", { hasText: name }) });
const wrong = (page, text) => panel(page).locator(".wrong").filter({ hasText: text }).waitFor();

async function open(page) {
  await page.getByRole("banner").getByRole("button", { name: "Priorities & budgets" }).click();
  await panel(page).waitFor();
}

async function fill(page, field, text) {
  await field.fill(text);
  await field.press("Enter");
}

test("a class is made, refused, made anew, the default, and gone", async () => {
  await withApp({}, async page => {
    await open(page);
    const make = panel(page).getByRole("form", { name: "New class" });
    await make.getByLabel("name").fill("Upper");
    await fill(page, make.getByLabel("value"), "7");
    await wrong(page, 'metadata.name: Invalid value: "Upper": a lowercase RFC 1123 subdomain');
    assert.equal(await make.getByLabel("name").inputValue(), "Upper");
    await make.getByLabel("name").fill("urgent");
    await fill(page, make.getByLabel("value"), "1000000001");
    await wrong(page, "value: Forbidden: maximum allowed value of a user defined priority is 1000000000");
    await fill(page, make.getByLabel("value"), "2000");
    await says(page.getByRole("status"), "urgent created");
    assert.equal(await make.getByLabel("name").inputValue(), "", "the form is empty again");
    await make.getByLabel("name").fill("urgent");
    await fill(page, make.getByLabel("value"), "1");
    await wrong(page, 'priorityclasses.scheduling.k8s.io "urgent" already exists');

    const urgent = item(page, "urgent");
    await urgent.locator("summary").click();
    await fill(page, urgent.getByLabel("value"), "3000");
    await wrong(page, "value: Forbidden: may not be changed in an update.");
    await urgent.getByRole("button", { name: "Delete and create anew" }).click();
    await says(urgent.locator("summary"), "3000");
    await urgent.getByRole("button", { name: "Never" }).click();
    await wrong(page, 'preemptionPolicy: Invalid value: "Never": field is immutable');
    await urgent.getByRole("button", { name: "Delete and create anew" }).click();
    await says(urgent.locator("summary"), "Never");

    // One default only: the other gives it up when asked.
    await urgent.getByRole("button", { name: "true" }).click();
    await says(urgent.locator("summary"), "globalDefault");
    const low = item(page, "batch-low");
    await low.locator("summary").click();
    await low.getByRole("button", { name: "true" }).click();
    await wrong(page, "PriorityClass urgent is already marked as default. Only one default can exist");
    await low.getByRole("button", { name: "Make this one the default instead" }).click();
    await says(low.locator("summary"), "globalDefault");
    assert.equal(await urgent.locator("summary .tag", { hasText: "globalDefault" }).count(), 0);

    await urgent.getByRole("button", { name: "Delete", exact: true }).click();
    await says(page.getByRole("status"), "urgent deleted");
    await assertFocused(page, "#new-class-name");
    const undo = page.getByRole("button", { name: "Undo" });
    // Both defaults change back at once.
    for (let steps = 0; steps < 2; steps += 1) await undo.click();
    await says(urgent.locator("summary"), "globalDefault");
    assert.ok(await item(page, "system-node-critical").locator("svg").count(), "the system's own");
    await item(page, "system-node-critical").locator("summary").click();
    assert.equal(await item(page, "system-node-critical").locator("input, button").count(), 0);
  });
});

test("a budget follows its pods, refuses what the API server refuses, and can be pinned", async () => {
  await withApp({}, async page => {
    await open(page);
    const cache = item(page, "shop/cache");
    await says(cache.locator("summary"), "disruptionsAllowed1");
    await cache.locator("summary").click();
    await says(cache, "max(0, 3 − 2)");
    await fill(page, cache.getByLabel("minAvailable", { exact: true }), "4");
    await says(cache, "max(0, 3 − 4)");
    await fill(page, cache.getByLabel("minAvailable", { exact: true }), "-1");
    await wrong(page, "spec.minAvailable: Invalid value: -1: must be greater than or equal to 0");
    await fill(page, cache.getByLabel("minAvailable", { exact: true }), "150%");
    await wrong(page, 'spec.minAvailable: Invalid value: "150%": must not be greater than 100%');
    await says(cache, "max(0, 3 − 4)");
    await fill(page, cache.getByLabel("selector", { exact: true }), "app in ()");
    await wrong(page, "spec.selector.matchExpressions[0].values: Required value");
    await fill(page, cache.getByLabel("minAvailable", { exact: true }), "1");
    await says(cache, "max(0, 3 − 1)");
    // Pods without a controller are not counted where the limit is for what may be missing.
    await cache.getByRole("button", { name: "maxUnavailable" }).click();
    await says(cache, "without one, not counted: cache-1, cache-2, cache-3");

    await cache.getByRole("button", { name: "pinned" }).click();
    await cache.getByRole("button", { name: "Increase disruptionsAllowed" }).click();
    await says(cache.locator("summary"), "pinned");
    await says(cache.locator("summary"), "disruptionsAllowed1");
    await says(cache, "computed now: 0");
    await fill(page, cache.getByLabel("disruptionsAllowed", { exact: true }), "-2");
    await wrong(page, "status.disruptionsAllowed: Invalid value: -2: must be greater than or equal to 0");
    await cache.getByRole("button", { name: "computed", exact: true }).click();
    await says(cache.locator("summary"), "disruptionsAllowed0");

    const make = panel(page).getByRole("form", { name: "New budget" });
    await fill(page, make.getByLabel("minAvailable"), "1");
    await wrong(page, "metadata.name: Required value: name or generateName is required");
    await make.getByLabel("name", { exact: true }).fill("web");
    await make.getByLabel("selector").fill("app=web");
    await fill(page, make.getByLabel("minAvailable"), "80%");
    await says(item(page, "shop/web").locator("summary"), "disruptionsAllowed0");
    await page.locator('[title*="web-1"][title*="protected by a PodDisruptionBudget"]').first().waitFor({ state: "attached" });
    await item(page, "shop/web").locator("summary").click();
    await item(page, "shop/web").getByRole("button", { name: "Delete" }).click();
    await assertFocused(page, "#new-budget-name");
    await page.getByRole("button", { name: "Undo" }).click();
    await item(page, "shop/web").waitFor();
  });
});

test("by keys alone, and the focus comes back", async () => {
  await withApp({}, async page => {
    const press = key => page.keyboard.press(key);
    for (const opener of ["#open-rules", "#edit-rules"]) {
      await page.locator(opener).focus();
      await press("Enter");
      await panel(page).waitFor();
      await assertFocused(page, "#rules-title");
      await press("Tab");
      await press("Escape");
      await panel(page).waitFor({ state: "detached" });
      await assertFocused(page, opener);
    }
    await press("Enter");
    await panel(page).locator("#new-class-name").focus();
    await page.keyboard.insertText("fast");
    await press("Tab");
    await page.keyboard.insertText("12");
    await press("Enter");
    await item(page, "fast").waitFor();
    await item(page, "fast").locator("summary").focus();
    await press("Enter");
    await press("Tab");
    await press("Control+a");
    await page.keyboard.insertText("x");
    await press("Enter");
    await wrong(page, "json: cannot unmarshal string into Go value of type int32");
    await assertFocused(page, "[aria-invalid]");
  });
});

for (const theme of ["light", "dark"]) {
  for (const [name, viewport] of Object.entries(viewports)) {
    test(`accessible, ${theme}, ${name}`, async () => {
      await withApp({ theme, viewport, touch: name === "phone" }, async page => {
        await paste(page, documents);
        await open(page);
        const make = panel(page).getByRole("form", { name: "New budget" });
        await make.getByLabel("name", { exact: true }).fill("all");
        await make.getByLabel("selector").fill("{}");
        await fill(page, make.getByLabel("minAvailable"), "many");
        await panel(page).locator(".wrong").waitFor();
        await assertAccessible(page);
        await fill(page, make.getByLabel("minAvailable"), "2");
        await item(page, "default/all").locator("summary").click();
        await assertAccessible(page);
        await item(page, "default/all").getByRole("button", { name: "pinned" }).click();
        await item(page, "system-cluster-critical").locator("summary").click();
        await assertAccessible(page);
        await panel(page).getByRole("button", { name: "Close" }).click();
        await panel(page).waitFor({ state: "detached" });
      });
    });
  }
}
