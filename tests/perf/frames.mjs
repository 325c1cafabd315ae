// What a frame costs the page's main thread: `cargo xtask frames [--runs N] [SIZE…]`.
//
// Opens the finished site in Chromium, gives it clusters of several sizes, drags, edits, scrolls and explains with real
// input events while Chromium records a trace, and prints what the main thread did for each frame, by kind of work. A
// frame is everything between two commits to the compositor; only frames in which the page took input count.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Trace } from "./trace.mjs";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const SIZES = {
  small: { nodes: 50, pods: 200 },
  medium: { nodes: 1_000, pods: 10_000 },
  large: { nodes: 5_000, pods: 50_000 },
};
const WAITING = 4;
/** How often each edit is made in a run. */
const EDITS = 12;

const zone = index => `zone-${"abc"[index % 3]}`;
const requests = cpu => [{ name: "main", image: "pause", resources: { requests: { cpu, memory: "256Mi" } } }];

/** A cluster in three zones: pods of twenty apps, and some that wait: even ones fit, odd ones would have to preempt. */
function cluster({ nodes, pods }) {
  const items = [];
  for (let index = 0; index < nodes; index += 1) {
    const name = `node-${String(index).padStart(5, "0")}`;
    const labels = {
      "kubernetes.io/hostname": name,
      "topology.kubernetes.io/zone": zone(index),
      rack: `${zone(index)}-${Math.floor(index / 3) % 8}`,
    };
    const allocatable = { cpu: "8", memory: "32Gi", pods: "110" };
    items.push({ apiVersion: "v1", kind: "Node", metadata: { name, labels }, status: { allocatable } });
  }
  const spread = (topologyKey, maxSkew, app) => ({
    topologyKey, maxSkew, whenUnsatisfiable: "DoNotSchedule", labelSelector: { matchLabels: { app } },
  });
  for (let index = 0; index < pods; index += 1) {
    const waits = pods - WAITING - index;
    const app = `app-${index % 20}`;
    const spec = waits > 0
      ? { nodeName: `node-${String((index * 7) % nodes).padStart(5, "0")}`, containers: requests("500m") }
      : {
        priority: 100,
        containers: requests(waits % 2 === 0 ? "500m" : "7500m"),
        topologySpreadConstraints: [spread("topology.kubernetes.io/zone", 3, app), spread("kubernetes.io/hostname", 5, app)],
      };
    const name = waits > 0 ? `pod-${index}` : `wait-${-waits}`;
    items.push({ apiVersion: "v1", kind: "Pod", metadata: { name, labels: { app } }, spec });
  }
  return JSON.stringify({ apiVersion: "v1", kind: "List", items });
}

/** Until what was asked is done: the page answers again, and has had time for the frame. */
async function settle(page) {
  await page.waitForTimeout(150);
  await page.evaluate(() => 0);
}

const pending = number => `[data-tray] [data-lift=pod][data-name="default/wait-${number}"]`;

