// Measures workload.json with the engine beside this page.
import init, { bench } from "./berth.js";

const result = document.getElementById("result");
try {
  await init({ module_or_path: new URL("./berth_bg.wasm", import.meta.url) });
  result.textContent = bench(await (await fetch("./workload.json")).text());
} catch (error) {
  result.textContent = JSON.stringify({ error: String(error) });
}
