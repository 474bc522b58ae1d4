import type { Node } from './node.js';
import { schemaChanges } from './schema-changes.js';

/** Breaking changes of an operation's parameters. */
export function parameterChanges(before: Node, after: Node): string[] {
  const [old, now] = [parametersOf(before), parametersOf(after)];
  const added = [...now].filter(([key, parameter]) => !old.has(key) && isRequired(parameter));
  return [
    ...added.map(([key]) => `the ${key} is new and required`),
    ...[...old].flatMap(([key, parameter]) => changesOf(key, parameter, now.get(key))),
  ];
}

function changesOf(key: string, before: Node, after: Node | undefined): string[] {
  if (after === undefined) return [`the ${key} was removed`];
  const required = isRequired(after) && !isRequired(before) ? [`the ${key} is now required`] : [];
  const form = ['style', 'explode'].filter((name) => before.at(name).value !== after.at(name).value);
  return [
    ...required,
    ...form.map((name) => `the ${key} has a different format (${name})`),
    ...schemaChanges('request', `the ${key}`, before.at('schema'), after.at('schema')),
  ];
}

function parametersOf(operation: Node): Map<string, Node> {
  const list = (operation.at('parameters').value ?? []) as unknown[];
  const nodes = list.map((_, index) => operation.at('parameters', index));
  return new Map(
    nodes.map((node) => [`${String(node.at('in').value)} parameter ${String(node.at('name').value)}`, node]),
  );
}

function isRequired(parameter: Node): boolean {
  return parameter.at('required').value === true;
}
