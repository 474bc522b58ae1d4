import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describeWith, findTool } from '../support/repository/tools.js';

const run = promisify(execFile);
const MODEL = resolve('test/model/numbering.pml');

interface Verdict {
  readonly errors: number;
  /** Whether every state was looked at that can be reached. */
  readonly isExhaustive: boolean;
  /** The property that does not hold. */
  readonly violated: string | undefined;
}

/** Lets Spin write a program that tries every interleaving, and runs it. */
async function check(defines: string[], ...compilerOptions: string[]): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-model-'));
  try {
    await run(findTool('spin') ?? 'spin', [...defines.map((define) => `-D${define}`), '-a', MODEL], { cwd: folder });
    await run('gcc', ['-w', '-DSAFETY', ...compilerOptions, '-o', 'pan', 'pan.c'], { cwd: folder });
    const { stdout } = await run(join(folder, 'pan'), ['-m100000'], { cwd: folder });
    const [, errors = 'NaN'] = /errors: (\d+)/.exec(stdout) ?? [];
    const [, states = '?'] = /(\d+) states, stored/.exec(stdout) ?? [];
    const [, violated] = /assertion violated (\w+)/.exec(stdout) ?? [];
    process.stdout.write(`${defines[0] ?? 'The rule'}: ${states} states, ${violated ?? 'nothing'} violated\n`);
    return { errors: Number(errors), isExhaustive: !/not completed|max search depth too small/.test(stdout), violated };
  } finally {
    await rm(folder, { recursive: true });
  }
}

describeWith(['spin', 'gcc'], 'the model of the numbering', () => {
  it('has no run in which an event is lost, numbered twice or out of order', async () => {
    expect(await check([], '-O1')).toEqual({ errors: 0, isExhaustive: true, violated: undefined });
  });

  it.each([
    ['FORGET_BY_XMAX', 'nothingIsLost'],
    // Found after a tenth of the states when interleavings are tried in the opposite order.
    ['BOUND_BEFORE_SNAPSHOT', 'nothingIsLost', '-DREVERSE', '-DT_REVERSE'],
    ['XMIN_AFTER_LOOK', 'nothingIsLost'],
    ['FORGET_IN_FULL_BATCH', 'nothingIsLost'],
    ['POSITION_BEFORE_ID', 'nothingIsLost'],
    ['TWO_SNAPSHOTS', 'recordInOrder'],
    ['SNAPSHOT_BEFORE_LOCK', 'numberedOnce'],
  ])('has one with %s', async (define, violated, ...order) => {
    // No sequencer has to be killed for that, which leaves fewer states to look at.
    expect(await check([define, 'KILLS=0'], ...order)).toMatchObject({ errors: 1, violated });
  });
});
