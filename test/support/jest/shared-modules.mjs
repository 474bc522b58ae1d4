import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/** A fault to put into a source, `{ file, find, replace }`: controls see whether specs notice it. */
export const FAULT = process.env.TEST_FAULT === undefined ? undefined : JSON.parse(process.env.TEST_FAULT);

/** Where the modules that specs share are compiled to. */
export const COMPILED = join(ROOT, 'node_modules/.cache', FAULT === undefined ? 'waybill-specs' : 'waybill-faulty');

/** Jest would load these anew for each spec file: the service, whose modules and packages are 1,800, and a compiler of schemas. */
export const isShared = (name) =>
  /^(src|migrations|tools\/(?!campaigns))\/.*\.ts$|^test\/support\/records\/conformance\.ts$/.test(name);

/** What Node.js loads in place of a file. */
export function sharedModule(file) {
  const name = file.slice(ROOT.length + 1);
  if (file.includes('/node_modules/')) return file;
  return isShared(name) ? join(COMPILED, name.replace(/\.ts$/, '.js')) : undefined;
}
