import { isProblem, NoAnswerError, type FieldChange, type ProblemOf } from '@waybill/client';
import { useEffect, useRef, useState } from 'react';
import { readDraft, writeDraft, type Draft } from '../model/draft.js';
import { valuesOf, type Kind, type Value, type Values } from '../model/fields.js';
import {
  differences,
  merge,
  patchOf,
  resolve,
  type Collision,
  type Decisions,
  type Edit,
  type Edits,
  type Merge,
  type Report,
  type Version,
} from '../model/merge.js';
import { explain } from '../parts/faults.js';
import { historyQuery, queryClient } from '../queries.js';
import { session } from '../session/session.js';
import { historyOf, RECORDS, type RecordOf } from './records.js';

/** What stands in the way of a save, each with a screen of its own. */
export type Obstacle =
  | { readonly kind: 'conflict'; readonly merge: Merge; readonly edits: Edits; readonly round: number }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'forbidden'; readonly detail: string };

export interface Saved {
  /** What others had done meanwhile, which stayed. */
  readonly merged: Merge['theirs'];
  /** What was mine and had been done by others already. */
  readonly same: Merge['same'];
}

/** Others may go on changing the record while what they did is merged. */
const MOST_ROUNDS = 10;

/**
 * One person's edits of one record: kept as a draft at every keystroke, made for the version that they were begun on, and saved against
 * that version and no other.
 */
