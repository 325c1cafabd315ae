// axe-core finds nothing, in each view and theme.
import { test } from "node:test";

import { chip, documents, paste, row, says, tray } from "./cluster.mjs";
import { assertAccessible, drag, viewports, withApp } from "./harness.mjs";

/** Each view, and how to get there from the documents' cluster. */
const views = {
  "a pod selected": async page => chip(tray(page), "mypod").click(),
  "nothing selected": async page => page.getByRole("complementary").getByRole("button", { name: "Close" }).click(),
  "a filter cell open": async page => {
    await page.getByRole("button", { name: /^PodTopologySpread \d/ }).click();
    await says(page.getByRole("tabpanel"), "skew, limit is maxSkew 1");
  },
  "a score open": async page => {
    await page.getByRole("tab", { name: "Score" }).click();
    await says(page.getByRole("tabpanel"), "Weighted total");
    await page.getByRole("tabpanel").getByRole("button", { name: "NodeResourcesFit" }).click();
    await says(page.getByRole("tabpanel"), "× weight 1");
  },
  "a drop refused": async page => {
    await drag(page, chip(tray(page), "mypod"), row(page, "node1"));
    await page.getByRole("button", { name: "Place anyway" }).first().waitFor();
  },
  "waiting for a tap": async page => page.getByRole("button", { name: "Move to…" }).click(),
  "a node selected": async page => row(page, "node1").getByRole("rowheader").click(),
  "the import dialog with mistakes": async page => paste(page, "kind: Pod\nspec: {containers: {}}\n"),
};

for (const theme of ["light", "dark"]) {
  test(`every view, ${theme}`, async () => {
    for (const [name, go] of Object.entries(views)) {
      await withApp({ theme }, async page => {
        await paste(page, documents);
        await row(page, "node1").waitFor();
        await go(page);
        await assertAccessible(page).catch(error => {
          error.message = `${name}: ${error.message}`;
          throw error;
        });
      });
    }
  });

  test(`on a phone, ${theme}`, async () => {
    await withApp({ theme, viewport: viewports.phone, touch: true }, async page => {
      await assertAccessible(page);
      await page.getByRole("button", { name: "Resize the panel" }).tap();
      await assertAccessible(page);
    });
  });
}

test("the theme button goes round", async () => {
  await withApp({ theme: "light" }, async page => {
    for (const theme of ["dark", "light", null]) {
      await page.getByRole("button", { name: /^Theme/ }).click();
      await page.waitForFunction(
        wanted => document.documentElement.getAttribute("data-theme") === wanted,
        theme,
      );
    }
  });
});
