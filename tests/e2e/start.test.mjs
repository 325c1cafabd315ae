// The page starts, anywhere, without an error, and is accessible from its first second.
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, urls, viewports, withApp, withPage } from "./harness.mjs";

for (const theme of ["light", "dark"]) {
  for (const [size, viewport] of Object.entries(viewports)) {
    test(`starts and is accessible: ${theme}, ${size}`, async () => {
      await withApp({ theme, viewport }, async page => {
        assert.match(await page.title(), /Berth/);
        assert.equal(await page.locator("h1").count(), 1);
        await assertAccessible(page);
      });
    });
  }
}

test("starts under a path that is not the root", async () => {
  await withApp({ url: urls.base }, async page => {
    assert.equal(await page.locator("h1").count(), 1);
  });
});

test("says so when the module cannot be loaded", async () => {
  await withPage({ expectTrouble: true, url: "about:blank" }, async page => {
    await page.route("**/*.wasm", route => route.abort());
    await page.goto(urls.site);
    await page.getByRole("alert").filter({ hasText: "Berth could not start" }).waitFor();
  });
});

test("goes on without the part that reads manifests, and fetches it once it can be had", async () => {
  await withApp({ expectTrouble: true }, async page => {
    await page.route("**/files-*.wasm", route => route.abort());
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByRole("status").filter({ hasText: "could not be loaded" }).waitFor();
    await page.getByRole("button", { name: "Increase maxSkew" }).click();
    // Fields are a part too, which is fetched.
    await page.locator(".say.fit").nth(3).waitFor();
    assert.equal(await page.locator(".say.fit").count(), 4);
    await page.unroute("**/files-*.wasm");
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByRole("dialog").waitFor();
  });
});
