import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { callReceiver, type CallResult, type Resolve } from '../../src/deliveries/receiver-call.js';
import { ReceiverNames } from '../../src/deliveries/receiver-names.js';
import { ReceiverAddresses } from '../../src/webhooks/receiver-addresses.js';

/** Counts connections on every address of this machine: a forbidden call must not even connect. */
let servers: Server[];
let port: number;
let connections = 0;

function listen(host: string, at: number): Promise<Server> {
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  });
  return new Promise((resolve) => server.listen({ port: at, host }, () => resolve(server)));
}

const hasIPv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));

beforeAll(async () => {
  const first = await listen('0.0.0.0', 0);
  ({ port } = first.address() as AddressInfo);
  servers = [first, ...(hasIPv6 ? [await listen('::1', port)] : [])];
});
afterAll(() => {
  for (const server of servers) server.close();
});
beforeEach(() => {
  connections = 0;
});

const names = new ReceiverNames({ usesSearchList: true });
const bySystem: Resolve = (name, signal) => names.addressesOf(name, signal);

function call(url: string, networks?: string[], resolve = bySystem): Promise<CallResult> {
  const sent = { url, headers: {}, body: '{}', signal: AbortSignal.timeout(2000) };
  return callReceiver(sent, new ReceiverAddresses(networks), resolve);
}

const LOOPBACK = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1'],
  ...['0177.1', '017700000001', '0x7F.0x0.0x0.0x1', '127.0.0.1.', '%31%32%37.0.0.1', '１２７.0.0.1', '127。0。0。1'],
  ...['①②⑦.⓪.⓪.①', '0', '0.0.0.0', '0x0', '00', 'localhost', 'LOCALHOST', 'localhost.', 'ⓛⓞⓒⓐⓛhost'],
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...[
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
  ],
  ...['[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]', '[2001::1]'],
];
const OTHERS = [
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1', '3232235777'],
  ...['169.254.169.254', '0xa9fea9fe', '2852039166', '[::ffff:169.254.169.254]', '[fd00:ec2::254]', '100.100.100.200'],
  ...['169.254.170.2', '192.0.0.192', '100.64.0.1', '100.127.255.255', '198.18.0.1', '198.19.255.255', '192.0.2.1'],
  ...['198.51.100.7', '203.0.113.7', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '192.88.99.1'],
  ...['[fe80::1]', '[fc00::1]', '[fd12:3456::1]', '[ff02::1]', '[2001:db8::1]', '[3fff::1]', '[100::1]', '[5f00::1]'],
  ...['[2001:10::1]', '[2001:20::1]', '[2002:a00:1::]', '[64:ff9b::a00:1]', '[::a00:1]', '[fec0::1]'],
];

describe.each(['http', 'https'])('by %s', (protocol) => {
  test.each([...LOOPBACK, ...OTHERS])('%s is refused without a connection', async (host) => {
    if (!URL.canParse(`${protocol}://${host}:${port}/`)) return;
    const { status, error } = await call(`${protocol}://${host}:${port}/`);
    expect(status).toBeNull();
    expect(error).toMatch(/not public|ENOTFOUND|ECANCELLED/);
    expect(connections).toBe(0);
  });
});

test.each([80, 22, 5432, 6379])('another port (%s) makes no difference', async (other) => {
  expect((await call(`https://127.0.0.1:${other}/`)).error).toMatch(/not public/);
});

test('plain http is refused for a public address, too', async () => {
  expect((await call('http://93.184.216.34/')).error).toMatch(/not public/);
});

/** A resolver with one answer for each lookup of a name, in order. */
function resolving(...answers: string[][]) {
  let lookups = 0;
  const resolve = () => {
    const addresses = answers[Math.min(lookups++, answers.length - 1)] ?? [];
    return Promise.resolve(addresses);
  };
  return { resolve, count: () => lookups };
}

test.each([
  [['127.0.0.1']],
  [['::1']],
  [['10.1.2.3']],
  [['::ffff:127.0.0.1']],
  [['93.184.216.34', '127.0.0.1']],
  [['127.0.0.1', '93.184.216.34']],
  [[]],
])('a name that resolves to %j is refused', async (answer) => {
  const { error } = await call(`https://rebind.example:${port}/`, [], resolving(answer).resolve);
  expect(error).toMatch(/not public/);
  expect(connections).toBe(0);
});

test('a name whose answer changes after the check is not resolved again', async () => {
  const { resolve, count } = resolving(['192.0.32.8'], ['127.0.0.1']);
  expect((await call(`https://rebind.example:${port}/`, [], resolve)).status).toBeNull();
  expect([connections, count()]).toEqual([0, 1]);
});

test('an allowed network opens its addresses, by http too, and no others', async () => {
  expect(await call(`http://127.0.0.1:${port}/`, ['127.0.0.1'])).toMatchObject({ status: 200, error: null });
  expect(connections).toBe(1);
  expect((await call(`http://127.0.0.2:${port}/`, ['127.0.0.1'])).error).toMatch(/not public/);
  expect((await call(`http://127.0.0.2:${port}/`, ['127.0.0.0/30'])).status).toBe(200);
  expect((await call(`http://127.0.0.4:${port}/`, ['127.0.0.0/30'])).error).toMatch(/not public/);
  expect((await call('http://10.0.0.1/', ['127.0.0.0/8'])).error).toMatch(/not public/);
  expect((await call(`http://localhost:${port}/`, ['127.0.0.0/8', '::1'])).status).toBe(200);
});

test('a proxy of the environment is not used', async () => {
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
  for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${port}`;
  await call('http://10.0.0.1/');
  await call('https://169.254.169.254/latest/meta-data/');
  for (const name of names) Reflect.deleteProperty(process.env, name);
  expect(connections).toBe(0);
});
