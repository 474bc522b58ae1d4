// Builds the package twice from the same sources, without checking types: ES modules into dist, CommonJS into dist/cjs.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const client = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({ options: { outDir: { type: 'string', default: join(client, 'dist') } } });
const typescript = dirname(createRequire(import.meta.url).resolve('typescript-native/package.json'));

function compile(outDir, ...options) {
  const { status } = spawnSync(
    process.execPath,
    [join(typescript, 'bin/tsc'), '-p', client, '--noCheck', '--outDir', outDir, ...options],
    {
      stdio: 'inherit',
    },
  );
  if (status !== 0) process.exit(status ?? 1);
}

const commonJs = join(values.outDir, 'cjs');
compile(values.outDir);
compile(commonJs, '--module', 'commonjs', '--moduleResolution', 'bundler');
// Without this, Node and TypeScript would treat the files as ES modules.
writeFileSync(join(commonJs, 'package.json'), '{ "type": "commonjs" }\n');
