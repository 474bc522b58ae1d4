import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isProblem, type Import } from '@waybill/client';
import { client } from '../api.js';
import { announce } from '../parts/announce.js';
import { download } from '../parts/download.js';
import { explain } from '../parts/faults.js';
import { Fault } from '../parts/Fault.js';
import { Moment } from '../parts/Moment.js';
import { session } from '../session/session.js';
import { ChooseFile } from './ChooseFile.js';
import { importQuery } from './import-queries.js';
import { ImportRows } from './ImportRows.js';
import './imports.css';

/** Shipments that come back as a file: what it would do, how far it has come, and what came back of it. */
export default function ImportPage({ id }: { readonly id: string | undefined }) {
  if (id !== undefined) return <OneImport key={id} id={id} />;
  return (
    <div className="page import-start">
      <h1>Import shipments</h1>
      {session.can('shipments:write') ? (
        <>
          <p className="lead">
            Send back a file that was exported from the list and edited, or a list of new shipments. You see what it
            would do before anything is written.
          </p>
          <ChooseFile label="Choose a file" isPrimary />
          <ul className="hint">
            <li>CSV with commas or semicolons, or JSON lines, in UTF-8: at most 50 MB and 100,000 rows.</li>
            <li>A row with id and eTag changes that shipment; a row with neither creates one.</li>
            <li>What others changed meanwhile stays. Where both changed the same field, the row comes back to you.</li>
          </ul>
        </>
      ) : (
        <p>You are not allowed to change shipments.</p>
      )}
    </div>
  );
}

const TITLES: Readonly<Record<Import['state'], string>> = {
  ready: 'What this file would do',
  applying: 'The file is being applied',
  applied: 'What became of the file',
};

function OneImport({ id }: { readonly id: string }) {
  const { data: current, error } = useQuery(importQuery(id));
  const isGone = isProblem(error, 'NOT_FOUND');
  if (current === undefined || isGone) {
    return (
      <div className="page">{isGone ? <h1>There is no such import, or no longer</h1> : <Fault error={error} />}</div>
    );
  }
  const { state, createdBy, createdAt, expiresAt } = current;
  return (
    <div className="import-view">
      <header className="import-head">
        <h1>{TITLES[state]}</h1>
        <p className="hint">
          Sent by {createdBy}, <Moment at={createdAt} />. It is kept until <Moment at={expiresAt} />.
        </p>
        <Counts current={current} />
        {session.can('shipments:write') ? <Steps current={current} /> : null}
        <Fault error={error} />
      </header>
      {session.can('shipments:write') ? (
        <ImportRows id={id} isApplied={state === 'applied'} hasRefused={current.refused > 0} />
      ) : null}
    </div>
  );
}

const COUNTS = [
  ['refused', 'refused'],
  ['toChange', 'to change'],
  ['toCreate', 'to create'],
  ['changed', 'changed'],
  ['created', 'created'],
  ['unchanged', 'unchanged'],
] as const satisfies readonly (readonly [keyof Import, string])[];

function Counts({ current }: { readonly current: Import }) {
  return (
    <ul className="counts">
      {COUNTS.filter(([name]) => current[name] > 0).map(([name, label]) => (
        <li key={name} className={`count-${name}`}>
          <strong>{current[name].toLocaleString()}</strong> {label}
        </li>
      ))}
      {current.rows === 0 ? <li>The file has no rows.</li> : null}
    </ul>
  );
}

/** What there is to do next. */
function Steps({ current }: { readonly current: Import }) {
  const { id, state, refused } = current;
  const open = current.toCreate + current.toChange;
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.imports.apply(id),
    onSuccess: (begun) => queries.setQueryData(importQuery(id).queryKey, begun),
  });
  if (state === 'applying') {
    const done = current.rows - open;
    return (
      <label className="running">
        <span role="status">
          {done.toLocaleString()} of {current.rows.toLocaleString()} rows done. It goes on when you leave this page.
        </span>
        <progress value={done} max={current.rows} />
      </label>
    );
  }
  return (
    <>
      <p role="status">{sentenceOf(current)}</p>
      <div className="import-steps">
        {open === 0 ? null : (
          <button type="button" className="primary" disabled={isPending} onClick={() => mutate()}>
            Apply {open === 1 ? '1 row' : `${open.toLocaleString()} rows`}
          </button>
        )}
        {refused === 0 ? null : <GetResult id={id} refused={refused} />}
        {refused > 0 || state === 'applied' ? (
          <ChooseFile label={refused > 0 ? 'Send the corrected file' : 'Send another file'} />
        ) : null}
      </div>
      <Fault error={error} />
    </>
  );
}

function sentenceOf({ state, toCreate, toChange, refused }: Import): string {
  if (state === 'applied') {
    return refused === 0
      ? 'Everything is in.'
      : 'The refused rows are in no shipment. Get them as a file, with what others wrote beside yours, correct them and send them again.';
  }
  if (toCreate + toChange === 0) return 'There is nothing to apply.';
  return 'Nothing is written yet. Rows are judged once more when you apply them.';
}

function GetResult({ id, refused }: { readonly id: string; readonly refused: number }) {
  const save = async () => {
    try {
      await download(await client.imports.result(id), `import-${id}.csv`);
    } catch (error) {
      announce(explain(error), true);
    }
  };
  return (
    <button type="button" onClick={() => void save()}>
      Download {refused === 1 ? 'the refused row' : `the ${refused.toLocaleString()} refused rows`}
    </button>
  );
}
