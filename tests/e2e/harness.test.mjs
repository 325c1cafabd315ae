// The harness must be able to fail: a page broken on purpose, whose faults it has to find.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFindings, urls, withPage } from "./harness.mjs";

const broken = { url: `${urls.fixtures}broken.html` };

test("axe-core finds the seeded faults, in the page and in an open shadow root", async () => {
  await withPage({ ...broken, expectTrouble: true }, async page => {
    const found = (await accessibilityFindings(page)).map(finding => finding.split(":")[0]);
    for (const rule of ["button-name", "color-contrast", "image-alt", "label", "target-size"]) {
      assert.ok(found.includes(rule), `${rule} is not among ${found}`);
    }
  });
});

test("an inline style, an inline script and an error on the page fail a case", async () => {
  await withPage({ ...broken, expectTrouble: true }, async (page, troubles) => {
    assert.ok(troubles.some(trouble => trouble.includes("CSP: style-src")), `${troubles}`);
    assert.ok(troubles.some(trouble => trouble.includes("CSP: script-src")), `${troubles}`);
    assert.ok(troubles.some(trouble => trouble.startsWith("uncaught: ")), `${troubles}`);
  });
  await assert.rejects(withPage(broken, async () => {}), assert.AssertionError);
});
