import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { SCOPES } from '../../src/auth/scopes.js';
import { readCommandLine, rejectCommandLine } from '../../src/config/command-line.js';

const ISSUER = 'https://waybill.example/development';
const AUDIENCE = 'waybill';

/** To try AUTH_MODE=jwt. */
const USAGE = `Creates a development key, if there is none, and prints a token signed with it.

  npm run token -- [--subject NAME] [--scopes A,B] [--hours N] [--folder FOLDER]

  --subject NAME   subject of the token (developer)
  --scopes A,B     its scopes (${SCOPES.join()})
  --hours N        its lifetime (12)
  --folder FOLDER  folder of the key (development-key in DATA_DIR)`;

const { values } = readCommandLine(USAGE, {
  options: {
    subject: { type: 'string', default: 'developer' },
    scopes: { type: 'string', default: SCOPES.join() },
    hours: { type: 'string', default: '12' },
    folder: { type: 'string', default: join(process.env['DATA_DIR'] ?? '.data', 'development-key') },
  },
});

const scopes = values.scopes.split(/[ ,]/);
const unknown = scopes.find((scope) => !SCOPES.some((known) => known === scope));
if (unknown !== undefined) rejectCommandLine(USAGE, `${JSON.stringify(unknown)} is not a scope.`);
if (!(Number(values.hours) > 0)) rejectCommandLine(USAGE, '--hours must be a number above 0.');

const privateFile = join(values.folder, 'private.pem');
const publicFile = join(values.folder, 'public.pem');
if (!existsSync(privateFile)) {
  mkdirSync(values.folder, { recursive: true });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
}
const privateKey = createPrivateKey(readFileSync(privateFile));
writeFileSync(publicFile, createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }));

const token = await new SignJWT({ scope: scopes.join(' ') })
  .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
  .setSubject(values.subject)
  .setIssuer(ISSUER)
  .setAudience(AUDIENCE)
  .setIssuedAt()
  .setExpirationTime(`${values.hours}h`)
  .sign(privateKey);

// Hints go to stderr and only the token to stdout, so that TOKEN=$(npm run --silent token) works.
process.stderr.write(`Start the service with:
  AUTH_MODE=jwt JWT_ISSUER=${ISSUER} JWT_AUDIENCE=${AUDIENCE} JWT_PUBLIC_KEY_FILE=${publicFile} npm start
Call it with the token below, which ${values.subject} holds for ${values.hours} h with the scopes ${values.scopes}:
  curl -H "Authorization: Bearer $(npm run --silent token 2>/dev/null)" localhost:3000/v1/moves
`);
process.stdout.write(`${token}\n`);
