import 'reflect-metadata';
import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

const load = createRequire(import.meta.url);

/** Gives spec files the modules that `transformer.mjs` lets them share, and the globals that must be the same for those. */
export default class Environment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    Object.assign(this.global, { loadShared: (file) => load(file), Date, Reflect });
  }
}
