import { changeDraft, type Draft } from '../../console/src/model/draft.js';
import { begin, reduce, type Action, type Answer, type EditState } from '../../console/src/model/edit.js';
import type { Values } from '../../console/src/model/fields.js';
import type { Version } from '../../console/src/model/merge.js';

const VALUES: Values = { id: 's1', status: 'SUBMITTED', customerRemarks: null, estimatedWeight: 4500 };
const version = (eTag: string, values: Values = {}): Version => ({ eTag, values: { ...VALUES, ...values } });
const V1 = version('v1');

const stale = (eTag: string, values: Values): Answer => ({
  kind: 'stale',
  report: {
    currentETag: eTag,
    changes: Object.entries(values).map(([field, current]) => ({ field, base: VALUES[field] ?? null, current })),
  },
});
const ANSWERS = {
  written: { kind: 'written', version: version('v2', { customerRemarks: 'mine' }) },
  merged: stale('v2', { estimatedWeight: 5000 }),
  collides: stale('v2', { customerRemarks: 'theirs' }),
  moved: stale('v2', { status: 'CANCELED' }),
  invalid: { kind: 'invalid', errors: { customerRemarks: 'is too long' } },
  deleted: { kind: 'deleted' },
  forbidden: { kind: 'forbidden', detail: 'No.' },
  refused: { kind: 'refused', text: 'Too many requests.' },
  unknown: { kind: 'unknown', text: 'It is not known.' },
} satisfies Record<string, Answer>;
type AnswerName = keyof typeof ANSWERS;

let keys = 0;
const next = () => ({ key: `key-${(keys += 1)}`, now: 0 });
const save = (): Action => ({ type: 'save', next: next() });
const settle = (): Action => ({ type: 'settle', next: next() });
const type = (values: Values): Action => ({ type: 'change', values, live: V1 });
const answered = (answer: Answer): Action => ({ type: 'answered', answer, next: next() });
const after = (state: EditState, ...actions: Action[]) => actions.reduce(reduce, state);

const EMPTY = begin({ base: V1, edits: {} });
const typed = () => after(EMPTY, type({ customerRemarks: 'mine' }));

/** The states in which an answer can arrive, each with a save under way. */
const STATES = {
  /** sent once */
  first: () => after(typed(), save()),
  /** sent again after an answer that settled nothing */
  repeated: () => after(typed(), save(), answered(ANSWERS.unknown), save()),
  /** the same, corrected in between */
  corrected: () => after(typed(), save(), answered(ANSWERS.unknown), type({ customerRemarks: 'corrected' }), save()),
  /** sent, and typed on since */
  typing: () => after(typed(), save(), type({ estimatedWeight: 1 })),
  /** sent after a conflict was decided */
  settled: () =>
    after(
      after(typed(), save(), answered(stale('v1b', { customerRemarks: 'first' }))),
      { type: 'decide', decisions: { customerRemarks: { customerRemarks: 'mine' } } },
      settle(),
    ),
};
type StateName = keyof typeof STATES;

const NEW = begin({ base: { eTag: '', values: { id: 'new' } }, edits: {} });

test('a new record is sent even if it has no values, and only once', () => {
  const sent = after(NEW, save());
  expect(sent.saving?.attempt).toMatchObject({ eTag: '', body: '{}' });
  const repeated = after(sent, answered(ANSWERS.unknown), save());
  expect(repeated.saving?.attempt).toEqual(sent.saving?.attempt);
  expect(after(repeated, answered(ANSWERS.written))).toMatchObject({ saved: {}, draft: { base: { eTag: 'v2' } } });
});

test('errors that the form found are shown until they are corrected', () => {
  const refused = after(typed(), { type: 'refuse', errors: { customerRemarks: 'Fill in this field.' } });
  expect(refused).toMatchObject({ errors: { customerRemarks: 'Fill in this field.' }, fault: expect.any(String) });
  expect(after(refused, { type: 'recover' }).fault).toBe(refused.fault);
  expect(after(refused, type({ customerRemarks: 'there' }))).toMatchObject({ errors: {}, fault: undefined });
});

