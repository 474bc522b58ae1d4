import { Problem } from '../problem/problem.js';
import type { Preparation } from './preparation.js';

/** 414 for a URL that is too long. */
export function urlLimit(bytes: number): Preparation {
  return ({ url }) => {
    if (url.length > bytes) throw new Problem('URI_TOO_LONG', `The URL must not be longer than ${bytes} bytes.`);
  };
}
