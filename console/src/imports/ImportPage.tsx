import { Download } from 'lucide-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isProblem, type Import } from '@waybill/client';
import { client } from '../api.js';
import { announce } from '../parts/notice.js';
import { download } from '../parts/download.js';
import { explain } from '../parts/faults.js';
import { Fault } from '../parts/Fault.js';
import { Moment } from '../parts/Moment.js';
import { useTitle } from '../parts/use-title.js';
import { session } from '../session/session.js';
import { Template } from '../first-run/Template.js';
import { ChooseFile } from './ChooseFile.js';
import { importQuery } from './import-queries.js';
import { ImportRows } from './ImportRows.js';
import { RecentImports } from './RecentImports.js';
import { classes } from '../parts/classes.js';
import { Progress } from '../parts/Progress.js';
import controls from '../parts/controls.module.css';
import page from '../parts/page.module.css';
import text from '../parts/text.module.css';
import styles from './imports.module.css';

/** Import of a file: dry run, progress and result. */
export default function ImportPage({ id }: { readonly id: string | undefined }) {
  useTitle('Import');
  if (id !== undefined) return <OneImport key={id} id={id} />;
  return (
    <div className={classes(page.page, styles.start)}>
      <h1>Import shipments</h1>
      {session.can('shipments:write') ? (
        <>
          <p className={text.lead}>
            Upload an export that you have edited, or a list of new shipments. You can review the changes before
            anything is saved.
          </p>
          <div className={styles.steps}>
            <ChooseFile label="Choose a file" isPrimary />
            <Template />
          </div>
          <ul className={classes(text.hint, styles.rules)}>
            <li>CSV (commas or semicolons) or JSON Lines, UTF-8, at most 50 MB and 100,000 rows.</li>
            <li>A row with id and eTag changes that shipment; a row with neither creates one.</li>
            <li>Changes by others are kept. If someone else changed the same field, the row is refused.</li>
          </ul>
          <RecentImports />
        </>
      ) : (
        <p>You are not allowed to change shipments.</p>
      )}
    </div>
  );
}

const TITLES: Readonly<Record<Import['state'], string>> = {
  ready: 'Review import',
  applying: 'Applying import',
  applied: 'Import result',
};

function OneImport({ id }: { readonly id: string }) {
  const { data: current, error, refetch } = useQuery(importQuery(id));
  const isGone = isProblem(error, 'NOT_FOUND');
  if (current === undefined || isGone) {
    return (
      <div className={page.page}>
        {isGone ? <h1>Import not found</h1> : <Fault error={error} onRetry={() => void refetch()} />}
      </div>
    );
  }
  const { state, createdBy, createdAt, expiresAt } = current;
  return (
    <div className={page.fill}>
      <header className={styles.head}>
        <h1>{TITLES[state]}</h1>
        <p className={text.hint}>
          Uploaded by {createdBy}, <Moment at={createdAt} />. Kept until <Moment at={expiresAt} />.
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
    <ul className={styles.counts} aria-label="Rows by outcome">
      {COUNTS.filter(([name]) => current[name] > 0).map(([name, label]) => (
        <li key={name} className={name === 'refused' ? styles.refused : undefined}>
          <strong>{current[name].toLocaleString()}</strong> {label}
        </li>
      ))}
      {current.rows === 0 ? <li>The file has no rows.</li> : null}
    </ul>
  );
}

/** The next steps. */
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
      <Progress done={done} of={current.rows}>
        {`${done.toLocaleString()} of ${current.rows.toLocaleString()} rows done. You can leave this page.`}
      </Progress>
    );
  }
  return (
    <>
      <p role="status">{sentenceOf(current)}</p>
      <div className={styles.steps}>
        {open === 0 ? null : (
          <button type="button" className={controls.primary} disabled={isPending} onClick={() => mutate()}>
            Apply {open === 1 ? '1 row' : `${open.toLocaleString()} rows`}
          </button>
        )}
        {refused === 0 ? null : <GetResult id={id} refused={refused} />}
        {refused > 0 || state === 'applied' ? (
          <ChooseFile label={refused > 0 ? 'Upload corrected file' : 'Upload another file'} />
        ) : null}
      </div>
      <Fault error={error} />
    </>
  );
}

function sentenceOf({ state, toCreate, toChange, refused }: Import): string {
  if (state === 'applied') {
    return refused === 0
      ? 'Everything was imported.'
      : 'The refused rows were not imported. Download them, with the values of others next to yours, correct them and upload them again.';
  }
  if (toCreate + toChange === 0) return 'Nothing to apply.';
  return 'Nothing is saved yet. Rows are checked again when you apply them.';
}

function GetResult({ id, refused }: { readonly id: string; readonly refused: number }) {
  const save = async () => {
    try {
      await download(await client.imports.result(id), `import-${id}.csv`);
    } catch (error) {
      announce(explain(error), { isFault: true });
    }
  };
  return (
    <button type="button" onClick={() => void save()}>
      <Download />
      Download {refused === 1 ? '1 refused row' : `${refused.toLocaleString()} refused rows`}
    </button>
  );
}
