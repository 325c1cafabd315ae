// Why a pod goes where it goes: the event word by word, the domains, the plugins, and the lights on the board.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { assertFocused, chip, documents, paste, row, says, tray } from "./cluster.mjs";
import { assertAccessible, viewports, withApp } from "./harness.mjs";

/** A node that every plugin has something against. */
const everything = readFileSync(
  new URL("../../crates/berth_ui/src/why/read/everything.yaml", import.meta.url),
  "utf8",
);

const panel = page => page.getByRole("region", { name: "Why", exact: true });

async function open(page) {
  await page.getByRole("button", { name: "Why", exact: true }).click();
  await panel(page).waitFor();
}

/** Names of what is lit on the board and in the tray. */
const lit = page =>
  page.evaluate(() =>
    [...document.querySelectorAll(".main [data-lit]")].map(element => element.dataset.name).sort(),
  );

async function assertLit(page, names) {
  await page.waitForFunction(
    wanted =>
      [...document.querySelectorAll(".main [data-lit]")].map(element => element.dataset.name).sort().join() === wanted,
    [...names].sort().join(),
  );
}

test("the domains are counted, and each pod that is not has its rule", async () => {
  await withApp({}, async page => {
    await open(page);
    await assertFocused(page, "#why-title");
    // It is in sight from its beginning, and nothing but the inspector has scrolled for that.
    const [top, body] = await Promise.all(
      [panel(page), page.locator(".side-body")].map(async found => (await found.boundingBox()).y),
    );
    assert.ok(Math.abs(top - body) < 2, `${top} ${body}`);
    assert.equal((await page.locator(".app").boundingBox()).y, 0);
    const chart = panel(page).locator(".chart li");
    assert.deepEqual(
      (await chart.allInnerTexts()).map(text => text.replace(/\s+/g, " ").trim()),
      ["zone-a 2 + 1 − 1 = 2 > 1", "zone-b 2 + 1 − 1 = 2 > 1", "zone-c , this node’s 1 + 1 − 1 = 1 ≤ 1"],
    );
    await says(panel(page), "minimum 1, in zone-c");
    await says(panel(page), "limit 1 + 1 = 2");
    await says(panel(page), "5 pods are counted");
    await panel(page).getByText(/pods are not counted/).click();
    await panel(page).getByText(/labelSelector does not match: \d+/).click();
    await panel(page).locator(".named .named .items li").first().waitFor();
    await assertAccessible(page);
    // Every pod of the cluster but the one in question, once.
    const listed = await panel(page).locator(".named").first().locator(".items li").count();
    const others = await panel(page).locator(".named .named .items li").count();
    const all = await page.locator('.main [data-lift="pod"]').count();
    assert.equal(listed + others, all - 1);
  });
});

test("a row lights its pods and nodes, a pod its row", async () => {
  await withApp({}, async page => {
    await open(page);
    const rows = panel(page).locator(".chart .term");
    await rows.first().hover();
    await assertLit(page, ["node-a1", "node-a2", "shop/web-1", "shop/web-2"]);
    await rows.first().click();
    await says(page.getByRole("status"), "Lit: 2 nodes and 2 pods.");
    await row(page, "node-b1").locator(".node-head").hover();
    assert.equal(await rows.nth(1).getAttribute("data-lit"), "");
    assert.equal(await rows.first().getAttribute("data-lit"), null);
    // What was pressed is lit again once nothing is pointed at.
    await page.locator(".status").hover();
    await assertLit(page, ["node-a1", "node-a2", "shop/web-1", "shop/web-2"]);
    await rows.first().click();
    await page.locator(".status").hover();
    await assertLit(page, []);
  });
});

