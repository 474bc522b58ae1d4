import type { Count, ShipmentQuery } from '@waybill/client';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { client } from '../api.js';
import { formatCount, today } from '../model/format.js';
import { announce } from '../parts/notice.js';
import { download } from '../parts/download.js';
import { explain } from '../parts/faults.js';
import { t } from '../texts/texts.js';

interface ExportButtonProps {
  readonly query: ShipmentQuery;
  /** How many shipments that is. */
  readonly count: Count | undefined;
}

/** Exports all matching shipments, including those not loaded yet, for spreadsheets. */
export function ExportButton({ query: { limit: _limit, ...query }, count }: ExportButtonProps) {
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
      {isRunning || count === undefined ? '' : ` (${formatCount(count)})`}
    </button>
  );
}
