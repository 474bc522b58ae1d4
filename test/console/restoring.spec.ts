import {
  begun,
  isHeldBack,
  restoreAll,
  type Progress,
  type Response,
  type Step,
} from '../../console/src/model/restoring.js';

const step = (id: string, after?: string): Step => ({
  ...{ kind: after === undefined ? 'move' : 'shipment', id, name: id, deletionETag: `d-${id}`, key: `k-${id}`, after },
});
const RESTORED: Response = { kind: 'restored' };
const REFUSED: Response = { kind: 'refused', hindrance: 'ERASED', text: 'Erased.' };
const UNKNOWN: Response = { kind: 'unknown', text: 'Unknown.' };
const STEPS = [step('m'), step('a', 'm'), step('b', 'm')];

/** A service that answers as listed, and what it was sent. */
function service(...responses: Response[]) {
  const sent: [id: string, key: string, isRepeated: boolean][] = [];
  const send = ({ id, key }: Step, isRepeated: boolean) => {
    sent.push([id, key, isRepeated]);
    return Promise.resolve(responses.shift() ?? RESTORED);
  };
  return { sent, send };
}
const nothing = () => undefined;
const kinds = (all: readonly Progress[]) => all.map(({ response }) => response?.kind);

test('the move comes first, then its shipments', async () => {
  const { sent, send } = service();
  const shown: unknown[] = [];
  const all = await restoreAll(begun(STEPS), send, (progress) => shown.push(kinds(progress)));
  expect(sent.map(([id]) => id)).toEqual(['m', 'a', 'b']);
  expect(kinds(all)).toEqual(['restored', 'restored', 'restored']);
  expect(shown).toEqual([
    ['restored', undefined, undefined],
    ['restored', 'restored', undefined],
    ['restored', 'restored', 'restored'],
  ]);
});

test('nothing is sent that belongs to a record that could not be restored', async () => {
  const { sent, send } = service(REFUSED);
  const all = await restoreAll(begun(STEPS), send, nothing);
  expect(sent.map(([id]) => id)).toEqual(['m']);
  expect(all.map((each) => isHeldBack(each, all))).toEqual([false, true, true]);
});

test('a refused shipment does not stop the others', async () => {
  const { send } = service(RESTORED, REFUSED);
  expect(kinds(await restoreAll(begun(STEPS), send, nothing))).toEqual(['restored', 'refused', 'restored']);
});

test('a move that somebody else restored meanwhile is there', async () => {
  const { send } = service({ kind: 'already', by: 'Ben', at: undefined });
  expect(kinds(await restoreAll(begun(STEPS), send, nothing))).toEqual(['already', 'restored', 'restored']);
});

test('after an unknown outcome nothing more is sent, until that step was repeated under its key', async () => {
  const { sent, send } = service(RESTORED, UNKNOWN, UNKNOWN, RESTORED);
  const first = await restoreAll(begun(STEPS), send, nothing);
  expect(kinds(first)).toEqual(['restored', 'unknown', undefined]);
  expect(first.map((each) => isHeldBack(each, first))).toEqual([false, false, false]);
  const second = await restoreAll(first, send, nothing);
  expect(kinds(second)).toEqual(['restored', 'unknown', undefined]);
  expect(kinds(await restoreAll(second, send, nothing))).toEqual(['restored', 'restored', 'restored']);
  expect(sent).toEqual([
    ['m', 'k-m', false],
    ['a', 'k-a', false],
    ['a', 'k-a', true],
    ['a', 'k-a', true],
    ['b', 'k-b', false],
  ]);
});
