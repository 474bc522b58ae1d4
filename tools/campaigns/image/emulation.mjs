// Programs for arm64 on an x64 machine, run by QEMU.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { arch } from 'node:process';
import { Failure, output } from './host.mjs';

const NAME = 'waybill-arm64';

/** The header of an ELF program for AArch64. Byte 7 is its ABI; a program (2) and a shared one (3) differ in the last bit of byte 16. */
const MAGIC = String.raw`\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`;
const MASK = String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`;

/** The kernel's list of interpreters. It is mounted for one command only; what is registered stays until it is removed. */
const WITH_LIST = 'mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc; cd /proc/sys/fs/binfmt_misc;';

function inList(script, ...words) {
  return output('unshare', '--mount', 'sh', '-ec', `${WITH_LIST} ${script}`, 'sh', ...words);
}

/** Lets the kernel run programs for another machine, also inside containers, with the QEMU in the folder of the engine. */
export function emulate(host, engine, machine) {
  if (machine === arch) return;
  if (machine !== 'arm64') throw new Failure(`This machine (${arch}) emulates arm64 only.`);
  const qemu = join(engine.root, 'usr/bin/qemu-aarch64');
  if (!existsSync(qemu)) host.install(engine.root, ['qemu-user']);
  // F: opened now, so that it need not be in the root of the program. P: with the program's own first argument.
  const entry = `:${NAME}:M::${MAGIC}:${MASK}:${qemu}:PF`;
  inList('test -e "$1" || printf %s "$2" > register', NAME, entry);
}

export function stopEmulating() {
  inList('if test -e "$1"; then echo -1 > "$1"; fi', NAME);
}
