// Lessons: the gallery, every lesson opened, one taken by keys alone, predicted first, played, made and read back.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { assertFocused, chip, row, says, tray } from "./cluster.mjs";
import { assertAccessible, viewports, withApp } from "./harness.mjs";

const NOT_HELPED = "no new claims to deallocate, preemption:";

/** What `kubectl describe` would print of the pod; `tests/tests/lessons.rs` holds the same to the scheduler's answers. */
const EVENTS = {
  L6: `0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints. ${NOT_HELPED} 0/3 nodes are available: 3 No preemption victims found for incoming pod.`,
  L25: `0/1 nodes are available: 1 Insufficient cpu. ${NOT_HELPED} not eligible due to preemptionPolicy=Never.`,
  L29: "0/2 nodes are available: 2 Insufficient cpu.",
  L30: `0/2 nodes are available: 2 Insufficient cpu. ${NOT_HELPED} 0/2 nodes are available: 1 Preemption is not helpful for scheduling, 1 node(s) didn't match pod affinity rules.`,
  L31: `0/2 nodes are available: 1 node(s) didn't match pod anti-affinity rules, 1 node(s) had untolerated taint(s). ${NOT_HELPED} 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.`,
  L32: "0/4 nodes are available: 4 Insufficient cpu.",
  L33: "0/1 nodes are available: 1 Insufficient cpu.",
  L34: "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu.",
  L35: "0/5 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 2 Insufficient cpu.",
  // The scheduler itself goes on to DynamicResources, which the oracle leaves out here (docs/exactness.md).
  L36: "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate",
  S10: "0/2 nodes are available: 2 Insufficient cpu.",
  S14: `0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) didn't match pod anti-affinity rules. ${NOT_HELPED} 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.`,
  "S14-spread": `0/3 nodes are available: 1 node(s) didn't match pod topology spread constraints, 2 node(s) didn't match Pod's node affinity/selector. ${NOT_HELPED} 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.`,
};

const folder = new URL("../../web/lessons/", import.meta.url);
const lessons = readdirSync(folder).filter(name => name.endsWith(".yaml")).map(name => {
  const text = readFileSync(new URL(name, folder), "utf8");
  const line = key => text.match(new RegExp(`^${key}: (.*)$`, "m"))?.[1];
  return { id: line("id"), title: line("title"), predicts: line("predict") !== undefined, timed: /^time:/m.test(text) };
});

const gallery = page => page.getByRole("dialog", { name: "Lessons" });
const strip = page => page.locator("section.lesson");
const inspector = page => page.getByRole("complementary", { name: "Selected pod" });
const guess = page => page.getByRole("complementary", { name: "Predict first" });

/** Opens the gallery and the lesson of this id. */
async function open(page, id) {
  await page.getByRole("banner").getByRole("button", { name: "Lessons" }).click();
  const { title } = lessons.find(lesson => lesson.id === id);
  await gallery(page).getByRole("button", { name: `${id} ${title}` }).first().click();
  await gallery(page).waitFor({ state: "detached" });
  await strip(page).getByRole("heading", { name: title }).waitFor();
  return title;
}

test("every lesson opens, hides what is to be foretold, and tells it", async () => {
  assert.ok(lessons.length > 40);
  await withApp({}, async page => {
    for (const { id, title, predicts } of lessons.filter(lesson => !lesson.timed)) {
      await open(page, id);
      await says(page.getByRole("banner"), title);
      await assertFocused(page, "#lesson-title");
      if (predicts) {
        await guess(page).waitFor();
        assert.equal(await page.locator(".canvas .say").count(), 0, `${id} tells before it is asked`);
        await guess(page).getByRole("button", { name: "Show the answer" }).click();
      }
      await inspector(page).waitFor();
      await page.locator(".canvas .say").first().waitFor();
      assert.equal(await strip(page).locator(".goals.met").count(), 0, `${id} is solved at once`);
      const event = EVENTS[id];
      if (event) assert.equal(await page.locator(".verdict .event").textContent(), event, id);
    }
  });
});

