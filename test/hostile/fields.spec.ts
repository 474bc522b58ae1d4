import type { Json } from '../support/http/api.js';
import type { Received, Sent } from './client.js';
import { ENDPOINTS, type Endpoint, type Prepared } from './places.js';
import { badRounds, bodyOf, goodRounds, type Round } from './rounds.js';
import { shareOf } from '../support/repository/sweeps.js';
import { useHostileService } from './suite.js';

const hostile = useHostileService();

/** Endpoints with the same kinds of fields, which are checked by the same rules. Each value is tried in one of a group. */
const GROUPS = [/ shipment$/, / (move|agent|service)$/, /address/, /status/, /prefixed/].map((name) =>
  ENDPOINTS.filter((endpoint) => name.test(endpoint.name)),
);

function tried(roundsOf: (endpoint: Endpoint) => Round[], endpoint: Endpoint): readonly Round[] {
  const group = GROUPS.find((endpoints) => endpoints.includes(endpoint)) ?? [];
  return shareOf(roundsOf(endpoint), group.indexOf(endpoint), group.length);
}

test.each(ENDPOINTS)(
  '422 or 400 for every bad value in every field of $name, and nothing is stored',
  async (endpoint) => {
    const prepared = await endpoint.prepare(hostile.api);
    const cases = tried(badRounds, endpoint).map((round) => ({
      name: describeRound(round),
      ...requestOf(endpoint, prepared, round),
      refusal: refusalOf(endpoint, round),
    }));
    expect(await hostile.refusedAll(cases)).toEqual([]);
  },
);

test.each(ENDPOINTS)('every odd but good value in every field of $name is stored exactly as sent', async (endpoint) => {
  const altered: string[] = [];
  let prepared = await endpoint.prepare(hostile.api);
  const rounds = tried(goodRounds, endpoint);
  expect(rounds).not.toHaveLength(0);
  for (const round of rounds) {
    if (endpoint.once) prepared = await endpoint.prepare(hostile.api);
    const { faults, eTag } = await alterations(endpoint, prepared, round);
    altered.push(...faults);
    if (prepared.eTag !== undefined) prepared = { ...prepared, eTag };
  }
  expect(altered).toEqual([]);
});

function refusalOf({ name }: Endpoint, round: Round) {
  const faults = [...round].map(([field, { code }]) => `/${field} ${code}`);
  if (faults.some((fault) => fault.endsWith('MALFORMED_JSON'))) return { status: 400, code: 'MALFORMED_JSON' };
  // A reason is refused with any status but one, so that a bad status has two faults.
  const count = name === 'PATCH status' && round.has('status') ? 2 : faults.length;
  return { status: 422, code: 'VALIDATION_FAILED', faults, count };
}

/** The fields that differ from the request, in the response or when read again; and the new version of the record. */
async function alterations(endpoint: Endpoint, prepared: Prepared, round: Round) {
  const answer = await hostile.client.send(requestOf(endpoint, prepared, round));
  const { eTag } = JSON.parse(answer.text);
  if (answer.status >= 300) return { eTag, faults: [`${describeRound(round)}: ${answer.status} ${answer.text}`] };
  const path = prepared.readAt ?? String(answer.headers['location']);
  const reread = await hostile.client.send({ method: 'GET', path });
  const faults = [...round].flatMap(([field, { name, json }]) => {
    const found = [answer, reread].map((received) => valueAt(received, field));
    const isSame = found.every((value) => Object.is(value, JSON.parse(json)));
    return isSame ? [] : [`${name} in ${field}: ${JSON.stringify(found)}`];
  });
  return { eTag, faults };
}

function valueAt({ text }: Received, field: string): unknown {
  return field.split('/').reduce((value: Json, name) => value?.[name], JSON.parse(text));
}

function requestOf({ method }: Endpoint, { path, eTag, body }: Prepared, round: Round): Sent {
  const headers = { 'Content-Type': 'application/json', ...(eTag !== undefined && { 'If-Match': eTag }) };
  return { method, path, headers, body: bodyOf(body, round) };
}

function describeRound(round: Round): string {
  return [...round].map(([field, { name }]) => `${field}: ${name}`).join(', ');
}
