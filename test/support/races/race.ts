import { Ledger, type Deed, type Reply, type Write } from '../../../tools/campaigns/checker/ledger.js';
import type { Answer, Api, Json } from '../http/api.js';
import { ADDRESS } from '../records/records.js';

type Request = Pick<Write, 'method' | 'path'> & Partial<Pick<Write, 'body' | 'shipmentID' | 'spent'>>;

/** Sends writes without an Idempotency-Key, each once, and keeps a ledger of them for `Verification`. */
export class RecordedWrites {
  readonly ledger = new Ledger();

  constructor(private readonly api: Api) {}

  /** The request id identifies the write, so that history shows which write made an entry. */
  async send(deed: Deed, request: Request, headers: Record<string, string> = {}): Promise<Answer<Json>> {
    const write = this.ledger.open(deed, request);
    const answer = await this.api.send(write.method, write.path, write.body, {
      'X-Request-ID': write.requestID,
      ...(write.spent !== undefined && { 'If-Match': write.spent }),
      ...headers,
    });
    write.reply = replyWith(answer.status, answer.body);
    this.ledger.attempted(write.method, String(answer.status));
    return answer;
  }

  async createShipment(): Promise<Json> {
    const body = { shipmentType: 'HHG', destinationAddress: ADDRESS };
    return (await this.send('create', { method: 'POST', path: '/v1/shipments', body })).body;
  }

  /**
   * Writers that all change one shipment, each a number of times with the newest eTag it knows of. They begin with the same one, so
   * that all but one of them are refused at least once.
   */
  async race(shipment: Json, writers: number, turns: number): Promise<void> {
    const write = async (writer: number) => {
      let spent: string = shipment.eTag;
      for (let turn = 0; turn < turns; turn += 1) {
        const { body } = await this.send('patch', {
          method: 'PATCH',
          path: `/v1/shipments/${shipment.id}`,
          body: { customerRemarks: `${writer}/${turn}` },
          shipmentID: shipment.id,
          spent,
        });
        spent = body.eTag ?? body.currentETag ?? spent;
      }
    };
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  }
}

/** A response without a key, whose digest is never compared. */
export function replyWith(status: number, body: Json): Reply {
  return { status, body: body ?? {}, replayed: false, digest: '' };
}
