import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findTool } from './tools.js';

const FILTER = 'Text - txt - csv (StarCalc)';
/** Tab, comma and semicolon, double quotes, UTF-8, from the first line on, no column with a type, English: what the dialog has chosen. */
const AS_OFFERED = '9/44/59,34,76,1,,1033,false';
const SAVED = '44,34,76,1';

/** Opens a CSV file in LibreOffice Calc, which guesses what each cell is, and saves it as CSV. Dates and the like it takes for numbers if asked to. */
export async function openAndSave(file: Uint8Array, specialNumbers = false): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-office-'));
  try {
    const path = join(folder, 'shipments.csv');
    const saved = join(folder, 'saved');
    writeFileSync(path, file);
    const program = findTool('soffice') ?? 'soffice';
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
    const conversion = [
      `--infilter=${FILTER}:${AS_OFFERED},${specialNumbers}`,
      '--convert-to',
      `csv:${FILTER}:${SAVED}`,
    ];
    await promisify(execFile)(program, [profile, '--headless', '--norestore', ...conversion, '--outdir', saved, path]);
    return readFileSync(join(saved, 'shipments.csv'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
