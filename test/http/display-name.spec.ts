import { createMove } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

async function authorFor(headers: Record<string, string>): Promise<unknown> {
  const { id } = await createMove(service.api.as(headers));
  const { body } = await service.api.get<{ changedBy: string }[]>(`/v1/moves/${String(id)}/history`);
  return body[0]?.changedBy;
}

describe('without authentication, the name in the history', () => {
  it.each([
    ['Ann Porter', 'Ann%20Porter'],
    ['Zoë 大', 'Zo%C3%AB%20%E5%A4%A7'],
    ['x'.repeat(100), 'x'.repeat(100)],
  ])('is the one that the caller states: %s', async (name, header) => {
    expect(await authorFor({ 'X-Display-Name': header })).toBe(name);
  });

  it.each([
    ['none', {}],
    ['an empty one', { 'X-Display-Name': '%20' }],
    ['one that is too long', { 'X-Display-Name': 'x'.repeat(101) }],
    ['one with a control character', { 'X-Display-Name': 'Ann%0APorter' }],
    ['one that is not percent-encoded', { 'X-Display-Name': '100%' }],
  ])('is "anonymous" with %s', async (_, headers) => {
    expect(await authorFor(headers)).toBe('anonymous');
  });
});
