import type { ShipmentQuery } from '@waybill/client';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { client } from '../api.js';
import { today } from '../model/format.js';
import { announce } from '../parts/notice.js';
import { download } from '../parts/download.js';
import { explain } from '../parts/faults.js';
import { t } from '../texts/texts.js';

/** Exports all matching shipments, including those not loaded yet, for spreadsheets. */
export function ExportButton({ query: { limit: _limit, ...query } }: { readonly query: ShipmentQuery }) {
  const [isRunning, setIsRunning] = useState(false);
  const save = async () => {
    setIsRunning(true);
    try {
      const file = await client.shipments.export(query).file('csv', { excel: true });
      await download(file, `shipments-${today()}.csv`);
    } catch (error) {
      announce(explain(error), { isFault: true });
    } finally {
      setIsRunning(false);
    }
  };
  return (
    <button type="button" disabled={isRunning} onClick={() => void save()}>
      <Download />
      {isRunning ? t.list.exporting : t.list.export}
    </button>
  );
}
