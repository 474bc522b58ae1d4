import { Download } from 'lucide-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isProblem, type Import } from '@waybill/client';
import { client } from '../api.js';
import { announce } from '../components/notice.js';
import { download } from '../components/download.js';
import { explain } from '../components/faults.js';
import { Fault } from '../components/Fault.js';
import { Moment } from '../components/Moment.js';
import { useTitle } from '../components/use-title.js';
import { session } from '../session/session.js';
import { Template } from '../first-run/Template.js';
import { AskReading } from './AskReading.js';
import { ChooseFile } from './ChooseFile.js';
import { importQuery } from './import-queries.js';
import { ImportRows } from './ImportRows.js';
import { RecentImports } from './RecentImports.js';
import { classes } from '../components/classes.js';
import { Progress } from '../components/Progress.js';
import { t } from '../texts/texts.js';
import { number } from '../texts/region.js';
import { Rich } from '../texts/Rich.js';
import type { ReactNode } from 'react';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import text from '../components/text.module.css';
import styles from './imports.module.css';

/** Import of a file: dry run, progress and result. */
export default function ImportPage({ id }: { readonly id: string | undefined }) {
  useTitle(t.shell.import);
  if (id !== undefined) return <OneImport key={id} id={id} />;
  return (
    <div className={classes(page.page, styles.start)}>
      <h1>{t.imports.title}</h1>
      {session.can('shipments:write') ? (
        <>
          <p className={text.lead}>{t.imports.lead}</p>
          <div className={styles.steps}>
            <ChooseFile label={t.imports.choose} isPrimary />
            <Template />
          </div>
          <ul className={classes(text.hint, styles.rules)}>
            {t.imports.hints.map((hint) => (
              <li key={hint}>{hint}</li>
            ))}
          </ul>
          <RecentImports />
        </>
      ) : (
        <p>{t.imports.notAllowed}</p>
      )}
    </div>
  );
}

function OneImport({ id }: { readonly id: string }) {
  const { data: current, error, refetch } = useQuery(importQuery(id));
  const isGone = isProblem(error, 'NOT_FOUND') || isProblem(error, 'NOT_KEPT');
  if (current === undefined || isGone) {
    return (
      <div className={page.page}>
        {isGone ? <h1>{t.imports.notFound}</h1> : <Fault error={error} onRetry={() => void refetch()} />}
      </div>
    );
  }
  const { state, fileName, createdBy, createdAt, expiresAt } = current;
  return (
    <div className={page.fill}>
      <header className={styles.head}>
        <h1>{t.imports.titles[state]}</h1>
        <p className={classes(text.hint, styles.upload)}>
          {fileName ? <strong>{fileName} </strong> : null}
          <Rich>{t.imports.uploaded<ReactNode>(createdBy, <Moment at={createdAt} />, <Moment at={expiresAt} />)}</Rich>
        </p>
        {state === 'ambiguous' ? null : <Counts current={current} />}
        {session.can('shipments:write') ? <NextStep current={current} /> : null}
        <Fault error={error} />
      </header>
      {session.can('shipments:write') && state !== 'ambiguous' ? (
        <ImportRows id={id} isApplied={state === 'applied'} counts={current} />
      ) : null}
    </div>
  );
}

const COUNTS = [
  'refused',
  'toChange',
  'toCreate',
  'changed',
  'created',
  'unchanged',
] as const satisfies readonly (keyof Import)[];

function Counts({ current }: { readonly current: Import }) {
  return (
    <ul className={styles.counts} aria-label={t.imports.byOutcome}>
      {COUNTS.filter((name) => current[name] > 0).map((name) => (
        <li key={name} className={name === 'refused' ? styles.refused : undefined}>
          <strong>{number(current[name])}</strong> {t.imports.counts[name]}
        </li>
      ))}
      {current.rows === 0 ? <li>{t.imports.noRowsInFile}</li> : null}
    </ul>
  );
}

function NextStep({ current }: { readonly current: Import }) {
  return current.state === 'ambiguous' ? <AskReading id={current.id} /> : <Steps current={current} />;
}

/** The next steps of a file that was understood. */
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
        {t.imports.progress(done, current.rows)}
      </Progress>
    );
  }
  return (
    <>
      <p role="status">{sentenceOf(current)}</p>
      <div className={styles.steps}>
        {open === 0 ? null : (
          <button type="button" className={controls.primary} disabled={isPending} onClick={() => mutate()}>
            {t.imports.apply(open)}
          </button>
        )}
        {refused === 0 ? null : <GetResult of={current} />}
        {refused > 0 || state === 'applied' ? (
          <ChooseFile label={refused > 0 ? t.imports.corrected : t.imports.another} />
        ) : null}
      </div>
      <Fault error={error} />
    </>
  );
}

function sentenceOf({ state, toCreate, toChange, refused }: Import): string {
  if (state === 'applied') {
    return refused === 0 ? t.imports.everything : t.imports.notImported;
  }
  if (toCreate + toChange === 0) return t.imports.nothing;
  return t.imports.notSaved;
}

function GetResult({ of: { id, format, refused } }: { readonly of: Import }) {
  const save = async () => {
    try {
      await download(await client.imports.result(id, { excel: format === 'csv' }), `import-${id}.${format}`);
    } catch (error) {
      announce(explain(error), { isFault: true });
    }
  };
  return (
    <button type="button" onClick={() => void save()}>
      <Download />
      {t.imports.download(refused)}
    </button>
  );
}
