import { Client, type QueryConfig } from 'pg';
import { STALLED } from '../../../src/imports/import-worker.js';

/** A statement as the service sent it. */
export interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The application_name of the connections that number and index events. */
export const IN_THE_BACKGROUND = /waybill-(events|search)/;

/** The statements that requests send while `work` runs. */
export async function queriesDuring(work: () => Promise<unknown>): Promise<Sent[]> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await work();
    return queriesOf(query);
  } finally {
    query.mockRestore();
  }
}

/** The statements of requests among all calls recorded by a spy on `Client.prototype.query`. */
export function queriesOf({ mock }: { mock: { calls: unknown[]; contexts: unknown[] } }): Sent[] {
  const connections = mock.contexts as { connectionParameters: { application_name?: string } }[];
  const calls = mock.calls as [string | QueryConfig][];
  return (
    calls
      .filter((_, call) => !IN_THE_BACKGROUND.test(connections[call]?.connectionParameters.application_name ?? ''))
      .map(([sent]) => (typeof sent === 'string' ? { text: sent, values: [] } : { values: [], ...sent }))
      // The service looks for stalled imports every 30 s, on no request's behalf.
      .filter(({ text }) => text !== STALLED.text)
  );
}

/** The number of statements that requests send while `work` runs. */
export async function countQueries(work: () => Promise<unknown>): Promise<number> {
  return (await queriesDuring(work)).length;
}
