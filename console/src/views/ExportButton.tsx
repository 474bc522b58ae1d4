import type { ShipmentQuery } from '@waybill/client';
import { useState } from 'react';
import { client } from '../api.js';
import { today } from '../model/format.js';
import { announce } from '../parts/announce.js';
import { explain } from '../parts/faults.js';

/** Everything that the filter shows, also what was not loaded yet, as a file for spreadsheets. */
export function ExportButton({ query: { limit: _limit, ...query } }: { readonly query: ShipmentQuery }) {
  const [isRunning, setIsRunning] = useState(false);
  const save = async () => {
    setIsRunning(true);
    try {
      const file = await client.shipments.export(query).file('csv', { excel: true });
      download(await new Response(file).blob(), `shipments-${today()}.csv`);
    } catch (error) {
      announce(explain(error), true);
    } finally {
      setIsRunning(false);
    }
  };
  return (
    <button type="button" disabled={isRunning} onClick={() => void save()}>
      {isRunning ? 'Exporting…' : 'Export what the filter shows'}
    </button>
  );
}

function download(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Once the browser has begun to save it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
