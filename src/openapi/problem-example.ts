import type { ProblemType } from '../problem/catalogue.js';
import { Problem, problemBody } from '../problem/problem.js';

/** The parts of an example that are specific to its problem. */
export interface ProblemExample {
  readonly detail: string;
  /** The path of the request. */
  readonly instance: string;
  /** Payload members besides those that every problem has. */
  readonly members?: Record<string, unknown>;
}

export interface FeatureProblem extends ProblemType {
  readonly example: ProblemExample;
}

export function examplePayload(type: ProblemType, { detail, instance, members = {} }: ProblemExample): object {
  const requestID = '0199c3a0-bd40-7e80-90b9-6fe2bd7c8b90';
  return problemBody(new Problem(type, detail, { members }), { instance, requestID, baseUrl: '' });
}
