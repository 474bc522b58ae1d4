import type { Fault } from './fault.js';

/** Faults of erasures and of what protects history from them. */
export const ERASURE_FAULTS: readonly Fault[] = [
  {
    about: 'a restored month does not erase creators of imports in other months',
    file: 'tools/erase/apply-erasures.ts',
    find: '  note(await eraseCreators(client, await erasedCreatorsIn(client, table)));\n',
    replace: '',
    specs: ['test/tools/erasure-months.spec.ts'],
  },
  {
    about: 'the file name of an import outlives the erasure of its import and of its rows',
    file: 'tools/erase/file-names.ts',
    find: "await client.query('UPDATE imports SET file_name = NULL WHERE id = ANY ($1::uuid[])', [ids]);",
    replace: '',
    specs: ['test/tools/erasure-imports.spec.ts'],
    only: 'the name of a file',
  },
  {
    about: 'the file name of an import outlives the erasure of the person who uploaded it',
    file: 'tools/erase/creators.ts',
    find: "? ', file_name = NULL' : ''",
    replace: "? '' : ''",
    specs: ['test/tools/erasure-imports.spec.ts'],
    only: 'the name of a file',
  },
  {
    about: 'the progress of an unfinished bulk keeps the values of an erased shipment',
    file: 'tools/erase/record-target.ts',
    find: '    await erasure.batch(async () => ({ keptAnswers: await eraseProgress(this.client, this.id) }));\n',
    replace: '',
    specs: ['test/tools/erasure-unfinished.spec.ts'],
  },
  {
    about: 'a batch of an erasure keeps what receivers answered to its events',
    file: 'tools/erase/author-target.ts',
    find: 'const keptAnswers = await eraseAnswersAt(this.client, positions);',
    replace: 'const keptAnswers = 0;',
    specs: ['test/tools/erasure-traces.spec.ts'],
  },
  {
    about: 'a digest of an erased subject is kept with the webhooks that it created',
    file: 'tools/erase/author-target.ts',
    find: '    await this.client.query(CREATOR_OF_WEBHOOKS.forget.text, [subject]);\n',
    replace: '',
    specs: ['test/tools/erasure-subject.spec.ts'],
  },
  {
    about: 'a display name is erased although subjects used it',
    file: 'tools/erase/author-target.ts',
    find: '      await requireUnverified(client, name);\n',
    replace: '',
    specs: ['test/tools/erasure-names.spec.ts'],
  },
  {
    about: 'a redaction may change other columns of an entry',
    file: 'migrations/1763400000002-history.ts',
    find: '            AND to_jsonb(NEW) - redacted = to_jsonb(OLD) - redacted\n',
    replace: '',
    specs: ['test/history/history-redaction.spec.ts'],
  },
];
