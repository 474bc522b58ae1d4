import { mayBeDone, type WriteCallOptions } from '@waybill/client';
import { useRef, useState } from 'react';
import { explainOpen } from '../parts/faults.js';
import { queryClient } from '../queries.js';

/** Runs one write at a time. A retry after an unknown outcome has the same Idempotency-Key, so nothing is done twice. */
export function useAction() {
  const open = useRef(new Map<string, string>());
  const [isRunning, setIsRunning] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const run = async (name: string, write: (options: WriteCallOptions) => Promise<unknown>) => {
    const wasOpen = open.current.has(name);
    const key = open.current.get(name) ?? crypto.randomUUID();
    setIsRunning(true);
    setFault(undefined);
    try {
      await write({ idempotencyKey: key });
      open.current.delete(name);
    } catch (error) {
      const isOpen = mayBeDone(error, wasOpen);
      if (isOpen) open.current.set(name, key);
      else open.current.delete(name);
      setFault(isOpen ? explainOpen(error, 'saved') : error);
    } finally {
      setIsRunning(false);
      await queryClient.invalidateQueries({ queryKey: ['webhooks'] });
    }
  };
  return { run, isRunning, fault };
}
