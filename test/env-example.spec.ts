import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { readConfig, VARIABLES } from '../src/config/config.js';

const text = readFileSync('.env.example', 'utf8');
const example = parseEnv(text) as Record<string, string>;
/** parseEnv sorts in its own way. */
const names = [...text.matchAll(/^(\w+)=/gm)].map(([, name]) => name);

describe('.env.example', () => {
  it('lists every variable, in the order of the configuration', () => {
    expect(names).toEqual(Object.keys(VARIABLES));
  });

  it.each(Object.entries(VARIABLES))('gives %s its default', (name, variable) => {
    expect(example[name]).toBe(variable.default === undefined ? '' : String(variable.default));
  });

  it('changes nothing when it is used as it is', () => {
    expect(readConfig(example)).toEqual(readConfig({}));
  });

  it.each(Object.keys(VARIABLES))('explains %s in the line above', (name) => {
    expect(text).toMatch(new RegExp(`^# .+\\n${name}=`, 'm'));
  });
});
