import type { FeatureProblem } from '../openapi/problem-example.js';

export const MALFORMED_FILE: FeatureProblem = {
  code: 'MALFORMED_FILE',
  status: 400,
  title: 'The file cannot be read',
  meaning:
    'The file is not CSV, or not JSON lines in UTF-8, it mixes encodings, its header has no importable columns, or it does not match its Content-Encoding. Nothing was stored.',
  remedy: 'Check "line" and "column", if present. Save spreadsheets as CSV in UTF-8, with the columns of the export.',
  someMembers: {
    line: { type: 'integer', minimum: 1, description: 'Line number in the file.' },
    column: { type: 'string', description: 'Name of the column in the file.' },
  },
  example: {
    detail: 'Line 1, column "delivery": is not a column of shipments. Nothing was stored.',
    instance: '/v1/imports',
    members: { line: 1, column: 'delivery' },
  },
};

export const AMBIGUOUS_FILE: FeatureProblem = {
  code: 'AMBIGUOUS_FILE',
  status: 409,
  title: 'The file can be read in several ways',
  meaning:
    'The import has cells that mean several dates or numbers, such as 12/1/2026, and its upload did not say which. Nothing was written.',
  remedy:
    'Upload the file again with "dates" (MDY, DMY or YMD) or "decimal" (. or ,). The refused rows of the import list the cells, with the value of each reading.',
  example: {
    detail: 'Some cells of the file can be read in several ways. Upload it again with dates or decimal, which say how.',
    instance: '/v1/imports/0199c3a0-8a10-7f41-8c95-2bae7f3e4d5c/apply',
  },
};
