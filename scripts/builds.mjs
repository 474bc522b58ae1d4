/** The folders that are built: from what, and by which program, which is given the folder to write to. */
export const BUILDS = {
  dist: {
    sources: [
      ...['src', 'tools', 'migrations', 'packages/embedded-postgres/src'],
      ...['scripts/compile.mjs', 'scripts/bundle.mjs', '.swcrc'],
    ],
    program: ['scripts/compile.mjs', '--outDir'],
  },
  'console/dist': {
    sources: ['console/src', 'console/index.html', 'console/vite.config.mjs', 'public/theme.css', 'client/src'],
    program: ['node_modules/vite/bin/vite.js', 'build', 'console', '--logLevel', 'error', '--outDir'],
  },
  'client/dist': {
    sources: ['client/src', 'client/build.mjs', 'client/tsconfig.json'],
    program: ['client/build.mjs', '--outDir'],
    isForTools: true,
  },
  'packages/embedded-postgres/dist': {
    sources: ['packages/embedded-postgres/src', 'packages/embedded-postgres/tsconfig.json', 'tsconfig.json'],
    program: ['node_modules/typescript-native/bin/tsc', '-p', 'packages/embedded-postgres', '--noCheck', '--outDir'],
    isForTools: true,
  },
};
