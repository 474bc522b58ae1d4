import type { ShipmentStatus } from '@waybill/client';
import { useState } from 'react';
import { isFinal } from '../model/status.js';
import { browserStorage } from '../storage.js';

/** Whether a column shows only its title. Finished ones do until the user opens them; the browser remembers it. */
export function useFolded(status: ShipmentStatus): [boolean, (isFolded: boolean) => void] {
  const key = `waybill.open.${status}`;
  const [isOpen, setIsOpen] = useState(() => !isFinal(status) || browserStorage.read(key) !== undefined);
  const fold = (isFolded: boolean) => {
    if (isFolded) browserStorage.remove(key);
    else browserStorage.write(key, 'yes');
    setIsOpen(!isFolded);
  };
  return [!isOpen, fold];
}
