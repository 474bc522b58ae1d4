// Bundles the service and its tools into a new folder, without checking types:  node scripts/compile.mjs FOLDER
// Loading 1,800 modules takes Node three times as long as loading the few files they are bundled into.
import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE } from './bundle.mjs';

const [outdir] = process.argv.slice(2);
await build({ ...BUNDLE, outdir }).catch(() => process.exit(1));

// The files of Swagger UI that the service sends to browsers, so that a build needs no packages beside it.
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
  cpSync(join(swagger, name), join(outdir, 'swagger-ui', name));
}
