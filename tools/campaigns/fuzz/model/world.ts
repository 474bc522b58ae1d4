import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../../test/support/http/api.js';
import type { Target } from '../target.js';
import type { Answer, Sent } from '../wire.js';
import { kindOf, type Kind, type KindName } from './kinds.js';

/** A record that the clients made, as it must be. */
export interface Tracked {
  readonly kind: Kind;
  readonly id: string;
  readonly path: string;
  /** The shipment that it belongs to, when it is a child of one. */
  readonly parent: Tracked | undefined;
  /** Every version it had, the oldest first. */
  readonly versions: Json[];
  /** The last one; undefined when the record is deleted. */
  current: Json;
  /** The entries that its history has, those of its children among them. */
  entries: number;
}

/** The expected response to a repeated request. */
export interface Kept {
  readonly sent: Sent;
  readonly answer: Answer;
}

/** The expected content of the database, and what each client knows of it. */
export class World {
  readonly records: Tracked[] = [];
  readonly kept: Kept[] = [];
  private readonly known = new Map<string, string>();
  /** What the last deletion of a shipment took along. */
  private readonly taken = new Map<Tracked, readonly Tracked[]>();

  of(...kinds: readonly KindName[]): Tracked[] {
    return this.records.filter(({ kind }) => kinds.includes(kind.name));
  }

  /** Any record of these kinds, deleted ones among them. */
  pick(index: number, ...kinds: readonly KindName[]): Tracked {
    const candidates = this.of(...kinds);
    const found = candidates[index % candidates.length];
    if (found === undefined) throw new Error(`There is no ${kinds.join(' or ')}`);
    return found;
  }

  has(...kinds: readonly KindName[]): boolean {
    return this.of(...kinds).length > 0;
  }

  /** The children of a shipment, or the shipments of a move, newest first. */
  living(of: Tracked, kind: KindName): Tracked[] {
    const belongs = ({ parent, current }: Tracked) => (kind === 'shipment' ? current?.moveID === of.id : parent === of);
    return this.of(kind)
      .filter((record) => record.current !== undefined && belongs(record))
      .sort((one, other) => (one.id < other.id ? 1 : -1));
  }

  add(target: Target, name: KindName, body: Json, parent?: Tracked): Tracked {
    const kind = kindOf(target.description, name);
    const path = `${kind.path}/${body.id}`;
    const record = { kind, id: body.id, path, parent, versions: [body], current: body, entries: 1 };
    this.records.push(record);
    if (parent !== undefined) parent.entries += 1;
    return record;
  }

  changed(record: Tracked, body: Json): void {
    record.versions.push(body);
    record.current = body;
    this.enter(record);
  }

  /** A shipment takes what belongs to it along. */
  removed(record: Tracked): void {
    const children = this.records.filter(({ parent, current }) => parent === record && current !== undefined);
    this.taken.set(record, children);
    for (const child of children) {
      child.current = undefined;
      this.enter(child);
    }
    record.current = undefined;
    this.enter(record);
  }

  /** The children that come back with a record. */
  takenAlong(record: Tracked): readonly Tracked[] {
    return this.taken.get(record) ?? [];
  }

  /** The version of a record that a client saw last, or else the first one. */
  knownTo(client: number, record: Tracked): string {
    return this.known.get(`${client} ${record.id}`) ?? record.versions[0].eTag;
  }

  seen(client: number, record: Tracked, eTag: string): void {
    this.known.set(`${client} ${record.id}`, eTag);
  }

  private enter(record: Tracked): void {
    record.entries += 1;
    if (record.parent !== undefined) record.parent.entries += 1;
  }
}

export function same(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}
