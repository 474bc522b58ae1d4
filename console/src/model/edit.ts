import { changeDraft, type Attempt, type Draft } from './draft.js';
import type { Values } from './fields.js';
import { isForgotten } from './keys.js';
import {
  merge,
  patchOf,
  resolve,
  type Collision,
  type Decisions,
  type Edits,
  type Merge,
  type Report,
  type TheirChange,
  type Version,
} from './merge.js';
import { t } from '../texts/texts.js';

/** The response to a save. Every kind except `unknown` settles it. */
export type Answer =
  | { readonly kind: 'written'; readonly version: Version }
  | { readonly kind: 'stale'; readonly report: Report }
  | { readonly kind: 'invalid'; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'forbidden'; readonly detail: string }
  | { readonly kind: 'refused'; readonly text: string }
  | { readonly kind: 'unknown'; readonly text: string };

/** Reasons why a save is blocked, each with its own dialog. */
export type Obstacle =
  | { readonly kind: 'conflict'; readonly merge: Merge; readonly isFurther: boolean }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'forbidden'; readonly detail: string }
  /** The record may have been created by this attempt, which the service no longer knows. To repeat it could create another one. */
  | { readonly kind: 'forgotten'; readonly attempt: Attempt };

export interface Saved {
  /** Concurrent changes by others, which were kept. */
  readonly others: readonly TheirChange[];
  /** The values that were written over. Undefined if nothing was written, for example because every conflict was decided for the others. */
  readonly replaced?: Values | undefined;
}

/** A save in progress. The caller sends `attempt` and passes the response to `reduce`. */
export interface Saving {
  readonly attempt: Attempt;
  /** Whether the outcome of an earlier try of this attempt is unknown. */
  readonly isRepeated: boolean;
  /** The edits when the user pressed Save. */
  readonly asked: Edits;
  readonly hasDecided: boolean;
  readonly round: number;
  readonly others: readonly TheirChange[];
  readonly replaced?: Values | undefined;
}

export interface EditState {
  readonly draft: Draft;
  readonly saving?: Saving | undefined;
  readonly saved?: Saved | undefined;
  readonly obstacle?: Obstacle | undefined;
  readonly decisions: Decisions;
  /** The merge to which `decisions` belong. */
  readonly decided?: Merge | undefined;
  readonly errors: Readonly<Record<string, string>>;
  readonly fault?: string | undefined;
  /** Why the service refused it, in other words than `fault`. */
  readonly reason?: string | undefined;
}

/** In case another attempt is needed: a new idempotency key, and the time in milliseconds. */
export interface Next {
  readonly key: string;
  readonly now: number;
}

export type Action =
  | { readonly type: 'change'; readonly values: Values; readonly live: Version }
  | { readonly type: 'discard'; readonly live: Version }
  /** A discarded draft is edited again. */
  | { readonly type: 'bringBack'; readonly draft: Draft }
  | { readonly type: 'decide'; readonly decisions: Decisions }
  | { readonly type: 'close' }
  /** The service responds again. */
  | { readonly type: 'recover' }
  /** The form itself found errors before anything was sent. */
  | { readonly type: 'refuse'; readonly errors: Readonly<Record<string, string>> }
  /** The user has looked whether a forgotten attempt created the record, and wants to create it. */
  | { readonly type: 'forget' }
  | { readonly type: 'save' | 'settle'; readonly next: Next }
  | { readonly type: 'answered'; readonly answer: Answer; readonly next: Next };

/** Limits the merges of a record that others keep changing. */
const MAX_ROUNDS = 10;

export function begin(draft: Draft): EditState {
  return { draft, decisions: {}, errors: {} };
}

/** State machine of editing one record, from the first keystroke to the last response. */
export function reduce(state: EditState, action: Action): EditState {
  switch (action.type) {
    case 'change': {
      const errors = Object.entries(state.errors).filter(([field]) => !(field in action.values));
      const draft = changeDraft(state.draft, action.values, action.live);
      const isOver = errors.length === 0 && draft.sent === undefined;
      return { ...state, draft, errors: Object.fromEntries(errors), ...(isOver && { fault: undefined }) };
    }
    case 'discard':
      return begin({ base: action.live, edits: {} });
    case 'bringBack':
      return begin(action.draft);
    case 'decide':
      return { ...state, decisions: action.decisions };
    case 'close':
      return { ...state, obstacle: undefined };
    case 'recover':
      return state.draft.sent === undefined && Object.keys(state.errors).length === 0
        ? { ...state, fault: undefined }
        : state;
    case 'refuse':
      return { ...state, ...refused({ kind: 'invalid', errors: action.errors }) };
    case 'forget':
      return { ...state, obstacle: undefined, draft: { ...state.draft, sent: undefined } };
    case 'save':
      return start(state, action.next, false);
    case 'settle': {
      if (state.obstacle?.kind !== 'conflict') return state;
      const { merge: met } = state.obstacle;
      const edits = resolve(met, state.draft.edits, state.decisions);
      return start({ ...state, draft: { ...state.draft, base: met.current, edits } }, action.next, true);
    }
    case 'answered':
      return state.saving === undefined ? state : answered(state, state.saving, action.answer, action.next);
  }
}

