import type { Issuer } from './issuer.mjs';

export interface Workplace {
  readonly url: string;
  readonly issuer: Pick<Issuer, 'token'>;
  readonly signal: AbortSignal;
  /** How long a colleague rests between two changes, about. */
  readonly pauseMs?: number;
  /** Called with what went wrong for a colleague, who continues. */
  readonly onFault: (name: string, error: unknown) => void;
}

export function work(name: string, workplace: Workplace): Promise<void>;
export function getInTheWay(name: string, id: string, workplace: Workplace): Promise<void>;
