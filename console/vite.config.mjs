import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defaultClientConditions, defineConfig } from 'vite';

/** The page fetches the application along with the script that imports it, and not only once that runs. */
const preloadApplication = {
  name: 'preload-application',
  apply: 'build',
  transformIndexHtml(_html, { bundle, chunk }) {
    const files = chunk.dynamicImports.flatMap((name) => [name, ...bundle[name].imports]);
    const others = new Set(files.filter((name) => name !== chunk.fileName && !chunk.imports.includes(name)));
    return [...others].map((name) => {
      return { tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `./${name}` }, injectTo: 'head' };
    });
  },
};

/** Puts a compressed copy beside each file, for the service to send. */
const compressAssets = {
  name: 'compress-assets',
  apply: 'build',
  writeBundle({ dir }) {
    const assets = join(dir, 'assets');
    for (const name of readdirSync(assets).filter((each) => !each.endsWith('.gz'))) {
      writeFileSync(join(assets, `${name}.gz`), gzipSync(readFileSync(join(assets, name)), { level: 9 }));
    }
  },
};

// The service puts the way to the files into the page: it may be mounted under any path.
export default defineConfig(({ command }) => {
  // What is built is always the small form, also when tests build it.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    base: './',
    // The client is taken from its sources, without a build of it.
    resolve: { conditions: ['waybill-source', ...defaultClientConditions] },
    esbuild: { jsx: 'automatic' },
    plugins: [preloadApplication, compressAssets],
    build: {
      target: 'es2022',
      assetsInlineLimit: 0,
      // The policy of the page forbids inline scripts, and the browsers that need it know no `light-dark()` either.
      modulePreload: { polyfill: false },
      // A style sheet of a view that could not be fetched once is not fetched again.
      cssCodeSplit: false,
      emptyOutDir: true,
    },
  };
});
