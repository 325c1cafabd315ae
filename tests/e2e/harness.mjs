// Opens the finished site in Chromium and looks at it as a reader would. See README.md.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before } from "node:test";

// The packages are those of web/package.json.
const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const axeSource = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** What `cargo xtask e2e` says: where the site is, the same site under a path, the fixtures, the browser. */
export const urls = {
  site: variable("BERTH_URL"),
  base: variable("BERTH_BASE_URL"),
  fixtures: variable("BERTH_FIXTURES_URL"),
};

/** Sizes at which a view should be looked at. */
export const viewports = {
  desktop: { width: 1440, height: 900 },
  laptop: { width: 1024, height: 700 },
  phone: { width: 390, height: 844 },
};

function variable(name) {
  const value = process.env[name];
  assert.ok(value, `${name} is not set: run the cases with \`cargo xtask e2e\``);
  return value;
}

let browser;

before(async () => {
  browser = await chromium.launch({
    executablePath: variable("BERTH_CHROMIUM"),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-dev-shm-usage",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
});

after(async () => {
  await browser?.close();
});

/**
 * Opens a page, hands it to `look`, and closes it.
 *
 * Fails when the page threw, wrote an error to the console, broke its Content-Security-Policy, or asked another
 * host for anything, whatever `look` thinks of it.
 *
 * @param {{url?: string, theme?: "light" | "dark", viewport?: {width: number, height: number},
 *   reducedMotion?: "reduce" | "no-preference", forcedColors?: "active" | "none", touch?: boolean, locale?: string,
 *   expectTrouble?: boolean, prepare?: (page: import("playwright-core").Page) => Promise<void>}} options
 *   `expectTrouble` hands the troubles to `look` instead of failing on them; `prepare` has the page before it is opened.
 * @param {(page: import("playwright-core").Page, troubles: string[]) => Promise<void>} look
 */
export async function withPage(options, look) {
  const context = await browser.newContext({
    colorScheme: options.theme ?? "light",
    viewport: options.viewport ?? viewports.desktop,
    reducedMotion: options.reducedMotion ?? "reduce",
    forcedColors: options.forcedColors ?? "none",
    hasTouch: options.touch ?? false,
    locale: options.locale ?? "en-GB",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const troubles = [];
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const url = options.url ?? urls.site;
    page.on("pageerror", error => troubles.push(`uncaught: ${error}`));
    page.on("console", message => {
      if (message.type() === "error") troubles.push(`console: ${message.text()}`);
    });
    page.on("request", request => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith("http") && host !== new URL(url).host) troubles.push(`request: ${request.url()}`);
    });
    page.on("requestfailed", request => {
      troubles.push(`failed: ${request.url()} ${request.failure()?.errorText}`);
    });
    // Violations reach the console too, but only some as errors.
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", event => {
        console.error(`CSP: ${event.effectiveDirective} refused ${event.blockedURI} ${event.sample}`);
      });
    });
    await options.prepare?.(page);
    await page.goto(url, { waitUntil: "load" });
    await look(page, troubles);
    if (!options.expectTrouble) assert.deepEqual(troubles, []);
  } finally {
    await context.close();
  }
}

/** Waits until the app has been drawn: before that nobody hears keys, though the loading message is gone already. */
export async function started(page) {
  await page.locator(".app > .top").waitFor({ state: "attached" });
}

/** Opens the site and waits until the app stands. */
export async function withApp(options, look) {
  await withPage(options, async (page, troubles) => {
    await started(page);
    await look(page, troubles);
  });
}

/**
 * What axe-core finds, WCAG 2.2 AA and best practice, each finding as one readable string.
 * Open shadow roots are looked into.
 */
export async function accessibilityFindings(page, within) {
  // Evaluated by the debugger: the page's own policy would refuse a script element.
  await page.evaluate(axeSource);
  const { violations, passes } = await page.evaluate(
    selector =>
      window.axe.run(selector ?? document, {
        runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      }),
    within,
  );
  // A page where axe saw nothing at all would pass too.
  assert.ok(passes.length > 0, "axe-core looked at nothing");
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(node => `${id}: ${help}: ${node.target.join(" ")}: ${node.html}`),
  );
}

/** Fails when axe-core finds anything. */
export async function assertAccessible(page, within) {
  assert.deepEqual(await accessibilityFindings(page, within), []);
}

/** Drags with the mouse, in steps as a hand does; `whileHeld` runs before the button is released. */
export async function drag(page, from, to, whileHeld) {
  const middle = async locator => {
    await locator.scrollIntoViewIfNeeded();
    const box = await locator.boundingBox();
    assert.ok(box, `${locator} is not on the page`);
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...(await middle(from)));
  await page.mouse.down();
  await page.mouse.move(...(await middle(to)), { steps: 12 });
  await whileHeld?.();
  await page.mouse.up();
}
