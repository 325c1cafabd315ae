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

test("a Deployment gets its pods, a file opens like pasted text, and all of it comes out again", async () => {
  const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, annotations: {team.example/owner: us}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: nginx}
`;
  await withApp({}, async page => {
    await page.getByRole("button", { name: "Import" }).click();
    await page.locator("input[type=file]").setInputFiles([
      { name: "nodes.yaml", mimeType: "text/yaml", buffer: Buffer.from(documents) },
      { name: "web.yaml", mimeType: "text/yaml", buffer: Buffer.from(deployment) },
    ]);
    await page.getByText("Deployment shop/web: adopted 0, created 1").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    assert.equal(await page.locator("[data-tray] [data-lift=pod]").count(), 4);

    await page.getByRole("button", { name: "Schedule", exact: true }).click();
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("dialog").getByLabel("What to share").selectOption("YAML for kubectl apply");
    const text = await page.getByRole("dialog").getByRole("textbox").inputValue();
    assert.match(text, /team\.example\/owner: us/);
    assert.match(text, /kind: Deployment/);
    assert.match(text, /nodeName: node/);
  });
});
