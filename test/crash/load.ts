import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.js';
import { oneOf } from './fleet.js';
import type { Ledger, Reply } from './ledger.js';

const ADDRESS = { streetAddress1: '1 Main Street', city: 'Springfield', state: 'IL', postalCode: '62701' };

/** Of the clients whose answer is lost, one in eight does not ask again. */
const GIVES_UP = 1 / 8;
const MOST_PATIENT = Number.POSITIVE_INFINITY;

/** Between two writes of a client. */
const THINKS_MS = 10;
/** One client in four writes all the time; the others leave processor time to services that come up again. */
const ALWAYS_BUSY = 1 / 4;

/** What the clients know of a shipment that all of them change. */
interface Known {
  readonly id: string;
  readonly addressID: string;
  eTag: string;
  status: string;
}

/** Clients that go on writing until they are told to stop, whatever happens to the service. */
export class Load {
  private readonly hot: Known[] = [];
  private running = true;

  constructor(
    private readonly client: Client,
    private readonly ledger: Ledger,
  ) {}

  /** The shipments that everybody wants to change. */
  async prepare(count: number): Promise<void> {
    for (let made = 0; made < count; made += 1) {
      const { body } = await this.create(MOST_PATIENT).then(answered);
      const { id, eTag, status, destinationAddress } = body as unknown as Known & {
        destinationAddress: { id: string };
      };
      this.hot.push({ id, eTag, status, addressID: destinationAddress.id });
    }
  }

  /** Some clients write all the time, the others while the next kill is near. */
  async run(clients: number, isKillNear: () => boolean): Promise<void> {
    const alwaysBusy = Math.ceil(clients * ALWAYS_BUSY);
    const work = (_: unknown, client: number) => this.writeOn(client < alwaysBusy ? () => true : isKillNear);
    await Promise.all(Array.from({ length: clients }, work));
  }

  stop(): void {
    this.running = false;
  }

  private async writeOn(isTime: () => boolean): Promise<void> {
    while (this.running) {
      if (!isTime()) {
        await sleep(THINKS_MS);
        continue;
      }
      const patience = Math.random() < GIVES_UP ? 1 : MOST_PATIENT;
      if (Math.random() < 0.25) await this.liveThrough(patience);
      else await this.changeHot(oneOf(this.hot), patience);
      await sleep(THINKS_MS * 2 * Math.random());
    }
  }

  private create(patience: number): Promise<Reply | undefined> {
    const body = { shipmentType: 'HHG', destinationAddress: ADDRESS, estimatedWeight: 1000, customerRemarks: 'new' };
    return this.client.send(this.ledger.open('create', { method: 'POST', path: '/v1/shipments', body }), patience);
  }

  /** A shipment of the client's own: made, changed, and in half of the cases removed. */
  private async liveThrough(patience: number): Promise<void> {
    const created = await this.create(patience);
    if (created?.status !== 201) return;
    const shipmentID = String(created.body['id']);
    const path = `/v1/shipments/${shipmentID}`;
    const request = { path, shipmentID, spent: String(created.body['eTag']) };
    const patched = await this.client.send(
      this.ledger.open('patch', { ...request, method: 'PATCH', body: { estimatedWeight: 2000 } }),
      patience,
    );
    if (patched?.status !== 200 || Math.random() < 0.5) return;
    const remove = { ...request, method: 'DELETE', spent: String(patched.body['eTag']) };
    await this.client.send(this.ledger.open('remove', remove), patience);
  }

  private async changeHot(known: Known, patience: number): Promise<void> {
    const { status } = known;
    const reply = await this.client.send(this.ledger.open(...this.change(known)), patience);
    if (reply?.status === 200) {
      known.eTag = String(reply.body['eTag']);
      // An address tells its shipment's version but not its status, which it left as it was.
      known.status = (reply.body['status'] as string | undefined) ?? status;
      return;
    }
    const current = await this.client.read(`/v1/shipments/${known.id}`);
    Object.assign(known, { eTag: current['eTag'], status: current['status'] });
  }

  private change({ id: shipmentID, eTag: spent, addressID, status }: Known): Parameters<Ledger['open']> {
    const path = `/v1/shipments/${shipmentID}`;
    const mark = this.ledger.writes.length;
    const kind = Math.random();
    if (kind < 0.6) {
      const body = { customerRemarks: `write ${mark}`, estimatedWeight: 1 + (mark % 100_000) };
      return ['patch', { method: 'PATCH', path, body, shipmentID, spent }];
    }
    if (kind < 0.8) {
      const body = { ...ADDRESS, streetAddress2: `Door ${mark}` };
      const addressPath = `/v1/mto-shipment/${shipmentID}/address/${addressID}`;
      return ['replaceAddress', { method: 'PUT', path: addressPath, body, shipmentID, spent }];
    }
    // The two steps that can be gone back and forth for ever.
    const body = { status: status === 'APPROVED' ? 'DIVERSION_REQUESTED' : 'APPROVED' };
    return ['changeStatus', { method: 'PATCH', path: `/prime${path}/updateStatus`, body, shipmentID, spent }];
  }
}

function answered(reply: Reply | undefined): Reply {
  if (reply === undefined) throw new Error('There is no answer');
  return reply;
}
