// Nothing is cut off or sticks out, at each size.
import assert from "node:assert/strict";
import { test } from "node:test";

import { viewports, withApp } from "./harness.mjs";

const box = locator => locator.first().boundingBox();

/** Fails when the one begins before the other or ends after it, across ("x", "width") or down ("y", "height"). */
async function assertWithin(inner, outer, start, size) {
  const [a, b] = [await box(inner), await box(outer)];
  // Boxes may end between two pixels.
  const beyond = Math.max(b[start] - a[start], a[start] + a[size] - b[start] - b[size]);
  assert.ok(beyond < 0.6, `${inner} sticks out of ${outer} by ${beyond}`);
}

/** Shows all of the panel, where it is a sheet. */
async function unfold(page) {
  const resize = page.getByRole("button", { name: "Resize the panel" });
  if (!(await resize.isVisible())) return;
  await resize.click();
  await resize.click();
}

for (const [name, viewport] of Object.entries(viewports)) {
  test(`the longest plugin's name leaves room for its numbers, ${name}`, async () => {
    await withApp({ viewport }, async page => {
      await page.locator('button[data-name="shop/batch-1"]').click();
      await unfold(page);
      await page.getByRole("tab", { name: "Score" }).click();
      await page.getByRole("button", { name: "NodeResourcesBalancedAllocation" }).waitFor();
      await assertWithin(page.locator(".tbl"), page.locator(".panel .cap-line"), "x", "width");
    });
  });
}

test("on a phone", async () => {
  await withApp({ viewport: viewports.phone, touch: true }, async page => {
    // The outline of the selected pod is a shadow of 1.5 px around it.
    const [chip, lanes] = [await box(page.locator(".lanes .pod.sel")), await box(page.locator(".lanes"))];
    assert.ok(chip.y - 1.5 >= lanes.y && chip.y + chip.height + 1.5 <= lanes.y + lanes.height, "the outline is cut off");
    await assertWithin(page.locator(".top .btn").last(), page.locator(".top"), "x", "width");
    // 7 px of padding, then whole lines of 18 px.
    const event = await page.locator(".verdict .event").evaluate(event => event.clientHeight);
    assert.equal((event - 7) % 18, 0, `a line of the event is cut off: ${event}`);
    await unfold(page);
    await assertWithin(page.locator(".seg [aria-pressed=true]"), page.locator(".seg"), "y", "height");
    for (const target of [page.getByRole("tab"), page.locator(".step")]) assert.ok((await box(target)).height >= 44);
  });
});

test("a tab that is opened shows what it has, where there is little room", async () => {
  await withApp({ viewport: { width: 1280, height: 720 } }, async page => {
    for (const open of [page.getByRole("button", { name: "What would make it fit?" }), page.getByRole("tab", { name: "Preemption" })]) {
      await open.click();
      await page.getByRole("tabpanel").waitFor();
      // Without scrolling, the tabs would be the last that is to be seen.
      await page.waitForFunction(() => {
        const bottom = selector => document.querySelector(selector).getBoundingClientRect().bottom;
        return bottom(".side") - bottom("[role=tablist]") > 200;
      });
    }
  });
});

test("with forced colours what is pressed has an outline, and the hint an edge", async () => {
  await withApp({ forcedColors: "active" }, async page => {
    const outline = locator => locator.first().evaluate(element => getComputedStyle(element).outlineStyle);
    assert.equal(await outline(page.locator(".seg [aria-pressed=true]")), "solid");
    assert.equal(await outline(page.locator(".seg [aria-pressed=false]")), "none");
    await page.getByRole("button", { name: "Move to…" }).click();
    assert.equal(await outline(page.locator(".hint")), "solid");
  });
});
