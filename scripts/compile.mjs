// Bundles the service and its tools, without checking types, which `npm run check` does. Loading 1,800 modules takes Node three
// times as long as loading the few files they are bundled into.
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { transformFile } from '@swc/core';
import { build } from 'esbuild';

/** Modules that benchmarks, demos and the test setup import; all others are only part of the programs. */
const LIBRARIES = [
  'src/config/command-line.ts',
  'src/config/config.ts',
  'src/open-database.ts',
  'tools/seed/seed-database.ts',
  'tools/seed/vocabulary.ts',
];

/** What packages load if it is there, and we do not use. Another package may bring it, and a build must not depend on that. */
const UNUSED = [
  '@nestjs/microservices',
  '@nestjs/microservices/*',
  '@nestjs/websockets/*',
  'pg-native',
  'supports-color',
];

const USAGE = `Bundles the service and its tools.

  npm run build -- [--outDir FOLDER]

  --outDir FOLDER  output folder (dist)`;

function readOptions() {
  try {
    return parseArgs({
      options: { outDir: { type: 'string', default: 'dist' }, help: { type: 'boolean', short: 'h' } },
    }).values;
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${USAGE}\n`);
    process.exit(1);
  }
}

const values = readOptions();
if (values.help) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}

/** SWC, because esbuild does not emit the types of parameters that NestJS injects by. */
const typescript = {
  name: 'typescript',
  setup(bundler) {
    bundler.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const { code } = await transformFile(path, { module: { type: 'es6' }, sourceMaps: false });
      return { contents: code, loader: 'js' };
    });
  },
};

const tools = readdirSync('tools')
  .map((name) => join('tools', name, 'main.ts'))
  .filter((file) => existsSync(file));

const { metafile } = await build({
  entryPoints: ['src/main.ts', ...tools, ...LIBRARIES],
  outdir: values.outDir,
  outbase: '.',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Workspaces name their sources under this condition.
  conditions: ['waybill-source'],
  external: UNUSED,
  plugins: [typescript],
  // Chunks do not keep the order of imports that are made only for their effect, and decorators need this one first.
  inject: ['reflect-metadata'],
  // Two classes of one name would otherwise be told apart in logs as Result and Result2.
  keepNames: true,
  // Packages that are CommonJS load Node's modules with it.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
  },
  metafile: true,
  logLevel: 'warning',
}).catch(() => process.exit(1));

// The files of Swagger UI that the service sends to browsers, so that a build needs no packages beside it.
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
  cpSync(join(swagger, name), join(values.outDir, 'swagger-ui', name));
}

// What an earlier build left: the name of a chunk changes with its content.
const written = new Set(Object.keys(metafile.outputs).map((file) => resolve(file)));
for (const entry of readdirSync(values.outDir, { recursive: true, withFileTypes: true })) {
  const file = resolve(entry.parentPath, entry.name);
  if (entry.isFile() && /\.js$/.test(file) && !/swagger-ui/.test(file) && !written.has(file)) rmSync(file);
}
