import { Webhook } from 'standardwebhooks';
import { WaybillClient } from '../../client/src/waybill.js';
import { verifyWebhook, WebhookVerificationError } from '../../client/src/webhooks.js';
import { createMove } from '../support/records/records.js';
import { LOOPBACK, WebhookWorld } from '../support/records/webhooks.js';
import { useService } from '../support/service/service.js';

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const OTHER = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"type":"move.created","data":{"remarks":"é"}}';

function signed(body = BODY, { secret = SECRET, age = 0, id = 'msg-1' } = {}): Record<string, string> {
  const time = new Date(Date.now() - 1000 * age);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, time, body),
  };
}

describe('verifyWebhook accepts', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['what the reference has signed', () => verifyWebhook(signed(), BODY, SECRET)],
    ['bytes', () => verifyWebhook(signed(), Buffer.from(BODY), SECRET)],
    ['a Headers object', () => verifyWebhook(new Headers(signed()), BODY, SECRET)],
    ['a secret without its prefix', () => verifyWebhook(signed(), BODY, SECRET.slice(6))],
    ['one of several secrets', () => verifyWebhook(signed(), BODY, [OTHER, SECRET])],
    ['a request of four minutes ago', () => verifyWebhook(signed(BODY, { age: 240 }), BODY, SECRET)],
    ['a clock that is four minutes behind', () => verifyWebhook(signed(BODY, { age: -240 }), BODY, SECRET)],
  ])('%s', async (_, verify) => {
    expect(await verify()).toEqual(JSON.parse(BODY));
  });

  test('one of several signatures', async () => {
    const headers = signed();
    const signature = `v1a,AAAA v1,not-base64! v1,AAAA ${headers['webhook-signature'] ?? ''}`;
    expect(await verifyWebhook({ ...headers, 'webhook-signature': signature }, BODY, SECRET)).toBeDefined();
  });
});

describe('verifyWebhook refuses', () => {
  const without = (name: string) => Object.fromEntries(Object.entries(signed()).filter(([each]) => each !== name));

  test.each<[string, () => Promise<unknown>]>([
    ['another body', () => verifyWebhook(signed(), `${BODY} `, SECRET)],
    ['another secret', () => verifyWebhook(signed(), BODY, OTHER)],
    ['another id', () => verifyWebhook({ ...signed(), 'webhook-id': 'msg-2' }, BODY, SECRET)],
    ['another timestamp', () => verifyWebhook({ ...signed(), ...timestampOf(-1) }, BODY, SECRET)],
    ['an old request', () => verifyWebhook(signed(BODY, { age: 301 }), BODY, SECRET)],
    ['one from the future', () => verifyWebhook(signed(BODY, { age: -302 }), BODY, SECRET)],
    ['a timestamp that is no number', () => verifyWebhook({ ...signed(), 'webhook-timestamp': 'NaN' }, BODY, SECRET)],
    ['no signature', () => verifyWebhook({ ...signed(), 'webhook-signature': 'v1,' }, BODY, SECRET)],
    ['no secrets', () => verifyWebhook(signed(), BODY, [])],
    ['a missing id', () => verifyWebhook(without('webhook-id'), BODY, SECRET)],
    ['a missing timestamp', () => verifyWebhook(without('webhook-timestamp'), BODY, SECRET)],
    ['a missing signature', () => verifyWebhook(without('webhook-signature'), BODY, SECRET)],
  ])('%s', async (_, verify) => {
    await expect(verify()).rejects.toThrow(WebhookVerificationError);
  });

  function timestampOf(seconds: number) {
    return { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) + seconds) };
  }
});

describe('the client', () => {
  const service = useService(LOOPBACK);
  const world = new WebhookWorld(service);

  test('creates a webhook, verifies what arrives, and operates it', async () => {
    const { webhooks } = new WaybillClient({ baseUrl: service.url });
    const { secret, ...created } = await webhooks.create({ url: world.receiver.url, types: ['move.created'] });
    const move = await createMove(service.api);
    await world.received(1);
    const [received] = world.receiver.received;
    const event = await verifyWebhook(received?.headers ?? {}, received?.body ?? '', secret);
    expect(event.data.resourceID).toBe(move.id);

    const rotated = await webhooks.rotateSecret(created.id, { ifMatch: created.eTag });
    const both = [secret, rotated.secret];
    await world.until(async () => (await webhooks.deliveries(created.id).page()).items[0]?.state === 'delivered', 'it');
    const [delivery] = (await webhooks.deliveries(created.id, { state: ['delivered'] }).page()).items;
    await webhooks.redeliver(created.id, delivery?.id ?? '');
    await world.received(2);
    expect(await webhooks.replay(created.id, { after: event.id })).toEqual({ deliveries: 0 });
    await webhooks.ping(created.id);
    await world.received(3);
    for (const { headers, body } of world.receiver.received) await verifyWebhook(headers, body, both);

    const updated = await webhooks.update(created.id, () => ({ description: 'changed' }));
    expect(updated).toMatchObject({ description: 'changed', url: world.receiver.url });
  });
});
