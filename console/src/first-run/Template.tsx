import { Download } from 'lucide-react';
import { FIELDS } from '../model/fields.js';
import { download } from '../components/download.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';

/** The values of the example, as the import reads them. Columns without one are empty. */
const EXAMPLE: Readonly<Record<string, string>> = {
  shipmentType: 'HHG',
  pickupDate: '="2027-03-01"',
  deliveryDate: '="2027-03-20"',
  estimatedWeight: '4500',
  'pickupAddress.streetAddress1': '1 Main Street',
  'pickupAddress.city': 'Springfield',
  'pickupAddress.state': 'IL',
  'pickupAddress.postalCode': '62701',
  'destinationAddress.streetAddress1': '9 Harbor Road',
  'destinationAddress.city': 'Boston',
  'destinationAddress.state': 'MA',
  'destinationAddress.postalCode': '="02134"',
};

/** A file with the columns of an import, as the export names them, and an example that a person replaces. */
export function Template() {
  const columns = ['moveID', ...FIELDS.shipment.map(({ name }) => name.replace('/', '.'))];
  const example = columns.map((name) =>
    cellOf(name === 'customerRemarks' ? t.firstRun.exampleRow : (EXAMPLE[name] ?? '')),
  );
  const lines = [columns, example].map((cells) => `${cells.join(',')}\r\n`);
  const save = () => download(new Blob(['\uFEFF', ...lines]).stream(), 'shipments-template.csv');
  return (
    <button type="button" className={controls.quiet} onClick={() => void save()}>
      <Download />
      {t.firstRun.template}
    </button>
  );
}

function cellOf(text: string): string {
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
