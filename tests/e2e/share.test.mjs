// Links that come in, files and pictures that go out, what the browser keeps.
import assert from "node:assert/strict";
import { test } from "node:test";

import { chip, documents, paste, row, says, tray } from "./cluster.mjs";
import { assertAccessible, started, urls, viewports, withApp } from "./harness.mjs";
import { shared, sharing } from "./share.mjs";

/** Opens a page at a link, without waiting for a cluster. */
const atLink = (fragment, look, options = {}) => withApp({ ...options, url: `${urls.site}#${fragment}` }, look);

const KEPT = "berth";

/** Waits until the browser keeps something else than it did. */
const kept = (page, before = null) =>
  page.waitForFunction(([key, old]) => localStorage.getItem(key) !== old, [KEPT, before]);

test("a link that was cut says by how much, and shows nothing else", async () => {
  let link;
  await withApp({}, async page => {
    await paste(page, documents);
    link = await shared(page);
  });
  const fragment = new URL(link).hash.slice(1);
  await atLink(fragment.slice(0, -40), async page => {
    const card = page.getByRole("alert");
    await card.getByText("This link cannot be opened").waitFor();
    await card.getByText(/It was cut on its way: \d+ of \d+ characters/).waitFor();
    // The opening example is nowhere.
    assert.equal(await page.locator("[data-lift=pod]").count(), 0);
    await assertAccessible(page);
    await card.getByRole("button", { name: "Show the example" }).click();
    await page.locator("[data-lift=pod]").first().waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
  });
  await atLink(fragment.replace(/.$/, last => (last === "A" ? "B" : "A")), async page => {
    await page.getByRole("alert").getByText("It was changed on its way").waitFor();
  });
  await atLink("s=9.1.00000000.A", async page => {
    await page.getByRole("alert").getByText("a version that this Berth does not know").waitFor();
  });
});

for (const [theme, size] of [["light", "phone"], ["dark", "laptop"]]) {
  test(`the card and the dialog are accessible: ${theme}, ${size}`, async () => {
    await atLink(
      "s=1.",
      async page => {
        await page.getByRole("alert").waitFor();
        await assertAccessible(page);
        await page.getByRole("button", { name: "Show the example" }).click();
        for (const what of ["Link", "Text, as kubectl describe", "Picture (SVG)"]) {
          const dialog = await sharing(page, what);
          await dialog.getByRole("button", { name: "Copy", exact: true }).waitFor();
          await assertAccessible(page);
          await page.keyboard.press("Escape");
          await dialog.waitFor({ state: "detached" });
        }
      },
      { theme, viewport: viewports[size] },
    );
  });
}

test("another link in the address bar, back and forward", async () => {
  const links = [];
  for (const name of ["mypod", "other"]) {
    await withApp({}, async page => {
      await paste(page, documents.replaceAll("mypod", name));
      links.push(new URL(await shared(page)).hash);
    });
  }
  await withApp({}, async page => {
    const go = hash => page.evaluate(to => { location.hash = to; }, hash);
    await go(links[0]);
    await chip(tray(page), "mypod").waitFor();
    await go(links[1]);
    await chip(tray(page), "other").waitFor();
    await page.goBack();
    await chip(tray(page), "mypod").waitFor();
    await page.goForward();
    await chip(tray(page), "other").waitFor();
    // A bad link takes nothing away.
    await go("#s=1.2.3");
    await page.getByRole("alert").getByText("cannot be opened").waitFor();
    await page.getByRole("button", { name: "Back to what was open" }).click();
    await chip(tray(page), "other").waitFor();
  });
});

