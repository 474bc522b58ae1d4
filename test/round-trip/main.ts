import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { WaybillClient, type FileFormat, type Import, type Shipment } from '../../client/src/waybill.js';
import { readCommandLine } from '../../src/config/command-line.js';
import { exitWith, say, wholeNumber } from '../crash/report.js';
import { Replica } from '../support/replica.js';
import { newShipments, Tally } from './every-character.js';
import { editCsv, partsOf, save, writeJsonLines } from './files.js';
import { measured, type Memory } from './memory.js';

const USAGE = `Exports many shipments that hold every character a text may hold, and imports them unchanged, as CSV and as JSON lines; then imports them with every row changed. Prints the memory of the service on the way.

  npm run test:round-trip -- [--rows N]

  --rows N  how many shipments there are, from 25000 to 100000 (100000)`;

/** Fewer could not hold every character. */
const LEAST_ROWS = 25_000;

/** How much more memory the service may have in the last third of an import than in the second quarter of it, in MB. */
const MOST_GROWTH = 60;

const COUNTS = ['toCreate', 'toChange', 'created', 'changed', 'unchanged', 'refused'] as const;
type Counts = Partial<Record<(typeof COUNTS)[number], number>>;

class RoundTrip {
  readonly faults: string[] = [];
  private readonly client: WaybillClient;

  constructor(
    private readonly replica: Replica,
    private readonly folder: string,
    private readonly rows: number,
  ) {
    this.client = new WaybillClient({ baseUrl: replica.url });
  }

  async run(): Promise<void> {
    await this.create();
    const tally = new Tally();
    const before = await this.look((shipment) => tally.add(shipment));
    for (const line of tally.lines) say(`  ${line}`);
    if (!tally.isComplete) this.faults.push('There are characters or kinds of texts that no shipment has');
    for (const format of ['csv', 'jsonl'] as const) {
      await this.export(format);
      await this.importUnchanged(format);
    }
    await this.changeEveryRow();
    const after = await this.look();
    const others = [...before].filter(([id, digest]) => after.get(id) !== digest);
    this.expect('Shipments in which another field changed', others.length, 0);
  }

  /** Through an import too, so that the service has taken every text. */
  private async create(): Promise<void> {
    const path = this.pathOf('new.jsonl');
    await writeJsonLines(path, newShipments(this.rows));
    for (const [index, part] of (await partsOf(path)).entries()) {
      const ready = await this.upload(`part ${index + 1} of the new shipments`, part, 'jsonl');
      await this.apply(ready, { created: ready.rows });
    }
  }

  /** By id a digest of what the last step does not change. */
  private async look(each: (shipment: Shipment) => void = () => undefined): Promise<Map<string, string>> {
    const digests = new Map<string, string>();
    for await (const shipment of this.client.shipments.export()) {
      each(shipment);
      digests.set(shipment.id, digestOf(shipment));
    }
    this.expect('Shipments', digests.size, this.rows);
    return digests;
  }

  private async export(format: FileFormat): Promise<void> {
    const path = this.pathOf(`export.${format}`);
    const work = async () => save(await this.client.shipments.export().file(format), path);
    const [, memory] = await measured(this.replica.pid, work);
    say(`Export as ${format}: ${megabytes(statSync(path).size)} MB, ${shown(memory)}`);
  }

  private async importUnchanged(format: FileFormat): Promise<void> {
    const sums: Required<Counts> = { toCreate: 0, toChange: 0, created: 0, changed: 0, unchanged: 0, refused: 0 };
    const parts = await partsOf(this.pathOf(`export.${format}`));
    for (const [index, part] of parts.entries()) {
      const ready = await this.upload(`part ${index + 1} of ${parts.length} of the export as ${format}`, part, format);
      for (const count of COUNTS) sums[count] += ready[count];
    }
    this.expect(`Imported unchanged as ${format}`, sums, { ...NONE, unchanged: this.rows });
  }

