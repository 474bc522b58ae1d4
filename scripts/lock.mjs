import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Waits until no other process holds the lock of this folder, and holds it until this process ends. The lock is a socket, because the
 * operating system closes it however its owner ends, and with it the connections of those that wait. Linux needs no file for it; elsewhere
 * a killed owner leaves one to which nobody answers.
 */
export async function lock(onWait) {
  const name = `waybill-${createHash('sha256').update(process.cwd()).digest('hex').slice(0, 16)}`;
  const isFile = process.platform !== 'linux';
  const address = isFile ? join(tmpdir(), name) : `\0${name}`;
  for (let isFirst = true; ; isFirst = false) {
    const error = await new Promise((resolve) => {
      createServer().on('error', resolve).listen(address, resolve);
    });
    if (error === undefined) return;
    if (error.code !== 'EADDRINUSE') throw error;
    if (isFirst) onWait();
    await new Promise((resolve) => {
      const owner = connect(address).on('close', resolve);
      owner.on('error', ({ code }) => isFile && code === 'ECONNREFUSED' && rmSync(address, { force: true }));
    });
  }
}
