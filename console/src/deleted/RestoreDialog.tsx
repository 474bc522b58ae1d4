import { useQuery } from '@tanstack/react-query';
import type { Deletion } from '@waybill/client';
import { useState } from 'react';
import { lastVersion, nameOfDeleted } from '../model/deletions.js';
import { begun, isHeldBack, isThere, restoreAll, type Progress, type Step } from '../model/restoring.js';
import { announce } from '../components/notice.js';
import { Dialog } from '../components/Dialog.js';
import { Fault } from '../components/Fault.js';
import { Loading } from '../components/Loading.js';
import { Progress as Bar } from '../components/Progress.js';
import { ComesBack } from './ComesBack.js';
import { DeletedBy } from './DeletedBy.js';
import { planQuery, type Plan } from './deletion-queries.js';
import { alreadySentence, restore, showRestored } from './restore.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import text from '../components/text.module.css';
import styles from './deleted.module.css';

interface RestoreDialogProps {
  readonly deletion: Deletion;
  readonly onClose: () => void;
}

/** Names everything that comes back, then restores it: a move first, then its shipments. */
export function RestoreDialog({ deletion, onClose }: RestoreDialogProps) {
  const { data: plan, error, refetch } = useQuery(planQuery(deletion));
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const [progress, setProgress] = useState<readonly Progress[]>();
  const [isRunning, setIsRunning] = useState(false);
  const selected = chosen ?? new Set(plan?.suggested);

  const run = async (before: readonly Progress[]) => {
    setProgress(before);
    setIsRunning(true);
    const all = await restoreAll(before, restore, setProgress);
    setIsRunning(false);
    showRestored();
    if (!all.every(isThere)) return;
    announce(sentenceOf(all));
    onClose();
  };
  const begin = ({ first, offered }: Plan) => {
    const others = offered.items.filter(({ resourceID }) => selected.has(resourceID));
    return run(begun([...first, ...others].map((each) => stepOf(each, first))));
  };
  const toggle = (id: string, isOn: boolean) =>
    setChosen(new Set(isOn ? [...selected, id] : [...selected].filter((each) => each !== id)));

  const isOpen = progress?.some(({ response }) => response?.kind === 'unknown') === true;
  const count = (plan?.first.length ?? 0) + selected.size;
  const foot = (
    <>
      <button type="button" onClick={onClose}>
        {progress === undefined ? t.actions.cancel : t.actions.close}
      </button>
      {progress === undefined ? (
        <button
          type="button"
          className={controls.primary}
          disabled={plan === undefined || plan.first.length === 0}
          onClick={() => plan && void begin(plan)}
        >
          {count > 1 ? t.deleted.count(count) : t.deleted.restore}
        </button>
      ) : null}
      {progress !== undefined && isOpen && !isRunning ? (
        <button type="button" className={controls.primary} onClick={() => void run(progress)}>
          {t.actions.tryAgain}
        </button>
      ) : null}
      {progress !== undefined && !isOpen && !isRunning ? (
        <button
          type="button"
          className={controls.primary}
          onClick={() => {
            setProgress(undefined);
            void refetch();
          }}
        >
          {t.deleted.lookAgain}
        </button>
      ) : null}
    </>
  );
  return (
    <Dialog title={t.deleted.title(nameOfDeleted(deletion))} isSmall onClose={onClose} foot={foot}>
      {progress === undefined ? (
        <>
          <Fault error={error} onRetry={() => void refetch()} />
          {plan === undefined && error === null ? <Loading rows={3} /> : null}
          {plan === undefined ? null : <PlanView deletion={deletion} plan={plan} {...{ selected, toggle }} />}
        </>
      ) : (
        <Outcome progress={progress} isRunning={isRunning} />
      )}
    </Dialog>
  );
}

