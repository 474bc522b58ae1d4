// A process of `npm run dev`: loads the packages, which takes most of the time of a start, and then waits for a message to run the service.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [program, ...packages] = process.argv.splice(2);

// The service reports a package that does not load.
for (const name of packages) await import(name).catch(() => undefined);
// Not earlier: reading the source maps of packages takes time, and nobody needs them.
process.setSourceMapsEnabled(true);
process.once('message', () => import(pathToFileURL(resolve(program)).href));
