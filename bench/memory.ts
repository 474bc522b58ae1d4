import { readFileSync } from 'node:fs';

const SAMPLE_EVERY_MS = 100;
const PARTS = 10;

/** The memory of a process while something is done. */
export interface Memory {
  readonly seconds: number;
  /** In each tenth of the time the most that it had, in MB. */
  readonly parts: readonly number[];
}

/** Does something, and looks at the resident memory of a process meanwhile. */
export async function measured<T>(pid: number, work: () => Promise<T>): Promise<[T, Memory]> {
  const samples: number[] = [];
  const began = performance.now();
  const timer = setInterval(() => samples.push(residentMemory(pid)), SAMPLE_EVERY_MS);
  try {
    const result = await work();
    samples.push(residentMemory(pid));
    return [result, { seconds: (performance.now() - began) / 1000, parts: mostInEachPart(samples) }];
  } finally {
    clearInterval(timer);
  }
}

function mostInEachPart(samples: readonly number[]): number[] {
  return Array.from({ length: PARTS }, (_, part) => {
    const from = Math.min(Math.floor((part * samples.length) / PARTS), samples.length - 1);
    const to = Math.max(Math.floor(((part + 1) * samples.length) / PARTS), from + 1);
    return Math.max(...samples.slice(from, to));
  });
}

function residentMemory(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