export function useEdit(kind: Kind, record: RecordOf, onSaved: (saved: Saved) => void) {
  const { id } = record;
  const { subject } = session;
  const live = valuesOf(record);
  const [draft, setDraft] = useState<Draft>(
    () => readDraft(subject, kind, id) ?? { base: { eTag: record.eTag, values: live }, edits: {}, at: '' },
  );
  const [restored] = useState(draft.at);
  const [isKept, setIsKept] = useState(true);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [fault, setFault] = useState<string>();
  const [obstacle, setObstacle] = useState<Obstacle>();
  const [decisions, setDecisions] = useState<Decisions>({});
  const [isSaving, setIsSaving] = useState(false);
  const asked = useRef<Merge>(undefined);

  const keep = (next: Draft) => {
    setDraft(next);
    setIsKept(writeDraft(subject, kind, id, next));
  };

  // As long as nobody changed what is edited, the edits are made for the newest version: what arrived has been seen.
  const { base, edits } = draft;
  const canFollow = Object.entries(edits).every(([field, { from }]) => (live[field] ?? null) === from);
  useEffect(() => {
    if (base.eTag === record.eTag || !canFollow || draft.sent !== undefined) return;
    setDraft((old) => ({ ...old, base: { eTag: record.eTag, values: valuesOf(record) } }));
  }, [base.eTag, record, canFollow, draft.sent]);

  const change = (field: string, to: Value) => changeAll({ [field]: to });
  const changeAll = (values: Values) => {
    const next: Record<string, Edit> = { ...edits };
    for (const [field, to] of Object.entries(values)) {
      const from = edits[field]?.from ?? live[field] ?? null;
      if (to === from && from === (live[field] ?? null)) Reflect.deleteProperty(next, field);
      else next[field] = { from, to };
    }
    setErrors((old) => Object.fromEntries(Object.entries(old).filter(([field]) => !(field in values))));
    keep({ base, edits: next, at: new Date().toISOString() });
  };

  const discard = () => {
    writeDraft(subject, kind, id, undefined);
    setDraft({ base: { eTag: record.eTag, values: live }, edits: {}, at: '' });
    setErrors({});
    setFault(undefined);
    setObstacle(undefined);
  };

  /** Sends the edits, merges what does not collide, and stops where somebody has to decide. */
  const save = async (firstBase = base, firstEdits = edits, firstRound = 0) => {
    if (isSaving) return;
    setIsSaving(true);
    setFault(undefined);
    setErrors({});
    let [version, mine] = [firstBase, firstEdits];
    const saved = { merged: [] as Merge['theirs'][number][], same: [] as Merge['same'][number][] };
    const finish = () => {
      writeDraft(subject, kind, id, undefined);
      setObstacle(undefined);
      onSaved(saved);
    };
    try {
      for (let round = firstRound; ; round += 1) {
        const report = await send(version, mine);
        if (report === undefined) {
          finish();
          return;
        }
        const met = merge(version, mine, report);
        saved.merged.push(...met.theirs);
        saved.same.push(...met.same);
        const hasMovedOn = met.theirs.some(({ field }) => field === 'status');
        if (met.collisions.length > 0 || hasMovedOn || round - firstRound >= MOST_ROUNDS) {
          setDecisions((old) => stillGood(old, asked.current, met));
          asked.current = met;
          setObstacle({ kind: 'conflict', merge: met, edits: mine, round });
          return;
        }
        [mine, version] = [resolve(met, mine, {}), met.current];
        keep({ base: version, edits: mine, at: new Date().toISOString() });
        if (Object.keys(mine).length === 0) {
          finish();
          return;
        }
      }
    } catch (error) {
      refuse(error);
    } finally {
      setIsSaving(false);
    }
  };

  /** Undefined when it was written; else what the 412 reports. */
  const send = async (version: Version, mine: Edits): Promise<Report | undefined> => {
    const patch = patchOf(mine, version);
    const body = JSON.stringify(patch);
    const before = readDraft(subject, kind, id)?.sent;
    const isRepetition = before?.body === body && before.eTag === version.eTag;
    const key = isRepetition ? before.key : crypto.randomUUID();
    const at = new Date().toISOString();
    keep({ base: version, edits: mine, at, sent: { key, body, eTag: version.eTag } });
    try {
      await RECORDS[kind].write(record, patch, { ifMatch: version.eTag, idempotencyKey: key });
      return undefined;
    } catch (error) {
      if (!(error instanceof NoAnswerError)) keep({ base: version, edits: mine, at });
      if (!isProblem(error, 'PRECONDITION_FAILED')) throw error;
      return reportOf(error.problem, version);
    }
  };

  const reportOf = async (
    { currentETag, changes }: ProblemOf<'PRECONDITION_FAILED'>,
    version: Version,
  ): Promise<Report> => {
    if (currentETag !== undefined && changes !== undefined) return { currentETag, changes: changes.map(changeOf) };
    // The history no longer has the version that the edits were made for.
    const current = await RECORDS[kind].read(id);
    return { currentETag: current.eTag, changes: differences(version.values, valuesOf(current)) };
  };

  const refuse = (error: unknown) => {
    if (isProblem(error, 'VALIDATION_FAILED')) {
      const found = error.problem.errors.map(
        ({ pointer, message }) => [pointer.replace(/^[#/]+/, ''), message] as const,
      );
      setErrors(Object.fromEntries(found));
      setObstacle(undefined);
      setFault('Not saved: the service does not take everything. Correct the marked fields.');
    } else if (isProblem(error, 'NOT_FOUND')) {
      // Its history tells who deleted it.
      void queryClient.invalidateQueries({ queryKey: historyQuery(historyOf(kind, record)).queryKey });
      setObstacle({ kind: 'deleted' });
    } else if (isProblem(error, 'FORBIDDEN')) setObstacle({ kind: 'forbidden', detail: error.problem.detail });
    else setFault(`Not saved. ${explain(error)} What you typed is kept in this browser.`);
  };

  /** Goes on with what was decided. A further conflict asks only for what is new. */
  const settle = async (
    { merge: met, edits: mine, round }: Extract<Obstacle, { kind: 'conflict' }>,
    decided: Decisions,
  ) => {
    const left = resolve(met, mine, decided);
    keep({ base: met.current, edits: left, at: new Date().toISOString() });
    setDecisions({});
    if (Object.keys(left).length > 0) {
      await save(met.current, left, round + 1);
      return;
    }
    writeDraft(subject, kind, id, undefined);
    setObstacle(undefined);
    onSaved({ merged: [], same: [] });
  };

  return {
    ...{ base, edits, live, errors, fault, obstacle, decisions, isSaving, isKept, restored },
    ...{ change, changeAll, discard, save: () => save(), settle, setDecisions },
    close: () => setObstacle(undefined),
  };
}

/** What was decided before somebody went back to the form, as long as it was decided about the same values. */
function stillGood(decisions: Decisions, before: Merge | undefined, now: Merge): Decisions {
  const told = ({ theirs, mine }: Collision) => JSON.stringify([theirs, mine]);
  const isSame = (one: Collision) =>
    before?.collisions.some((other) => one.name === other.name && told(one) === told(other));
  return Object.fromEntries(now.collisions.filter(isSame).map(({ name }) => [name, decisions[name]]));
}

export type Editing = ReturnType<typeof useEdit>;

function changeOf({ field, base, current, changedBy, changedAt }: FieldChange) {
  return { field, base, current, changedBy, changedAt };
}
