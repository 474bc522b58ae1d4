// The command line of `npm run bench -- compare`.
import { readCommandLine, rejectCommandLine } from '../../dist/src/config/command-line.js';
import { otherVersion } from '../../tools/campaigns/earlier-version.mjs';
import { CONTENDERS } from '../contenders.mjs';
import { among, wholeNumber } from '../options.mjs';
import { OPERATIONS } from './operations.mjs';

const CONTENDER_NAMES = CONTENDERS.map(({ name }) => name).filter((name) => name !== 'waybill');

const USAGE = `Compares the CPU time of this checkout with that of another one, of the service and of PostgreSQL, in rounds that take turns.

  npm run bench -- compare VERSION [options]

  --quick               one small round, to try it
  --operations A,B      only these operations:
                        ${Object.keys(OPERATIONS).join(', ')}
  --contenders A,B      beside these servers, too: ${CONTENDER_NAMES.join(', ')}
  --rounds N            after one that does not count (5)
  --requests N          GETs per round; the other operations are in proportion (4000)
  --rows N              of an import, up to 10000 (2000)
  --shipments N         how many there are at the beginning (100000)
  --node PATH           run the servers under another Node.js

VERSION is a commit, or the folder of another checkout. It is installed and built if needed.`;

const STRINGS = ['operations', 'contenders', 'rounds', 'requests', 'rows', 'shipments', 'node'];
const DEFAULTS = { rounds: '5', requests: '4000', rows: '2000', shipments: '100000' };
const QUICK = { rounds: '1', requests: '400', rows: '200', shipments: '5000' };

export function readOptions() {
  const { values, positionals } = readCommandLine(USAGE, {
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      ...Object.fromEntries(STRINGS.map((name) => [name, { type: 'string' }])),
    },
  });
  const given = { ...DEFAULTS, ...(values.quick && QUICK), ...values };
  try {
    return {
      other: versionNamed(positionals),
      operations: among(Object.keys(OPERATIONS), given.operations),
      contenders: given.contenders === undefined ? [] : among(CONTENDER_NAMES, given.contenders),
      rounds: wholeNumber('rounds', given),
      requests: wholeNumber('requests', given),
      rows: wholeNumber('rows', given, 10_000),
      shipments: wholeNumber('shipments', given),
      node: given.node ?? process.execPath,
    };
  } catch (error) {
    return rejectCommandLine(USAGE, error.message);
  }
}

function versionNamed([version, ...others]) {
  if (version === undefined || others.length > 0) throw new Error('Name one version.');
  const other = otherVersion(version);
  if (other !== undefined) return other;
  throw new Error(`${version} is neither a commit nor a checkout of Waybill with scripts/prepare.mjs.`);
}
