import type { Json } from '../../../../test/support/http/api.js';
import type { Target } from '../target.js';
import { CHILD_NAMES, type KindName } from './kinds.js';
import { same, type Tracked, type World } from './world.js';
import type { Command } from './writes.js';

const MODEL = 'reads show the model';
export const WAYS = ['plain', 'plain', 'if new', 'if same', 'expanded'] as const;
export type Way = (typeof WAYS)[number];

/** GET of a record, plain, conditional or expanded. */
export class Read implements Command {
  constructor(
    private readonly kind: KindName,
    private readonly index: number,
    private readonly reader: number,
    private readonly way: Way,
  ) {}

  check(world: Readonly<World>): boolean {
    return world.has(this.kind);
  }

  async run(world: World, target: Target): Promise<void> {
    const record = world.pick(this.index, this.kind);
    const known = world.knownTo(this.reader, record);
    if (record.current === undefined || this.way === 'plain') await readNow(target, record);
    else if (this.way === 'if new') await this.ifNew(target, record, known);
    else if (this.way === 'if same') await this.ifSame(target, record, known);
    else await this.expanded(world, target, record);
    if (record.current !== undefined) world.seen(this.reader, record, record.current.eTag);
  }

  private async ifNew({ client }: Target, { path, current }: Tracked, known: string): Promise<void> {
    const headers = { 'If-None-Match': `"${known}"` };
    const answer = await client.send({ method: 'GET', path, headers });
    const isSame = known === current.eTag;
    client.expect(
      '304 for the version that is known',
      answer,
      answer.status === (isSame ? 304 : 200),
      isSame ? '304' : '200',
    );
    client.expect('ETag is the eTag', answer, answer.headers.get('ETag') === `"${current.eTag}"`, 'another ETag');
  }

  private async ifSame({ client }: Target, { path, current }: Tracked, known: string): Promise<void> {
    const answer = await client.send({ method: 'GET', path, headers: { 'If-Match': known } });
    const isSame = known === current.eTag;
    client.expect(
      'If-Match is honoured by reads',
      answer,
      answer.status === (isSame ? 200 : 412),
      isSame ? '200' : '412',
    );
  }

  private async expanded(world: World, { client }: Target, record: Tracked): Promise<void> {
    const { kind, path } = record;
    if (CHILD_NAMES.includes(kind.name)) return;
    const children = CHILD_NAMES.map((name) => `${name}s`);
    const expand = kind.name === 'move' ? 'shipments' : `${children.join()},move`;
    const answer = await client.send({ method: 'GET', path: `${path}?expand=${expand}` });
    const bodies = (child: KindName) => world.living(record, child).map(({ current }) => current);
    const move = world.of('move').find(({ id }) => id === record.current.moveID)?.current;
    const nested =
      kind.name === 'move'
        ? { shipments: bodies('shipment'), shipmentsNext: null }
        : {
            ...Object.fromEntries(
              CHILD_NAMES.flatMap((name) => [
                [`${name}s`, bodies(name)],
                [`${name}sNext`, null],
              ]),
            ),
            move,
          };
    const expected = { ...record.current, ...nested };
    client.expect('expansions show the model', answer, same(answer.body, expected), JSON.stringify(expected));
    client.expect('an expanded read has no ETag', answer, answer.headers.get('ETag') === null, 'an ETag');
  }

  toString(): string {
    return `GET ${this.kind} ${this.index} by ${this.reader}, ${this.way}`;
  }
}

/** The record as it is now, or 404 after its deletion. */
export async function readNow({ client }: Target, record: Tracked): Promise<void> {
  const { path, current } = record;
  const answer = await client.send({ method: 'GET', path });
  if (current === undefined) {
    client.expect('use after deletion', answer, answer.status === 404, '404 expected');
    return;
  }
  client.expect(MODEL, answer, same(answer.body, current), `expected ${JSON.stringify(current)}`);
}

/** GET of what belongs to a record. */
export class List implements Command {
  constructor(
    private readonly kind: KindName,
    private readonly index: number,
  ) {}

  check(world: Readonly<World>): boolean {
    return world.has(this.parentKind);
  }

  async run(world: World, { client }: Target): Promise<void> {
    const parent = world.pick(this.index, this.parentKind);
    const path = this.kind === 'shipment' ? `/v1/shipments?moveID=${parent.id}` : `${parent.path}/${this.kind}s`;
    const answer = await client.send({ method: 'GET', path });
    if (this.kind === 'shipment') {
      const byCode = await client.send({ method: 'GET', path: `/v1/shipments?moveID=${parent.versions[0].moveCode}` });
      // The code of a deleted move leads nowhere, and a deleted move has no shipments.
      client.expect('a moveCode stands for its move', byCode, same(byCode.body, answer.body), answer.text);
    }
    if (parent.current === undefined && this.kind !== 'shipment') {
      client.expect('use after deletion', answer, answer.status === 404, '404 expected');
      return;
    }
    const expected = world.living(parent, this.kind).map(({ current }) => current);
    client.expect('lists show the model', answer, same(answer.body, expected), JSON.stringify(expected));
  }

  private get parentKind(): KindName {
    return this.kind === 'shipment' ? 'move' : 'shipment';
  }

  toString(): string {
    return `list ${this.kind}s of ${this.index}`;
  }
}

/** GET of a history, which stays after a deletion. */
export class ReadHistory implements Command {
  constructor(
    private readonly kind: 'move' | 'shipment',
    private readonly index: number,
  ) {}

  check(world: Readonly<World>): boolean {
    return world.has(this.kind);
  }

  async run(world: World, target: Target): Promise<void> {
    await readHistory(target, world.pick(this.index, this.kind));
  }

  toString(): string {
    return `history of ${this.kind} ${this.index}`;
  }
}

/** Every write that was accepted is an entry, and nothing else is. */
export async function readHistory({ client }: Target, record: Tracked): Promise<void> {
  const answer = await client.send({ method: 'GET', path: `${record.path}/history?limit=200` });
  const entries: Json[] = answer.body;
  const check = 'history has every write once';
  client.expect(check, answer, answer.status === 200 && entries.length === record.entries, `${record.entries} entries`);
  const own = entries.filter(({ resourceID }) => resourceID === record.id).map(({ eTag }) => eTag);
  // A deletion has no version. It may have been undone.
  const expected = record.versions.map(({ eTag }) => eTag).reverse();
  const isSame = same(
    own.filter((eTag) => eTag !== null),
    expected,
  );
  client.expect(check, answer, isSame, `not the versions ${expected.join()}`);
  const isDeleted = record.current === undefined;
  client.expect(
    check,
    answer,
    (own[0] === null) === isDeleted,
    `the newest entry is ${isDeleted ? 'no' : 'a'} deletion`,
  );
}

/** GET of a record as it was. */
export class ReadVersion implements Command {
  constructor(
    private readonly kind: 'move' | 'shipment',
    private readonly index: number,
    private readonly version: number,
  ) {}

  check(world: Readonly<World>): boolean {
    return world.has(this.kind);
  }

  async run(world: World, { client }: Target): Promise<void> {
    const { path, versions } = world.pick(this.index, this.kind);
    const version: Json = versions[this.version % versions.length];
    const answer = await client.send({ method: 'GET', path: `${path}?version=${version.eTag}` });
    client.expect('past versions are as they were', answer, same(answer.body, version), JSON.stringify(version));
  }

  toString(): string {
    return `version ${this.version} of ${this.kind} ${this.index}`;
  }
}
