// A language that nobody speaks: every text of the English tables, longer and accented, between marks.
//
// The page has no such language. It is asked to speak Ukrainian, and while the modules that it fetches come, the Ukrainian
// tables in them are replaced by these texts, byte for byte as long: words are found by their place in a table, so its
// keys need not be there, and Ukrainian letters take two bytes.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";

const folder = new URL("../../web/locales/", import.meta.url);
const CARRIER = "uk";

const VOWELS = { a: "á", e: "é", i: "í", o: "ó", u: "ú", A: "Á", E: "É", I: "Í", O: "Ó", U: "Ú" };

/** A text of the tables, as the language says it: `{blank}`s stay, vowels are doubled, and of several forms one is left. */
function pseudo(text) {
  const [last] = text.includes("{n}") ? text.split("|").slice(-1) : [text];
  const pieces = last.split(/(\{[^}]*\})/);
  const said = pieces.map(piece =>
    piece.startsWith("{") ? piece : piece.replace(/[aeiou]/gi, vowel => VOWELS[vowel] + vowel.toLowerCase()),
  );
  return `«${said.join("")}»`;
}

/** Each Ukrainian table with what stands in its place, both as bytes. */
const tables = readdirSync(folder)
  .filter(name => name === `${CARRIER}.txt` || name.startsWith(`${CARRIER}-`))
  .map(name => {
    const own = readFileSync(new URL(name, folder));
    const english = readFileSync(new URL(name.replace(CARRIER, "en"), folder), "utf8").trimEnd();
    const lines = english.split("\n").map(line => `= ${pseudo(line.slice(line.indexOf(" = ") + 3))}`);
    const said = Buffer.alloc(own.length, "\n");
    const length = said.write(lines.map(line => ` ${line}\n`).join(""));
    assert.ok(length < own.length, `${name} has no room for what it is to say`);
    return { name, own, said };
  });

/** The names of the tables that the language has words for. */
export const tableNames = tables.map(({ name }) => name);

/** What the language says for a key of a table: "import" of the page's own, "gallery" of "-lessons". */
export function said(key, table = "") {
  const english = readFileSync(new URL(`en${table}.txt`, folder), "utf8");
  const line = english.split("\n").find(line => line.startsWith(`${key} = `));
  return pseudo(line.slice(key.length + 3));
}

/** The modules that may hold the tables: the language's own; where the page is not in parts, the page. */
const MODULES = "**/{ukrainian,berth}-*.wasm";

/** Has the page speak the language, from before it is opened; returns which tables have been replaced so far. */
export async function speakPseudo(page) {
  const replaced = new Set();
  await page.route(MODULES, async route => {
    const response = await route.fetch();
    const body = await response.body();
    for (const { name, own, said } of tables) {
      const place = body.indexOf(own);
      if (place < 0) continue;
      said.copy(body, place);
      replaced.add(name);
    }
    await route.fulfill({ response, body });
  });
  return replaced;
}

/** Everything that the page says, in text or to a screen reader, without what the language said and without lines of code. */
export async function leftOver(page) {
  const texts = await page.evaluate(() => {
    const found = [];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const { parentElement, data } = nodes.currentNode;
      // What lessons are called comes from their files.
      if (!parentElement.closest("script, style, textarea, code, .entries")) found.push(data);
    }
    const names = ["aria-label", "aria-description", "aria-roledescription", "aria-valuetext", "alt", "placeholder", "title"];
    for (const name of names) {
      for (const element of document.querySelectorAll(`[${name}]`)) found.push(element.getAttribute(name));
    }
    return found;
  });
  const own = text => {
    // What fills a blank may be the language's own.
    for (let rest = text; ; text = rest) {
      rest = text.replace(/«[^«»]*»/g, " ");
      if (rest === text) return rest;
    }
  };
  return [...new Set(texts.map(own).map(text => text.replace(/\s+/g, " ").trim()))].filter(Boolean);
}

/** Kubernetes' messages, and sums that are no sentences. */
const MESSAGES = [
  /node\(s\) (didn't match pod topology spread constraints|were unschedulable|had untolerated taint\(s\))/g,
  /nodes are available|No preemption victims found for incoming pod|Preemption is not helpful for scheduling/g,
  /Insufficient (cpu|memory)/g,
];

/** Kubernetes' words that look like any other, what the cluster's objects are called, and what stands on keys. */
const WORDS = new Set(
  `Filter Score Preemption Honor Ignore Never Gi cpu mem memory pods name namespace spec status value selector description
  true false priority max shop spot dedicated app web Delete Enter Esc Home End Space English Bahasa Indonesia`.split(/\s+/),
);

/** The English words among the texts: what is no name by its looks, and none of Kubernetes' words. */
export function englishWords(texts) {
  const plain = texts.map(text => MESSAGES.reduce((rest, message) => rest.replace(message, " "), text));
  const words = plain.flatMap(text => text.split(/[\s,;()“”"]+/)).map(word => word.replace(/^[:.?!]+|[:.?!]+$/g, ""));
  const isName = word => /[0-9./=:_+-]|.[A-Z]/.test(word) || WORDS.has(word);
  return [...new Set(words.filter(word => /[A-Za-z]{2,}/.test(word) && !isName(word)))];
}

/** What cannot be read to its end, and by how many pixels: hidden by what is around it, or beside the page. */
export function cutOff(page) {
  return page.evaluate(() => {
    const found = [];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const { data, parentElement } = nodes.currentNode;
      const range = document.createRange();
      range.selectNodeContents(nodes.currentNode);
      const text = range.getBoundingClientRect();
      const around = [];
      for (let element = parentElement; element; element = element.parentElement) around.push(element);
      const styles = around.map(element => getComputedStyle(element));
      // What the cluster is called gives way to everything else.
      const forReaders = styles.some(style => style.clipPath !== "none" || style.visibility === "hidden");
      if (!data.trim() || text.width === 0 || forReaders || parentElement.closest("h1")) continue;
      const hides = overflow => overflow === "hidden" || overflow === "clip";
      const scrolls = overflow => overflow === "auto" || overflow === "scroll";
      let [across, down, by] = [true, true, 0];
      for (const [index, { overflowX, overflowY }] of styles.entries()) {
        const area = around[index].getBoundingClientRect();
        // A name may be cut with an ellipsis; what the language says may not.
        if (/[«»]/.test(data)) {
          if (across && hides(overflowX)) by = Math.max(by, area.left - text.left, text.right - area.right);
          if (down && hides(overflowY)) by = Math.max(by, area.top - text.top, text.bottom - area.bottom);
        }
        across &&= !scrolls(overflowX);
        down &&= !scrolls(overflowY);
      }
      const ellipsis = styles.slice(0, 3).some(style => style.textOverflow === "ellipsis");
      if (across && !ellipsis) by = Math.max(by, -text.left, text.right - innerWidth);
      if (by > 1) found.push(`${data} by ${Math.round(by)} px`);
    }
    return found;
  });
}