test("the event is read word by word", async () => {
  await withApp({}, async page => {
    await open(page);
    const words = panel(page).locator(".words");
    assert.equal(await words.textContent(), await page.locator(".verdict .event").textContent());
    await words.getByRole("button", { name: /^1 Insufficient cpu/ }).click();
    await assertLit(page, ["node-c1"]);
    await says(panel(page), "NodeResourcesFit about node-c1");
    await words.getByRole("button", { name: /^4 node/ }).click();
    await assertLit(page, ["node-a1", "node-a2", "node-b1", "node-b2"]);
    await panel(page).getByRole("button", { name: "Look at node-a1" }).click();
    await says(panel(page), "node-a1 is refused by PodTopologySpread.");
    assert.equal(await panel(page).getByLabel("Node", { exact: true }).inputValue(), "node-a1");
  });
});

test("the panel follows the pod and the node, and shuts", async () => {
  await withApp({}, async page => {
    await open(page);
    await row(page, "node-c1").locator(".node-head").click();
    await says(panel(page), "node-c1 is refused by NodeResourcesFit.");
    await panel(page).locator("details[open] td").first().waitFor();
    await says(panel(page), "cpu is requested by");
    await page.locator('[data-lift=pod][data-name="shop/web-1"]').click();
    await says(panel(page), "It fits:");
    await panel(page).getByRole("button", { name: "Show the Score tab" }).click();
    await says(page.getByRole("tabpanel"), "Weighted total");
    await panel(page).getByRole("button", { name: "Close “Why”" }).click();
    assert.equal(await panel(page).count(), 0);
    await assertFocused(page, "#open-why");
  });
});

test("by keys alone", async () => {
  await withApp({}, async page => {
    await page.locator("#open-why").focus();
    await page.keyboard.press("Enter");
    await panel(page).waitFor();
    await assertFocused(page, "#why-title");
    const tabTo = async selector => {
      for (let stops = 0; stops < 40; stops += 1) {
        await page.keyboard.press("Tab");
        if (await page.evaluate(wanted => document.activeElement?.matches(wanted), selector)) return;
      }
      await assertFocused(page, selector);
    };
    await tabTo(".phrase");
    assert.equal((await lit(page)).length > 0, true);
    await tabTo(".chart .term");
    await assertLit(page, ["node-a1", "node-a2", "shop/web-1", "shop/web-2"]);
    await page.keyboard.press("Space");
    assert.equal(await panel(page).locator(".chart .term").first().getAttribute("aria-pressed"), "true");
    await tabTo(".named summary");
    await page.keyboard.press("Enter");
    await panel(page).locator(".items li").first().waitFor();
  });
});

for (const theme of ["light", "dark"]) {
  test(`every plugin of it is accessible, ${theme}`, async () => {
    await withApp({ theme }, async page => {
      await paste(page, everything);
      await chip(tray(page), "asks").click();
      await open(page);
      const shut = panel(page).locator(".plugin:not([open]) > summary");
      while (await shut.count()) await shut.first().click();
      await says(panel(page), "gpu=no:NoSchedule (other value)");
      await says(panel(page), "default/holder (*/TCP)");
      await says(panel(page), "keeps away from app=db");
      await assertAccessible(page);
    });
  });
}

test("by taps, on a phone", async () => {
  await withApp({ viewport: viewports.phone, touch: true }, async page => {
    const resize = page.getByRole("button", { name: "Resize the panel" });
    await resize.tap();
    await resize.tap();
    await page.getByRole("button", { name: "Why", exact: true }).tap();
    await panel(page).locator(".chart .term").first().tap();
    await assertLit(page, ["node-a1", "node-a2", "shop/web-1", "shop/web-2"]);
    const box = await panel(page).locator(".chart .term").first().boundingBox();
    assert.ok(box.height >= 44, `${box.height}`);
    await assertAccessible(page);
  });
});

test("the documents' cluster: who is where", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    await chip(tray(page), "mypod").waitFor();
    await open(page);
    await says(panel(page), "minDomains is not set");
    await says(panel(page).locator(".chart"), "zoneB");
    await says(panel(page), "It fits: node4");
  });
});
