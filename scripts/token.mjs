// Makes a key for development, and a token signed with it, so that AUTH_MODE=jwt can be tried in a minute.
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { readCommandLine } from '../dist/src/config/command-line.js';

const ALL_SCOPES = 'moves:read moves:write shipments:read shipments:write shipments:status';
const ISSUER = 'https://waybill.example/development';
const AUDIENCE = 'waybill';

const USAGE = `Makes a key for development, once, and prints a token that is signed with it.

  npm run token -- [--subject NAME] [--scopes A,B] [--hours N] [--folder FOLDER]

  --subject NAME   whom the token speaks for (developer)
  --scopes A,B     what it allows (${ALL_SCOPES.replaceAll(' ', ',')})
  --hours N        how long it is valid (12)
  --folder FOLDER  where the key is kept (development-key in DATA_DIR)`;

const { values } = readCommandLine(USAGE, {
  options: {
    subject: { type: 'string', default: 'developer' },
    scopes: { type: 'string', default: ALL_SCOPES },
    hours: { type: 'string', default: '12' },
    folder: { type: 'string', default: join(process.env.DATA_DIR ?? '.data', 'development-key') },
  },
});

const privateFile = join(values.folder, 'private.pem');
const publicFile = join(values.folder, 'public.pem');
if (!existsSync(privateFile)) {
  mkdirSync(values.folder, { recursive: true });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
}
const privateKey = createPrivateKey(readFileSync(privateFile));
writeFileSync(publicFile, createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }));

const token = await new SignJWT({ scope: values.scopes.replaceAll(',', ' ') })
  .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
  .setSubject(values.subject)
  .setIssuer(ISSUER)
  .setAudience(AUDIENCE)
  .setIssuedAt()
  .setExpirationTime(`${values.hours}h`)
  .sign(privateKey);

// Hints go to the terminal, the token alone to the output, so that TOKEN=$(npm run --silent token) works.
process.stderr.write(`Start the service with:
  AUTH_MODE=jwt JWT_ISSUER=${ISSUER} JWT_AUDIENCE=${AUDIENCE} JWT_PUBLIC_KEY_FILE=${publicFile} npm start
Call it with the token below, which ${values.subject} holds for ${values.hours} h with the scopes ${values.scopes}:
  curl -H "Authorization: Bearer $(npm run --silent token 2>/dev/null)" localhost:3000/v1/moves
`);
process.stdout.write(`${token}\n`);
