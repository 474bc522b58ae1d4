import { createHash } from 'node:crypto';
import { createTransformer } from '@swc/jest';
import { relative } from 'node:path';
import { sourceOf } from '../../../scripts/sources.mjs';
import { sharedModule } from './shared-modules.mjs';

const swc = createTransformer();

/**
 * Jest loads modules anew for each spec file, in a context in which they run slower, too. Specs get the service and the packages of this
 * configuration from Node.js, which loads them once for all files of a worker, as ES modules, as in production.
 */
export default {
  process(source, file, options) {
    if (isSettingUp()) return { code: source };
    const shared = sharedModule(file);
    if (shared === undefined) return swc.process(changed(source, file), file, options);
    return { code: `module.exports = loadShared(${JSON.stringify(shared)});` };
  },
  getCacheKey(source, file, options) {
    const key = swc.getCacheKey(changed(source, file), file, options);
    if (isSettingUp()) return `${key}-as-it-is`;
    const shared = sharedModule(file);
    // Hashed: Jest makes it a part of a file's name. A changed copy is another module.
    return shared === undefined ? key : createHash('sha256').update(key).update(shared).digest('hex').slice(0, 32);
  },
};

/** The console and the client are not shared. */
function changed(source, file) {
  return process.env.TEST_SOURCES === undefined ? source : sourceOf(relative(process.cwd(), file));
}

/** Jest also transforms what is loaded while the servers of the run start. */
function isSettingUp() {
  return process.env.TEST_DATABASE_URL === undefined;
}
