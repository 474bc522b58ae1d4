import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { readConfig } from '../../src/config/config.js';
import { Environment, VARIABLES } from '../../src/config/environment.js';

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

  it.each(VARIABLES)('explains %s in the line above', (name) => {
    expect(text).toMatch(new RegExp(`^# .+\\n${name}=`, 'm'));
  });
});