  private async changeEveryRow(): Promise<void> {
    const path = this.pathOf('changed.csv');
    await editCsv(this.pathOf('export.csv'), path, 'customerRemarks', (_, row) => `'=changed ${row}, "so"\r\n;`);
    const [file, ...more] = await partsOf(path);
    if (file === undefined || more.length > 0) throw new Error('The changed file must be one that an import takes');
    const ready = await this.upload('every row changed', file, 'csv');
    this.expect('Dry run with every row changed', countsOf(ready), { ...NONE, toChange: this.rows });
    await this.apply(ready, { changed: this.rows });
  }

  private async upload(about: string, file: Blob, format: FileFormat): Promise<Import> {
    const [ready, memory] = await measured(this.replica.pid, () => this.client.imports.upload(file, { format }));
    say(`Dry run, ${about}: ${ready.rows} rows, ${megabytes(file.size)} MB, ${shown(memory)}`);
    this.expectFlat(`The dry run, ${about}`, memory);
    for (const { line, column, message } of ready.firstFaults.slice(0, 3)) say(`  line ${line}: ${column} ${message}`);
    return ready;
  }

  private async apply({ id, rows }: Import, expected: Counts): Promise<void> {
    const [done, memory] = await measured(this.replica.pid, async () => {
      await this.client.imports.apply(id);
      return this.client.imports.wait(id);
    });
    say(`Applied ${rows} rows: ${shown(memory)}`);
    this.expect('Applied', countsOf(done), { ...NONE, ...expected });
    this.expectFlat('Applying', memory);
  }

  private expect(about: string, found: unknown, expected: unknown): void {
    const [is, should] = [JSON.stringify(found), JSON.stringify(expected)];
    say(`${is === should ? 'ok  ' : 'FAIL'}  ${about}: ${is}`);
    if (is !== should) this.faults.push(`${about}: ${is}, and not ${should}`);
  }

  private expectFlat(about: string, { parts }: Memory): void {
    const growth = Math.max(...parts.slice(7)) - Math.max(...parts.slice(2, 5));
    if (growth > MOST_GROWTH) this.faults.push(`${about}: the memory of the service grew by ${growth} MB`);
  }

  private pathOf(name: string): string {
    return join(this.folder, name);
  }
}

const NONE: Required<Counts> = { toCreate: 0, toChange: 0, created: 0, changed: 0, unchanged: 0, refused: 0 };

function countsOf(of: Import): Required<Counts> {
  return Object.fromEntries(COUNTS.map((count) => [count, of[count]])) as Required<Counts>;
}

/** Of everything but the remarks and what every change of a shipment changes. */
function digestOf({ customerRemarks: _, updatedAt: __, eTag: ___, ...rest }: Shipment): string {
  const text = JSON.stringify(rest, (name, value: unknown) => (name === 'eTag' ? undefined : value));
  return createHash('sha1').update(text).digest('base64');
}

function shown({ seconds, parts }: Memory): string {
  return `${seconds.toFixed(1)} s; memory of the service in each tenth of it: ${parts.join(', ')} MB`;
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}

exitWith(async () => {
  const { values } = readCommandLine(USAGE, { options: { rows: { type: 'string', default: '100000' } } });
  const rows = wholeNumber('rows', values.rows, LEAST_ROWS);
  const folder = mkdtempSync(join(tmpdir(), 'waybill-round-trip-'));
  const server = await startThrowawayPostgres();
  const replica = await Replica.start({ NODE_ENV: 'production', AUTH_MODE: 'off', DATABASE_URL: server.url });
  try {
    const roundTrip = new RoundTrip(replica, folder, rows);
    await roundTrip.run();
    for (const fault of roundTrip.faults) say(`FAIL  ${fault}`);
    say(roundTrip.faults.length === 0 ? 'Everything came back as it was.' : 'The round trip failed.');
    return roundTrip.faults.length === 0;
  } finally {
    await replica.kill();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});
