import type { Count, FileFormat, FileOptions, ShipmentQuery } from '@waybill/client';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { client } from '../api.js';
import { formatCount, today } from '../model/format.js';
import { announce } from '../components/notice.js';
import { download } from '../components/download.js';
import { explain } from '../components/faults.js';
import { Menu } from '../components/Menu.js';
import { t } from '../texts/texts.js';

interface ExportMenuProps {
  readonly query: ShipmentQuery;
  /** How many shipments that is. */
  readonly count: Count | undefined;
}

/** Exports all matching shipments, including those not loaded yet: for spreadsheets, or for programs. */
export function ExportMenu({ query: { limit: _limit, ...query }, count }: ExportMenuProps) {
  const [isRunning, setIsRunning] = useState(false);
  const save = async (format: FileFormat, options?: FileOptions) => {
    setIsRunning(true);
    try {
      const file = await client.shipments.export(query).file(format, options);
      await download(file, `shipments-${today()}.${format}`);
    } catch (error) {
      announce(explain(error), { isFault: true });
    } finally {
      setIsRunning(false);
    }
  };
  return (
    <Menu
      disabled={isRunning}
      items={[
        { label: t.list.exportAs.spreadsheet, act: () => void save('csv', { excel: true }) },
        { label: t.list.exportAs.csv, act: () => void save('csv') },
        { label: t.list.exportAs.jsonl, act: () => void save('jsonl') },
      ]}
    >
      <Download />
      {isRunning ? t.list.exporting : t.list.export}
      {isRunning || count === undefined ? '' : ` (${formatCount(count)})`}
    </Menu>
  );
}
