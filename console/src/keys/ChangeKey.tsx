import { isProblem, type Key } from '@waybill/client';
import { useState } from 'react';
import { client } from '../api.js';
import { ConflictDialog } from '../edit/ConflictDialog.js';
import { reportOf } from '../edit/report.js';
import { othersSentence } from '../edit/saved-sentence.js';
import type { Obstacle } from '../model/edit.js';
import { today } from '../model/format.js';
import { endOf, keyPatch, keyValues, withTextsOfScopes } from '../model/key-values.js';
import { merge, resolve, type Decisions, type Edits, type TheirChange, type Version } from '../model/merge.js';
import type { Value } from '../model/fields.js';
import { Dialog } from '../components/Dialog.js';
import { Fault } from '../components/Fault.js';
import { announce } from '../components/notice.js';
import { useAction } from '../components/use-action.js';
import { useTyped } from '../components/use-typed.js';
import { KeyFields } from './KeyFields.js';
import { sentenceOf } from './NewKey.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import styles from './Keys.module.css';

/** Limits the merges of a key that others keep changing. */
const MAX_ROUNDS = 10;

interface Typed {
  /** The version that the edits are based on. */
  readonly base: Version;
  readonly edits: Edits;
}

interface ChangeKeyProps {
  readonly record: Key;
  readonly onClose: () => void;
}

/** Changes the version of a key that the user saw. What others changed meanwhile is merged like changes of any record. */
export function ChangeKey({ record, onClose }: ChangeKeyProps) {
  const { id } = record;
  const [{ base, edits }, setTyped, forget] = useTyped<Typed>(`key ${id}`, {
    base: { eTag: record.eTag, values: keyValues(record) },
    edits: {},
  });
  const [met, setMet] = useState<Obstacle & { readonly kind: 'conflict' }>();
  const [decisions, setDecisions] = useState<Decisions>({});
  const { run, isRunning, fault } = useAction('keys');
  const valueOf = (field: string) => String((edits[field] === undefined ? base.values[field] : edits[field].to) ?? '');
  const change = (field: string, to: Value) => {
    const { [field]: _, ...others } = edits;
    const from = base.values[field] ?? null;
    setTyped({ base, edits: to === from ? others : { ...others, [field]: { from, to } } });
  };

  const save = async (from: Version, changes: Edits, hasDecided: boolean) => {
    let [version, left] = [from, changes];
    let others: readonly TheirChange[] = [];
    for (let round = 0; ; round += 1) {
      const { eTag } = version;
      const body = keyPatch(left);
      if (Object.keys(body).length === 0) break;
      const refused = await run(`${eTag} ${JSON.stringify(body)}`, async (options) => {
        await client.keys.patch(id, body, { ...options, ifMatch: eTag });
      });
      if (refused === undefined) break;
      if (round >= MAX_ROUNDS || !isProblem(refused, 'PRECONDITION_FAILED')) return;
      const report = await reportOf(refused.problem, version.values, async () => {
        const now = await client.keys.get(id);
        return { eTag: now.eTag, ...keyValues(now) };
      });
      const merged = merge(version, left, withTextsOfScopes(report));
      if (merged.collisions.length > 0) {
        setDecisions({});
        setMet({ kind: 'conflict', merge: merged, isFurther: hasDecided });
        return;
      }
      others = [...others, ...merged.theirs, ...merged.same];
      [version, left] = [merged.current, resolve(merged, left, {})];
      setTyped({ base: version, edits: left });
    }
    forget();
    announce([t.keys.saved, othersSentence(id, { others })].filter(Boolean).join(' '));
    onClose();
  };

  const expiry = valueOf('expiresAt');
  const foot = (
    <>
      <Fault error={isProblem(fault, 'PRECONDITION_FAILED') ? t.edit.keepChanging : sentenceOf(fault)} />
      <button type="button" onClick={onClose}>
        {t.actions.cancel}
      </button>
      <button
        type="submit"
        form="change-key"
        className={controls.primary}
        disabled={isRunning || Object.keys(edits).length === 0 || valueOf('scopes') === ''}
      >
        {t.actions.save}
      </button>
    </>
  );
  return (
    <>
      <Dialog title={t.keys.change} onClose={onClose} foot={foot}>
        <form
          id="change-key"
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            void save(base, edits, false);
          }}
        >
          <KeyFields
            name={valueOf('name')}
            scopes={valueOf('scopes')}
            expiry={expiry === '' ? '' : today(new Date(expiry))}
            onName={(name) => change('name', name)}
            onScopes={(scopes) => change('scopes', scopes)}
            onExpiry={(day) => change('expiresAt', day === '' ? null : endOf(day))}
          />
        </form>
      </Dialog>
      {met === undefined ? null : (
        <ConflictDialog
          key={met.merge.current.eTag}
          recordID={id}
          conflict={met}
          edits={edits}
          decisions={decisions}
          closeLabel={t.conflict.backToForm}
          onDecide={setDecisions}
          onClose={() => setMet(undefined)}
          onSave={() => {
            const left = resolve(met.merge, edits, decisions);
            setMet(undefined);
            setTyped({ base: met.merge.current, edits: left });
            void save(met.merge.current, left, true);
          }}
        />
      )}
    </>
  );
}
