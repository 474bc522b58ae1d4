import { randomUUID } from 'node:crypto';
import type { Json } from '../support/http/api.js';
import { useSecuredService } from '../support/http/tokens.js';

const { service, as } = useSecuredService({ WEBHOOKS: 'off' });

const SCOPE_OF = {
  'move.created': 'moves:read',
  'shipment.created': 'shipments:read',
  'agent.updated': 'shipments:read',
  'service.deleted': 'shipments:read',
  'import.created': 'shipments:read',
  'webhook.updated': 'webhooks:read',
  'webhook.ping': 'webhooks:read',
};

const READERS = ['', 'moves:read', 'shipments:read', 'moves:read shipments:read'];

test.each(READERS)(
  'with webhooks:read and %j, answers of receivers are shown for readable records only',
  async (scope) => {
    const creator = await as({ scope: 'moves:read shipments:read webhooks:read webhooks:write' });
    const { body: webhook } = await creator.post('/v1/webhooks', { url: 'https://partner.example/hook' });
    const reader = await as({ scope: `${scope} webhooks:read` });
    for (const [type, needed] of Object.entries(SCOPE_OF)) {
      const id = randomUUID();
      await service.sql.query(
        `INSERT INTO webhook_deliveries (webhook_id, id, type, record_id, state, is_next) VALUES ($1, $2, $3, $2, 'delivered', true)`,
        [webhook.id, id, type],
      );
      await service.sql.query(
        `INSERT INTO webhook_attempts (delivery_id, attempted_at, status, duration_ms, answer) VALUES ($1, now(), 200, 5, 'marker')`,
        [id],
      );
      const answer = ['webhooks:read', ...scope.split(' ')].includes(needed) ? 'marker' : null;
      const attempts = [expect.objectContaining({ status: 200, durationMs: 5, error: null, answer })];
      const path = `/v1/webhooks/${webhook.id}/deliveries`;
      expect([type, (await reader.get(`${path}/${id}`)).body.attempts]).toEqual([type, attempts]);
      const { body: listed } = await reader.get<Json[]>(path);
      expect([type, listed.find((delivery) => delivery.id === id).attempts]).toEqual([type, attempts]);
    }
  },
);
