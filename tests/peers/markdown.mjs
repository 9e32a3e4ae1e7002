// Reads names of files, one a line, and prints for each an object: the links of the page and its definitions, and its ids. Markdown is
// read by micromark and mdast-util-from-markdown, HTML by parse5, and headings get their ids from github-slugger.

import fs from "node:fs";
import readline from "node:readline";
import { micromark } from "micromark";
import { frontmatter, frontmatterHtml } from "micromark-extension-frontmatter";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { parse } from "parse5";
import Slugger from "github-slugger";

const HTML = { allowDangerousHtml: true, allowDangerousProtocol: true, extensions: [gfm(), frontmatter()], htmlExtensions: [gfmHtml(), frontmatterHtml()] };
const TREE = { extensions: [gfm(), frontmatter()], mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown()] };
const ATTRIBUTES = { a: ["href"], area: ["href"], img: ["src"], source: ["src"], video: ["src", "poster"], audio: ["src"], iframe: ["src"] };

const textOf = (node) => (node.nodeName === "#text" ? node.value : (node.childNodes ?? []).map(textOf).join(""));

function read(name) {
  const source = fs.readFileSync(name, "utf8");
  const isMarkdown = /\.(md|markdown)$/i.test(name);
  const links = [], ids = [], slugs = new Slugger();
  const visit = (node) => {
    const get = (attribute) => node.attrs?.find(({ name }) => name === attribute)?.value;
    // The links that footnotes are rendered with are none of the page.
    const isFootnote = get("data-footnote-ref") !== undefined || get("data-footnote-backref") !== undefined;
    for (const attribute of ATTRIBUTES[node.tagName] ?? []) {
      const reference = get(attribute);
      if (reference !== undefined && !isFootnote) links.push([node.tagName, reference]);
    }
    ids.push(...["id", node.tagName === "a" ? "name" : "id"].map(get).filter((id) => id));
    if (isMarkdown && /^h[1-6]$/.test(node.tagName)) ids.push(slugs.slug(textOf(node)));
    for (const child of node.content?.childNodes ?? node.childNodes ?? []) visit(child);
  };
  visit(parse(isMarkdown ? micromark(source, HTML) : source));
  const definitions = [];
  const find = (node) => {
    if (node.type === "definition") definitions.push([node.identifier, node.url]);
    (node.children ?? []).forEach(find);
  };
  if (isMarkdown) find(fromMarkdown(source, TREE));
  return { links, definitions, ids };
}

for await (const name of readline.createInterface({ input: process.stdin })) console.log(JSON.stringify(read(name)));
