import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

test('the types of the client are those of openapi.json; `npm run openapi` renews them', async () => {
  const args = ['openapi.json', '--output', 'client/src/api.ts', '--check'];
  await expect(promisify(execFile)('node_modules/.bin/openapi-typescript', args)).resolves.toBeDefined();
});
