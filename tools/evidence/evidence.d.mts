import type { Sources } from './sources.mjs';

export interface Evidence extends Partial<Sources> {
  readonly name: string;
  readonly passed: boolean;
  readonly failed: readonly string[];
  readonly date: string;
  readonly figures: Readonly<Record<string, number>>;
}

export interface Planned {
  readonly least: Readonly<Record<string, number>>;
  readonly of: readonly string[];
}

export function evidenceOf(name: string): Evidence | undefined;

export function whatLacks(
  planned: Planned,
  passed: Evidence | undefined,
  failed: Evidence | undefined,
  now: Sources | undefined,
): string | undefined;

/** For a release, which needs all evidence: the planned runs that have to be made, with the reason. */
export function missingEvidence(): string[];