test("every lesson in time opens with its clock at 0", async () => {
  const timed = lessons.filter(lesson => lesson.timed);
  assert.ok(timed.length > 30);
  await withApp({}, async page => {
    for (const { id, title } of timed) {
      await open(page, id);
      await says(page.getByRole("banner"), title);
      await says(page.locator(".clock"), "t = 0.000 s");
      await assertFocused(page, "#time-play");
    }
  });
});

test("a teacher takes a lesson by keys alone, from the gallery to the goal", async () => {
  await withApp({}, async page => {
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    /** Tabs until the focus is on what the selector names. */
    const tabTo = async selector => {
      for (let count = 0; count < 80; count += 1) {
        await press("Tab");
        if (await page.evaluate(wanted => document.activeElement?.matches(wanted), selector)) return;
      }
      assert.fail(`Tab does not reach ${selector}`);
    };
    await tabTo('.top button[aria-label="Lessons"]');
    await press("Enter");
    await gallery(page).waitFor();
    await assertFocused(page, '.gallery input[type="search"]');
    await page.keyboard.type("maxSkew 2 opens");
    await says(gallery(page).getByRole("status"), "1 lesson");
    await tabTo(".open-lesson");
    await press("Enter");
    await strip(page).waitFor();
    await assertFocused(page, "#lesson-title");
    // The text, then a hint.
    await tabTo('.told button[aria-label="Next"]');
    await press("Enter");
    await says(strip(page), "Today the spread refuses both of zoneA's nodes.");
    await tabTo(".lesson .work-row button");
    await press("Enter");
    await says(strip(page), "zoneA's sum is 2.");
    // maxSkew in the inspector, then the pod is carried to node1.
    await tabTo('[aria-label="Increase maxSkew"]');
    await press("Enter");
    await says(page.locator(".verdict"), "4 of 4 nodes fit");
    await page.locator('[data-tray] [tabindex="0"]').focus();
    await press("Space");
    for (let count = 0; count < 8; count += 1) {
      if (await page.locator('[role=row][data-name="node1"].over').count()) break;
      await press(count === 3 ? "ArrowLeft" : "ArrowUp");
    }
    await press("Enter");
    await strip(page).locator(".goals.met").waitFor();
    await says(strip(page), "maxSkew is the limit of the sum");
    await assertAccessible(page);
    // The next lesson is one key away, and this one is marked as done.
    await tabTo(".lesson .work-row .solid");
    await press("Enter");
    await strip(page).getByRole("heading", { name: "The same constraint over nodes" }).waitFor();
    await page.getByRole("banner").getByRole("button", { name: "Lessons" }).click();
    const done = gallery(page).getByRole("button", { name: "L2 What maxSkew 2 opens" }).first();
    await done.getByText("done").waitFor({ state: "attached" });
    await gallery(page).getByRole("button", { name: "Forget my progress" }).click();
    await done.getByText("done").waitFor({ state: "detached" });
  });
});

test("what was foretold is held against the scheduler, node by node", async () => {
  await withApp({}, async page => {
    await open(page, "L1");
    await guess(page).getByLabel("node3").check();
    await guess(page).getByLabel("node1").check();
    await assertAccessible(page);
    await guess(page).getByRole("button", { name: "Check" }).click();
    await says(guess(page).getByRole("status"), "2 wrong");
    const row = name => guess(page).getByRole("listitem").filter({ hasText: name });
    await says(row("node1"), "marked, wrong");
    await says(row("node1"), "2 > maxSkew 1");
    await says(row("node2"), "left out, right");
    await says(row("node3"), "marked, right");
    await says(row("node4"), "left out, wrong");
    await assertAccessible(page);
    await guess(page).getByRole("button", { name: "Continue" }).click();
    await inspector(page).waitFor();
    // Again, and right.
    await strip(page).getByRole("button", { name: "Start over" }).click();
    await guess(page).getByLabel("node3").check();
    await guess(page).getByLabel("node4").check();
    await guess(page).getByRole("button", { name: "Check" }).click();
    await says(guess(page).getByRole("status"), "All right");
  });
});

