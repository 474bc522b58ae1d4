// The runs whose evidence a release needs.
const EARLIER = '7e26ef94';

/** Each with the least figures that it must have. */
export const PLAN = [
  run('soak', 'campaign -- soak --operations 1000000 --minutes 600 --seed 20261120', { operations: 1_000_000 }),
  run('crash', 'campaign -- crash --kills 200', { kills: 200 }),
  run('mirror', 'campaign -- mirror --writes 100000', { writes: 100_000 }),
  run('fuzz', 'campaign -- fuzz --runs 100000 --seed 20261120', { requests: 100_000 }),
  run('failover', 'campaign -- failover --rounds 10 --writes 1000 --seed 1', { faults: 100 }),
  run('failover-control', "campaign -- failover --only 'killed while' --seed 1 --asynchronous", { faults: 1 }),
  run('webhooks', 'campaign -- webhooks --writes 100000 --seed 7', { writes: 100_000 }),
  run('upgrade', `campaign -- upgrade ${EARLIER}`, { accepted: 4000 }),
  run('responses', `campaign -- responses ${EARLIER}`, { requests: 10_000 }),
  run('migration', 'campaign -- migration', { shipments: 1_000_000 }),
  run('growth', 'campaign -- growth', { shipments: 1_000_000 }),
  run('restore-drill', 'campaign -- restore-drill', { shipments: 60_000 }),
  run('sweeps', 'campaign -- sweeps', { passed: 1 }),
  run('controls', 'campaign -- controls', { faults: 60 }),
  run('mutation', 'campaign -- mutation', { mutants: 200 }),
  run('image-x64', 'campaign -- image --arch x64', { checks: 60 }),
  run('image-arm64', 'campaign -- image --arch arm64', { checks: 60 }),
  run('servers-node24', 'bench -- servers', { rounds: 3 }, { node: 24 }),
  run('servers-node20', 'bench -- servers', { rounds: 3 }, { node: 20 }),
  run('compare-node24', `bench -- compare ${EARLIER}`, { rounds: 5 }, { node: 24 }),
  run('compare-node20', `bench -- compare ${EARLIER}`, { rounds: 5 }, { node: 20 }),
  run('crowd', 'bench -- crowd', { rounds: 3 }),
  run('key-cost', 'bench -- key-cost', { rounds: 15 }),
  run('today', 'bench -- today', { loads: 9 }, { of: ['src', 'migrations', 'client', 'console'] }),
  run('console', 'bench -- console', { loads: 9 }, { of: ['src', 'migrations', 'client', 'console'] }),
];

/** `node` is the major version of Node.js that it needs, and `of` the folders whose changes make it stale. */
function run(name, words, least, { node, of = ['src', 'migrations'] } = {}) {
  const command = `npm run ${words} --record=${name}`;
  return { name, command: node === undefined ? command : `scripts/with-node.sh ${node} ${command}`, least, of };
}
