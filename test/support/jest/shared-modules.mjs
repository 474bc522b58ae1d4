import { resolve } from 'node:path';
import { compiledFile } from '../../../scripts/sources.mjs';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Jest would load these anew for each spec file: the service, whose modules and packages are 1,800, and a compiler of schemas. */
const SHARED = /^(src|migrations|tools\/(?!campaigns))\/.*\.ts$|^test\/support\/records\/conformance\.ts$/;

/** Its package accepts no objects of another context. */
const PROVIDER = 'test/support/http/openid-provider.mjs';

/** The module that Node.js loads in place of a file. */
export function sharedModule(file) {
  const name = file.slice(ROOT.length + 1);
  if (file.includes('/node_modules/') || name === PROVIDER) return file;
  return SHARED.test(name) ? compiledFile(name) : undefined;
}
