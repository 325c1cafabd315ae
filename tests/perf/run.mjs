// Opens the page of this folder in Chromium and prints what it measured. Started by `cargo xtask bench`.
import { createRequire } from "node:module";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const browser = await chromium.launch({
  executablePath: process.env.BERTH_CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});
try {
  const page = await browser.newPage();
  await page.goto(process.argv[2]);
  const result = page.locator("#result:not(:empty)");
  await result.waitFor({ timeout: 600_000 });
  console.log(await result.textContent());
} finally {
  await browser.close();
}
