import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Json } from '../../../../test/support/http/api.js';
import { json, type Client } from '../client.js';
import { ADDRESS, created } from '../fixture.js';
import { property } from '../property.js';
import type { Answer, Sent } from '../wire.js';

const MAX_ROUNDS = 4;
const WRITERS = { minLength: 2, maxLength: 8 };

/** One of several writers that all hold the same version of a shipment. */
type Writer = 'patch' | 'put' | 'address' | 'status' | 'patch nothing' | 'delete';
const WRITES: readonly Writer[] = ['patch', 'put', 'address', 'status', 'patch nothing'];

function sentBy(writer: Writer, shipment: Json, turn: number): Sent {
  const path = `/v1/shipments/${shipment.id}`;
  const condition = { 'If-Match': shipment.eTag };
  switch (writer) {
    case 'patch':
      return { method: 'PATCH', path, ...json({ estimatedWeight: turn + 1 }, condition) };
    case 'patch nothing':
      return { method: 'PATCH', path, ...json({}, condition) };
    case 'put':
      return { method: 'PUT', path, ...json({ shipmentType: `T${turn}`, pickupAddress: ADDRESS }, condition) };
    case 'address': {
      const at = `/v1/mto-shipment/${shipment.id}/address/${shipment.pickupAddress.id}`;
      return { method: 'PUT', path: at, ...json({ ...ADDRESS, city: `City ${turn}` }, condition) };
    }
    case 'status':
      return { method: 'PATCH', path: `/prime${path}/updateStatus`, ...json({ status: nextOf(shipment) }, condition) };
    case 'delete':
      return { method: 'DELETE', path, headers: condition };
  }
}

/** A status that the shipment can go to for as long as the race may last. */
function nextOf({ status }: Json): string {
  return status === 'APPROVED' || status === 'IN_TRANSIT' ? 'DIVERSION_REQUESTED' : 'APPROVED';
}

/** Of any number of writers with the same version exactly one wins, and its version is the one that is stored. */
export const races = property(
  'races',
  8,
  () =>
    fc.tuple(
      fc.array(fc.array(fc.constantFrom(...WRITES), WRITERS), { minLength: 1, maxLength: MAX_ROUNDS }),
      fc.array(fc.constantFrom<Writer>('delete', 'delete', ...WRITES), WRITERS),
    ),
  async ([rounds, last], { client }) => {
    let shipment = await created(client, '/v1/shipments', { shipmentType: 'HHG', pickupAddress: ADDRESS });
    for (const writers of rounds) {
      const { winner, losers } = await raceOf(client, shipment, writers);
      const { eTag } = winner.body;
      for (const answer of losers) {
        client.expect(
          'losers are told the version',
          answer,
          answer.status === 412 && answer.body.currentETag === eTag,
          'no',
        );
      }
      shipment = (await client.send({ method: 'GET', path: `/v1/shipments/${shipment.id}` })).body;
      client.expect('the winner is what is stored', winner, shipment.eTag === eTag, `not ${shipment.eTag}`);
    }
    await endsOnce(client, shipment, last, rounds.length);
  },
);

/** A race in which some delete the record: who comes later finds nothing. */
async function endsOnce(client: Client, shipment: Json, writers: readonly Writer[], rounds: number): Promise<void> {
  const { winner, losers } = await raceOf(client, shipment, writers);
  const isGone = winner.status === 204;
  for (const answer of losers) {
    client.expect('losers are refused', answer, answer.status === (isGone ? 404 : 412), isGone ? '404' : '412');
  }
  const path = `/v1/shipments/${shipment.id}`;
  const read = await client.send({ method: 'GET', path });
  client.expect('use after deletion', read, read.status === (isGone ? 404 : 200), isGone ? '404' : '200');
  const history = await client.send({ method: 'GET', path: `${path}/history` });
  client.expect('history has every write once', history, history.body.length === rounds + 2, `${rounds + 2} entries`);
}

async function raceOf(
  client: Client,
  shipment: Json,
  writers: readonly Writer[],
): Promise<{ winner: Answer; losers: Answer[] }> {
  const answers = await Promise.all(writers.map((writer, turn) => client.send(sentBy(writer, shipment, turn))));
  const winners = answers.filter(({ status }) => status < 300);
  const [winner = answers[0]] = winners;
  const said = answers.map(({ sent, status }) => `${sent.method} ${sent.path}: ${status}`).join('\n');
  if (winner === undefined) throw new Error('Nobody ran');
  client.expect('one winner for each version', winner, winners.length === 1, `${winners.length} winners\n${said}`);
  return { winner, losers: answers.filter((answer) => answer !== winner) };
}

/** Of many creations at once that exclude each other one is done: of agents of one type, and of requests with one key. */
export const creationRaces = property(
  'creation-races',
  4,
  () => fc.record({ agents: fc.integer({ min: 2, max: 6 }), repeats: fc.integer({ min: 2, max: 6 }) }),
  async ({ agents, repeats }, { client }) => {
    const { id } = await created(client, '/v1/shipments', { shipmentType: 'HHG' });
    const path = `/v1/shipments/${id}/agents`;
    const agent = { agentType: 'RELEASING_AGENT', firstName: 'Ada', phone: '1' };
    const posts = await together(client, agents, { method: 'POST', path, ...json(agent) });
    const statuses = posts.map(({ status }) => status).sort();
    const [any] = posts;
    const isOnce =
      statuses.filter((status) => status === 201).length === 1 &&
      statuses.every((status) => [201, 409].includes(status));
    if (any !== undefined) client.expect('one agent of each type', any, isOnce, statuses.join());

    const headers = { 'Idempotency-Key': randomUUID() };
    const same = await together(client, repeats, {
      method: 'POST',
      path: `/v1/shipments/${id}/services`,
      ...json({ code: 'X' }, headers),
    });
    const list = await client.send({ method: 'GET', path: `/v1/shipments/${id}/services` });
    client.expect('one effect for each key', list, list.body.length === 1, `${list.body.length} effects`);
    for (const answer of same) {
      const isRight = answer.status === 409 || (answer.status === 201 && answer.body.id === list.body[0].id);
      client.expect('one effect for each key', answer, isRight, 'another answer');
    }
  },
);

function together(client: Client, count: number, sent: Sent): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, () => client.send(sent)));
}
