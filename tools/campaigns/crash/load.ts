import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.js';
import { ANYBODY, isAccepted, type Ledger, type Reply } from '../checker/ledger.js';
import { oneOf, type Random } from './random.js';

const ADDRESS = { streetAddress1: '1 Main Street', city: 'Springfield', state: 'IL', postalCode: '62701' };

/** Until a client looks again whether it is time to work. */
const IDLE_MS = 10;

/** Of the clients whose answer is lost, one in eight does not ask again. */
const GIVES_UP = 1 / 8;
const MAX_PATIENT = Number.POSITIVE_INFINITY;

export interface LoadOptions {
  readonly clients: number;
  /** The names under which the clients write, in turn. */
  readonly authors: readonly string[];
  readonly random: Random;
  /** Of all operations, how many read and how many repeat a write that was answered already. */
  readonly reads: number;
  readonly repeats: number;
  /** Between two operations of a client, on average. */
  readonly thinksMs: number;
  /** Of the clients, those that work all the time; the others leave processor time to services that come up again. */
  readonly alwaysBusy: number;
  /** Who restores removed shipments; undefined while no replica can. */
  readonly restorer: () => Client | undefined;
}

/** The clients' knowledge of a shipment that all of them change. */
interface Known {
  readonly id: string;
  readonly addressID: string;
  eTag: string;
  status: string;
  /** The moment of the newest version that any client was told of. */
  updatedAt: string;
}

/** Clients that go on writing and reading until they are told to stop, whatever happens to the service. */
export class Load {
  private readonly hot: Known[] = [];
  private running = true;

  constructor(
    private readonly client: Client,
    private readonly ledger: Ledger,
    private readonly options: LoadOptions,
  ) {}

  /** The shipments that everybody wants to change. */
  async prepare(count: number): Promise<void> {
    for (let made = 0; made < count; made += 1) {
      const { body } = await this.create(this.authorOf(made), MAX_PATIENT).then(answered);
      const shipment = await this.client.read(`/v1/shipments/${String(body.id)}`);
      const { id, eTag, status, updatedAt, destinationAddress } = shipment as unknown as Known & {
        destinationAddress: { id: string };
      };
      this.hot.push({ id, eTag, status, updatedAt, addressID: destinationAddress.id });
    }
  }

  /** Some clients work all the time, the others while the next kill is near. */
  async run(isKillNear: () => boolean): Promise<void> {
    const { clients, alwaysBusy } = this.options;
    const busy = Math.ceil(clients * alwaysBusy);
    const work = (_: unknown, client: number) =>
      this.goOn(this.authorOf(client), client < busy ? () => true : isKillNear);
    await Promise.all(Array.from({ length: clients }, work));
  }

  stop(): void {
    this.running = false;
  }

  private async goOn(author: string, isTime: () => boolean): Promise<void> {
    const { random, reads, repeats, thinksMs } = this.options;
    while (this.running) {
      if (!isTime()) {
        await sleep(IDLE_MS);
        continue;
      }
      const patience = random() < GIVES_UP ? 1 : MAX_PATIENT;
      const choice = random();
      if (choice < reads) await this.readSomething();
      else if (choice < reads + repeats) await this.repeat();
      else if (random() < 0.25) await this.liveThrough(author, patience);
      else await this.changeHot(oneOf(this.hot, random), author, patience);
      if (thinksMs > 0) await sleep(thinksMs * 2 * random());
    }
  }

  /** A record, a record that may be known already, or a page of a list. */
  private async readSomething(): Promise<void> {
    const { random } = this.options;
    const choice = random();
    if (choice < 0.2) {
      await this.client.get(`/v1/shipments?limit=5&status=${oneOf(['SUBMITTED', 'APPROVED'], random)}`);
      return;
    }
    const known = oneOf(this.hot, random);
    const { eTag, updatedAt } = known;
    const path = `/v1/shipments/${known.id}`;
    const { status, body } = await this.client.get(path, choice < 0.6 ? eTag : undefined);
    if (status === 304) return;
    const seen = (body as { updatedAt?: string } | undefined)?.updatedAt ?? '';
    if (status !== 200 || seen < updatedAt) {
      this.ledger.strange.push(`GET ${path} showed ${status} ${seen} after somebody was told ${updatedAt}`);
    }
  }

  /** A client that forgot that it was answered. */
  private async repeat(): Promise<void> {
    const write = oneOf(this.ledger.writes, this.options.random);
    const { reply } = write;
    if (reply === undefined || !isAccepted(write)) return;
    const again = { ...write };
    await (write.deed === 'restore' ? (this.options.restorer() ?? this.client) : this.client).send(again);
    if (again.reply?.digest !== reply.digest) {
      this.ledger.strange.push(`${write.key} was answered ${reply.status}, and again ${again.reply?.status}`);
    }
  }

