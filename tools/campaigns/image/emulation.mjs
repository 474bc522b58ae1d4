// Programs for arm64 on an x64 machine, run by QEMU.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { arch } from 'node:process';
import { Failure } from './host.mjs';

const NAME = 'waybill-arm64';

/** The kernel's list of interpreters. It counts for the whole machine, as long as it is mounted somewhere. */
const LIST = '/proc/sys/fs/binfmt_misc';

/** The header of an ELF program for AArch64. Byte 7 is its ABI; a program (2) and a shared one (3) differ in the last bit of byte 16. */
const MAGIC = String.raw`\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`;
const MASK = String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`;

/** A start takes minutes, and the health check allows seconds. */
const PATIENT = '{ healthcheck: { start_period: 10m, timeout: 60s } }';
const PATIENT_REPLICAS = `services: { service-1: ${PATIENT}, service-2: ${PATIENT} }\n`;

/** Lets the kernel run programs for another machine, also inside containers, with the QEMU in the folder of the engine. */
export function emulate(host, engine, machine) {
  if (machine === arch) return;
  if (machine !== 'arm64') throw new Failure(`This machine (${arch}) emulates arm64 only.`);
  const qemu = '/usr/bin/qemu-aarch64';
  if (!existsSync(join(engine.root, qemu))) host.install(engine.root, ['qemu-user']);
  // F: opened now, so that it need not be in the root of the program. P: with the program's own first argument.
  const entry = `:${NAME}:M::${MAGIC}:${MASK}:${qemu}:PF`;
  const register = `test -e ${LIST}/register || mount -t binfmt_misc binfmt_misc ${LIST}
    test -e ${LIST}/${NAME} || printf %s "$1" > ${LIST}/register`;
  engine.ask('sh', '-ec', register, 'sh', entry);
  writeFileSync(host.path('build', 'emulated.yml'), PATIENT_REPLICAS);
  engine.composeFiles = ['docker-compose.yml', '/build/emulated.yml'];
}

export function stopEmulating(engine) {
  if (engine.pid !== undefined) engine.run(['sh', '-c', `test -e ${LIST}/${NAME} && echo -1 > ${LIST}/${NAME}`]);
}
