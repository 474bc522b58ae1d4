import { createHash } from 'node:crypto';
import type { Event } from '@waybill/client';
import { problemError, type Problem } from '../../client/src/errors.js';
import type { Copy } from '../../console/src/model/held-records.js';

export interface Stored extends Copy {
  readonly resource: 'shipment' | 'service';
  readonly [field: string]: unknown;
}

const ADDRESS = { streetAddress1: 'Elm St 1', city: 'Austin' };
/** The fields of an expanded record that have versions of their own. */
const EXPANDED = ['services', 'shipments', 'move', 'isDeleted', 'updatedAt'];

function eTagOf(id: string, at: string): string {
  return createHash('sha256').update(`${id} ${at}`).digest('hex').slice(0, 12);
}

function ownFields(record: object): string {
  const own = Object.entries(record).filter(([name]) => !EXPANDED.includes(name));
  return JSON.stringify(own.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Shipments of one move and services of one shipment, kept as the service keeps them: versions, preconditions, events. */
export class FakeService {
  readonly events: Event[] = [];
  private readonly records = new Map<string, Stored>();
  private readonly versions = new Map<string, string>();
  /** What each deletion took along. */
  private readonly deletions: Stored[][] = [];
  private clock = 0;
  private count = 0;
  private addresses = 0;

  constructor(private readonly random: () => number) {
    for (let each = 0; each < 5; each += 1) this.create('shipment', 'Ben');
    for (let each = 0; each < 2; each += 1) this.addPart('Ben');
  }

  ids(): string[] {
    return [...this.records.keys()];
  }

  find(id: string): Stored | undefined {
    return this.records.get(id);
  }

  read(id: string): Stored {
    const found = this.find(id);
    if (found === undefined) throw problemError({ status: 404, code: 'NOT_FOUND', detail: '' } as Problem);
    return found;
  }

  private all(resource: Stored['resource']): Stored[] {
    return [...this.records.values()].filter((record) => record.resource === resource);
  }

  expanded(id: string): Stored {
    return { ...this.read(id), services: this.all('service') };
  }

  move(): object {
    return { id: 'm1', eTag: 'm1', updatedAt: '2027', shipments: this.all('shipment') };
  }

  /** All shipments with the newest first; those of a status with the latest change last, so that a change can move one to a later page. */
  page(status: string | undefined, cursor: string | undefined, limit: number): { items: Stored[]; next?: string } {
    const matching = this.all('shipment').filter((each) => status === undefined || each['status'] === status);
    const placeOf = ({ id, updatedAt }: Stored) =>
      status === undefined ? String(1000 - Number(id.slice(1))) : updatedAt;
    const sorted = matching.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
    const left = sorted.filter((each) => placeOf(each) > (cursor ?? ''));
    const last = left[limit - 1];
    return { items: left.slice(0, limit), ...(left.length > limit && last && { next: placeOf(last) }) };
  }

  /** What differs between a copy and the version of its eTag. */
  difference(copy: Copy): string | undefined {
    const stored = this.versions.get(copy.eTag);
    const own = ownFields(copy);
    return copy.eTag === 'm1' || stored === own ? undefined : `${own}, not ${stored}`;
  }

  patchFor({ resource, pickupAddress }: Stored): object {
    if (resource === 'service') return { description: `Text ${this.random()}` };
    const choice = this.random();
    if (choice < 0.2)
      return { pickupAddress: pickupAddress === null ? { ...ADDRESS, id: `a${(this.addresses += 1)}` } : null };
    if (choice < 0.4 && pickupAddress != null)
      return { pickupAddress: { ...pickupAddress, city: `Town ${this.random()}` } };
    if (choice < 0.6) return { status: ['SUBMITTED', 'APPROVED', 'IN_TRANSIT'][Math.floor(this.random() * 3)] };
    // A version without a change of a value.
    if (choice < 0.65) return {};
    return { estimatedWeight: Math.floor(this.random() * 1000) };
  }

  change(id = ''): void {
    const record = this.find(id);
    if (record !== undefined) this.write(id, record.eTag, this.patchFor(record), 'Ben');
  }

  changePart(): void {
    const [part] = this.all('service');
    if (this.find('s1') === undefined) return;
    if (part === undefined || this.random() < 0.3) this.addPart('Ben');
    else if (this.random() < 0.5) this.change(part.id);
    else this.remove(part.id, part.eTag, 'Ben');
  }

  /** Deletes the shipment that has services, or another one, or brings back what somebody deleted. */
  deleteOrRestore(by: string): void {
    const deleted = this.deletions.at(-1);
    const shipment = this.find('s1');
    if (deleted !== undefined && this.random() < 0.6) this.restore(deleted[0]?.id ?? '', by);
    else if (shipment !== undefined) this.remove('s1', shipment.eTag, by);
  }

  createOrDelete(): void {
    const shipments = this.all('shipment').filter(({ id }) => id !== 's1');
    const some = shipments[Math.floor(this.random() * shipments.length)];
    if (some === undefined || this.random() < 0.5) this.create('shipment', 'Ben');
    else this.remove(some.id, some.eTag, 'Ben');
  }

  addPart(by: string): Stored {
    this.read('s1');
    return this.create('service', by);
  }

  write(id: string, eTag: string, patch: object, by: string): Stored {
    const before = this.read(id);
    if (before.eTag !== eTag) throw new Error('PRECONDITION_FAILED');
    return this.keep({ ...before, ...patch }, 'updated', before, by);
  }

  remove(id: string, eTag: string, by: string): void {
    const before = this.read(id);
    if (before.eTag !== eTag) throw new Error('PRECONDITION_FAILED');
    const taken = [before, ...(id === 's1' ? this.all('service') : [])];
    this.deletions.push(taken);
    for (const each of taken) this.records.delete(each.id);
    for (const each of taken) this.tell(each, 'deleted', this.now(), null, each, by);
  }

  /** Brings back a deleted record, with what its deletion took along. */
  restore(id: string, by: string): Stored {
    const at = this.deletions.findIndex(([root]) => root?.id === id);
    const [[root, ...others] = []] = at < 0 ? [] : this.deletions.splice(at, 1);
    if (root === undefined) throw new Error('NOT_DELETED');
    if (root.resource === 'service') this.read('s1');
    const [restored] = [root, ...others].map((each) => this.keep(each, 'restored', undefined, by));
    if (restored === undefined) throw new Error('NOT_DELETED');
    return restored;
  }

  private now(): string {
    return new Date(1_800_000_000_000 + (this.clock += 1)).toISOString();
  }

  private create(resource: Stored['resource'], by: string): Stored {
    const id = `${resource[0]}${(this.count += 1)}`;
    const values =
      resource === 'shipment'
        ? { status: 'SUBMITTED', estimatedWeight: null, pickupAddress: null }
        : { shipmentID: 's1', description: null };
    return this.keep({ id, resource, ...values } as unknown as Stored, 'created', undefined, by);
  }

  private keep(values: Stored, type: string, before: Stored | undefined, by: string): Stored {
    const updatedAt = this.now();
    const eTag = eTagOf(values.id, updatedAt);
    const address = values['pickupAddress'] as object | null | undefined;
    const stored: Stored = { ...values, eTag, updatedAt, ...(address && { pickupAddress: { ...address, eTag } }) };
    this.records.set(stored.id, stored);
    this.versions.set(eTag, ownFields(stored));
    this.tell(stored, type, updatedAt, eTag, before, by);
    return stored;
  }

  private tell(
    record: Stored,
    type: string,
    time: string,
    eTag: string | null,
    before: Stored | undefined,
    by: string,
  ): void {
    const { id, resource } = record;
    const isTruncated = this.random() < 0.1;
    const changes = eTag === null ? [] : [...changesOf(record, before)];
    this.events.push({
      type: `${resource}.${type}`,
      time,
      data: {
        ...{
          resource,
          resourceID: id,
          shipmentID: resource === 'shipment' ? id : 's1',
          moveID: 'm1',
          eTag,
          changedBy: by,
        },
        // A replica of an older version does not name it.
        ...(this.random() < 0.75 && { previousETag: before?.eTag ?? null }),
        changes: isTruncated ? changes.map(({ field }) => ({ field })) : changes,
        ...(isTruncated && { truncated: true }),
      },
    } as unknown as Event);
  }
}

function* changesOf(record: Stored, before: Stored | undefined): Generator<{ field: string; to: unknown }> {
  for (const name of ['status', 'estimatedWeight', 'description']) {
    if (record[name] !== before?.[name]) yield { field: name, to: record[name] };
  }
  const now = record['pickupAddress'] as Record<string, unknown> | null | undefined;
  const then = before?.['pickupAddress'] as Record<string, unknown> | null | undefined;
  for (const part of ['streetAddress1', 'city']) {
    const [to, from] = [now?.[part] ?? null, then?.[part] ?? null];
    if (to !== from) yield { field: `pickupAddress/${part}`, to };
  }
}
