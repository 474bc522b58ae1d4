import 'reflect-metadata';
import asyncHooks from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { TestEnvironment } from 'jest-environment-node';

const load = createRequire(import.meta.url);

// Node.js 20 optimizes functions early. A worker runs for two minutes, in which that costs more than it gains: 7 % of the CPU time of all
// specs. Later versions have no such flag.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=1000000');

/**
 * Jest creates one for each spec file and leaves it enabled. Node.js 20 would then look for the stores of all earlier files of a worker at
 * every new promise: after 28 files, that is a sixth of the CPU time. One that is still in use enables itself again. Later versions look for
 * none, and do not let it be replaced.
 */
const storages = new Set();
if (Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage').writable) {
  asyncHooks.AsyncLocalStorage = class extends asyncHooks.AsyncLocalStorage {
    constructor(...options) {
      super(...options);
      storages.add(this);
    }
  };
}

/** What mutation testing wants to know: the mutants that a spec file has executed. Their counters are in the sources that it instruments. */
const COVERED = process.env.TEST_COVERED;

/** Gives spec files the modules that `transformer.mjs` lets them share, and the globals that must be the same for those. */
export default class Environment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    Object.assign(this.global, { loadShared: (file) => load(file), Date, Reflect });
    this.spec = context.testPath;
  }

  async teardown() {
    await super.teardown();
    for (const storage of storages) storage.disable();
    storages.clear();
    if (COVERED !== undefined) this.appendCovered();
  }

  appendCovered() {
    const coverage = globalThis.__stryker__?.mutantCoverage;
    if (coverage === undefined) return;
    appendFileSync(COVERED, `${JSON.stringify({ spec: this.spec, mutants: Object.keys(coverage.static) })}\n`);
    coverage.static = {};
  }
}
