import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function assertNodeVersion(root) {
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '');
  const found = process.versions.node;
  if (found.localeCompare(wanted, 'en', { numeric: true }) < 0) {
    throw new Error(`Waybill needs Node.js ${wanted} or newer. This is ${found}.`);
  }
}
