import { begin, reduce, type Action, type EditState } from '../../console/src/model/edit.js';
import type { Version } from '../../console/src/model/merge.js';

const HOUR = 3_600_000;
const NEW: Version = { eTag: '', values: {} };
const OLD: Version = { eTag: 'v1', values: { id: 's1', customerRemarks: null } };

let keys = 0;
const save = (now: number): Action => ({ type: 'save', next: { key: `key-${(keys += 1)}`, now } });
const after = (state: EditState, ...actions: Action[]) => actions.reduce(reduce, state);

/** Saved at zero o'clock, without an answer. */
function unanswered(base: Version): EditState {
  return after(
    begin({ base, edits: {} }),
    { type: 'change', values: { customerRemarks: 'mine' }, live: base },
    save(0),
    { type: 'answered', answer: { kind: 'unknown', text: 'It is not known.' }, next: { key: 'unused', now: 0 } },
  );
}

test('an attempt to create a record is repeated under its key while the service remembers that', () => {
  const open = unanswered(NEW);
  expect(after(open, save(22 * HOUR)).saving?.attempt).toBe(open.draft.sent);
});

test('an attempt to create a record is not sent again after that: the record may exist', () => {
  const open = unanswered(NEW);
  const late = after(open, save(72 * HOUR));
  expect(late.saving).toBeUndefined();
  expect(late.obstacle).toEqual({ kind: 'forgotten', attempt: open.draft.sent });
  expect(late.draft).toEqual(open.draft);
});

test('a user who has looked creates the record by a new attempt', () => {
  const open = unanswered(NEW);
  const again = after(open, save(72 * HOUR), { type: 'forget' }, save(73 * HOUR));
  expect(again.saving?.attempt).toMatchObject({ body: open.draft.sent?.body, at: 73 * HOUR });
  expect(again.saving?.attempt.key).not.toBe(open.draft.sent?.key);
});

test.each([
  ['was kept without its time, by an earlier version of the console', undefined],
  ['is from the future, because the clock was set back', 100 * HOUR],
])('an attempt that %s may have created the record', (_, at) => {
  const { draft } = unanswered(NEW);
  const kept = begin({ ...draft, sent: draft.sent && { ...draft.sent, at } });
  expect(after(kept, save(0)).obstacle?.kind).toBe('forgotten');
});

test('an attempt to change a record is repeated whenever: its eTag cannot be spent twice', () => {
  const open = unanswered(OLD);
  expect(after(open, save(72 * HOUR)).saving?.attempt).toBe(open.draft.sent);
});
