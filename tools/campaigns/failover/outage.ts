import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../crash/client.js';
import type { Ledger } from '../checker/ledger.js';
import type { Cluster } from './cluster.js';
import type { Node } from './node.js';

const EVERY_MS = 50;

/** A client that writes all the time, one write after the other, to see for how long none is accepted. */
export class Outage {
  private readonly acceptedAt: number[] = [];
  private running = true;
  private readonly done: Promise<void>;

  constructor(
    private readonly client: Client,
    private readonly ledger: Ledger,
  ) {
    this.done = this.write();
  }

  /** The longest time without an accepted write since that moment. */
  longestSince(moment: number): number {
    const times = [moment, ...this.acceptedAt.filter((at) => at > moment)];
    return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)), 0);
  }

  hasAcceptedSince(moment: number): boolean {
    return this.acceptedAt.some((at) => at > moment);
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.done;
  }

  private async write(): Promise<void> {
    const body = { shipmentType: 'HHG', estimatedWeight: 1000, customerRemarks: 'new', pickupDate: '2026-01-01' };
    const created = await this.client.send(this.ledger.open('create', { method: 'POST', path: '/v1/shipments', body }));
    const shipmentID = String(created?.body.id);
    let spent = String(created?.body.eTag);
    for (let turn = 1; this.running; turn += 1) {
      const request = {
        method: 'PATCH',
        path: `/v1/shipments/${shipmentID}`,
        body: { estimatedWeight: turn },
        shipmentID,
        spent,
      };
      const reply = await this.client.send(this.ledger.open('patch', request));
      if (reply?.status === 200) {
        this.acceptedAt.push(performance.now());
        spent = String(reply.body.eTag);
      } else {
        // Nobody else writes to this shipment, so whatever was accepted last is gone.
        this.ledger.strange.push(`${request.path}, which one client changes, was answered ${String(reply?.status)}`);
        spent = String((await this.client.read(request.path))['eTag']);
      }
      await sleep(EVERY_MS);
    }
  }
}

/** When Patroni first says that a node is the primary which was not, or that was away. */
export async function takeOver(
  cluster: Cluster,
  former: Node,
  from: number,
  until: () => boolean,
): Promise<number | undefined> {
  while (!until()) {
    const found = await cluster.findPrimary();
    if (found !== undefined && found !== former) return performance.now() - from;
    await sleep(EVERY_MS);
  }
  return undefined;
}
