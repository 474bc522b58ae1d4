import type { Database } from '../../src/database/database.js';
import { hashOf, newKey } from '../../src/auth/key-text.js';
import { KeyVerifier } from '../../src/auth/key-verifier.js';
import { KeyWatch } from '../../src/auth/key-watch.js';

/** After this time, nobody may use a revoked key. */
const WITHIN_MS = 5000;
const HOUR_MS = 3_600_000;

/** The rows of key_hashes, and whether the database can be asked. */
class World {
  readonly key = newKey();
  private readonly hash = hashOf(this.key).toString('base64');
  isValid = true;
  isAway = false;
  scopes = ['moves:read', 'shipments:read'];
  lookUps = 0;
  validForMs = HOUR_MS;
  readonly watch = new KeyWatch({ query: () => this.stillValid() } as unknown as Database);
  readonly verifier = new KeyVerifier({ query: () => this.find() } as unknown as Database, this.watch);

  private find(): Promise<unknown> {
    this.lookUps += 1;
    if (this.isAway) return Promise.reject(new Error('away'));
    const found = {
      hash: this.hash,
      id: 'x',
      name: 'n',
      scopes: this.scopes,
      validForMs: this.validForMs,
      isNews: false,
    };
    return Promise.resolve(this.isValid ? [found] : []);
  }

  private stillValid(): Promise<unknown> {
    if (this.isAway) return Promise.reject(new Error('away'));
    return Promise.resolve(this.isValid ? [{ name: this.hash, scopes: this.scopes }] : []);
  }
}

test('a key is looked up once in a while, however often it is used, and not believed for long after it was revoked', async () => {
  const world = new World();
  await Promise.all(Array.from({ length: 20 }, () => world.verifier.verify(world.key, 0)));
  expect(world.lookUps).toBe(1);
  world.isValid = false;
  await world.verifier.verify(world.key, 1000);
  await expect(world.verifier.verify(world.key, WITHIN_MS)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('no key is believed while the database cannot say whether it still works', async () => {
  const world = new World();
  await world.verifier.verify(world.key, 0);
  world.isAway = true;
  await expect(world.verifier.verify(world.key, WITHIN_MS)).rejects.toThrow('away');
  world.isAway = false;
  await expect(world.verifier.verify(world.key, WITHIN_MS)).resolves.toMatchObject({ subject: 'key:x' });
});

test.each([-120_000, 120_000])('the expiry of a key does not depend on a clock that is off by %d ms', async (off) => {
  const world = new World();
  const now = Date.now() + off;
  const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
  world.validForMs = 1000;
  const { expiresAt = 0 } = await world.verifier.verify(world.key, 0);
  expect(expiresAt).toBe(now + 1000);
  clock.mockReturnValue(now + 1001);
  await expect(world.verifier.verify(world.key, 1001)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  world.validForMs = -1;
  await expect(world.verifier.verify(world.key, WITHIN_MS)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  clock.mockRestore();
});

/** The first check tells, unless the database cannot be asked. */
const FIRST_CHECK_MS = 3000;

test.each([
  ['is revoked', FIRST_CHECK_MS, (world: World) => (world.isValid = false)],
  ['is revoked while the database is away', WITHIN_MS, (world: World) => (world.isAway = true)],
])(
  'streams end when their key %s, within %d ms, also one that begins while the key is still believed',
  async (_, within, end) => {
    const world = new World();
    const ended: string[] = [];
    const open = async (name: string, now: number) => {
      return (await world.verifier.verify(world.key, now)).whenRevoked?.(() => ended.push(name));
    };
    await open('first', 0);
    const close = await open('closed', 0);
    end(world);
    close?.();
    const late = await open('second', 2900);
    for (let now = FIRST_CHECK_MS; now <= within; now += 1000) await world.watch.check(now);
    expect(ended.sort()).toEqual(['first', 'second']);
    late?.();
  },
);

test('streams end when their key loses a scope, but those that began without it do not, nor when it gets one', async () => {
  const world = new World();
  const ended: string[] = [];
  const open = async (name: string, now: number) => {
    return (await world.verifier.verify(world.key, now)).whenRevoked?.(() => ended.push(name));
  };
  await open('with both', 0);
  world.scopes = ['moves:read'];
  const close = await open('with one', 3000);
  await world.watch.check(3500);
  expect(ended).toEqual(['with both']);
  world.scopes = ['moves:read', 'moves:write'];
  for (let now = 4000; now <= 10_000; now += 1000) await world.watch.check(now);
  expect(ended).toEqual(['with both']);
  close?.();
});

test('streams stay open as long as the database confirms their key, also after a moment in which it did not', async () => {
  const world = new World();
  const ended = jest.fn();
  const close = (await world.verifier.verify(world.key, 0)).whenRevoked?.(ended);
  for (let now = 1000; now < 60_000; now += 1000) {
    world.isAway = [20_000, 21_000, 22_000].includes(now);
    await world.watch.check(now);
  }
  expect(ended).not.toHaveBeenCalled();
  close?.();
});
