// The command line of `npm run bench -- servers`.
import { readCommandLine } from '../dist/src/config/command-line.js';
import { CONTENDERS } from './contenders.mjs';
import { OPERATIONS } from './load.mjs';

const NAMES = CONTENDERS.map(({ name }) => name);

const USAGE = `Measures Waybill side by side with other servers on the same tables.

  npm run bench -- servers [options]

  --quick               one short round of everything, about five minutes
  --only A,B            only these contenders:
                        ${NAMES.join(', ')}
  --operations A,B      only these operations: ${OPERATIONS.join(', ')}
  --rounds N            how often each contender is measured; the median counts (3)
  --seconds N           how long one measurement takes (8)
  --warmup N            how long each is loaded before it is measured (2)
  --connections N       of the load generator (16)
  --shipments N         how many there are at the beginning (100000)
  --node PATH           run the servers under another Node.js`;

const STRINGS = ['only', 'operations', 'rounds', 'seconds', 'warmup', 'connections', 'shipments', 'node'];
const DEFAULTS = { rounds: '3', seconds: '8', warmup: '2', connections: '16', shipments: '100000' };
const QUICK = { rounds: '1', seconds: '2', warmup: '1', shipments: '50000' };

export function readOptions() {
  const { values } = readCommandLine(USAGE, {
    options: {
      quick: { type: 'boolean', default: false },
      ...Object.fromEntries(STRINGS.map((name) => [name, { type: 'string' }])),
    },
  });
  const given = { ...DEFAULTS, ...(values.quick && QUICK), ...values };
  return {
    quick: given.quick,
    contenders: among(NAMES, given.only),
    operations: among(OPERATIONS, given.operations),
    rounds: wholeNumber('rounds', given),
    seconds: wholeNumber('seconds', given),
    warmup: wholeNumber('warmup', given),
    connections: wholeNumber('connections', given),
    shipments: wholeNumber('shipments', given),
    node: given.node ?? process.execPath,
  };
}

export function among(known, written) {
  if (written === undefined) return known;
  const chosen = written.split(',').map((word) => word.trim());
  const strange = chosen.filter((word) => !known.includes(word));
  if (strange.length > 0) throw new Error(`${strange.join(', ')} is not one of ${known.join(', ')}`);
  return chosen;
}

export function wholeNumber(name, given, most = 999_999_999) {
  const number = /^\d{1,9}$/.test(given[name]) ? Number(given[name]) : 0;
  if (number > 0 && number <= most) return number;
  throw new Error(`--${name} must be a whole number from 1 to ${most}, but is "${given[name]}"`);
}
