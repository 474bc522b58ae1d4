import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findTool } from './tools.js';

const FILTER = 'Text - txt - csv (StarCalc)';

/** Languages of a spreadsheet, with the number that its filters have for them and the delimiter of the files it saves. */
const LANGUAGES = { 'en-US': { id: 1033, delimiter: ',' }, 'de-DE': { id: 1031, delimiter: ';' } } as const;

/** The settings of a user of this language. */
const settingsOf = (language: string) => `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>${language}</value></prop></item>
</oor:items>`;

interface Options {
  readonly language?: keyof typeof LANGUAGES;
  /** Whether to detect special numbers, such as dates. */
  readonly specialNumbers?: boolean;
}

/** Opens a CSV file in LibreOffice Calc and saves it as CSV. */
export async function openAndSave(
  file: Uint8Array,
  { language = 'en-US', specialNumbers = false }: Options = {},
): Promise<Buffer> {
  const { id, delimiter } = LANGUAGES[language];
  // As its dialog offers: tab, comma and semicolon, double quotes, UTF-8, from the first line, no column types.
  const opened = `9/44/59,34,76,1,,${id},false,${specialNumbers}`;
  const written = `${delimiter.charCodeAt(0)},34,76,1,,${id}`;
  const folder = mkdtempSync(join(tmpdir(), 'waybill-office-'));
  try {
    const path = join(folder, 'shipments.csv');
    const saved = join(folder, 'saved');
    writeFileSync(path, file);
    const program = findTool('soffice') ?? 'soffice';
    mkdirSync(join(folder, 'profile/user'), { recursive: true });
    writeFileSync(join(folder, 'profile/user/registrymodifications.xcu'), settingsOf(language));
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
    const conversion = [`--infilter=${FILTER}:${opened}`, '--convert-to', `csv:${FILTER}:${written}`];
    await promisify(execFile)(program, [profile, '--headless', '--norestore', ...conversion, '--outdir', saved, path]);
    return readFileSync(join(saved, 'shipments.csv'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
