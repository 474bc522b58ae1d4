import { defineConfig } from 'vite';

// What is served is always the small build, also when tests or development build it.
process.env.NODE_ENV = 'production';

// The service puts the way to the files into the page: it may be mounted under any path.
export default defineConfig({
  base: './',
  esbuild: { jsx: 'automatic' },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    // The policy of the page forbids inline scripts, and the browsers that need it know no `light-dark()` either.
    modulePreload: { polyfill: false },
    emptyOutDir: true,
  },
});
