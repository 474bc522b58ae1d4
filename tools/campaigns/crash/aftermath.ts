import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as Sql } from 'pg';
import type { Client } from './client.js';
import { isAccepted, type Ledger, type Write } from '../checker/ledger.js';
import { eventsAreHistory, replayedHistory, Verification } from '../checker/verification.js';

const REPEATED = 300;
const REPLAYED = 60;

export type Findings = readonly (readonly [check: string, faults: readonly string[]])[];

/** All that must hold once the killing is over and the service is up. */
export async function examine(ledger: Ledger, client: Client, sql: Sql): Promise<Findings> {
  const findings: [string, readonly string[]][] = [];
  const told = await Verification.of(ledger, sql);
  findings.push(['a write whose client gave up had its effect at most once', told.unansweredAtMostOnce()]);
  findings.push(['no key is stuck', await answerTheUnanswered(ledger, client)]);

  const now = await Verification.of(ledger, sql);
  findings.push(['every answer was one that these clients can get', ledger.strange]);
  findings.push(['one entry in history for each success, none for a refusal', now.oneEntryForEachSuccess()]);
  findings.push(['history names the author of each change', now.rightAuthors()]);
  findings.push(['each POST made one shipment, each DELETE removed one', await now.recordsAreThoseOfTheClients()]);
  findings.push(['the versions of each record are one unbroken chain', await now.unbrokenChains()]);
  findings.push(['the last entry of each record is the record', await now.lastEntriesAreTheRecords()]);
  findings.push(['replaying the history that the API shows gives the record', await replayed(client, sql)]);
  findings.push(['the feed has each entry of history once, in order', await eventsAreHistory(client, sql)]);
  findings.push(['an answered key is answered the same again', await sameAnswers(ledger, client)]);
  findings.push(['no connection is left in a transaction, no lock is held', await leftOpen(sql)]);
  return findings;
}

/** Each key that nobody heard of again is asked once more; the answer may be a replay, a success or a 412, but it comes. */
async function answerTheUnanswered(ledger: Ledger, client: Client): Promise<string[]> {
  const unanswered = ledger.unanswered;
  for (const write of unanswered) await client.send(write);
  return unanswered.filter(({ reply }) => reply === undefined).map(({ key }) => `${key} gets no answer`);
}

async function sameAnswers(ledger: Ledger, client: Client): Promise<string[]> {
  const faults: string[] = [];
  for (const write of spread(ledger.writes.filter(isAccepted), REPEATED)) {
    const again: Write = { ...write };
    await client.send(again);
    const same = again.reply?.status === write.reply?.status && again.reply?.digest === write.reply?.digest;
    if (!same || again.reply?.replayed !== true) {
      faults.push(`${write.deed} ${write.key} was answered ${write.reply?.status}, and again ${again.reply?.status}`);
    }
  }
  return faults;
}

/** The records with the longest histories, and some of the others. */
async function replayed(client: Client, sql: Sql): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(`
    SELECT id FROM shipments JOIN history ON record_id = id GROUP BY id ORDER BY count(*) DESC, id LIMIT ${REPLAYED}`);
  return replayedHistory(
    client,
    rows.map(({ id }) => id),
  );
}

/** The server needs a moment to notice that a process is gone. */
async function leftOpen(sql: Sql): Promise<string[]> {
  await sleep(500);
  // Every replica numbers events and indexes them for search all the time, in short transactions.
  const own = `pid = pg_backend_pid()
    OR application_name IN ('waybill-events', 'waybill-search') AND xact_start > now() - interval '5 seconds'`;
  const { rows } = await sql.query<{ told: string }>(`
    SELECT format('connection %s is %s since %s: %s', pid, state, xact_start, query) AS told FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND xact_start IS NOT NULL AND NOT (${own})
    UNION ALL
    SELECT format('connection %s holds an advisory lock', pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND NOT (${own})`);
  return rows.map(({ told }) => told);
}

/** About so many of the items, from all over the list. */
function spread<Item>(items: readonly Item[], wanted: number): Item[] {
  const step = Math.max(1, Math.floor(items.length / wanted));
  return items.filter((_, index) => index % step === 0);
}
