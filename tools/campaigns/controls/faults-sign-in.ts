import type { Fault } from './fault.js';

const OIDC = ['test/console/oidc.spec.ts'];

/** Faults in how people sign in, and in what the service believes of their provider. */
export const SIGN_IN_FAULTS: readonly Fault[] = [
  {
    about: 'the console does not compare the nonce of an ID token',
    file: 'console/src/session/oidc.ts',
    find: ' || answered !== nonce',
    replace: '',
    specs: OIDC,
  },
  {
    about: 'the console does not compare the state of an answer',
    file: 'console/src/session/oidc.ts',
    find: 'pending?.state === state;',
    replace: 'pending !== undefined;',
    specs: OIDC,
  },
  {
    about: 'the console follows a redirect of the token endpoint',
    file: 'console/src/session/oidc.ts',
    find: `redirect: 'error'`,
    replace: `redirect: 'follow'`,
    specs: OIDC,
  },
  {
    about: 'the console sends a code twice',
    file: 'console/src/session/oidc.ts',
    find: 'if (isOwn) tabStorage.remove(PENDING);',
    replace: '',
    specs: OIDC,
  },
  {
    about: 'the console signs in with the discovery document of another issuer',
    file: 'console/src/session/provider.ts',
    find: `document['issuer'] !== issuer || `,
    replace: '',
    specs: OIDC,
  },
  {
    about: 'the policy of the console allows the endpoints of another issuer',
    file: 'src/pages/sign-in-origins.ts',
    find: 'if (issuer !== this.issuer)',
    replace: 'if (false)',
    specs: ['test/pages/sign-in-origins.spec.ts'],
  },
  {
    about: 'the claim that is configured for scopes is ignored',
    file: 'src/auth/token-verifier.ts',
    find: 'claim === undefined ? (payload.scope ?? payload.scp) : payload[claim]',
    replace: 'payload.scope ?? payload.scp',
    specs: ['test/auth/token-claims.spec.ts'],
    only: 'by the claim',
  },
  {
    about: 'a key that replaces another one begins without what was typed',
    file: 'console/src/session/key.ts',
    find: ' ?? replaced ?? digest',
    replace: ' ?? digest',
    specs: ['test/console/key-sign-in.spec.ts'],
    only: 'the page continues',
  },
  {
    about: 'the page continues with the key of somebody else',
    file: 'console/src/session/key.ts',
    find: 'browserStorage.read(PERSON + digest) ?? replaced',
    replace: 'replaced ?? browserStorage.read(PERSON + digest)',
    specs: ['test/console/key-sign-in.spec.ts'],
    only: 'somebody else',
  },
  {
    about: 'the console keeps a key after signing out',
    file: 'console/src/session/session.ts',
    find: '    forgetKey();\n',
    replace: '',
    specs: ['test/console/key-sign-in.spec.ts'],
    only: 'until they sign out',
  },
  {
    about: 'a conflict reports a timestamp that nobody has changed',
    file: 'src/records/records.ts',
    find: 'return { ...stored, ...Object.fromEntries(moments) };',
    replace: 'return moments.length < 0 ? { ...stored } : stored;',
    specs: ['test/keys/key-conflicts.spec.ts'],
  },
];
