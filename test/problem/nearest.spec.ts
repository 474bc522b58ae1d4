import { nearestRoute } from '../../src/http/unknown-path.js';
import { editDistance, nearest } from '../../src/problem/nearest.js';

const FIELDS = ['id', 'code', 'shipmentType', 'deliveryDate', 'pickupDate', 'pickupAddress', 'limit', 'status'];

test.each([
  ['shipmenttype', 'shipmentType'],
  ['shipment_type', 'shipmentType'],
  ['shipmentTpye', 'shipmentType'],
  ['delivryDat', 'deliveryDate'],
  ['limt', 'limit'],
  ['Limit', 'limit'],
  ['stauts', 'status'],
  ['ocde', 'code'],
  ['ID', 'id'],
])('%s is close to %s', (name, meant) => {
  expect(nearest(name, FIELDS)).toBe(meant);
});

test.each(
  ['', 'x', 'page', 'colour', 'lmt', 'weight', 'shipment', '__proto__', 'l'.repeat(65), 'x'.repeat(1_000_000)].map(
    (name) => [name.slice(0, 20), name] as const,
  ),
)('nothing is close to %s', (_, name) => {
  expect(nearest(name, FIELDS)).toBeUndefined();
});

test('the nearest of several is taken, and the first of equally near ones', () => {
  expect(nearest('status2', ['statuses', 'status'])).toBe('status');
  expect(nearest('pickupDat', ['pickupData', 'pickupDate'])).toBe('pickupData');
});

test.each([
  ['', '', 0],
  ['abc', '', 3],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['ab', 'ba', 1],
  ['abcd', 'badc', 2],
  ['ca', 'abc', 3],
])('between %p and %p are %i changes', (one, other, changes) => {
  expect([editDistance(one, other), editDistance(other, one)]).toEqual([changes, changes]);
});

const ID = '0199c3a0-8a10-7d2f-8b64-1a9f6e2d3c4b';
const ROUTES = [
  '/',
  '/docs',
  '/docs/assets/:name',
  '/v1/moves',
  '/v1/moves/:moveID',
  '/v1/moves/:moveID/history',
  '/v1/shipments',
  '/v1/shipments/:shipmentID',
  '/v1/shipments/:shipmentID/agents',
  '/v1/agents/:agentID',
  '/prime/v1/shipments/:shipmentID/updateStatus',
];

test.each([
  ['/v1/shipment', '/v1/shipments'],
  ['/v1/Shipments', '/v1/shipments'],
  ['/shipments', '/v1/shipments'],
  ['/v2/shipments', '/v1/shipments'],
  ['//v1//shipmets', '/v1/shipments'],
  ['/moves/K7RM4W', '/v1/moves/:moveID'],
  [`/v1/shipments/${ID}/agent`, '/v1/shipments/:shipmentID/agents'],
  [`/v1/shipments/${ID}/agents/${ID}`, '/v1/shipments/:shipmentID/agents'],
  [`/v1/shipments/${ID}/updateStatus`, '/prime/v1/shipments/:shipmentID/updateStatus'],
  [`/prime/v1/shipments/${ID}/updatestatus`, '/prime/v1/shipments/:shipmentID/updateStatus'],
  ['/doc', '/docs'],
])('%s is close to %s', (path, route) => {
  expect(nearestRoute(path, ROUTES)).toBe(route);
});

test.each(
  [
    '/',
    '/nothing',
    '/v1/nothing',
    '/wp-login.php',
    '/a/b/c/d/e/f/g/h/i',
    '/v1/'.repeat(1000),
    `/${'x'.repeat(8000)}`,
  ].map((path) => [path.slice(0, 30), path] as const),
)('no route is close to %s', (_, path) => {
  expect(nearestRoute(path, ROUTES)).toBeUndefined();
});
