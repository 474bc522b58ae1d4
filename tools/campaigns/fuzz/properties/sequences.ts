import fc from 'fast-check';
import type { Json } from '../../../../test/support/http/api.js';
import type { Description } from '../description.js';
import { ADDRESS } from '../fixture.js';
import { valid } from '../generate/valid.js';
import { Change, Remove } from '../model/changes.js';
import { Create, Repeat, type Origin } from '../model/creations.js';
import { ADDRESSES, CHILD_NAMES, KIND_NAMES, kindOf } from '../model/kinds.js';
import { CONDITIONS } from '../model/preconditions.js';
import { List, Read, ReadHistory, readHistory, readNow, ReadVersion, WAYS } from '../model/reads.js';
import { ChangeStatus, ReplaceAddress } from '../model/shipment-changes.js';
import { Undelete } from '../model/undelete.js';
import { World } from '../model/world.js';
import type { Command, Terms } from '../model/writes.js';
import type { Property } from '../property.js';
import type { Target } from '../target.js';
import { isProblem } from './refusals.js';
import { SCRIPT } from './script.js';

const CLIENTS = 3;
const MAX_COMMANDS = 40;

/** Fields that only sequences write. */
const OWN = [
  'replaceAddress',
  'updateShipmentStatus',
  'undeleteMove',
  'undeleteShipment',
  'undeleteAgent',
  'undeleteService',
];

/** Something to work on is there from the start. */
const FIRST = new Create(
  'shipment',
  { client: 0, parent: 0, move: 'none', keyed: false },
  { shipmentType: 'HHG', pickupAddress: ADDRESS },
);

/** For any requests in any order, the service responds as the model does, and finally stores the same records. */
export const sequences: Property = {
  name: 'sequences',
  runs: 8,
  covers: (goal) =>
    isProblem(goal, 'STATUS_TRANSITION', 'DUPLICATE', 'IN_USE', 'NOT_DELETED', 'PARENT_DELETED') ||
    (goal.kind === 'answer' && goal.name === '204') ||
    (goal.kind === 'header' && goal.operation.method === 'DELETE') ||
    (OWN.includes(goal.operation.id) && (goal.outcome === 'accepted' || isProblem(goal, 'IDEMPOTENCY_MISMATCH'))),
  of: (target, replayPath) => {
    const options = {
      maxCommands: MAX_COMMANDS,
      size: 'max' as const,
      ...(replayPath !== undefined && { replayPath }),
    };
    return fc.asyncProperty(fc.commands(commandsFor(target.description), options), (commands) =>
      runAll(commands, target),
    ) as fc.IAsyncProperty<[unknown]>;
  },
  oneOfEach: (target) => [fc.asyncProperty(fc.constant(SCRIPT), (commands) => runAll(commands, target))],
};

async function runAll(commands: Iterable<Command>, target: Target): Promise<void> {
  const world = new World();
  await FIRST.run(world, target);
  await fc.asyncModelRun(() => ({ model: world, real: target }), commands);
  for (const record of world.records) await readNow(target, record);
  for (const record of world.of('move', 'shipment')) await readHistory(target, record);
}

function commandsFor(description: Description): fc.Arbitrary<Command>[] {
  const index = fc.nat(5);
  const client = fc.nat(CLIENTS - 1);
  const terms: fc.Arbitrary<Terms> = fc.record({
    client,
    index,
    condition: fc.constantFrom(...CONDITIONS),
    keyed: fc.boolean(),
  });
  const origin: fc.Arbitrary<Origin> = fc.record({
    client,
    parent: index,
    move: fc.constantFrom('none', 'known', 'known', 'known by code', 'known by code', 'unknown', 'unknown code'),
    keyed: fc.boolean(),
  });
  const bodies = (schema: string) => valid(description, description.schema(schema)) as fc.Arbitrary<Json>;
  const statuses = bodies('StatusChange');
  const records = KIND_NAMES.flatMap((name): fc.Arbitrary<Command>[] => {
    const kind = kindOf(description, name);
    const patches = valid(description, kind.patch) as fc.Arbitrary<Json>;
    const replacements = valid(description, kind.replacement) as fc.Arbitrary<Json>;
    return [
      fc
        .tuple(origin, valid(description, kind.created) as fc.Arbitrary<Json>)
        .map(([at, body]) => new Create(name, at, body)),
      fc.tuple(terms, patches).map(([on, body]) => new Change(name, 'PATCH', on, body)),
      fc.tuple(terms, replacements).map(([on, body]) => new Change(name, 'PUT', on, body)),
      fc.tuple(index, client, fc.constantFrom(...WAYS)).map(([at, who, way]) => new Read(name, at, who, way)),
    ];
  });
  return [
    ...records,
    fc.tuple(fc.constantFrom(...KIND_NAMES), terms).map(([name, on]) => new Remove(name, on)),
    fc.tuple(fc.constantFrom(...KIND_NAMES), terms).map(([name, on]) => new Undelete(name, on)),
    fc.tuple(terms, statuses).map(([on, body]) => new ChangeStatus(on, body)),
    fc.tuple(terms, statuses).map(([on, { status }]) => new ChangeStatus(on, { status })),
    fc
      .tuple(fc.constantFrom(...ADDRESSES), terms, bodies('AddressReplacement'))
      .map(([name, on, body]) => new ReplaceAddress(name, on, body)),
    fc.tuple(fc.constantFrom(...CHILD_NAMES, 'shipment'), index).map(([name, of]) => new List(name, of)),
    fc.tuple(fc.constantFrom('move', 'shipment'), index).map(([name, of]) => new ReadHistory(name, of)),
    fc
      .tuple(fc.constantFrom('move', 'shipment'), index, fc.nat(9))
      .map(([name, of, at]) => new ReadVersion(name, of, at)),
    fc.tuple(fc.nat(9), fc.boolean()).map(([at, alters]) => new Repeat(at, alters)),
  ];
}