/** A step after that of the record to which it belongs, if that is restored, too. */
function stepOf(deletion: Deletion, first: readonly Deletion[]): Step {
  const { resource: kind, resourceID: id, shipmentID, moveID, deletionETag } = deletion;
  const parentID = kind === 'shipment' ? moveID : shipmentID;
  const after = first.find(({ resourceID }) => resourceID === parentID)?.resourceID;
  return { kind, id, name: nameOfDeleted(deletion), deletionETag, after, key: crypto.randomUUID() };
}

function sentenceOf(all: readonly Progress[]): string {
  const [only] = all;
  if (only === undefined || all.length > 1) return t.deleted.doneMany(all.length);
  const { step, response } = only;
  return response?.kind === 'already' ? alreadySentence(step.id, response) : t.deleted.done(step.name);
}

interface PlanViewProps {
  readonly deletion: Deletion;
  readonly plan: Plan;
  readonly selected: ReadonlySet<string>;
  readonly toggle: (id: string, isOn: boolean) => void;
}

function PlanView({ deletion, plan: { first, offered }, selected, toggle }: PlanViewProps) {
  const isTarget = ({ resourceID }: Deletion) => resourceID === deletion.resourceID;
  const target = first.find(isTarget);
  if (first.length === 0) return <p>{t.deleted.already}</p>;
  return (
    <>
      {target === undefined || target.deletionETag === deletion.deletionETag ? null : (
        <p className={page.explanation} role="alert">
          <Rich>{t.deleted.again(<DeletedBy key="by" deletion={target} />)}</Rich>
        </p>
      )}
      {first
        .filter((each) => !isTarget(each))
        .map((parent) => (
          <p key={parent.resourceID} className={page.explanation}>
            <Rich>
              {(parent.resource === 'move' ? t.deleted.moveFirst : t.deleted.shipmentFirst)(
                <strong>{nameOfDeleted(parent)}</strong>,
                <DeletedBy key="by" deletion={parent} />,
              )}
            </Rich>
          </p>
        ))}
      {target === undefined ? <p>{t.deleted.withShipment}</p> : null}
      {first.map((each) => (
        <ComesBack key={each.resourceID} deletion={each} />
      ))}
      {offered.items.length === 0 ? null : (
        <fieldset className={controls.choices}>
          <legend>{t.deleted.others}</legend>
          {offered.items.map((each) => (
            <label key={each.resourceID} className={controls.choice}>
              <input
                type="checkbox"
                checked={selected.has(each.resourceID)}
                disabled={each.values === null}
                onChange={({ target }) => toggle(each.resourceID, target.checked)}
              />
              <span className={styles.offered}>
                <span>
                  {lastVersion('shipment', each)?.shipmentType} <span className={text.code}>{nameOfDeleted(each)}</span>
                </span>
                <span className={text.hint}>
                  {each.values === null ? t.deleted.hindrances.ERASED : <DeletedBy deletion={each} />}
                </span>
              </span>
            </label>
          ))}
          {offered.hasMore ? <p className={text.hint}>{t.deleted.onlyNewest}</p> : null}
        </fieldset>
      )}
    </>
  );
}

function Outcome({ progress, isRunning }: { readonly progress: readonly Progress[]; readonly isRunning: boolean }) {
  const done = progress.filter(({ response }) => response !== undefined).length;
  return (
    <>
      {isRunning ? (
        <Bar done={done} of={progress.length}>
          {t.deleted.restoring}
        </Bar>
      ) : null}
      <ul className={styles.outcome}>
        {progress.map((each) => (
          <li key={each.step.id}>
            <strong className={text.code}>{each.step.name}</strong>{' '}
            <span className={each.response?.kind === 'refused' ? text.fault : undefined}>
              {resultOf(each, progress, isRunning)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function resultOf(each: Progress, all: readonly Progress[], isRunning: boolean): string {
  const { step, response } = each;
  if (response === undefined && isRunning) return '';
  if (response === undefined) return isHeldBack(each, all) ? t.deleted.notSent : t.deleted.notYet;
  if (response.kind === 'restored') return t.deleted.isRestored;
  if (response.kind === 'already') return alreadySentence(step.id, response);
  return response.text;
}
