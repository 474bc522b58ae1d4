// Runs a program in TypeScript:  node scripts/typescript.mjs FILE.ts [WORDS]
import { pathToFileURL } from 'node:url';
import { compiledFile, compileSources } from './sources.mjs';

await compileSources();
const [node, , file, ...words] = process.argv;
const program = compiledFile(file);
process.argv = [node, program, ...words];
await import(pathToFileURL(program).href);
