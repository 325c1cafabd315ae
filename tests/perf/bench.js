// Measures workload.json with the engine beside this page; with ?seek, how fast a simulated hour is sought through.
import init, { bench, seek } from "./berth.js";

const result = document.getElementById("result");
try {
  await init({ module_or_path: new URL("./berth_bg.wasm", import.meta.url) });
  result.textContent = new URLSearchParams(location.search).has("seek")
    ? seek()
    : bench(await (await fetch("./workload.json")).text());
} catch (error) {
  result.textContent = JSON.stringify({ error: String(error) });
}
