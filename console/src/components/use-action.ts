import { mayBeDone, type WriteCallOptions } from '@waybill/client';
import { useRef, useState } from 'react';
import { isForgotten } from '../model/keys.js';
import { explainOpen } from './faults.js';
import { queryClient } from '../queries.js';
import { t } from '../texts/texts.js';

interface OpenAttempt {
  readonly key: string;
  /** When it was first sent. */
  readonly at: number;
}

/**
 * Runs one write at a time, and then reads what `list` names again. A retry after an unknown outcome has the same Idempotency-Key, so nothing is done twice. Once the service has
 * forgotten the key, the user is asked to look first.
 */
export function useAction(list: string) {
  const open = useRef(new Map<string, OpenAttempt>());
  const [isRunning, setIsRunning] = useState(false);
  const [fault, setFault] = useState<unknown>();
  /** Returns why the write failed, if it did. */
  const run = async (name: string, write: (options: WriteCallOptions) => Promise<unknown>): Promise<unknown> => {
    const before = open.current.get(name);
    if (before !== undefined && isForgotten(before.at, Date.now())) {
      open.current.delete(name);
      setFault(t.faults.forgotten);
      return new Error(t.faults.forgotten);
    }
    const attempt = before ?? { key: crypto.randomUUID(), at: Date.now() };
    setIsRunning(true);
    setFault(undefined);
    try {
      await write({ idempotencyKey: attempt.key });
      open.current.delete(name);
      return undefined;
    } catch (error) {
      const isOpen = mayBeDone(error, before !== undefined);
      if (isOpen) open.current.set(name, attempt);
      else open.current.delete(name);
      setFault(isOpen ? explainOpen(error, 'saved') : error);
      return error;
    } finally {
      setIsRunning(false);
      await queryClient.invalidateQueries({ queryKey: [list] });
    }
  };
  return { run, isRunning, fault };
}
