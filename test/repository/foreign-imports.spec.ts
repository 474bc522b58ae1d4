import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** As class-validator's documentation writes a field. */
const DTO = `import { IsEmail, IsOptional } from 'class-validator';

export class ContactFields {
  @IsOptional()
  @IsEmail()
  email!: string | null;
}
`;

const folder = mkdtempSync(join(tmpdir(), 'waybill-rules-'));
const file = join(folder, 'contact-fields.ts');
writeFileSync(file, DTO);
const project = {
  extends: resolve('tsconfig.json'),
  compilerOptions: { rootDir: '/', types: [] },
  files: [file],
  include: [],
};
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
afterAll(() => rmSync(folder, { recursive: true }));

function run(program: string, ...words: string[]) {
  const { status, stdout } = spawnSync(process.execPath, [`node_modules/${program}`, ...words], { encoding: 'utf8' });
  return { status, stdout };
}

test("class-validator's own decorators do not compile", () => {
  const { status, stdout } = run('typescript-native/bin/tsc', '--noEmit', '-p', folder);
  expect(status).not.toBe(0);
  for (const name of ['IsEmail', 'IsOptional']) expect(stdout).toContain(`has no exported member '${name}'`);
  expect(stdout.match(/error TS/g)).toHaveLength(2);
});

test.each([
  ["class-validator's own decorators", DTO, 'Use the rules of src/validation/rules.ts'],
  [
    'exceptions of Nest, which would be a 500',
    `export { NotFoundException, ParseUUIDPipe } from '@nestjs/common';`,
    'Throw a Problem',
  ],
])('lint says what to use instead of %s', (_, text, advice) => {
  writeFileSync(file, text);
  const { status, stdout } = run('oxlint/bin/oxlint', '--config', '.oxlintrc.json', file);
  expect([status, stdout]).toEqual([1, expect.stringContaining(advice)]);
});
