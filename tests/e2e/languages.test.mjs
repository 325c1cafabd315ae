// Other languages: fetched when the reader's browser asks for one, remembered when it was chosen.
import assert from "node:assert/strict";
import { test } from "node:test";

import { withApp } from "./harness.mjs";

const STORIES = {
  "zh-CN": "web-6 放不到任何节点",
  id: "web-6 tidak muat di node mana pun",
  uk: "web-6 не підходить жодному вузлу",
};

for (const [language, story] of Object.entries(STORIES)) {
  test(`${language} is spoken where the browser prefers it, and nothing is cut off`, async () => {
    for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
      await withApp({ locale: language, viewport }, async page => {
        await page.locator(".story", { hasText: story }).waitFor();
        assert.equal(await page.locator("html").getAttribute("lang"), language);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `the page is ${wide} px too wide`);
      });
    }
  });
}
