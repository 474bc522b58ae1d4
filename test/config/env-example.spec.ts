import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { readConfig } from '../../src/config/read-config.js';
import { Environment, VARIABLES } from '../../src/config/environment.js';
import { faultsOf } from '../support/repository/config-faults.js';

const text = readFileSync('.env.example', 'utf8');
const example = parseEnv(text) as Record<string, string>;
/** parseEnv sorts in its own way. */
const names = [...text.matchAll(/^(\w+)=/gm)].map(([, name]) => name);

describe('.env.example', () => {
  it('lists every variable, in the order of the configuration', () => {
    expect(names).toEqual(VARIABLES);
  });

  it.each(VARIABLES)('gives %s its default', (name) => {
    const { [name]: value } = { ...new Environment() } as Record<
      string,
      number | string | readonly string[] | undefined
    >;
    expect(example[name]).toBe(value === undefined ? '' : String(value));
  });

  it('changes nothing when it is used as it is', () => {
    expect(readConfig(example)).toEqual(readConfig({}));
  });

  it('begins with the variables that production needs, then those that are often set, then those for experts', () => {
    const groups = text.split(/^### /m).slice(1);
    expect(groups.map((group) => group.split('\n', 1)[0])).toEqual([
      'Must be set in production',
      'Often set',
      'For experts: the defaults fit together',
    ]);
    const [must, often, expert] = groups.map((group) => [...group.matchAll(/^(\w+)=/gm)].map(([, name]) => name ?? ''));
    const demanded = [
      {},
      { AUTH_MODE: 'jwt' },
      { AUTH_MODE: 'proxy' },
      { DATABASE_URL: 'embedded', DATABASE_URL_FILE: '/nowhere' },
    ];
    const faults = demanded.flatMap((own) => faultsOf({ NODE_ENV: 'production', ...own })).join(' ');
    expect(must?.filter((name) => !faults.includes(name))).toEqual(['NODE_ENV']);
    expect([often, expert].flat().filter((name) => new RegExp(`\\b${name} must be set`).test(faults))).toEqual([]);
    expect(must?.length).toBeLessThan(10);
    expect(often?.length).toBeLessThan(25);
  });

  it.each(VARIABLES)('explains %s in the line above', (name) => {
    expect(text).toMatch(new RegExp(`^# .+\\n${name}=`, 'm'));
  });
});
