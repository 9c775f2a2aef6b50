// Serves a built Docusaurus site under the content security policy that the plugin's README recommends.
// node serve.mjs FOLDER PORT API
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".txt": "text/plain; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".xml": "application/xml",
};

/** The policy for a page whose own inline scripts are known by their hashes. */
export function policyFor(html, api) {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, code]) => code);
  const hashes = inline.map((code) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  return [
    "default-src 'none'",
    ["script-src 'self'", ...new Set(hashes)].join(" "),
    // Highlighted code has style attributes, and Mermaid writes style elements into its diagrams.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${api}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** A listening server; port 0 takes a free one. */
export async function serve(folder, port, api) {
  const server = createServer(async (request, response) => {
    const found = await find(folder, decoded(new URL(request.url, "http://site").pathname));
    const headers = { "Content-Type": TYPES[extname(found.path)] ?? "application/octet-stream" };
    if (found.path.endsWith(".html")) headers["Content-Security-Policy"] = policyFor(String(found.content), api);
    response.writeHead(found.status, headers).end(found.content);
  });
  await new Promise((listening, failed) => server.once("error", failed).listen(port, "127.0.0.1", listening));
  return server;
}

function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function find(folder, address) {
  const path = join(folder, normalize(address));
  for (const file of [path, join(path, "index.html"), `${path}.html`]) {
    const content = await readFile(file).catch(() => null);
    if (content !== null) return { status: 200, path: file, content };
  }
  const missing = join(folder, "404.html");
  return { status: 404, path: missing, content: await readFile(missing).catch(() => "Not found") };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, port, api] = process.argv.slice(2);
  try {
    await serve(folder, Number(port), api);
    console.log(`Read the book at http://127.0.0.1:${port}/docs/`);
  } catch (error) {
    console.error(`cannot serve the site: ${error.code === "EADDRINUSE" ? `port ${port} is in use` : error.message}`);
    process.exit(1);
  }
}
