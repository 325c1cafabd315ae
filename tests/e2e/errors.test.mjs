// Mistakes in pasted text: all of them, each with its place, and nothing is changed.
import assert from "node:assert/strict";
import { test } from "node:test";

import { documents, paste, row } from "./cluster.mjs";
import { withApp } from "./harness.mjs";

const MISTAKES = `apiVersion: v1
kind: Pod
metadata:
  name: wrong
spec:
  containers:
  - name: main
    image: nginx
    resources:
      requests: {cpu: many}
  topologySpreadConstraints:
  - maxSkew: one
    topologyKey: zone
    whenUnsatisfiable: DoNotSchedule
`;

test("every mistake is listed with its place, and leads there", async () => {
  await withApp({}, async page => {
    await paste(page, documents);
    await row(page, "node1").waitFor();
    await paste(page, MISTAKES);
    const dialog = page.getByRole("dialog");
    const problems = dialog.getByRole("listitem").getByRole("button");
    await problems.first().waitFor();
    assert.ok((await problems.count()) >= 2);
    await dialog.getByText("nothing was changed").waitFor();
    await problems.filter({ hasText: "maxSkew" }).click();
    const caret = await page.evaluate(() => {
      const area = document.activeElement;
      return area.value.slice(area.selectionStart, area.selectionEnd);
    });
    assert.equal(caret, "one");
    await page.keyboard.press("Escape");
    // The cluster from before is still there.
    await row(page, "node1").waitFor();
  });
});

test("a misspelt field is a note with a suggestion", async () => {
  await withApp({}, async page => {
    await paste(page, documents.replace("maxSkew", "maxskew: 1\n    maxSkew"));
    await page.getByRole("dialog").getByText("Did you mean maxSkew?").waitFor();
  });
});
