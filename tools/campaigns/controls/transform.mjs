import swc from '@swc/jest';

const { createTransformer } = swc;
const compiler = createTransformer();

/** The fault to put into a source: `{ file, find, replace }`. */
const fault = JSON.parse(process.env.CONTROL_FAULT ?? '{}');

function withFault(source, path) {
  return path.endsWith(`/${fault.file}`) ? source.replace(fault.find, () => fault.replace) : source;
}

export default {
  process: (source, path, options) => compiler.process(withFault(source, path), path, options),
  getCacheKey: (source, path, options) => compiler.getCacheKey(withFault(source, path), path, options),
};