test("one of several best nodes is enough, and victims are pods", async () => {
  await withApp({}, async page => {
    await open(page, "L16");
    await guess(page).getByRole("radio", { name: "node3" }).check();
    await guess(page).getByRole("radio", { name: "node1" }).check();
    await guess(page).getByRole("button", { name: "Check" }).click();
    await says(guess(page).getByRole("status"), "All right");
    await open(page, "L29");
    await guess(page).getByLabel("batch").check();
    await guess(page).getByRole("button", { name: "Check" }).click();
    await says(guess(page).getByRole("status"), "All right");
    await says(guess(page).getByRole("listitem").filter({ hasText: "batch" }), "has to go");
  });
});

test("the solution is played step by step, undone and played again", async () => {
  await withApp({}, async page => {
    await open(page, "L12");
    await guess(page).getByRole("button", { name: "Show the answer" }).click();
    await strip(page).getByRole("button", { name: "Show the solution" }).click();
    await strip(page).getByRole("button", { name: "Step 1 of 2" }).click();
    await page.locator('[role=row][data-name="node5"]').waitFor();
    await strip(page).getByRole("button", { name: "Step 2 of 2" }).click();
    await strip(page).locator(".goals.met").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await strip(page).getByRole("button", { name: "Step 2 of 2" }).click();
    await strip(page).locator(".goals.met").waitFor();
    await assertAccessible(page);
    await strip(page).getByRole("button", { name: "Close" }).click();
    await strip(page).waitFor({ state: "detached" });
    await page.locator('[role=row][data-name="node5"]').waitFor();
  });
});

test("the queue's log stands below the lesson", async () => {
  await withApp({}, async page => {
    await open(page, "S18-spread");
    await guess(page).getByRole("button", { name: "Show the answer" }).click();
    await page.getByRole("button", { name: "Schedule all" }).click();
    await page.getByRole("region", { name: "What the scheduler did" }).waitFor();
    await strip(page).locator(".goals.met").waitFor();
  });
});

test("a lesson is made of a state and opens again", async () => {
  await withApp({}, async page => {
    await open(page, "L2");
    await page.getByRole("button", { name: "Increase maxSkew" }).click();
    await says(page.locator(".verdict"), "4 of 4 nodes fit");
    await page.getByRole("banner").getByRole("button", { name: "Lessons" }).click();
    const saving = page.waitForEvent("download");
    await gallery(page).getByRole("button", { name: "Make a lesson of this state" }).click();
    const text = readFileSync(await (await saving).path(), "utf8");
    assert.match(text, /^apiVersion: berth\/v1\nkind: Lesson\n/);
    assert.match(text, /- edit pod default\/mypod spec\.topologySpreadConstraints\[0\]\.maxSkew 2\n/);
    await gallery(page).getByRole("button", { name: "Close" }).click();
    await page.getByRole("banner").getByRole("button", { name: "Import" }).click();
    const read = async lesson => {
      await page.getByRole("dialog").getByRole("textbox").fill(lesson);
      await page.getByRole("button", { name: "Show the board" }).click();
    };
    await read(text.replace("no pod pending", "no pod is pending"));
    await says(gallery(page).getByRole("alert"), '"pending", found "is"');
    await gallery(page).getByRole("button", { name: "Close" }).click();
    await page.getByRole("banner").getByRole("button", { name: "Import" }).click();
    await read(text);
    await says(strip(page), "What there is to see.");
    await chip(tray(page), "mypod").waitFor();
  });
});

