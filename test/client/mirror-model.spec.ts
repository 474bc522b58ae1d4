import { Mirror, type Mirrored, type MirrorChange, type MirrorSource } from '../../client/src/mirror.js';
import { NoAnswerError, problemError, type Problem } from '../../client/src/errors.js';
import type { Event } from '../../client/src/waybill.js';
import { repetitions } from '../support/repository/sweeps.js';

/*
 * A mirror against a model of the service. Two people write; reads are answered late, from an old cache or not at all; pages of a list are
 * of different times; events are repeated, missing, without values, or from a replica that sends no `previousETag`. Whatever happens, a copy
 * is exactly the version that its eTag names: a write with this eTag can overwrite nothing that its caller has not seen.
 */

interface Row extends Mirrored {
  readonly one: number | null;
  readonly two: number | null;
}

/** The same numbers for the same seed (mulberry32). */
function randomFrom(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const IDS = ['a', 'b', 'c'];
const LIES = ['drops events', 'leaves out previousETag', 'caches reads', 'repeats events'] as const;

class World {
  readonly versions = new Map<string, Row>();
  private readonly rows = new Map<string, Row>();
  private readonly first = new Map<string, Row>();
  private readonly log: Event[] = [];
  private clock = 0;
  private isEnding = false;
  /** Wrong versions that a caller would have sent. */
  readonly faults: string[] = [];

  constructor(
    private readonly random: (below: number) => number,
    private readonly lies: ReadonlySet<string>,
  ) {}

  private isChance(one: number): boolean {
    return !this.isEnding && this.random(one) === 0;
  }

  /** From now on every answer is right and at once. */
  end(): void {
    this.isEnding = true;
  }

  get current(): ReadonlyMap<string, Row> {
    return this.rows;
  }

  store(id: string, values: Pick<Row, 'one' | 'two'> | undefined): void {
    const before = this.rows.get(id);
    const updatedAt = `2026-01-01T00:00:00.${String((this.clock += 1)).padStart(6, '0')}Z`;
    const row = values && { id, updatedAt, eTag: `v${this.clock}`, ...values };
    if (row === undefined) this.rows.delete(id);
    else {
      this.rows.set(id, row);
      this.versions.set(row.eTag, row);
      if (!this.first.has(id)) this.first.set(id, row);
    }
    const changed = (['one', 'two'] as const).filter((field) => (before?.[field] ?? null) !== (row?.[field] ?? null));
    const change = row === undefined ? 'deleted' : before === undefined ? 'created' : 'updated';
    const type = this.log.some(({ data }) => data.resourceID === id) && change === 'created' ? 'restored' : change;
    const changes = changed.map((field) => ({ field, from: before?.[field] ?? null, to: row?.[field] ?? null }));
    const data = { resourceID: id, eTag: row?.eTag ?? null, previousETag: before?.eTag ?? null, changes };
    this.log.push({ id: String(this.log.length), type: `move.${type}`, time: updatedAt, data } as unknown as Event);
  }

  /** Somebody who reads from the service. */
  writeElsewhere(): void {
    const id = IDS[this.random(IDS.length)] ?? '';
    const { one = null, two = null } = this.rows.get(id) ?? {};
    if (this.random(8) === 0) this.store(id, undefined);
    else this.store(id, this.random(2) === 0 ? { one: this.random(9), two } : { one, two: this.random(9) });
  }

  /** Somebody who sees the mirror, and replaces the record that they see, with its eTag. */
  writeFrom(mirror: Mirror<Row>): void {
    const seen = [...mirror.records.values()][this.random(IDS.length)];
    if (seen === undefined) return;
    this.compare(seen);
    if (this.rows.get(seen.id)?.eTag === seen.eTag) this.store(seen.id, { one: seen.one, two: this.random(9) });
  }

  compare(copy: Row): void {
    const { one, two, updatedAt, id } = this.versions.get(copy.eTag) ?? {};
    if (copy.id !== id || copy.one !== one || copy.two !== two || copy.updatedAt !== updatedAt) {
      this.faults.push(`${JSON.stringify(copy)} is not ${JSON.stringify(this.versions.get(copy.eTag))}`);
    }
  }

  readonly observe = ({ before, after, event }: MirrorChange<Row>): void => {
    if (after !== undefined) this.compare(after);
    if (event !== undefined && before !== undefined && after !== undefined && after.updatedAt < before.updatedAt) {
      this.faults.push(`${before.eTag} went back to ${after.eTag}`);
    }
  };

  private async late(): Promise<void> {
    for (let turns = this.isEnding ? 0 : this.random(4); turns > 0; turns -= 1) await turn();
    if (this.isChance(12)) throw new NoAnswerError('lost');
  }

  source(signal: AbortSignal): MirrorSource<Row> {
    // Generators have no `this` of their own.
    const world: World = self(this);
    return {
      filter: {},
      head: async () => {
        const head = String(world.log.length);
        await world.late();
        return head;
      },
      async *list() {
        for (const id of [...IDS, ...(world.isChance(3) ? IDS : [])]) {
          const row = world.answered(id);
          await world.late();
          if (row !== undefined) yield row;
        }
      },
      read: async (id) => {
        const row = world.answered(id);
        await world.late();
        if (row === undefined) throw notFound();
        return row;
      },
      persist: async (call) => {
        for (;;) {
          try {
            return await call();
          } catch (error) {
            if (!(error instanceof NoAnswerError)) throw error;
            signal.throwIfAborted();
            await turn();
          }
        }
      },
      async *follow(after) {
        for (let at = Number(after); ;) {
          signal.throwIfAborted();
          const event = world.log[at];
          if (event === undefined) {
            await turn();
            continue;
          }
          at += 1;
          if (world.isChance(40)) throw problemError({ status: 410, code: 'EVENTS_GONE', detail: '' } as Problem);
          if (world.lies.has('drops events') && world.isChance(4)) continue;
          yield world.told(event);
          if (world.lies.has('repeats events') && world.isChance(4)) at = Math.max(0, at - 1 - world.random(4));
        }
      },
    };
  }

  /** A cache answers with the first version, whatever came later. */
  private answered(id: string): Row | undefined {
    const isOld = this.lies.has('caches reads') && this.isChance(2);
    return isOld ? (this.first.get(id) ?? this.rows.get(id)) : this.rows.get(id);
  }

  private told(event: Event): Event {
    if (this.lies.has('leaves out previousETag') && this.isChance(2)) {
      const { previousETag: _, ...data } = event.data;
      return { ...event, data };
    }
    if (!this.isChance(6)) return event;
    return {
      ...event,
      data: { ...event.data, truncated: true, changes: event.data.changes.map(({ field }) => ({ field })) },
    };
  }
}

const self = <T>(object: T): T => object;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const notFound = () => problemError({ status: 404, code: 'NOT_FOUND', detail: '' } as Problem);

async function run(seed: number, lies: readonly string[]): Promise<readonly string[]> {
  const random = randomFrom(seed);
  const world = new World(random, new Set(lies));
  const ending = new AbortController();
  for (let writes = random(6); writes > 0; writes -= 1) world.writeElsewhere();
  const source = world.source(ending.signal);
  const starting = source.persist(() => Mirror.start(source, { signal: ending.signal, onChange: world.observe }));
  for (let writes = random(4); writes > 0; writes -= 1) {
    world.writeElsewhere();
    await turn();
  }
  const mirror = await starting;
  for (let step = 0; step < 40; step += 1) {
    if (random(3) === 0) world.writeFrom(mirror);
    else world.writeElsewhere();
    for (let turns = random(4); turns > 0; turns -= 1) await turn();
    for (const copy of mirror.records.values()) world.compare(copy);
  }
  world.end();
  // A last change of each record, after which the mirror has what the service has, whatever was missing before.
  for (const id of IDS) world.store(id, { one: 1, two: random(9) });
  const isEqual = () => [...world.current.values()].every(({ id, eTag }) => mirror.records.get(id)?.eTag === eTag);
  for (let turns = 0; turns < 5000 && !isEqual(); turns += 1) await turn();
  if (!isEqual()) world.faults.push('the mirror did not catch up');
  for (const copy of mirror.records.values()) world.compare(copy);
  ending.abort();
  await mirror.ended.catch(() => undefined);
  return world.faults;
}

test('a copy is the version that its eTag names, and never goes back', async () => {
  const failed: string[] = [];
  for (let seed = 1; seed <= repetitions(5000, 150); seed += 1) {
    // Each combination of lies in turn, none of them first.
    const lies = LIES.filter((_, bit) => ((seed - 1) >> bit) & 1);
    const faults = await run(seed, lies);
    if (faults.length > 0) failed.push(`seed ${seed} (${lies.join(', ')}): ${faults[0]}`);
  }
  expect(failed).toEqual([]);
}, 600_000);
