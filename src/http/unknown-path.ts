import { editDistance, nearest } from '../problem/nearest.js';
import { Problem } from '../problem/problem.js';

/** Longer paths are not compared: no route has as many segments. */
const MAX_SEGMENTS = 8;
/** Largest distance for a suggestion: two wrong letters, or one segment too few or too many. */
const MAX_MISTAKES = 2;
/** Less than the cost of a surplus segment: a route that contains all that was sent is more likely. */
const MISSING_SEGMENT = 1.5;
const SURPLUS_SEGMENT = 2;

/** 404 for an unknown path, with the most similar route. */
export function unknownPath(path: string, routes: readonly string[]): Problem {
  const meant = nearestRoute(path, routes);
  const advice =
    meant === undefined
      ? 'The documentation at /docs lists all paths.'
      : `Did you mean ${meant.replace(/:(\w+)/g, '{$1}')}?`;
  return new Problem('NOT_FOUND', `The service has no such path. ${advice}`);
}

/** The most similar route in Express syntax; undefined if none is close. */
export function nearestRoute(path: string, routes: readonly string[]): string | undefined {
  const sent = segmentsOf(path);
  if (sent.length === 0 || sent.length > MAX_SEGMENTS) return undefined;
  let best: string | undefined;
  let fewest = MAX_MISTAKES + 1;
  for (const route of routes) {
    const segments = segmentsOf(route);
    if (segments.length === 0 || route.includes('assets') || route.includes('*')) continue;
    const mistakes = mistakesIn(sent, segments, MAX_MISTAKES);
    if (mistakes < fewest) [best, fewest] = [route, mistakes];
  }
  return best;
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** Edit distance between two lists of segments; stops when it exceeds `max`. */
function mistakesIn(sent: readonly string[], route: readonly string[], max: number): number {
  if (max < 0) return Infinity;
  const [first, ...rest] = sent;
  const [wanted, ...others] = route;
  if (first === undefined || wanted === undefined)
    return SURPLUS_SEGMENT * sent.length + MISSING_SEGMENT * route.length;
  const here = mistakesInSegment(first, wanted);
  return Math.min(
    here + mistakesIn(rest, others, max - here),
    SURPLUS_SEGMENT + mistakesIn(rest, route, max - SURPLUS_SEGMENT),
    MISSING_SEGMENT + mistakesIn(sent, others, max - MISSING_SEGMENT),
  );
}

function mistakesInSegment(sent: string, wanted: string): number {
  // An id or a code fits a parameter; anything else might.
  if (wanted.startsWith(':')) return /^[0-9a-f-]{36}$|^[A-Z0-9]{6}$/.test(sent) ? 0 : 1;
  if (sent === wanted) return 0;
  return nearest(sent, [wanted]) === undefined ? Infinity : Math.max(1, editDistance(sent, wanted));
}
