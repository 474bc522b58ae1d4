import { parameterChanges } from './parameter-changes.js';
import { namesIn, read, type Node, type Side } from './node.js';
import { schemaChanges } from './schema-changes.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** From the strongest promise to the weakest. */
const STABILITIES = ['core', 'supported', 'experimental'];

/** The changes that break clients of the old document, as sentences. Those of experimental operations do not count. */
export function breakingChanges(oldDocument: object, newDocument: object): string[] {
  const [before, after] = [read(oldDocument), read(newDocument)];
  return namesIn(before.at('paths')).flatMap((path) => {
    const promised = METHODS.map((method) => [method, before.at('paths', path, method)] as const).filter(
      ([, operation]) => operation.exists && stabilityOf(operation) !== 'experimental',
    );
    return promised.flatMap(([method, operation]) => {
      const now = after.at('paths', path, method);
      const changes = now.exists ? operationChanges(operation, now) : removal(operation);
      return changes.map((change) => `${method.toUpperCase()} ${path}: ${change}`);
    });
  });
}

function stabilityOf(operation: Node): string | undefined {
  return operation.at('x-stability').value as string | undefined;
}

/** A supported operation may go after its deprecation. */
function removal(operation: Node): string[] {
  const isAnnounced = stabilityOf(operation) === 'supported' && operation.at('deprecated').value === true;
  return isAnnounced ? [] : ['it was removed'];
}

function operationChanges(before: Node, after: Node): string[] {
  return [
    ...weakened(before, after),
    ...renamed(before, after),
    ...newDemands(before, after),
    ...parameterChanges(before, after),
    ...bodyChanges(before.at('requestBody'), after.at('requestBody')),
    ...responseChanges(before.at('responses'), after.at('responses')),
  ];
}

/** A document that states no stability promised nothing. */
function weakened(before: Node, after: Node): string[] {
  const [promise, newPromise] = [stabilityOf(before), stabilityOf(after)];
  if (promise === undefined || newPromise === undefined) return [];
  const isWeaker = STABILITIES.indexOf(newPromise) > STABILITIES.indexOf(promise);
  return isWeaker ? [`it is now ${newPromise}, no longer ${promise}`] : [];
}

/** Generated clients call operations by their id. */
function renamed(before: Node, after: Node): string[] {
  const [id, newID] = [before.at('operationId').value, after.at('operationId').value];
  return id === newID ? [] : [`the operation ${String(id)} is now called ${String(newID)}`];
}

function newDemands(before: Node, after: Node): string[] {
  const isOpen = after.at('security', 0).value === undefined;
  const same = ['security', 'x-scope'].every((name) => {
    return JSON.stringify(before.at(name).value) === JSON.stringify(after.at(name).value);
  });
  return isOpen || same ? [] : ['it requires other credentials'];
}

function bodyChanges(before: Node, after: Node): string[] {
  if (!before.exists) return after.at('required').value === true ? ['it now requires a body'] : [];
  if (!after.exists) return ['it no longer accepts a body'];
  const required = after.at('required').value === true && before.at('required').value !== true;
  return [...(required ? ['its body is now required'] : []), ...contentChanges('request', 'the body', before, after)];
}

function responseChanges(before: Node, after: Node): string[] {
  return namesIn(before).flatMap((status) => {
    const [old, now] = [before.at(status), after.at(status)];
    if (!now.exists) return [`the status ${status} was removed`];
    return [...headerChanges(status, old, now), ...contentChanges('response', `the response ${status}`, old, now)];
  });
}

/** A new problem code may lack a header that every earlier problem with its status has. */
function headerChanges(status: string, before: Node, after: Node): string[] {
  return namesIn(before.at('headers')).flatMap((name) => {
    const [old, now] = [before.at('headers', name), after.at('headers', name)];
    if (!now.exists) return [`the response ${status} no longer has the header ${name}`];
    const isLess = old.at('required').value === true && now.at('required').value !== true;
    return isLess && status < '400' ? [`the response ${status} no longer always has the header ${name}`] : [];
  });
}

function contentChanges(side: Side, name: string, before: Node, after: Node): string[] {
  return namesIn(before.at('content')).flatMap((type) => {
    const [old, now] = [before.at('content', type), after.at('content', type)];
    if (!now.exists) return [`${name} is no longer ${type}`];
    return schemaChanges(side, name, old.at('schema'), now.at('schema'));
  });
}
