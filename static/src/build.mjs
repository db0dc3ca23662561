// Bundles what the pages load into ../dist: app.js and app.css on every page, editor.js when somebody edits a script,
// embed.js for other sites (when there is one). File names are stable; manifest.json holds a hash of each file's content,
// which the pages append to the address (?v=hash) so that browsers may keep it for good.

import { build, context } from "esbuild";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "..", "dist");
const modules = join(here, "node_modules");
const watching = process.argv.includes("--watch");

const common = {
  absWorkingDir: here,
  bundle: true,
  outdir: dist,
  nodePaths: [modules], // ../js/*.js import packages by name too
  target: ["es2022"],
  minify: !watching,
  sourcemap: watching ? "inline" : false,
  legalComments: "none", // LICENSES.txt has them, whole
  loader: { ".woff2": "file" },
  assetNames: "[name]",
  metafile: true,
  logLevel: "warning",
};

const pages = {
  ...common,
  entryPoints: ["app.js", "editor.js"],
  format: "esm",
  splitting: true, // import("./editor.js") from a page's module stays a file of its own
  chunkNames: "chunk-[hash]",
};

// A script on somebody else's page, and that of a page without a server: one file each, nothing global.
const standalone = {
  ...common,
  entryPoints: ["../js/embed.js", "offline.js"].filter((path) => existsSync(join(here, path))),
  entryNames: "[name]",
  format: "iife",
};

// The figure in a notebook: a module of its own, which travels inside of the notebook (app/widget.py).
const widget = { ...standalone, entryPoints: ["../js/widget.js"], format: "esm" };

// Files that are served as they come: what the API's documentation page needs.
const copied = {
  "swagger-ui-dist": { "swagger-ui-bundle.js": "swagger-ui.js", "swagger-ui.css": "swagger-ui.css" },
};

async function copyFiles() {
  for (const [name, files] of Object.entries(copied)) {
    for (const [from, to] of Object.entries(files)) await cp(join(modules, name, from), join(dist, to));
  }
}

/** The packages of which at least one file went into the bundles. */
function packagesIn(metafiles) {
  const names = new Set(Object.keys(copied));
  for (const input of metafiles.flatMap((metafile) => Object.keys(metafile.inputs))) {
    const found = input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
    if (found) names.add(found[1]);
  }
  return [...names].sort();
}

async function writeLicences(names) {
  const parts = ["The files beside this one contain the following packages.\n"];
  for (const name of names) {
    const folder = join(modules, name);
    const facts = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const texts = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)).sort();
    if (!texts.length) throw new Error(`${name} comes without a licence text`);
    parts.push(`${"=".repeat(80)}\n${name} ${facts.version} (${facts.license})\n${"=".repeat(80)}\n`);
    for (const file of texts) parts.push(await readFile(join(folder, file), "utf8"));
  }
  await writeFile(join(dist, "LICENSES.txt"), parts.join("\n"));
}

async function writeManifest() {
  const manifest = {};
  for (const file of (await readdir(dist)).sort()) {
    if (file === "manifest.json" || file.startsWith(".")) continue;
    manifest[file] = createHash("sha256").update(await readFile(join(dist, file))).digest("hex").slice(0, 12);
  }
  await writeFile(join(dist, "manifest.json"), JSON.stringify(manifest, null, 2) + "\n");
}

/** Writes what goes beside the bundles, after each build of them. */
const afterwards = {
  name: "afterwards",
  setup(builder) {
    builder.onEnd(async (result) => {
      if (result.errors.length) return;
      await copyFiles();
      await writeManifest();
      if (watching) console.log(`built ${relative(process.cwd(), dist)}`);
    });
  },
};

await mkdir(dist, { recursive: true });
if (watching) {
  for (const options of [widget, standalone, pages]) {
    if (options.entryPoints.length) await (await context({ ...options, plugins: [afterwards] })).watch();
  }
} else {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const jobs = [pages, standalone, widget].filter((options) => options.entryPoints.length);
  const results = await Promise.all(jobs.map((options) => build(options)));
  await copyFiles();
  await writeLicences(packagesIn(results.map((result) => result.metafile)));
  await writeManifest();
}
