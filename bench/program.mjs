// How a benchmark ends: whatever it has started goes with it, also after Ctrl-C.

/** What the benchmark needs is not there; the message says what and how to get it. */
export class MissingTool extends Error {}

/** @param {() => Promise<void>} main */
export function runBenchmark(main) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  main().catch((error) => {
    process.stderr.write(`${error instanceof MissingTool ? error.message : error.stack}\n`);
    process.exit(1);
  });
}
