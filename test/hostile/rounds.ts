import type { Endpoint } from './places.js';
import { casesFor, type FieldKind, type ValueCase } from './values.js';

/** The values of one request, by field. */
export type Round = ReadonlyMap<string, ValueCase>;

/** An answer lists no more faults than this. */
const MAX_TOGETHER = 20;

/**
 * Bad values are sent in many fields at once, because an answer names every fault: so each is proved to be refused, in a
 * fraction of the requests. Some are not seen while others are there, and are sent alone.
 */
export function badRounds({ fields, name }: Endpoint): Round[] {
  const isBad = ({ code }: ValueCase) => code !== undefined;
  const isAlone = (kind: FieldKind, { code }: ValueCase) =>
    kind.is === 'address' || name === 'PATCH status' || code === 'MALFORMED_JSON' || code === 'UNKNOWN_MOVE';
  const alone = Object.entries(fields).flatMap(([field, kind]) => {
    const cases = casesFor(kind).filter((value) => isBad(value) && isAlone(kind, value));
    return cases.map((value) => new Map([[field, value]]));
  });
  const together = chunks(Object.entries(fields), MAX_TOGETHER).flatMap((group) => {
    const columns = group.map(([field, kind]) => {
      return [field, casesFor(kind).filter((value) => isBad(value) && !isAlone(kind, value))] as const;
    });
    return rows(columns);
  });
  return [...alone, ...together];
}

/** Good values are sent in all fields at once, each field with another one, so that no field can be taken for another. */
export function goodRounds({ fields }: Endpoint): Round[] {
  const columns = Object.entries(fields).map(([field, kind], place) => {
    const cases = casesFor(kind).filter(({ code }) => code === undefined);
    return [field, kind.is === 'text' ? [...cases.slice(place), ...cases.slice(0, place)] : cases] as const;
  });
  const whole = columns.filter(([field]) => fields[field]?.is === 'address');
  return [...rows(columns.filter((column) => !whole.includes(column))), ...rows(whole)];
}

function rows(columns: readonly (readonly [string, readonly ValueCase[]])[]): Round[] {
  const length = Math.max(0, ...columns.map(([, cases]) => cases.length));
  return Array.from({ length }, (_, index) => {
    return new Map(columns.flatMap(([field, cases]) => (cases[index] ? [[field, cases[index]]] : [])));
  });
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => {
    return items.slice(index * size, (index + 1) * size);
  });
}

/** The body that an endpoint would accept, with the values of a round written into it. */
export function bodyOf(accepted: Record<string, unknown>, round: Round): string {
  const body = JSON.parse(JSON.stringify(accepted)) as Record<string, unknown>;
  const written: string[] = [];
  for (const [field, { json }] of round) {
    const [name = '', inner] = field.split('/');
    const place = `(value ${written.push(json) - 1})`;
    if (inner === undefined) body[name] = place;
    else (body[name] as Record<string, unknown>)[inner] = place;
  }
  return JSON.stringify(body).replaceAll(/"\(value (\d+)\)"/g, (_, index: string) => written[Number(index)] ?? '');
}
