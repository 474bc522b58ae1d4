// Looks for known vulnerabilities. Needs nothing but Node and npm, and installs nothing.
import { spawnSync } from 'node:child_process';
import { readWord } from '../../scripts/read-word.mjs';

const USAGE = `Looks for known vulnerabilities in the packages that the service needs.

  npm run check:advisories -- [--required]

  --required  fails if the registry has no advisories; without it, the command says that nothing was checked
`;

const isRequired = readWord(USAGE, '--required') !== '';
const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' });
if (error) throw error;
const report = JSON.parse(stdout || '{}');
if (report.auditReportVersion === undefined) {
  const reason = report.message ?? report.error?.summary ?? 'npm audit reported nothing';
  process.stdout.write(`NOT CHECKED for vulnerabilities: the registry has no advisories (${reason})\n`);
  process.exit(isRequired ? 1 : 0);
}
const found = Object.values(report.vulnerabilities).flatMap(({ name, via }) =>
  // A text names another package of the report, through which this one is affected.
  via.filter((advisory) => typeof advisory !== 'string').map((advisory) => ({ ...advisory, name })),
);
for (const { name, range, severity, title, url } of found) {
  process.stdout.write(`${severity}: ${name} ${range}: ${title} ${url}\n`);
}
const { total } = report.metadata.dependencies;
process.stdout.write(`${found.length} known vulnerabilities in ${total} packages\n`);
process.exit(found.length === 0 ? 0 : 1);
