import type { Event } from '@waybill/client';
import { withNews, type News } from '../../console/src/model/news.js';
import { withoutRepetitions, type Copy } from '../../console/src/model/held-records.js';

const HOME = { id: 'a1', streetAddress1: 'Elm St 1', city: 'Austin', eTag: 'v1' };
const copy = (values = {}): Copy & Record<string, unknown> => ({
  id: 'a',
  eTag: 'v1',
  updatedAt: '2027-01-01',
  status: 'SUBMITTED',
  pickupAddress: HOME,
  ...values,
});
/** The event of a version, by its number. */
const event = (version: number, data: object = {}, type = 'shipment.updated'): News => ({
  event: {
    type,
    time: `2027-01-0${version}`,
    data: { resourceID: 'a', eTag: `v${version}`, previousETag: `v${version - 1}`, changes: [], ...data },
  } as unknown as Event,
});
const to = (field: string, value: unknown) => ({ changes: [{ field, from: null, to: value }] });

test('an event is applied to the version that it follows, and so are those after it', () => {
  const news = [event(2, to('status', 'APPROVED')), event(3, to('pickupAddress/city', 'Dallas'))];
  const after = { status: 'APPROVED', eTag: 'v3', updatedAt: '2027-01-03' };
  expect(withNews(copy(), news)).toEqual({
    copy: copy({ ...after, pickupAddress: { ...HOME, city: 'Dallas', eTag: 'v3' } }),
    isBehind: false,
  });
});

test.each([
  ['another version', event(3, to('status', 'APPROVED'))],
  ['a version that it does not name', event(2, { ...to('status', 'APPROVED'), previousETag: undefined })],
  ['this version, but has no values', event(2, { truncated: true })],
  ['this version, but whose values were erased', event(2, { erased: true })],
  ['a deletion', event(2, { previousETag: null, ...to('status', 'SUBMITTED') }, 'shipment.restored')],
])('an event that follows %s is not applied', (_, news) => {
  expect(withNews(copy(), [news])).toEqual({ copy: copy(), isBehind: true });
});

test('an address that was added must be read, because events do not contain its id', () => {
  const without = copy({ pickupAddress: null });
  const added = event(2, to('pickupAddress/streetAddress1', 'Elm St 1'));
  expect(withNews(without, [added])).toEqual({ copy: without, isBehind: true });
});

test('an address without a street was removed', () => {
  const { copy: after } = withNews(copy(), [event(2, to('pickupAddress/streetAddress1', null))]);
  expect(after['pickupAddress']).toBeNull();
});

test('an older or equal version changes nothing', () => {
  const now = copy({ eTag: 'v3', updatedAt: '2027-01-03' });
  const news = [event(2), event(3), { version: copy() }, event(2, {}, 'shipment.deleted')];
  expect(withNews(now, news)).toEqual({ copy: now, isBehind: false });
});

test('the response to a write fills the gap before an event that arrived earlier', () => {
  const written = { version: copy({ eTag: 'v2', updatedAt: '2027-01-02', status: 'APPROVED', pickupAddress: null }) };
  const after = {
    copy: copy({ eTag: 'v3', updatedAt: '2027-01-03', status: 'IN_TRANSIT', pickupAddress: null }),
    isBehind: false,
  };
  expect(withNews(copy({ pickupAddress: null }), [event(3, to('status', 'IN_TRANSIT')), written])).toEqual(after);
});

test('a version that was read ends a gap and a deletion, and keeps expanded records', () => {
  const deleted = withNews(copy({ agents: [] }), [
    event(2, { previousETag: undefined }),
    event(3, {}, 'shipment.deleted'),
  ]);
  expect(deleted).toMatchObject({ copy: { eTag: 'v1', isDeleted: true }, isBehind: false });
  const restored = copy({ eTag: 'v4', updatedAt: '2027-01-04' });
  expect(withNews(deleted.copy, [{ version: restored }]).copy).toEqual({ ...restored, agents: [] });
});

test('a record that was moved to a later page while the pages were read is listed once', () => {
  const b = copy({ id: 'b' });
  const pages = [{ items: [copy(), b] }, { items: [copy({ eTag: 'v2' })] }];
  const list = withoutRepetitions({ pages, pageParams: [] });
  expect(list.pages).toEqual([{ items: [copy(), b] }, { items: [] }]);
  expect(list.pages[0]).toBe(pages[0]);
});
