import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Scope } from '../auth/access.js';
import { kindOf } from '../webhooks/subscribable.js';
import { DELIVERY_TO_SEND } from './deliveries-sql.js';
import { Sender, unsignedHeaders, type Sendable } from './sender.js';

interface RequestRow extends Sendable {
  readonly url: string;
  readonly type: string;
}

/** What receivers are sent, for those who operate a webhook. Bodies are not stored: they are read from the feed, as for an attempt. */
@Injectable()
export class DeliveryRequests {
  constructor(
    private readonly database: Database,
    private readonly sender: Sender,
  ) {}

  /** The request of a delivery as JSON; without its body for callers who may not read the record of the event. */
  async jsonOf(deliveryID: string, mayRead: (scope: Scope) => boolean): Promise<string | undefined> {
    const [row] = await this.database.query<RequestRow>(DELIVERY_TO_SEND, [deliveryID]);
    if (row === undefined) return undefined;
    const bodies = mayRead(kindOf(row.type).readScope) ? await this.sender.bodiesOf([row]) : undefined;
    return JSON.stringify({ url: row.url, headers: unsignedHeaders(row.id), body: bodies?.get(row) ?? null });
  }
}
