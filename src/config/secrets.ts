import { readNamedFile } from './read-named-file.js';

/** Variables whose value may contain a password. <NAME>_FILE names a file to read the value from instead. */
const SECRETS = ['DATABASE_URL'];

type Environment = Record<string, string | undefined>;

export function isSecret(name: string): boolean {
  return SECRETS.includes(name);
}

/** The environment, with secrets read from the files that containers mount. */
export function withSecretsFromFiles(environment: Environment): { complete: Environment; faults: Map<string, string> } {
  const complete = { ...environment };
  const faults = new Map<string, string>();
  for (const name of SECRETS) {
    const fileVariable = `${name}_FILE`;
    const file = environment[fileVariable] ?? '';
    if (file === '') continue;
    if ((environment[name] ?? '') !== '') {
      faults.set(fileVariable, `${name} and ${fileVariable} must not both be set`);
      continue;
    }
    try {
      complete[name] = readNamedFile(fileVariable, file)
        .toString('utf8')
        .replace(/\r?\n$/, '');
      if (complete[name] === '') faults.set(fileVariable, `${fileVariable} names an empty file: ${file}`);
    } catch (error) {
      faults.set(fileVariable, (error as Error).message);
    }
  }
  return { complete, faults };
}
