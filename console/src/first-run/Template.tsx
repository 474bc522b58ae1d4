import { Download } from 'lucide-react';
import { FIELDS } from '../model/fields.js';
import { download } from '../parts/download.js';
import { t } from '../texts/texts.js';
import controls from '../parts/controls.module.css';

/** An empty file with the columns of an import, as the export names them. */
export function Template() {
  const columns = ['moveID', ...FIELDS.shipment.map(({ name }) => name.replace('/', '.'))];
  const save = () => download(new Blob([`\uFEFF${columns.join(',')}\r\n`]).stream(), 'shipments-template.csv');
  return (
    <button type="button" className={controls.quiet} onClick={() => void save()}>
      <Download />
      {t.firstRun.template}
    </button>
  );
}