test('a refusal is forgotten when the service responds again, but not an unknown outcome', () => {
  const refused = after(typed(), save(), answered(ANSWERS.refused));
  expect(after(refused, { type: 'recover' }).fault).toBeUndefined();
  const open = after(typed(), save(), answered(ANSWERS.unknown));
  expect(after(open, { type: 'recover' }).fault).toBe('It is not known.');
});

describe('what a save replaced', () => {
  const decided = (customerRemarks: string) =>
    after(
      typed(),
      save(),
      answered(ANSWERS.collides),
      { type: 'decide', decisions: { customerRemarks: { customerRemarks } } },
      settle(),
    );

  it('are the values of the version that it was written to', () => {
    const written = answered(ANSWERS.written);
    expect(after(typed(), save(), written).saved?.replaced).toMatchObject({ customerRemarks: null });
    expect(after(decided('mine'), written).saved?.replaced).toMatchObject({ customerRemarks: 'theirs' });
  });

  it('is nothing if the user decided for the others, or they had made the same change', () => {
    const same = after(typed(), save(), answered(stale('v2', { customerRemarks: 'mine' })));
    expect([decided('theirs').saved, same.saved]).toMatchObject([{ replaced: undefined }, { replaced: undefined }]);
  });
});

/** A short text for a state: the next step. */
function outcome({ saving, saved, obstacle, fault, draft }: EditState): string {
  if (saving !== undefined) return `sends ${saving.attempt.eTag} ${saving.attempt.body}`;
  if (saved !== undefined) return 'saved';
  const open = draft.sent === undefined ? '' : ', open';
  return `${obstacle?.kind ?? fault ?? 'nothing'}${open}`;
}

const INVALID = 'Not saved. Correct the marked fields.';
const REFUSED = 'Not saved. Too many requests. Your changes are kept in this browser.';
const TYPED_ON = 'Not saved, because you kept typing. Save again.';
const CORRECTION = '{"customerRemarks":"corrected"}';

/** Whether it was sent once, again after an unknown outcome, or after a conflict was decided. */
const WITHOUT_TYPING: Record<AnswerName, string> = {
  written: 'saved',
  merged: 'sends v2 {"customerRemarks":"mine"}',
  collides: 'conflict',
  moved: 'conflict',
  invalid: INVALID,
  deleted: 'deleted',
  forbidden: 'forbidden',
  refused: REFUSED,
  unknown: 'It is not known., open',
};

const EXPECTED: Record<StateName, Record<AnswerName, string>> = {
  first: WITHOUT_TYPING,
  repeated: WITHOUT_TYPING,
  settled: WITHOUT_TYPING,
  corrected: {
    written: `sends v2 ${CORRECTION}`,
    merged: `sends v2 ${CORRECTION}`,
    collides: 'conflict',
    moved: 'conflict',
    invalid: `sends v1 ${CORRECTION}`,
    deleted: `sends v1 ${CORRECTION}`,
    forbidden: `sends v1 ${CORRECTION}`,
    refused: `sends v1 ${CORRECTION}`,
    unknown: 'It is not known., open',
  },
  typing: {
    written: 'Saved, except for what you typed in the meantime. Save again.',
    merged: TYPED_ON,
    collides: TYPED_ON,
    moved: TYPED_ON,
    invalid: TYPED_ON,
    deleted: TYPED_ON,
    forbidden: TYPED_ON,
    refused: TYPED_ON,
    unknown: 'It is not known., open',
  },
};

describe.each(Object.keys(STATES) as StateName[])('an answer to a save that was %s', (name) => {
  it.each(Object.keys(ANSWERS) as AnswerName[])('%s', (answer) => {
    expect(outcome(after(STATES[name](), answered(ANSWERS[answer])))).toBe(EXPECTED[name][answer]);
  });
});

