import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findTool } from './tools.js';

const FILTER = 'Text - txt - csv (StarCalc)';
/** The defaults of the dialog: tab, comma and semicolon, double quotes, UTF-8, from the first line, no column types, English. */
const AS_OFFERED = '9/44/59,34,76,1,,1033,false';
const SAVED = '44,34,76,1';

/** Opens a CSV file in LibreOffice Calc and saves it as CSV, optionally with detection of special numbers. */
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
