import { useServiceWithKeys } from '../support/http/keys.js';
import { exchange } from '../support/http/plain-http.js';
import { bearer, jwtEnvironment, KeySetServer, newKey, signToken } from '../support/http/tokens.js';
import { startApp } from '../support/service/service.js';

/** The proxy is 127.0.0.1; whoever comes from 127.0.0.2 is not. */
const PROXY = '127.0.0.1';
const ELSEWHERE = '127.0.0.2';
const PROXIED = { 'X-Forwarded-User': 'ann-7' };
const SETTINGS = { TRUSTED_PROXIES: PROXY, AUTH_PROXY_SUBJECT_HEADER: 'X-Forwarded-User', WEBHOOKS: 'off' };

const MODES = ['jwt', 'keys', 'proxy', 'jwt,keys', 'jwt,proxy', 'keys,proxy', 'jwt,keys,proxy'];
const SENT = ['nothing', 'token', 'key', 'wrong'] as const;

const { service, createKey } = useServiceWithKeys();
let signing: Awaited<ReturnType<typeof newKey>>;
let keySet: KeySetServer;
beforeAll(async () => {
  signing = await newKey('only');
  keySet = await KeySetServer.start(signing);
});
afterAll(() => keySet.stop());

test.each(MODES)('AUTH_MODE=%s believes nobody else', async (modes) => {
  const believed = modes.split(',');
  const created = await createKey({ scopes: ['moves:write'] });
  const credentials = {
    nothing: {},
    token: bearer(await signToken(signing, { subject: 'token-1', scope: 'moves:write' })),
    key: bearer(created.key),
    wrong: { Authorization: 'Basic YTpi' },
  };
  const subjects = { nothing: undefined, token: 'token-1', key: `key:${created.id}`, wrong: undefined };
  const modeOf: Record<string, string> = { token: 'jwt', key: 'keys' };

  /** Only a proxy alone does not look at Authorization, which may be for itself. */
  const expected = (sent: (typeof SENT)[number], isProxied: boolean) => {
    const looksAtProxy = believed.includes('proxy') && (sent === 'nothing' || believed.length === 1);
    if (looksAtProxy) return isProxied ? PROXIED['X-Forwarded-User'] : 401;
    return believed.includes(modeOf[sent] ?? '') ? subjects[sent] : 401;
  };

  const { app, url } = await startApp(
    { ...jwtEnvironment(keySet.url), ...SETTINGS, AUTH_MODE: modes },
    service.databaseUrl,
  );
  const author = async (headers: object, localAddress: string) => {
    const options = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, localAddress };
    const { status, body } = await exchange(`${url}/v1/moves`, options, '{}');
    if (status !== 201) return status;
    const { rows } = await service.sql.query<{ subject: string }>(
      'SELECT coalesce(subject, changed_by) AS subject FROM history WHERE record_id = $1',
      [(JSON.parse(body) as { id: string }).id],
    );
    return rows[0]?.subject;
  };
  for (const sent of SENT) {
    for (const [header, address] of [
      [{}, PROXY],
      [PROXIED, PROXY],
      [PROXIED, ELSEWHERE],
    ] as const) {
      const found = await author({ ...credentials[sent], ...header }, address);
      const isProxied = header === PROXIED && address === PROXY;
      expect([sent, header, address, found]).toEqual([sent, header, address, expected(sent, isProxied)]);
    }
  }
  await app.close();
});