describe('the key of a save', () => {
  const keyOf = (state: EditState) => state.saving?.attempt.key;

  it('stays, with body and eTag, until an answer settles the save', () => {
    const first = STATES.first();
    const again = after(first, answered(ANSWERS.unknown), save());
    expect(again.saving).toMatchObject({ attempt: first.saving?.attempt, isRepeated: true });
    const corrected = after(again, answered(ANSWERS.unknown), type({ customerRemarks: 'corrected' }), save());
    expect(corrected.saving?.attempt).toEqual(first.saving?.attempt);
  });

  it('is kept in the draft before it is sent, so that a reload finds it', () => {
    const { draft, saving } = STATES.first();
    const found = JSON.parse(JSON.stringify(draft)) as Draft;
    const reloaded = after(begin(found), save());
    expect(reloaded.saving).toMatchObject({ attempt: saving?.attempt, isRepeated: true });
  });

  it('is a new one after any answer that settles the save', () => {
    for (const name of ['invalid', 'refused', 'deleted', 'forbidden', 'collides'] as const) {
      const first = STATES.first();
      const next = after(first, answered(ANSWERS[name]), save());
      expect([name, keyOf(next) === keyOf(first), next.saving?.isRepeated]).toEqual([name, false, false]);
    }
  });

  it('is a new one for each version that the edits are merged with', () => {
    const first = STATES.first();
    expect(keyOf(after(first, answered(ANSWERS.merged)))).not.toBe(keyOf(first));
  });
});

describe('a draft', () => {
  it('keeps the version that it was begun on, whatever happens to the record', () => {
    const later = version('v9', { status: 'CANCELED' });
    const draft = changeDraft(typed().draft, { estimatedWeight: 1 }, later);
    expect(draft.base).toEqual(V1);
  });

  it('begins on the newest version when nothing was typed before', () => {
    const later = version('v9', { status: 'CANCELED' });
    expect(changeDraft(EMPTY.draft, { estimatedWeight: 1 }, later).base).toEqual(later);
  });

  it('has no edit that was typed back, unless it may be saved already', () => {
    expect(after(typed(), type({ customerRemarks: null })).draft.edits).toEqual({});
    const back = after(typed(), save(), answered(ANSWERS.unknown), type({ customerRemarks: null }), save());
    const next = after(back, answered(ANSWERS.written));
    expect(outcome(next)).toBe('sends v2 {"customerRemarks":null}');
  });

  it('is empty after it was discarded, also with a save that is open', () => {
    const { draft, fault } = after(STATES.first(), answered(ANSWERS.unknown), { type: 'discard', live: V1 });
    expect([draft, fault]).toEqual([{ base: V1, edits: {} }, undefined]);
  });
});

describe('a conflict', () => {
  it('says that it is a further one only when something was decided before', () => {
    const isFurther = (state: EditState) => state.obstacle?.kind === 'conflict' && state.obstacle.isFurther;
    expect(isFurther(after(STATES.first(), answered(ANSWERS.merged), answered(ANSWERS.collides)))).toBe(false);
    expect(isFurther(after(STATES.settled(), answered(ANSWERS.collides)))).toBe(true);
  });

  it('reports the changes of others when they are merged', () => {
    const { saved } = after(STATES.first(), answered(ANSWERS.merged), answered(ANSWERS.written));
    expect(saved?.others).toMatchObject([{ field: 'estimatedWeight', current: 5000 }]);
  });
});

it('ignores an answer that nobody waits for', () => {
  const state = typed();
  expect(after(state, answered(ANSWERS.written))).toBe(state);
});

test('a discarded draft is edited again on the version that it was based on, although the record has changed', () => {
  const { draft } = typed();
  const V2 = version('v2', { estimatedWeight: 5000 });
  const discarded = after(typed(), { type: 'discard', live: V2 });
  expect(discarded.draft).toEqual({ base: V2, edits: {} });
  const back = after(discarded, { type: 'bringBack', draft });
  expect(back.draft).toEqual(draft);
  expect(after(back, save()).saving?.attempt).toMatchObject({ eTag: 'v1', body: '{"customerRemarks":"mine"}' });
});

test('a draft whose attempt may have been saved repeats it after it was discarded and brought back', () => {
  const open = after(typed(), save(), answered(ANSWERS.unknown));
  const back = after(open, { type: 'discard', live: V1 }, { type: 'bringBack', draft: open.draft });
  expect(after(back, save()).saving).toMatchObject({ attempt: open.draft.sent, isRepeated: true });
});
