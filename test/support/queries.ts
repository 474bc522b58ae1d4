import { Client } from 'pg';

/** The texts of the statements that the service sends while `work` runs; they are sent as they are. */
export async function queriesDuring(work: () => Promise<unknown>): Promise<string[]> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls.map(([sent]) => (typeof sent === 'string' ? sent : (sent as { text: string }).text));
  } finally {
    query.mockRestore();
  }
}

/** How many statements the service sends while `work` runs. */
export async function countQueries(work: () => Promise<unknown>): Promise<number> {
  return (await queriesDuring(work)).length;
}