function start(state: EditState, next: Next, hasDecided: boolean): EditState {
  if (state.saving !== undefined) return state;
  const { edits } = state.draft;
  const saving = { asked: edits, hasDecided, round: 0, others: [] };
  return send({ ...state, obstacle: undefined, saved: undefined, errors: {}, fault: undefined }, saving, next);
}

/**
 * The next attempt. An attempt with an unknown outcome is repeated unchanged before anything else is sent: under its key, as long as the
 * service remembers that, or against its eTag, which nothing can be written with twice. A creation has no eTag.
 */
function send(state: EditState, saving: Omit<Saving, 'attempt' | 'isRepeated'>, { key, now }: Next): EditState {
  const { draft } = state;
  const isCreated = draft.base.eTag !== '';
  if (draft.sent === undefined && Object.keys(draft.edits).length === 0 && isCreated) return finish(state, saving);
  if (draft.sent !== undefined && !isCreated && isForgotten(draft.sent.at, now)) {
    return { ...state, obstacle: { kind: 'forgotten', attempt: draft.sent } };
  }
  const attempt = draft.sent ?? { key, eTag: draft.base.eTag, body: bodyOf(draft), at: now };
  const isRepeated = draft.sent !== undefined;
  return { ...state, draft: { ...draft, sent: attempt }, saving: { ...saving, attempt, isRepeated } };
}

function finish({ draft: { base } }: EditState, { others, replaced }: Pick<Saving, 'others' | 'replaced'>): EditState {
  return { ...begin({ base, edits: {} }), saved: { others, replaced } };
}

function bodyOf({ base, edits }: Draft): string {
  return JSON.stringify(patchOf(edits, base));
}

function answered(state: EditState, saving: Saving, answer: Answer, following: Next): EditState {
  const { attempt, asked, round } = saving;
  if (answer.kind === 'unknown') return { ...state, saving: undefined, fault: answer.text };
  const draft = { ...state.draft, sent: undefined };
  const settled = { ...state, draft, saving: undefined };
  const isAll = bodyOf(draft) === attempt.body;
  const hasTyped = draft.edits !== asked;
  if (answer.kind === 'written') {
    const rest = { base: answer.version, edits: isAll ? {} : editsLeft(draft.edits, answer.version) };
    const next = { ...settled, draft: rest };
    const replaced = saving.replaced ?? draft.base.values;
    if (!hasTyped) return send(next, { ...saving, asked: rest.edits, replaced }, following);
    return { ...next, fault: t.edit.savedExcept };
  }
  if (hasTyped) return { ...settled, fault: t.edit.keptTyping };
  if (answer.kind === 'stale') {
    const met = merge(draft.base, draft.edits, answer.report);
    const hasMovedOn = met.theirs.some(({ field }) => field === 'status');
    if (met.collisions.length > 0 || hasMovedOn) return ask(settled, met, saving);
    const edits = resolve(met, draft.edits, {});
    const next = { ...settled, draft: { base: met.current, edits } };
    if (round >= MAX_ROUNDS) return { ...next, fault: t.edit.keepChanging };
    const others = [...saving.others, ...met.theirs, ...met.same];
    return send(next, { ...saving, asked: edits, round: round + 1, others }, following);
  }
  // The user corrected the edits after this attempt was sent.
  if (!isAll) return send(settled, saving, following);
  return { ...settled, ...refused(answer) };
}

/** The edits that a saved version does not contain yet. */
function editsLeft(edits: Edits, { values }: Version): Edits {
  const left = Object.entries(edits).filter(([field, { to }]) => (values[field] ?? null) !== to);
  return Object.fromEntries(left.map(([field, { to }]) => [field, { from: values[field] ?? null, to }]));
}

function ask(state: EditState, met: Merge, { hasDecided }: Saving): EditState {
  const decisions = stillGood(state.decisions, state.decided, met);
  return { ...state, decisions, decided: met, obstacle: { kind: 'conflict', merge: met, isFurther: hasDecided } };
}

/** Keeps earlier decisions whose values have not changed. */
function stillGood(decisions: Decisions, before: Merge | undefined, now: Merge): Decisions {
  const told = ({ theirs, mine }: Collision) => JSON.stringify([theirs, mine]);
  const isSame = (one: Collision) =>
    before?.collisions.some((other) => one.name === other.name && told(one) === told(other));
  return Object.fromEntries(now.collisions.filter(isSame).map(({ name }) => [name, decisions[name]]));
}

type Refused = Exclude<Answer, { readonly kind: 'written' | 'stale' | 'unknown' }>;

function refused(answer: Refused): Partial<EditState> {
  if (answer.kind === 'invalid') {
    const fault = t.edit.correct;
    return { errors: answer.errors, fault };
  }
  if (answer.kind === 'refused') return { fault: t.edit.refused(answer.text), reason: answer.text };
  return { obstacle: answer };
}