test("by keyboard alone: share, choose, copy, leave", async () => {
  await withApp({}, async page => {
    await page.getByRole("button", { name: "Share", exact: true }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await dialog.getByLabel("What to share").focus();
    await page.keyboard.type("YAML");
    await dialog.getByText("Whole objects as they came in").waitFor();
    await dialog.getByRole("button", { name: "Copy", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("kind: Node"));
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });
});

const SECRET = "hunter2";
const SECRETS = documents.replace(
  "- {name: pause, image: registry.k8s.io/pause:3.1}",
  `- {name: pause, image: registry.k8s.io/pause:3.1, command: [${SECRET}], args: [${SECRET}], env: [{name: A, value: ${SECRET}}], nonsense: ${SECRET}}`,
).replace("name: p1\n", `name: p1\n  annotations: {a: ${SECRET}}\n  managedFields: [{manager: ${SECRET}}]\n`);

test("secrets stay: not in links, pictures, text or what is kept, but in files", async () => {
  await withApp({}, async page => {
    await paste(page, SECRETS);
    // Unknown fields are noted.
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await kept(page);
    const dialog = await sharing(page, "Link");
    const text = () => dialog.locator("textarea").inputValue();
    const inflated = async link => {
      const payload = link.split(".").at(-1).replaceAll("-", "+").replaceAll("_", "/");
      const bytes = Buffer.from(payload, "base64");
      return (await import("node:zlib")).inflateRawSync(bytes).toString();
    };
    const held = await inflated(await text());
    assert.ok(held.includes("mypod") && !held.includes(SECRET), held);
    const stored = await page.evaluate(key => localStorage.getItem(key), KEPT);
    const storedText = await inflated(stored);
    assert.ok(storedText.includes("mypod") && !storedText.includes(SECRET));
    for (const what of ["Text, as kubectl describe", "Picture (SVG)"]) {
      await dialog.getByLabel("What to share").selectOption(what);
      await page.waitForFunction(
        before => document.querySelector("dialog textarea").value !== before,
        await text().then(() => ""),
      );
      assert.ok(!(await text()).includes(SECRET), what);
    }
    for (const what of ["YAML for kubectl apply", "JSON list", "kube-scheduler-simulator snapshot"]) {
      await dialog.getByLabel("What to share").selectOption(what);
      await page.waitForFunction(secret => document.querySelector("dialog textarea").value.includes(secret), SECRET);
    }
    assert.match(await text(), /kube-scheduler-simulator\.sigs\.k8s\.io\/filter-result/);
  });
});

test("text, picture and file say what is on the board", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    await chip(tray(page), "mypod").click();
    const dialog = await sharing(page, "Text, as kubectl describe");
    await dialog.getByText("as plain text for an issue").waitFor();
    const text = await dialog.getByRole("textbox").inputValue();
    assert.match(text, /^Name: +mypod\n/);
    assert.match(text, /zone:DoNotSchedule when max skew 1 is exceeded for selector foo=bar/);
    await dialog.getByLabel("What to share").selectOption("Picture (SVG)");
    const picture = dialog.getByRole("img", { name: "Picture of the board" });
    await picture.waitFor();
    assert.ok((await picture.evaluate(image => image.decode().then(() => image.naturalWidth))) > 400);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Save file" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "board.svg");
  });
});

test("the browser keeps what was done and offers it, until it is forgotten", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    await page.waitForFunction(key => localStorage.getItem(key)?.length > 0, KEPT);
    const pasted = await page.evaluate(key => localStorage.getItem(key), KEPT);
    await page.getByRole("button", { name: "Increase maxSkew" }).click();
    await says(row(page, "node1"), "Fits");
    await page.waitForFunction(([key, old]) => localStorage.getItem(key) !== old, [KEPT, pasted]);
    const before = await page.evaluate(key => localStorage.getItem(key), KEPT);
    await page.reload();
    const strip = page.getByRole("region", { name: "What this browser stores" });
    await strip.getByText(/Continue where you left: .*4 nodes, \d step/).waitFor();
    await assertAccessible(page);
    // It is offered, not forced.
    assert.equal(await chip(tray(page), "mypod").count(), 0);
    await strip.getByRole("button", { name: "Continue" }).click();
    await chip(tray(page), "mypod").waitFor();
    await says(row(page, "node1"), "Fits");
    assert.equal(await strip.count(), 0);
    assert.ok(before);

    const dialog = await sharing(page, "Link");
    await dialog.getByRole("button", { name: "Forget everything stored" }).click();
    await dialog.getByText("Nothing is stored in this browser").waitFor();
    assert.equal(await page.evaluate(() => localStorage.length), 0);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.reload();
    await started(page);
    assert.equal(await strip.count(), 0);
    assert.equal(await page.evaluate(() => localStorage.length), 0);
  });
});

test("a start without a link or a past asks for nothing more", async () => {
  await withApp({}, async page => {
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
    const asked = await page.evaluate(() => performance.getEntriesByType("resource").map(entry => entry.name));
    assert.ok(asked.some(name => name.endsWith(".wasm")), "the browser lists what it asked for");
    assert.deepEqual(asked.filter(name => name.includes("/share-")), []);
  });
});
