// Not through PgBouncer: it checks functions and answers that no connection affects.
import { RateLimiter } from '../../src/http/rate-limiter.js';

const MINUTE = 60_000;

/** How many of so many requests at one moment are let through. */
function allowedAt(limiter: RateLimiter, caller: string, now: number, requests: number): number {
  let allowed = 0;
  for (let turn = 0; turn < requests; turn += 1) if (limiter.take(caller, now).allowed) allowed += 1;
  return allowed;
}

test.each([1, 2, 3, 7, 11, 60, 600, 100_000, 1_000_000])('%d at once are let through, and not one more', (limit) => {
  expect(allowedAt(new RateLimiter(limit), 'ada', 123_456.789, limit + 10)).toBe(limit);
});

test('as many as the limit in each minute for who sends all the time, after the first burst', () => {
  const limiter = new RateLimiter(60);
  const perMinute = [0, 1, 2, 3].map((minute) => {
    let allowed = 0;
    for (let ms = 0; ms < MINUTE; ms += 100) if (limiter.take('ada', minute * MINUTE + ms).allowed) allowed += 1;
    return allowed;
  });
  expect(perMinute).toEqual([119, 60, 60, 60]);
});

test('no moment around a full minute lets a second burst through', () => {
  const limiter = new RateLimiter(60);
  expect(allowedAt(limiter, 'ada', MINUTE - 1, 100)).toBe(60);
  expect(allowedAt(limiter, 'ada', MINUTE, 100)).toBe(0);
  expect(allowedAt(limiter, 'ada', MINUTE + 1, 100)).toBe(0);
});

test('what is left counts down, and who waits as long as told is served', () => {
  const limiter = new RateLimiter(3);
  expect([1, 2, 3, 4].map(() => limiter.take('ada', 5).remaining)).toEqual([2, 1, 0, 0]);
  const { allowed, resetsIn } = limiter.take('ada', 5);
  expect([allowed, resetsIn]).toEqual([false, 20]);
  expect(limiter.take('ada', 5 + resetsIn * 1000).allowed).toBe(true);
  expect(limiter.take('grace', 5).remaining).toBe(2);
});

test('a hundred thousand callers within a second take bounded memory, and callers seen meanwhile keep their count', () => {
  const most = 1000;
  const limiter = new RateLimiter(5, most);
  allowedAt(limiter, 'ada', 0, 5);
  for (let caller = 0; caller < 100_000; caller += 1) {
    limiter.take(`caller ${caller}`, caller / 100);
    if (caller % 400 === 0) expect(limiter.take('ada', caller / 100).allowed).toBe(false);
    if (limiter.callers > most) throw new Error(`${limiter.callers} callers are kept`);
  }
  expect(limiter.callers).toBeGreaterThan(most / 4);
});
