// Starts the app. A file of its own, because the page's Content-Security-Policy refuses inline scripts.
import init from "./{{glue}}";

try {
  await init({ module_or_path: new URL("./{{wasm}}", import.meta.url) });
} catch (error) {
  const message = document.getElementById("start-message");
  if (message) {
    message.setAttribute("role", "alert");
    message.textContent =
      `Berth could not start: ${error}. It needs a browser with WebAssembly, and a server whose ` +
      "Content-Security-Policy has 'wasm-unsafe-eval' in script-src.";
  }
  throw error;
}
