// Fields of a pod: what is refused is said where it was typed, what was edited can be taken back there.
import assert from "node:assert/strict";
import { test } from "node:test";

import { chip, documents, paste, says, tray } from "./cluster.mjs";
import { assertAccessible, viewports, withApp } from "./harness.mjs";

const classes = `---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
preemptionPolicy: Never
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: low}
value: -5
`;

/** What is said about a control. */
async function said(page, control) {
  assert.equal(await control.getAttribute("aria-invalid"), "true");
  const id = await control.getAttribute("aria-describedby");
  return page.locator(`[id="${id}"]`).innerText();
}

for (const theme of ["light", "dark"]) {
  test(`what is refused is said at its field, ${theme}`, async () => {
    await withApp({ theme }, async page => {
      await paste(page, documents);
      await chip(tray(page), "mypod").click();
      for (const [label, typed, message] of [
        ["maxSkew", "0", "spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero"],
        ["maxSkew", "many", "json: cannot unmarshal string into Go value of type int32"],
        ["minDomains", "-1", "spec.topologySpreadConstraints[0].minDomains: Invalid value: -1: must be greater than zero"],
        ["labelSelector", "foo=a b", "spec.topologySpreadConstraints[0].labelSelector.matchLabels: Invalid value: \"a b\""],
        ["matchLabelKeys", "foo", "exists in both matchLabelKeys and labelSelector"],
        ["cpu", "1 core", "quantities must match the regular expression"],
        ["New label", "-=x", "metadata.labels: Invalid value: \"-\""],
      ]) {
        const field = page.getByLabel(label, { exact: true });
        await field.fill(typed);
        await field.press("Enter");
        await page.locator(".wrong").filter({ hasText: message }).waitFor();
        assert.ok((await said(page, field)).includes(message), label);
        assert.equal(await field.inputValue(), typed, "what was typed stays");
        await says(page.getByRole("status"), message);
        await assertAccessible(page);
      }
      // What is taken clears what was wrong.
      await page.getByRole("button", { name: "Increase maxSkew" }).click();
      await says(page.getByRole("complementary"), "edited, was 1");
      assert.equal(await page.locator(".wrong").count(), 0);
      assert.equal(await page.locator("[aria-invalid]").count(), 0);
    });
  });
}

test("every edited field leads back", async () => {
  await withApp({ viewport: viewports.laptop }, async page => {
    await paste(page, documents);
    await chip(tray(page), "mypod").click();
    const fill = async (label, text) => {
      await page.getByLabel(label, { exact: true }).fill(text);
      await page.keyboard.press("Enter");
    };
    const was = text => page.getByRole("button", { name: `edited, was ${text}`, exact: true });
    await fill("minDomains", "2");
    await fill("matchLabelKeys", "pod-template-hash");
    await fill("cpu", "5");
    await fill("New label", "foo=baz");
    await fill("New label", "extra=1");
    await page.getByRole("group", { name: "nodeTaintsPolicy" }).getByRole("button", { name: "Honor" }).click();
    await was("foo=bar").click();
    await was("!extra").click();
    await was("Ignore").click();
    // minDomains, matchLabelKeys and the request were not set.
    assert.equal(await was("–").count(), 3);
    for (let left = 3; left > 0; left -= 1) await was("–").first().click();
    assert.equal(await page.locator(".was").count(), 0);
    assert.equal(await page.getByLabel("cpu", { exact: true }).inputValue(), "");
  });
});

test("a class brings its value and policy, and admission refuses others", async () => {
  await withApp({}, async page => {
    await paste(page, documents + classes);
    await chip(tray(page), "mypod").click();
    const number = page.getByLabel("priority", { exact: true });
    const never = page.getByRole("button", { name: "Never" });
    await page.getByLabel("priorityClassName").selectOption("high");
    await says(chip(tray(page), "mypod"), "1000");
    assert.equal(await number.inputValue(), "1000");
    assert.equal(await never.getAttribute("aria-pressed"), "true");

    await number.fill("7");
    await number.press("Enter");
    const computed = "the integer value of priority (7) must not be provided in pod spec";
    await page.locator(".wrong").filter({ hasText: computed }).waitFor();
    assert.ok((await said(page, number)).startsWith('pods "mypod" is forbidden'));
    // The way round it.
    await page.getByRole("button", { name: "Set without the class" }).click();
    await says(chip(tray(page), "mypod"), "7");
    assert.equal(await page.getByLabel("priorityClassName").inputValue(), "");

    await page.getByLabel("priorityClassName").selectOption("low");
    await says(chip(tray(page), "mypod"), "-5");
    assert.equal(await never.getAttribute("aria-pressed"), "false");
    await never.click();
    await says(page.getByRole("complementary"), "the string value of PreemptionPolicy (Never)");
    // The system's own classes are there as well.
    await page.getByLabel("priorityClassName").selectOption("system-cluster-critical");
    await says(chip(tray(page), "mypod"), "2000000000");
  });
});
