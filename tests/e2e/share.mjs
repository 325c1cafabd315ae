// What cases about sharing have in common.

/** The dialog, showing one of the things that can be shared. */
export async function sharing(page, what, { redacted = false } = {}) {
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What to share").selectOption(what);
  if (redacted) await dialog.getByLabel("Other names").check();
  return dialog;
}

/** A link to what the page shows. */
export async function shared(page, options) {
  const dialog = await sharing(page, "Link", options);
  if (options?.redacted) await dialog.getByText("0 steps").waitFor();
  const link = await dialog.getByRole("textbox").inputValue();
  await dialog.getByRole("button", { name: "Close" }).click();
  return link;
}

/** What the board and the verdict say. */
export async function board(page) {
  const text = locator => locator.innerText();
  const rows = await page.locator("[role=row]").allInnerTexts();
  const verdict = await text(page.getByRole("region", { name: "Verdict" }));
  const title = await text(page.locator("h1"));
  return { rows, verdict, title };
}
