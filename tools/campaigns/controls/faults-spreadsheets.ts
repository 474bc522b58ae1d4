import type { Fault } from './fault.js';

const COLUMNS_SPEC = ['test/imports/spreadsheet-columns.spec.ts'];
const CELLS_SPEC = ['test/files/file-cells.spec.ts'];
const RESULT_SPEC = ['test/imports/result-round-trip.spec.ts'];
const SETTLED_SPEC = ['test/imports/settled-rows.spec.ts'];

/** Faults of files that went through a spreadsheet. */
export const SPREADSHEET_FAULTS: readonly Fault[] = [
  {
    about: 'spreadsheet files: a date that somebody typed is no change if some order makes it the old one',
    file: 'src/imports/column-forms.ts',
    find: 'if (this.exported.has(path) && common.some((each) => !notations.includes(each))) return false;',
    replace: '',
    specs: COLUMNS_SPEC,
  },
  {
    about: 'spreadsheet files: the cells of a column are unchanged in different orders',
    file: 'src/imports/column-forms.ts',
    find: 'if (fitting.length > 0) this.unchanged.set(path, fitting);',
    replace: '',
    specs: COLUMNS_SPEC,
  },
  {
    about: 'spreadsheet files: the order of the other cells of a column does not count',
    file: 'src/imports/column-forms.ts',
    find: 'common.includes(each) && before.includes(each)',
    replace: 'before.includes(each) || common.includes(each)',
    specs: COLUMNS_SPEC,
  },
  {
    about: 'spreadsheet files: the columns are seen only as far as they are read',
    file: 'src/imports/import-upload.service.ts',
    find: 'forms.see(row);',
    replace: 'if (rows < 200) forms.see(row);',
    specs: COLUMNS_SPEC,
  },
  {
    about: 'spreadsheet files: a code with an exponent is written as it is',
    file: 'src/files/cells.ts',
    find: '(?:[etz]|',
    replace: '(?:[tz]|',
    specs: CELLS_SPEC,
  },
  {
    about: 'spreadsheet files: every formula for a text is taken for the text',
    file: 'src/files/cells.ts',
    find: 'text !== undefined && isReformatted(text) ? text : undefined',
    replace: 'text',
    specs: CELLS_SPEC,
  },
  {
    about: 'spreadsheet files: a result guards a formula for a text, which then is another text',
    file: 'src/files/cells.ts',
    find: 'return textInFormula(cell) === undefined ? guarded(cell, FORMULA) : cell;',
    replace: 'return guarded(cell, FORMULA);',
    specs: CELLS_SPEC,
  },
  {
    about: 'spreadsheet files: a result for spreadsheets writes refused cells as they were sent',
    file: 'src/imports/results/csv-result.ts',
    find: 'asSent: (cell) => unformattedCell(guardedCell(cell)),',
    replace: 'asSent: guardedCell,',
    specs: RESULT_SPEC,
    only: 'a result for spreadsheets',
  },
  {
    about: 'spreadsheet files: a result for spreadsheets has the values of others as in the API',
    file: 'src/imports/results/csv-result.ts',
    find: 'ofRecord: spreadsheetCellOf,',
    replace: 'ofRecord: cellOf,',
    specs: RESULT_SPEC,
    only: 'a result for spreadsheets',
  },
  {
    about: 'spreadsheet files: the header in the middle of a file is a row',
    file: 'src/imports/reading/csv-rows.ts',
    find: "if (record.every((cell, at) => cell === names[at])) throw fileFault('the row is the header again', { line });",
    replace: '',
    specs: ['test/imports/import-files.spec.ts'],
    only: 'the header twice',
  },
  {
    about: 'spreadsheet files: a row without a conflict is settled, too',
    file: 'src/imports/imports.service.ts',
    find: 'row?.line !== line || conflictsIn(row.problem).length === 0',
    replace: 'row?.line !== line',
    specs: SETTLED_SPEC,
  },
  {
    about: 'spreadsheet files: settling a line settles the next refused one',
    file: 'src/imports/imports.service.ts',
    find: 'row?.line !== line || conflictsIn',
    replace: 'row === undefined || conflictsIn',
    specs: SETTLED_SPEC,
  },
  {
    about: 'spreadsheet files: a settled row stays in the counts of refused ones',
    file: 'src/imports/imports.service.ts',
    find: 'locked.update(recount(locked.row, [row], [settled]))',
    replace: 'locked.update({})',
    specs: SETTLED_SPEC,
  },
];
