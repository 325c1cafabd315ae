// Other languages: fetched when the reader's browser asks for one, remembered when it was chosen.
import assert from "node:assert/strict";
import { test } from "node:test";

import { command, says } from "./cluster.mjs";
import { assertAccessible, withApp } from "./harness.mjs";

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

/** What the lessons are called, and what one of them says: its gallery, its search, its title, its first and its second step. */
const LESSONS = {
  "zh-CN": {
    lessons: "课程",
    next: "下一步",
    search: "maxSkew 打开了",
    title: "maxSkew 2 打开了什么",
    steps: ["还是上一课的集群", "现在分布约束拒绝 zoneA 的两个节点"],
  },
  id: {
    lessons: "Pelajaran",
    next: "Berikutnya",
    search: "maxSkew dibuka",
    title: "Yang dibuka oleh maxSkew 2",
    steps: ["Klaster dari pelajaran sebelumnya", "Sekarang batasan sebaran menolak kedua node zoneA"],
  },
  uk: {
    lessons: "Уроки",
    next: "Далі",
    search: "відкриває maxSkew",
    title: "Що відкриває maxSkew 2",
    steps: ["Кластер попереднього уроку", "Зараз поширення відмовляє обом вузлам zoneA"],
  },
};

for (const [language, { lessons, next, search, title, steps }] of Object.entries(LESSONS)) {
  test(`lessons are told in ${language}, and in English once that is chosen`, async () => {
    await withApp({ locale: language }, async page => {
      await page.getByRole("banner").getByRole("button", { name: lessons }).click();
      const gallery = page.getByRole("dialog", { name: lessons });
      await gallery.getByRole("searchbox").fill(search);
      await gallery.getByRole("button", { name: `L2 ${title}` }).first().click();
      const strip = page.locator("section.lesson");
      await strip.getByRole("heading", { name: title }).waitFor();
      await says(page.getByRole("banner"), title);
      await says(strip, steps[0]);
      await strip.getByRole("button", { name: next }).click();
      await says(strip, steps[1]);
      await assertAccessible(page);
      // The step and the cluster stay, the words change.
      await command(page, "English");
      await strip.getByRole("heading", { name: "What maxSkew 2 opens" }).waitFor();
      await says(strip, "Today the spread refuses both of zoneA's nodes.");
      await says(page.getByRole("banner"), "What maxSkew 2 opens");
    });
  });
}

test("the lessons of a language are fetched when one is opened in it, and no others", async () => {
  await withApp({ locale: "uk" }, async page => {
    const fetched = () =>
      page.evaluate(() =>
        performance.getEntriesByType("resource").flatMap(({ name }) => name.match(/lessons_\w\w/) ?? []),
      );
    await page.locator(".story", { hasText: STORIES.uk }).waitFor();
    assert.deepEqual(await fetched(), []);
    await page.getByRole("banner").getByRole("button", { name: "Уроки" }).click();
    await page.getByRole("dialog").getByText("Лише порожніша зона").first().waitFor();
    assert.deepEqual(await fetched(), ["lessons_uk"]);
    // Another language while the gallery is not open: its lessons wait until it is.
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await command(page, "Bahasa");
    await page.locator(".story", { hasText: STORIES.id }).waitFor();
    assert.deepEqual(await fetched(), ["lessons_uk"]);
    await page.getByRole("banner").getByRole("button", { name: "Pelajaran" }).click();
    await page.getByRole("dialog").getByText("Hanya zona yang lebih kosong").first().waitFor();
    assert.deepEqual(await fetched(), ["lessons_uk", "lessons_id"]);
  });
});

test("lessons are told in English where their words cannot be had, and in the language once they can", async () => {
  await withApp({ locale: "uk", expectTrouble: true }, async page => {
    await page.locator(".story", { hasText: STORIES.uk }).waitFor();
    await page.route("**/lessons_uk-*.wasm", route => route.abort());
    await page.getByRole("banner").getByRole("button", { name: "Уроки" }).click();
    await page.getByRole("dialog").getByText("Only the emptier zone").first().waitFor();
    await says(page.locator("p[role=status].status"), "не вдалося завантажити");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.unroute("**/lessons_uk-*.wasm");
    await page.getByRole("banner").getByRole("button", { name: "Уроки" }).click();
    await page.getByRole("dialog").getByText("Лише порожніша зона").first().waitFor();
  });
});
