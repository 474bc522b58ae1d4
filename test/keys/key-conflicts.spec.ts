import { SCOPES } from '../../src/auth/scopes.js';
import { expectProblem } from '../support/http/problem.js';
import { useSecuredService } from '../support/http/tokens.js';

const { as } = useSecuredService({ AUTH_MODE: 'jwt,keys' });

test.each([['name'], ['scopes'], ['expiresAt']])('412 reports only what was changed of a key: %s', async (field) => {
  const api = await as({ scope: SCOPES.join(' ') });
  const { body: key } = await api.post('/v1/keys', { name: 'Carrier', scopes: ['moves:read'] });
  const values: Record<string, unknown> = {
    name: 'Carrier North',
    scopes: ['moves:read', 'moves:write'],
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  };
  const changed = await api.patch(`/v1/keys/${key.id}`, key.eTag, { [field]: values[field] });
  expect(changed.status).toBe(200);
  // The versions that a write of this process replaced, and those before them, are found in different ways.
  for (const _ of ['once', 'again']) {
    const { changes } = expectProblem(
      await api.patch(`/v1/keys/${key.id}`, key.eTag, {}),
      412,
      'PRECONDITION_FAILED',
    ) as {
      changes?: object[];
    };
    expect(changes).toEqual([expect.objectContaining({ field, base: key[field], current: values[field] })]);
    const { body: now } = await api.get(`/v1/keys/${key.id}`);
    await api.patch(`/v1/keys/${key.id}`, now.eTag, {});
  }
});
