import { begin, reduce, type Answer, type EditState, type Saving } from '../../console/src/model/edit.js';
import type { Values } from '../../console/src/model/fields.js';
import type { Version } from '../../console/src/model/merge.js';
import { saveAll } from '../../console/src/model/save-all.js';

const VALUES: Values = { id: 's1', status: 'SUBMITTED', customerRemarks: null, estimatedWeight: 4500 };
const version = (eTag: string, values: Values = {}): Version => ({ eTag, values: { ...VALUES, ...values } });
const MINE = { customerRemarks: 'mine' };

const written = (eTag: string, values: Values = MINE): Answer => ({ kind: 'written', version: version(eTag, values) });
const stale = (eTag: string, field: string, current: string | number): Answer => ({
  kind: 'stale',
  report: { currentETag: eTag, changes: [{ field, base: VALUES[field] ?? null, current }] },
});

/** Somebody who has typed a remark, and a service that gives these answers. */
function stage(...answers: Answer[]) {
  let state: EditState = begin({ base: version('v1'), edits: {} });
  let keys = 0;
  const sent: Saving[] = [];
  const editor = {
    get: () => state,
    dispatch: (action: Parameters<typeof reduce>[1]) => {
      state = reduce(state, action);
    },
  };
  const type = (values: Values) => editor.dispatch({ type: 'change', values, live: version('v1') });
  type(MINE);
  const save = (onSend = (): void => undefined) =>
    saveAll(editor, 'save', {
      send: (saving) => {
        sent.push(saving);
        onSend();
        const answer = answers.shift();
        return answer === undefined ? Promise.reject(new Error('sent too often')) : Promise.resolve(answer);
      },
      next: () => ({ key: `key-${(keys += 1)}`, now: 0 }),
    });
  return { editor, sent, save, type };
}

const attempts = (sent: readonly Saving[]) => sent.map(({ attempt: { key, eTag, body } }) => [key, eTag, body]);

test('one attempt saves an edit that nobody is in the way of', async () => {
  const { sent, save } = stage(written('v2'));
  expect(await save()).toEqual({ others: [], replaced: VALUES });
  expect(attempts(sent)).toEqual([['key-1', 'v1', '{"customerRemarks":"mine"}']]);
});

test('a change of another field is merged and the edit is sent again, against that version and with a new key', async () => {
  const { sent, save } = stage(stale('v2', 'estimatedWeight', 5000), written('v3'));
  expect(await save()).toMatchObject({ others: [{ field: 'estimatedWeight', current: 5000 }] });
  expect(attempts(sent)).toEqual([
    ['key-1', 'v1', '{"customerRemarks":"mine"}'],
    ['key-2', 'v2', '{"customerRemarks":"mine"}'],
  ]);
});

test('a change of the same field is left to the user', async () => {
  const { editor, sent, save } = stage(stale('v2', 'customerRemarks', 'theirs'));
  expect(await save()).toBeUndefined();
  expect(editor.get().obstacle?.kind).toBe('conflict');
  expect(sent).toHaveLength(1);
});

test('it ends if others change the record without end', async () => {
  const endless = Array.from({ length: 100 }, (_, index) => stale(`w${index}`, 'estimatedWeight', 5000 + index));
  const { editor, sent, save } = stage(...endless);
  expect(await save()).toBeUndefined();
  expect(editor.get().fault).toBe('Not saved, because others keep changing it. Try again.');
  expect(sent).toHaveLength(11);
});

test('a second save sends nothing while the first one waits for its answer', async () => {
  const { sent, save } = stage(written('v2'));
  const first = save();
  expect(await save()).toBeUndefined();
  expect(await first).toEqual({ others: [], replaced: VALUES });
  expect(sent).toHaveLength(1);
});

test('text typed before the answer is not lost and not sent unasked', async () => {
  const { editor, sent, save, type } = stage(written('v2'));
  expect(await save(() => type({ estimatedWeight: 1 }))).toBeUndefined();
  expect(sent).toHaveLength(1);
  expect(editor.get().draft).toMatchObject({ base: { eTag: 'v2' }, edits: { estimatedWeight: { from: 4500, to: 1 } } });
});
