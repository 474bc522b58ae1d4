import type { Node, Side } from './node.js';

/** A bound, and the direction in which it becomes stricter. */
const BOUNDS = [
  ['maxLength', 'lower'],
  ['minLength', 'higher'],
  ['maximum', 'lower'],
  ['minimum', 'higher'],
  ['maxItems', 'lower'],
  ['minItems', 'higher'],
] as const;

/** Values that requests may no longer send, or that responses did not have before. */
export function schemaChanges(side: Side, name: string, before: Node, after: Node, seen = new Set<string>()): string[] {
  // A record can contain itself.
  const pair = `${side} ${before.place} ${after.place}`;
  if (!before.exists || !after.exists || seen.has(pair)) return [];
  seen.add(pair);
  const same = sameProblemAmong(before, after);
  if (same !== undefined) return schemaChanges(side, name, before, same, seen);
  const inside = (label: string, ...names: string[]) => {
    return schemaChanges(side, label, before.at(...names), after.at(...names), seen);
  };
  return [
    ...typeChanges(side, name, before, after),
    ...enumChanges(side, name, before, after),
    ...(side === 'request' ? narrowedBounds(name, before, after) : []),
    ...formChanges(side, name, before, after),
    ...propertyChanges(side, name, before, after, inside),
    ...inside(`an item of ${name}`, 'items'),
    ...alternativeChanges(side, name, before, after, seen),
  ];
}

function typeChanges(side: Side, name: string, before: Node, after: Node): string[] {
  const [old, now] = [typesOf(before), typesOf(after)];
  const lost = old.filter((type) => !now.includes(type));
  const gained = now.filter((type) => !old.includes(type));
  if (side === 'request') return lost.map((type) => `${name} can no longer be ${type}`);
  // A replaced type counts both as removed and as added.
  return gained.map((type) => `${name} can now be ${type}`);
}

function typesOf(schema: Node): string[] {
  const type = schema.at('type').value as string | string[] | undefined;
  if (type !== undefined) return [type].flat();
  const alternatives = (schema.at('anyOf').value ?? []) as unknown[];
  return alternatives.flatMap((_, index) => typesOf(schema.at('anyOf', index)));
}

function enumChanges(side: Side, name: string, before: Node, after: Node): string[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  if (side === 'request') {
    if (now === undefined) return [];
    if (old === undefined) return [`${name} is restricted to ${now.join(', ')}`];
    return old.filter((value) => !now.includes(value)).map((value) => `${name} can no longer be ${value}`);
  }
  if (old === undefined) return [];
  if (now === undefined) return [`${name} can now have any value`];
  if (after.at('x-extensible').value === true) return [];
  return now.filter((value) => !old.includes(value)).map((value) => `${name} can now be ${value}`);
}

function valuesOf(schema: Node): string[] | undefined {
  const { enum: values, const: only } = (schema.value ?? {}) as { enum?: unknown[]; const?: unknown };
  const all = values ?? (only === undefined ? undefined : [only]);
  return all?.map((value) => JSON.stringify(value));
}

function narrowedBounds(name: string, before: Node, after: Node): string[] {
  return BOUNDS.filter(([bound, stricter]) => {
    const [old, now] = [before.at(bound).value, after.at(bound).value] as (number | undefined)[];
    if (now === undefined || old === now) return false;
    return old === undefined || (stricter === 'lower' ? now < old : now > old);
  }).map(([bound]) => `${name} has a stricter ${bound}`);
}

/** Whether a pattern is stricter cannot be decided, so any change of a request pattern counts. */
function formChanges(side: Side, name: string, before: Node, after: Node): string[] {
  const keywords = side === 'request' ? ['pattern', 'format'] : ['format'];
  return keywords
    .filter((keyword) => before.at(keyword).value !== after.at(keyword).value)
    .filter((keyword) => side === 'response' || after.at(keyword).exists)
    .map((keyword) => `${name} has a different ${keyword}`);
}

function propertyChanges(
  side: Side,
  name: string,
  before: Node,
  after: Node,
  inside: (label: string, ...names: string[]) => string[],
): string[] {
  const [required, nowRequired] = [before, after].map((node) => (node.at('required').value ?? []) as string[]);
  const properties = Object.keys(before.at('properties').value ?? {});
  const lost = properties.filter((property) => !after.at('properties', property).exists);
  const demands = side === 'request' ? (nowRequired ?? []).filter((property) => !required?.includes(property)) : [];
  const promises = side === 'response' ? (required ?? []).filter((property) => !nowRequired?.includes(property)) : [];
  return [
    ...lost.map((property) => `${name} no longer has the field ${property}`),
    ...demands.map((property) => `${name} now requires the field ${property}`),
    ...promises
      .filter((property) => !lost.includes(property))
      .map((property) => `${name} no longer always has the field ${property}`),
    ...properties.flatMap((property) => inside(`${name}, field ${property},`, 'properties', property)),
  ];
}

/** Compares alternatives by their reference. New error alternatives are safe, because codes may be added. */
function alternativeChanges(side: Side, name: string, before: Node, after: Node, seen: Set<string>): string[] {
  return ['oneOf', 'anyOf'].flatMap((keyword) => {
    const places = (node: Node) => {
      const list = (node.at(keyword).value ?? []) as unknown[];
      return new Map(list.map((_, index) => [keyOf(node.at(keyword, index)), node.at(keyword, index)]));
    };
    const now = places(after);
    return [...places(before)].flatMap(([key, old]) => {
      const same = now.get(key);
      if (same !== undefined) return schemaChanges(side, name, old, same, seen);
      return side === 'request' ? [`${name} can no longer be ${key}`] : [];
    });
  });
}

/** A problem that was the only one with its status may become one of several. */
function sameProblemAmong(before: Node, after: Node): Node | undefined {
  const alternatives = (after.at('oneOf').value ?? []) as unknown[];
  const index = alternatives.findIndex((_, at) => after.at('oneOf', at).place === before.place);
  return before.place.endsWith('Problem') && index !== -1 ? after.at('oneOf', index) : undefined;
}

/** Identifies a named alternative by its name, any other by its type and its constants, such as the `op` of an item. */
function keyOf(schema: Node): string {
  if (schema.place.startsWith('#/components/') && !schema.place.includes('Of/')) return schema.place;
  const properties = (schema.at('properties').value ?? {}) as Record<string, { const?: unknown }>;
  const constants = Object.entries(properties).filter(([, property]) => property.const !== undefined);
  return [schema.at('type').value, ...constants.map(([name, property]) => `${name}=${String(property.const)}`)].join(
    ' ',
  );
}
