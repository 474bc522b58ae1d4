import { Client, type QueryConfig } from 'pg';
import type { BoundStatement } from '../../../src/database/statement.js';
import { STALLED } from '../../../src/imports/import-worker.js';

/** A statement as the service sent it. */
export interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Statements that the service sends together. */
interface Batch {
  readonly statements: readonly BoundStatement[];
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
  const calls = mock.calls as [string | QueryConfig | Batch][];
  return (
    calls
      .filter((_, call) => !IN_THE_BACKGROUND.test(connections[call]?.connectionParameters.application_name ?? ''))
      .flatMap(([sent]): Sent[] => {
        if (typeof sent === 'string') return [{ text: sent, values: [] }];
        if (!('statements' in sent)) return [{ values: [], ...sent }];
        return sent.statements.map(({ statement, values }) => ({ ...statement, values }));
      })
      // The service looks for stalled imports every 30 s, on no request's behalf.
      .filter(({ text }) => text !== STALLED.text)
  );
}

/** The number of statements that requests send while `work` runs. */
export async function countQueries(work: () => Promise<unknown>): Promise<number> {
  return (await queriesDuring(work)).length;
}