async function middle(page, selector, index = 0) {
  const box = await page.locator(selector).nth(index).boundingBox();
  if (!box) throw new Error(`${selector} is not on the page`);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** Points on up to `most` drop targets that can be seen: nodes, or the cells that stand for them. */
const targets = (page, most) => page.evaluate(wanted => {
  const board = document.querySelector(".canvas").getBoundingClientRect();
  const nodes = [...document.querySelectorAll("[data-drop=node]")]
    .map(element => element.getBoundingClientRect())
    .filter(box => box.bottom < board.bottom - 40)
    .map(box => [box.left + box.width / 2, box.top + 8]);
  const cells = [...document.querySelectorAll("[data-drop=cells]")]
    .map(element => element.getBoundingClientRect())
    .flatMap(box => [10, 58, 106, 154].map(x => [box.left + x, box.top + 10]));
  const seen = [...nodes, ...cells].filter(([x, y]) => y > board.top + 90 && x < board.right);
  const step = Math.max(1, Math.floor(seen.length / wanted));
  return seen.filter((_, index) => index % step === 0).slice(0, wanted);
}, most);

/** Takes a pod over the whole board in small steps, and back to where it came from. */
async function dragAcross(page) {
  const start = await middle(page, pending(0));
  const board = await page.locator(".canvas").boundingBox();
  await page.mouse.move(...start);
  await page.mouse.down();
  await page.mouse.move(start[0] + 8, start[1] + 8, { steps: 2 });
  const rows = 5;
  for (let row = 0; row < rows; row += 1) {
    const y = board.y + 100 + (board.height - 200) * row / (rows - 1);
    const [from, to] = row % 2 === 0 ? [50, board.width - 50] : [board.width - 50, 50];
    await page.mouse.move(board.x + from, y, { steps: 3 });
    await page.mouse.move(board.x + to, y, { steps: 60 });
  }
  await page.keyboard.press("Escape");
  await page.mouse.up();
}

/** Drops a pod on nodes, and takes each back. */
async function drop(page) {
  const places = await targets(page, EDITS);
  const undo = await middle(page, 'button[aria-label="Undo"]');
  for (let count = 0; count < EDITS; count += 1) {
    const target = places[count % places.length];
    const start = await middle(page, pending(0));
    await page.mouse.move(...start);
    await page.mouse.down();
    await page.mouse.move(...target, { steps: 6 });
    await settle(page);
    await page.mouse.up();
    await settle(page);
    await page.mouse.click(...undo);
    await settle(page);
  }
}

/** Steps maxSkew of the selected pod up and down. */
async function edit(page) {
  const more = await middle(page, '.side button[aria-label="More maxSkew"], .side .step button:last-child');
  const fewer = await middle(page, ".side .step button:first-child");
  for (let count = 0; count < EDITS; count += 1) {
    await page.mouse.click(...(count % 2 === 0 ? more : fewer));
    await settle(page);
  }
}

async function select(page, number) {
  await page.mouse.click(...(await middle(page, pending(number))));
  await settle(page);
}

/** Selects one pod and another. */
async function explain(page) {
  for (let count = 0; count < 4; count += 1) await select(page, count);
}

async function scroll(page) {
  const board = await page.locator(".canvas").boundingBox();
  await page.mouse.move(board.x + board.width / 3, board.y + board.height / 2);
  for (let count = 0; count < 40; count += 1) await page.mouse.wheel(0, 240);
  for (let count = 0; count < 40; count += 1) await page.mouse.wheel(0, -240);
}

async function load(page, file) {
  await page.getByRole("button", { name: "Import" }).click();
  await page.locator("input[type=file]").setInputFiles(file);
  await page.locator(pending(0)).waitFor({ timeout: 300_000 });
  await settle(page);
}

/** What is measured: a name, what to do, and the event that the frames of interest took; any without one. */
const MEASURED = [
  ["load", load],
  ["drag", async page => { await select(page, 0); await dragAcross(page); }, "pointermove"],
  ["drop", drop, "pointerup"],
  ["edit", async page => { await select(page, 0); await edit(page); }, "click"],
  ["edit, preempting", async page => { await select(page, 1); await edit(page); }, "click"],
  ["explain", explain, "click"],
  ["scroll", scroll],
];

async function run(browser, url, file, record) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector(".app > .top") !== null);
  for (const [name, action, event] of MEASURED) {
    await browser.startTracing(page, { categories: Trace.categories });
    await action(page, file);
    await settle(page);
    record(name, new Trace(await browser.stopTracing()).summary(event));
  }
  await page.close();
}

const number = value => value.toFixed(1).padStart(8);

async function main([url, runs, ...names]) {
  const folder = mkdtempSync(join(tmpdir(), "berth-"));
  const browser = await chromium.launch({
    executablePath: process.env.BERTH_CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
  });
  try {
    for (const name of names.length > 0 ? names : Object.keys(SIZES)) {
      const size = SIZES[name];
      if (!size) throw new Error(`no size is called ${name}; there are ${Object.keys(SIZES).join(", ")}`);
      console.log(`\n${size.nodes} nodes, ${size.pods} pods; milliseconds of the main thread a frame`);
      console.log(`${"".padEnd(20)}frames  ${["median", "p95", "script", "style", "layout", "paint", "other", "longest task"].map(head => head.padStart(8)).join("")}`);
      // From the disk: a buffer would be decoded in the page, which is not the page's work.
      const file = join(folder, `${name}.json`);
      writeFileSync(file, cluster(size));
      for (let count = 0; count < Number(runs); count += 1) {
        await run(browser, url, file, (what, sum) => {
          const parts = [sum.median, sum.p95, sum.script, sum.style, sum.layout, sum.paint, sum.other, sum.longest];
          console.log(`${what.padEnd(20)}${String(sum.frames).padStart(6)}  ${parts.map(number).join("")}`);
        });
      }
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

await main(process.argv.slice(2));