const grace = readFileSync(new URL("../../crates/berth_cli/tests/lesson/grace.yaml", import.meta.url), "utf8")
  .replace(/goal:\n[^]*hints/, "goal:\n- at 35s pod high scheduled on node n1\n- event Deleted of low\nhints");

test("a lesson in time, by keys alone: what is given comes, what is asked for meets the goal, the solution has a branch of its own", async () => {
  await withApp({ viewport: viewports.laptop }, async page => {
    await page.getByRole("banner").getByRole("button", { name: "Import" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill(grace);
    await page.getByRole("button", { name: "Show the board" }).press("Enter");
    const time = page.getByRole("region", { name: "Time", exact: true });
    const goal = line => strip(page).getByRole("listitem").filter({ hasText: line });
    await strip(page).getByRole("heading", { name: "The grace period" }).waitFor();
    // Looked up ahead of the moment that is shown: what is given comes, and is too late.
    await says(goal("event Deleted of low"), "met");
    await says(goal("pod high scheduled"), "Pending");
    await says(time.locator(".clock"), "t = 0.000 s");
    await assertAccessible(page);

    await time.getByRole("combobox", { name: "Action" }).focus();
    await page.keyboard.type("Delete");
    await time.getByRole("combobox", { name: "Object" }).focus();
    await page.keyboard.type("default/low");
    await time.getByRole("button", { name: "Do it" }).focus();
    await page.keyboard.press("Enter");
    await says(goal("pod high scheduled"), "met");
    await strip(page).getByRole("heading", { name: "Why", exact: true }).waitFor();
    await assertAccessible(page);

    await strip(page).getByRole("button", { name: "Show the solution" }).focus();
    await page.keyboard.press("Enter");
    await says(strip(page), "edit pod default/low spec.terminationGracePeriodSeconds 5");
    await time.getByRole("button", { name: "Branches" }).press("Enter");
    await says(time, "Given: this happens whatever you do.");
    await time.getByRole("slider").focus();
    await page.keyboard.press("End");
    await says(time.locator(".clock"), "t = 60.000 s");
    await chip(row(page, "n1"), "high").waitFor();
    await assertAccessible(page);
    await time.getByRole("button", { name: "Show branch 1" }).press("Enter");
    await says(goal("pod high scheduled"), "met");

    // Time ends, the lesson stays; and begins anew with what is given.
    await page.locator("#lesson-title").focus();
    await page.keyboard.press("s");
    await time.waitFor({ state: "detached" });
    await strip(page).getByRole("heading", { name: "The grace period" }).waitFor();
    await page.keyboard.press("s");
    await says(goal("pod high scheduled"), "Pending");
  });
});

for (const theme of ["light", "dark"]) {
  test(`the gallery and a lesson, ${theme}, large and small`, async () => {
    for (const viewport of [viewports.desktop, viewports.laptop, viewports.phone]) {
      const touch = viewport === viewports.phone;
      await withApp({ theme, viewport, touch }, async page => {
        const shot = async name => {
          const to = process.env.BERTH_PICTURES;
          if (to) await page.screenshot({ path: `${to}/lessons-${name}-${theme}-${viewport.width}.png` });
        };
        await page.getByRole("banner").getByRole("button", { name: "Lessons" }).click();
        await gallery(page).waitFor();
        await shot("gallery");
        await assertAccessible(page);
        await gallery(page).getByRole("button", { name: "Close" }).click();
        await open(page, "S2");
        await guess(page).waitFor();
        await shot("asked");
        await assertAccessible(page);
        await guess(page).getByLabel("worker-1").check();
        await guess(page).getByRole("button", { name: "Check" }).click();
        await shot("answered");
        await assertAccessible(page);
        await guess(page).getByRole("button", { name: "Continue" }).click();
        await strip(page).getByRole("button", { name: "Hint 1 of 2" }).click();
        await shot("hint");
        await assertAccessible(page);
      });
    }
  });
}
