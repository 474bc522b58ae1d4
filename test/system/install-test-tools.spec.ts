import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, findTool } from '../support/repository/tools.js';

const TOOLS = [
  'nginx',
  'pgbouncer',
  'openssl',
  'chromium-headless-shell',
  'helm',
  'promtool',
  'patroni',
  'etcd',
  'haproxy',
];
const OTHERS = ['localc', 'spin', 'gcc', 'sh', 'ls', 'test'];

describeWith([...TOOLS, 'localc', 'spin', 'gcc'], 'scripts/install-test-tools.sh', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'waybill-tools-'));
    writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\necho "$@" >>${join(folder, 'calls')}\n`, { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** The calls of apt-get on a machine that has all tools but these. */
  function callsWithout(...missing: string[]): string {
    for (const tool of [...TOOLS, ...OTHERS]) {
      const path = findTool(tool);
      if (path !== undefined && !missing.includes(tool)) symlinkSync(path, join(folder, tool));
    }
    execFileSync('/bin/sh', ['scripts/install-test-tools.sh'], { env: { PATH: folder } });
    return existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8') : '';
  }

  test('calls apt-get not at all when every tool is there, whichever package it came from', () => {
    expect(callsWithout()).toBe('');
  });

  test('installs what is missing and nothing else', () => {
    expect(callsWithout('spin', 'localc')).toBe(
      'update\ninstall --yes --no-install-recommends libreoffice-calc spin\n',
    );
  });
});
