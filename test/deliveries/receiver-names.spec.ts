import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callReceiver, type CallResult } from '../../src/deliveries/receiver-call.js';
import { namesToTry, ReceiverNames } from '../../src/deliveries/receiver-names.js';
import { ReceiverAddresses } from '../../src/webhooks/receiver-addresses.js';
import { NameServer, type Zone } from '../support/http/name-server.js';

const folder = mkdtempSync(join(tmpdir(), 'waybill-names-'));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const hostsFile = file('hosts', '127.0.0.1 localhost\n127.0.0.1\tCarrier carrier.internal # 127.0.0.9\n#::1 none\n');
const resolverFile = file('resolv.conf', 'nameserver 192.0.2.1\nsearch default.svc.test svc.test\noptions ndots:5\n');

let nameServer: NameServer | undefined;
let receiver: Server;
let port: number;
const hosts: string[] = [];

beforeAll(async () => {
  receiver = createServer((request: IncomingMessage, response: ServerResponse) => {
    hosts.push(request.headers.host ?? '');
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  ({ port } = receiver.address() as AddressInfo);
});
beforeEach(() => hosts.splice(0));
afterEach(async () => {
  await nameServer?.stop();
  nameServer = undefined;
});
afterAll(() => {
  receiver.close();
  rmSync(folder, { recursive: true });
});

async function namesOf(zone: Zone, usesSearchList = false): Promise<ReceiverNames> {
  nameServer = await NameServer.start(zone);
  return new ReceiverNames({ usesSearchList, servers: [nameServer.address], hostsFile, resolverFile });
}

async function call(name: string, zone: Zone, signal = new AbortController().signal): Promise<CallResult> {
  const names = await namesOf(zone, true);
  const sent = { url: `http://${name}:${port}/`, headers: {}, body: '{}', signal };
  const addresses = new ReceiverAddresses(['127.0.0.0/8', '::1']);
  return callReceiver(sent, addresses, (host, ending) => names.addressesOf(host, ending));
}

const forever = new AbortController().signal;
const only =
  (name: string, ...addresses: string[]): Zone =>
  (asked) =>
    asked === name ? addresses : [];

describe('the addresses of a name', () => {
  test.each<[string, readonly string[]]>([
    ['both families, IPv4 first', ['2606:4700::1', '192.0.2.7', '2606:4700::2', '192.0.2.8']],
    ['IPv4 alone', ['192.0.2.7']],
    ['IPv6 alone', ['2606:4700::1']],
    ['200 addresses, which need TCP', Array.from({ length: 200 }, (_, index) => `192.0.2.${index}`)],
  ])('%s', async (_, addresses) => {
    const names = await namesOf(only('a.example', ...addresses));
    const found = await names.addressesOf('a.example', forever);
    expect([...found].sort()).toEqual([...addresses].sort());
    expect(found.slice(found.findIndex((each) => each.includes(':'))).every((each) => each.includes(':'))).toBe(
      addresses.some((each) => each.includes(':')),
    );
  });

  test('the hosts file wins, in any case, with or without a final dot, and nothing is asked', async () => {
    const names = await namesOf(() => ['192.0.2.7']);
    for (const name of ['carrier', 'CARRIER', 'carrier.internal', 'carrier.internal.', 'localhost']) {
      expect(await names.addressesOf(name, forever)).toEqual(['127.0.0.1']);
    }
    expect(await names.addressesOf('api.localhost', forever)).toEqual(['127.0.0.1', '::1']);
    expect(nameServer?.asked).toEqual([]);
    expect(await names.addressesOf('none', forever)).toEqual(['192.0.2.7']);
  });

  test('a short name is looked for in the search list if networks are allowed, and only then', async () => {
    const zone = only('carrier-api.default.svc.test', '127.0.0.1');
    const names = await namesOf(zone, true);
    expect(await names.addressesOf('carrier-api', forever)).toEqual(['127.0.0.1']);
    const withoutNetworks = new ReceiverNames({ usesSearchList: false, servers: names.settings.servers ?? [] });
    await expect(withoutNetworks.addressesOf('carrier-api', forever)).rejects.toThrow('ENOTFOUND');
  });

  test.each([
    ['the query is canceled', false, 'ECANCELLED'],
    ['the search list is abandoned', true, 'The call has ended'],
  ])('when the call ends, %s', async (_, usesSearchList, message) => {
    const ending = new AbortController();
    const names = await namesOf(() => {
      setImmediate(() => ending.abort(new Error('The call has ended')));
      return 'silent';
    }, usesSearchList);
    await expect(names.addressesOf('a', ending.signal)).rejects.toThrow(message);
    expect(new Set(nameServer?.asked).size).toBe(1);
  });

  test('one family that fails does not hide the other', async () => {
    const names = await namesOf((name) => (name === 'a.svc.test' ? ['192.0.2.7'] : 'SERVFAIL'), true);
    expect(await names.addressesOf('a', forever)).toEqual(['192.0.2.7']);
  });

  test.each<[ReturnType<Zone>, RegExp]>([
    ['SERVFAIL', /ESERVFAIL/],
    ['half', /EBADRESP|ETIMEOUT|ESERVFAIL/],
    [[], /ENOTFOUND/],
  ])('%j is a failure', async (answer, message) => {
    await expect((await namesOf(() => answer)).addressesOf('a.example', forever)).rejects.toThrow(message);
  });
});

test.each([
  ['search a.test b.test', 'x', ['x.a.test', 'x.b.test', 'x']],
  ['search a.test', 'x.y', ['x.y', 'x.y.a.test']],
  ['search a.test\noptions ndots:2 edns0', 'x.y', ['x.y.a.test', 'x.y']],
  ['domain a.test', 'x', ['x.a.test', 'x']],
  ['search a.test\nsearch b.test # c.test', 'x', ['x.b.test', 'x']],
  ['search a.test', 'x.', ['x.']],
  ['search .', 'x', ['x']],
  ['', 'x', ['x']],
])('with %j, %s is tried as %j', (text, name, candidates) => {
  expect(namesToTry(text, name)).toEqual(candidates);
});

describe('a call', () => {
  test('goes to the next address if one is dead, with the name as its host', async () => {
    const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.1'];
    expect(await call('a.example', only('a.example', ...addresses))).toMatchObject({ status: 204, error: null });
    expect(hosts).toEqual([`a.example:${port}`]);
  });

  test('names the failure of each address if all are dead', async () => {
    const { status, error } = await call('a.example', only('a.example', '127.0.0.2', '127.0.0.3'));
    expect(status).toBeNull();
    expect(error).toBe(`connect ECONNREFUSED 127.0.0.2:${port}; connect ECONNREFUSED 127.0.0.3:${port}`);
  });

  test('tries at most four addresses of each family', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `127.0.1.${index}`);
    const { error } = await call('a.example', only('a.example', ...many, '::1'));
    const failures = error?.split('; ') ?? [];
    expect(failures.filter((failure) => failure.includes('127.0.1.'))).toHaveLength(4);
    expect(failures.filter((failure) => failure.includes('::1'))).toHaveLength(1);
  });

  test.each<[string, string[]]>([
    ['a private one', ['127.0.0.1', '10.0.0.1']],
    ['a private one of the other family', ['127.0.0.1', 'fd00::1']],
    ['the last of 200', [...Array.from({ length: 199 }, () => '127.0.0.1'), '169.254.169.254']],
  ])('connects to none of the addresses if one is not permitted: %s', async (_, addresses) => {
    const { error } = await call('a.example', only('a.example', ...addresses));
    expect(error).toMatch(/not public and not in WEBHOOK_ALLOWED_NETWORKS/);
    expect(hosts).toEqual([]);
  });

  test('ends its queries when it is canceled', async () => {
    const ending = new AbortController();
    const result = call(
      'a.example',
      () => {
        setImmediate(() => ending.abort(new Error('The service stops')));
        return 'silent';
      },
      ending.signal,
    );
    expect((await result).error).toBe('The service stops');
  });
});
