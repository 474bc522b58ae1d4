import { createTransformer } from '@swc/jest';
import { sharedModule } from './shared-modules.mjs';

const swc = createTransformer();

/**
 * Jest loads modules anew for each spec file, in a context in which they run slower, too. Specs get the service and the packages of this
 * configuration from Node.js, which loads them once for all files of a worker, as ES modules, as in production.
 */
export default {
  process(source, file, options) {
    const shared = sharedModule(file);
    if (shared === undefined) return swc.process(source, file, options);
    return { code: `module.exports = loadShared(${JSON.stringify(shared)});` };
  },
  getCacheKey(source, file, options) {
    const key = swc.getCacheKey(source, file, options);
    return sharedModule(file) === undefined ? key : `${key}-shared`;
  },
};
