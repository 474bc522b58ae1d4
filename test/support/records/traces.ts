import { randomUUID } from 'node:crypto';
import type { Api, Json } from '../http/api.js';
import { applied, CSV, csvOf, JSON_LINES } from './imports.js';

/** Writes a text into every field that takes one, in every way in which the service can be written to. */
export class Traces {
  /** The records that have the text, children left out: they are erased with their shipments. */
  readonly records: string[] = [];
  constructor(
    private readonly api: Api,
    private readonly isKeyed: boolean,
    private readonly text: string,
  ) {}

  private get address(): Json {
    const { text } = this;
    return {
      streetAddress1: text,
      streetAddress2: text,
      streetAddress3: text,
      city: text,
      state: text,
      postalCode: text.slice(0, 20),
      country: text,
    };
  }

  private get shipment(): Json {
    const { text, address } = this;
    return { shipmentType: text, customerRemarks: text, pickupAddress: address, destinationAddress: address };
  }

  private async write(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const key: Record<string, string> = this.isKeyed ? { 'Idempotency-Key': randomUUID() } : {};
    const { status, body: told } = await this.api.send(method, path, body, { ...key, ...headers });
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(told)}`);
    return told;
  }

  private async created(path: string, body: Json): Promise<Json> {
    const record = await this.write('POST', path, body);
    if (/^.v1.(moves|shipments|webhooks|keys)$/.test(path)) this.records.push(record.id);
    return record;
  }

  /** One after the other: moves, shipments, addresses, statuses, agents, webhooks and services. */
  async single(): Promise<Json> {
    const { text, shipment: fields } = this;
    const move = await this.created('/v1/moves', { orderID: text, remarks: text });
    await this.write('PATCH', `/v1/moves/${move.id}`, { remarks: `${text} again` }, { 'If-Match': move.eTag });
    let shipment = await this.created('/v1/shipments', { ...fields, moveID: move.id });
    const path = `/v1/shipments/${shipment.shipmentCode}`;
    const change = async (method: string, at: string, body: Json) => {
      await this.write(method, at, body, { 'If-Match': shipment.eTag });
      ({ body: shipment } = await this.api.get(path));
    };
    await change('PATCH', `${path}?expand=move`, { customerRemarks: `${text} again` });
    await change('PUT', path, fields);
    await change('PUT', `/v1/mto-shipment/${shipment.shipmentCode}/address/${shipment.pickupAddress.id}`, this.address);
    const rejection = { status: 'REJECTED', rejectionReason: text };
    await change('PATCH', `/prime/v1/shipments/${shipment.id}/updateStatus`, rejection);
    const person = { firstName: text, lastName: text, email: `${text}@example.com`, phone: '555-0100' };
    const agent = await this.created(`${path}/agents`, { agentType: 'RELEASING_AGENT', ...person });
    await this.write('PATCH', `/v1/agents/${agent.id}`, { lastName: `${text} again` }, { 'If-Match': agent.eTag });
    const receiver = { url: `https://${text}.example/${text}?${text}`, description: text, enabled: false };
    const webhook = await this.created('/v1/webhooks', receiver);
    await this.write('POST', `/v1/webhooks/${webhook.id}/rotateSecret`);
    await this.write('PATCH', `/v1/webhooks/${webhook.id}`, { description: `${text} again` }, { 'If-Match': '*' });
    const key = await this.created('/v1/keys', { name: text, scopes: ['moves:read'] });
    await this.write('PATCH', `/v1/keys/${key.id}`, { name: `${text} again` }, { 'If-Match': '*' });
    await this.write('POST', `/v1/keys/${key.id}/rotateKey`);
    const service = await this.created(`${path}/services`, { code: text, description: text });
    await this.write('PUT', `/v1/services/${service.id}`, { code: text }, { 'If-Match': service.eTag });
    return shipment;
  }

  /** Both kinds of bulk, each with a creation and a change. */
  async bulk(): Promise<void> {
    for (const atomic of [true, false]) {
      const { id, eTag } = await this.created('/v1/shipments', { shipmentType: this.text });
      const { items } = await this.write('POST', '/v1/shipments/bulk', {
        atomic,
        items: [
          { op: 'create', values: this.shipment },
          { op: 'update', id, ifMatch: eTag, patch: { customerRemarks: this.text } },
        ],
      });
      this.records.push(items[0].shipment.id);
    }
  }

  /** Files in both formats with rows that create, change, conflict, and have faults. Returns the imports. */
  async files(): Promise<Json[]> {
    const { text } = this;
    const [base, free] = [
      await this.created('/v1/shipments', { shipmentType: 'HHG', customerRemarks: text }),
      await this.created('/v1/shipments', { shipmentType: 'HHG', customerRemarks: text }),
    ];
    await this.write(
      'PATCH',
      `/v1/shipments/${base.id}`,
      { customerRemarks: `${text} theirs` },
      { 'If-Match': base.eTag },
    );
    const rows = [
      { id: '', eTag: '', shipmentType: text, customerRemarks: `${text} new` },
      { id: free.id, eTag: free.eTag, shipmentType: text, customerRemarks: `${text} mine` },
      { id: base.id, eTag: base.eTag, shipmentType: text, customerRemarks: `${text} mine` },
      { id: base.id, eTag: base.eTag, shipmentType: text, customerRemarks: text },
    ];
    const columns = ['id', 'eTag', 'shipmentType', 'customerRemarks'] as const;
    const csv = csvOf(
      columns,
      rows.map((row) => columns.map((column) => row[column])),
    );
    const lines = rows
      .map(({ id, eTag, ...row }) => JSON.stringify({ ...row, ...(id !== '' && { id, eTag }) }))
      .join('\n');
    const imports: Json[] = [];
    for (const [file, type] of [[csv, CSV] as const, [lines, JSON_LINES] as const]) {
      const ready = await this.write('POST', `/v1/imports?fileName=${text}`, file, type);
      await this.write('POST', `/v1/imports/${ready.id}/apply`);
      await applied(this.api, ready);
      const { body } = await this.api.get(`/v1/imports/${ready.id}/rows?limit=200&outcome=created`);
      this.records.push(...body.map(({ resourceID }: Json) => resourceID));
      imports.push(ready);
    }
    const ambiguous = csvOf([...columns, 'deliveryDate'], [[free.id, free.eTag, text, `${text} again`, '1/2/2026']]);
    imports.push(await this.write('POST', '/v1/imports', ambiguous, CSV));
    return imports;
  }

  /** The response has the earlier answers of the receiver. */
  async redeliver(webhookID: string, deliveryID: string): Promise<void> {
    await this.write('POST', `/v1/webhooks/${webhookID}/deliveries/${deliveryID}/redeliver`);
  }

  /** Deletes all of them, and restores what can be restored, by single requests and by a bulk. */
  async restore(): Promise<void> {
    await this.remove();
    const { body: deletions } = await this.api.get('/v1/deletions?limit=200');
    const items: Json[] = [];
    const order = ['move', 'shipment', 'agent', 'service'];
    deletions.sort((one: Json, other: Json) => order.indexOf(one.resource) - order.indexOf(other.resource));
    for (const { resource, resourceID, isCascade, deletionETag } of deletions) {
      if (!this.records.includes(resourceID) || isCascade) continue;
      if (resource === 'shipment' && items.length < 2)
        items.push({ op: 'undelete', id: resourceID, ifMatch: deletionETag });
      else await this.write('POST', `/v1/${resource}s/${resourceID}/undelete`, undefined, { 'If-Match': deletionETag });
    }
    await this.write('POST', '/v1/shipments/bulk', { items });
  }

  /** Deletes all of them, shipments before their moves. */
  async remove(): Promise<void> {
    for (const path of ['/v1/shipments/', '/v1/moves/', '/v1/webhooks/', '/v1/keys/']) {
      for (const id of this.records) {
        if ((await this.api.get(path + id)).status === 200) await this.write('DELETE', path + id);
      }
    }
  }
}