  private authorOf(client: number): string {
    const { authors } = this.options;
    return authors[client % authors.length] ?? ANYBODY;
  }

  private create(author: string, patience: number): Promise<Reply | undefined> {
    const body = { shipmentType: 'HHG', destinationAddress: ADDRESS, estimatedWeight: 1000, customerRemarks: 'new' };
    const write = this.ledger.open('create', { method: 'POST', path: '/v1/shipments', body, author });
    return this.client.send(write, patience);
  }

  /** A shipment of the client's own: made, changed, in half of the cases removed, and then in half of the cases restored. */
  private async liveThrough(author: string, patience: number): Promise<void> {
    const created = await this.create(author, patience);
    if (created?.status !== 201) return;
    const shipmentID = String(created.body.id);
    const path = `/v1/shipments/${shipmentID}`;
    const request = { path, shipmentID, author, spent: String(created.body.eTag) };
    const patched = await this.client.send(
      this.ledger.open('patch', { ...request, method: 'PATCH', body: { estimatedWeight: 2000 } }),
      patience,
    );
    if (patched?.status !== 200 || this.options.random() < 0.5) return;
    const remove = { ...request, method: 'DELETE', spent: String(patched.body.eTag) };
    const removed = await this.client.send(this.ledger.open('remove', remove), patience);
    if (removed?.status === 204 && this.options.random() < 0.5) await this.restore(shipmentID, author, patience);
  }

  /** Whatever replica removed it, and whatever replica serves it then. */
  private async restore(shipmentID: string, author: string, patience: number): Promise<void> {
    const restorer = this.options.restorer();
    if (restorer === undefined) return;
    const [deletion] = await restorer.readAll(`/v1/deletions?resourceID=${shipmentID}`);
    if (deletion === undefined) {
      this.ledger.strange.push(`the deletion of ${shipmentID} is not listed`);
      return;
    }
    const path = `/v1/shipments/${shipmentID}`;
    const request = { method: 'POST', path: `${path}/undelete`, shipmentID, author };
    const restored = await restorer.send(
      this.ledger.open('restore', { ...request, spent: String(deletion['deletionETag']) }),
      patience,
    );
    if (restored === undefined) return;
    const { eTag } = await this.client.read(path);
    if (eTag !== restored.body.eTag) this.ledger.strange.push(`GET ${path} does not show what was restored`);
    const body = { estimatedWeight: 3000 };
    const change = { method: 'PATCH', path, body, shipmentID, author, spent: String(restored.body.eTag) };
    await this.client.send(this.ledger.open('patch', change), patience);
  }

  private async changeHot(known: Known, author: string, patience: number): Promise<void> {
    const { status } = known;
    const reply = await this.client.send(this.ledger.open(...this.change(known, author)), patience);
    if (reply?.status === 200) {
      known.eTag = String(reply.body.eTag);
      // An address has its shipment's version, but neither its status, which it did not change, nor its timestamp.
      known.status = (reply.body.status as string | undefined) ?? status;
      const moment = (reply.body.updatedAt as string | undefined) ?? '';
      if (moment > known.updatedAt) known.updatedAt = moment;
      return;
    }
    const current = await this.client.read(`/v1/shipments/${known.id}`);
    Object.assign(known, { eTag: current['eTag'], status: current['status'] });
  }

  private change(known: Known, author: string): Parameters<Ledger['open']> {
    const { id: shipmentID, eTag: spent, addressID, status } = known;
    const path = `/v1/shipments/${shipmentID}`;
    const mark = this.ledger.writes.length;
    const kind = this.options.random();
    if (kind < 0.6) {
      const body = { customerRemarks: `write ${mark}`, estimatedWeight: 1 + (mark % 100_000) };
      return ['patch', { method: 'PATCH', path, body, shipmentID, spent, author }];
    }
    if (kind < 0.8) {
      const body = { ...ADDRESS, streetAddress2: `Door ${mark}` };
      const addressPath = `/v1/mto-shipment/${shipmentID}/address/${addressID}`;
      return ['replaceAddress', { method: 'PUT', path: addressPath, body, shipmentID, spent, author }];
    }
    // The two steps that can be gone back and forth for ever.
    const body = { status: status === 'APPROVED' ? 'DIVERSION_REQUESTED' : 'APPROVED' };
    return ['changeStatus', { method: 'PATCH', path: `/prime${path}/updateStatus`, body, shipmentID, spent, author }];
  }
}

function answered(reply: Reply | undefined): Reply {
  if (reply === undefined) throw new Error('There is no answer');
  return reply;
}
