import type { Evidence } from './evidence.mjs';

export function keep(evidence: Evidence, root?: string): { readonly passed: boolean; readonly message: string };

export function typed(words: readonly string[]): string;
