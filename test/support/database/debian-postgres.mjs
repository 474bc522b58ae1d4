import { existsSync, readdirSync } from 'node:fs';

const HOME = '/usr/lib/postgresql';

/** The folder with the programs of Debian's newest PostgreSQL; each version has its own. */
export function debianPostgres() {
  const versions = existsSync(HOME) ? readdirSync(HOME).sort((one, other) => Number(other) - Number(one)) : [];
  const found = versions.map((version) => `${HOME}/${version}/bin`).find((folder) => existsSync(`${folder}/initdb`));
  if (found === undefined)
    throw new Error(`There is no PostgreSQL in ${HOME}: scripts/install-test-tools.sh installs it`);
  return found;
}
