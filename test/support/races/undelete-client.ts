import { randomUUID } from 'node:crypto';
import type { Random } from '../../../tools/campaigns/crash/random.js';
import { withShortLocks } from '../../../tools/archive/short-locks.js';
import type { Answer, Api, Json } from '../http/api.js';
import { erased } from '../records/erasing.js';
import type { TestService } from '../service/service.js';

/** What the clients have created, and what they were answered. */
export class Known {
  /** By the id of the request. */
  readonly answers = new Map<string, { status: number; code: string | undefined }>();
  /** How often each answer was given. */
  readonly tally = new Map<string, number>();
  /** The ids whose deletions were archived. */
  readonly forgotten = new Set<string>();
  readonly moves: string[] = [];
  readonly shipments: string[] = [];
  readonly children: string[] = [];
}

export class Choices {
  constructor(private readonly random: Random) {}

  below(end: number): number {
    return Math.floor(this.random() * end);
  }

  pick<T>(values: readonly T[]): T | undefined {
    return values[this.below(values.length)];
  }

  chance(percent: number): boolean {
    return this.random() * 100 < percent;
  }
}

/** A client that creates, changes, deletes and restores a few records, which it shares with others. */
export class UndeleteClient {
  private readonly choices: Choices;

  constructor(
    private readonly service: TestService,
    private readonly api: Api,
    private readonly known: Known,
    random: Random,
  ) {
    this.choices = new Choices(random);
  }

  async take(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) await this.step();
  }

  private async step(): Promise<void> {
    const shipment = this.choices.pick(this.known.shipments);
    const child = this.choices.pick(this.known.children);
    const chosen = this.choices.below(100);
    if (shipment === undefined || chosen < 10) await this.createShipment();
    else if (chosen < 22) await this.createChild(shipment);
    else if (chosen < 32) await this.change(shipment);
    else if (chosen < 50) await this.remove(shipment);
    else if (chosen < 58 && child !== undefined) await this.remove(child);
    else if (chosen < 62) await this.remove(this.choices.pick(this.known.moves) ?? '');
    else if (chosen < 90) await this.restoreOne();
    else if (chosen < 96) await this.restoreSeveral();
    else if (chosen < 98) await this.archive();
    else await this.erase(this.choices.chance(50) && child !== undefined ? child : shipment);
  }

  /** Sends a write without a key, and keeps its answer. */
  private async send(method: string, path: string, body?: object, eTag?: string): Promise<Answer<Json>> {
    const requestID = randomUUID();
    const headers = { 'X-Request-ID': requestID, ...(eTag && { 'If-Match': eTag }) };
    const answer = await this.api.send(method, path, body, headers);
    const { status, body: answered } = answer;
    this.known.answers.set(requestID, { status, code: answered?.code });
    const told = `${method} ${path.replace(/[0-9a-f-]{36}/, ':id')} ${status}${answered?.code ? ` ${answered.code}` : ''}`;
    this.known.tally.set(told, (this.known.tally.get(told) ?? 0) + 1);
    return answer;
  }

  async createMove(): Promise<void> {
    const { status, body } = await this.send('POST', '/v1/moves', {});
    if (status === 201) this.known.moves.push(`/v1/moves/${body.id}`);
  }

  private async createShipment(): Promise<void> {
    const fields = { shipmentType: 'HHG', moveID: idOf(this.choices.pick(this.known.moves) ?? '') };
    const { status, body } = await this.send('POST', '/v1/shipments', fields);
    if (status === 201) this.known.shipments.push(`/v1/shipments/${body.id}`);
  }

  private async createChild(shipment: string): Promise<void> {
    const agentType = this.choices.pick(['RELEASING_AGENT', 'RECEIVING_AGENT']);
    const [kind, fields] = this.choices.chance(50)
      ? ['agents', { agentType, firstName: 'Bo', phone: '1' }]
      : ['services', { code: 'PACK' }];
    const { status, body } = await this.send('POST', `${shipment}/${kind}`, fields);
    if (status === 201) this.known.children.push(`/v1/${kind}/${body.id}`);
  }

  private async change(shipment: string): Promise<void> {
    const { body } = await this.api.get(shipment);
    if (body.eTag !== undefined)
      await this.send('PATCH', shipment, { actualWeight: 1 + this.choices.below(99) }, body.eTag);
  }

  private async remove(path: string): Promise<void> {
    await this.send('DELETE', path);
  }

  private async restoreOne(): Promise<void> {
    const { body } = await this.api.get('/v1/deletions?limit=20');
    const deletion = this.choices.pick<Json>(body);
    if (deletion === undefined) return;
    const { resource, resourceID, deletionETag } = deletion;
    await this.send('POST', `/v1/${resource}s/${resourceID}/undelete`, undefined, deletionETag);
  }

  private async restoreSeveral(): Promise<void> {
    const { status, body } = await this.api.get<Json[]>('/v1/deletions?resource=shipment&limit=3');
    if (status !== 200) return;
    const items = body.map(({ resourceID, deletionETag }) => ({
      op: 'undelete',
      id: resourceID,
      ifMatch: deletionETag,
    }));
    if (items.length > 0) await this.send('POST', '/v1/shipments/bulk', { items });
  }

  private async erase(path: string): Promise<void> {
    try {
      await erased(this.service, { recordID: idOf(path) });
    } catch (error) {
      if (!(error as Error).message.startsWith('Another erasure')) throw error;
    }
  }

  /** Removes a few deletions as the archive does. */
  private async archive(): Promise<void> {
    const sql = await this.service.connect();
    try {
      await sql.query('BEGIN');
      const few = `SELECT record_id AS id FROM deletions WHERE record_kind <> 'move' ORDER BY position LIMIT 2 FOR UPDATE`;
      const { rows } = (await withShortLocks(sql, few)) as { rows: { id: string }[] };
      const ids = rows.map(({ id }) => id);
      await sql.query('DELETE FROM deletions WHERE record_id = ANY ($1)', [ids]);
      for (const id of ids) this.known.forgotten.add(id);
      await sql.query('COMMIT');
    } finally {
      await sql.end();
    }
  }
}

const idOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
