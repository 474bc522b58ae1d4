import { PROBLEMS, type ProblemCode } from '../../src/problem/catalogue.js';
import { toProblem } from '../../src/problem/failures.js';
import { validationGaps } from '../../src/problem/database-problem.js';
import { Api } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { createMove } from '../support/records/records.js';
import { startService, useService } from '../support/service/service.js';

afterEach(() => validationGaps.clear());

test.each<[string, ProblemCode]>([
  ...['22001', '22003', '22007', '22008', '22009', '22021', '22P02', '22P05', '23502', '23514'].map(
    (state) => [state, 'VALIDATION_FAILED'] as [string, ProblemCode],
  ),
  ['23503', 'IN_USE'],
  ['23505', 'DUPLICATE'],
  ['54000', 'TOO_LARGE'],
])('the SQLSTATE %s becomes %s and is counted', (state, code) => {
  const error = Object.assign(new Error('value "secret" violates "moves_order_id"'), { code: state });
  const problem = toProblem(error);
  expect(problem).toMatchObject({ code, status: PROBLEMS[code].status });
  expect(problem.detail).not.toMatch(/secret|moves|violates/);
  expect([...validationGaps]).toEqual([[state, 1]]);
});

test.each(['25P02', '26000', '40P01', '57014'])('a failure with the SQLSTATE %s passes by itself', (code) => {
  expect(toProblem(Object.assign(new Error('secret'), { code }))).toMatchObject({ code: 'UNAVAILABLE', status: 503 });
  expect(validationGaps.size).toBe(0);
});

test.each(['42601', '42P01', 'XX000', 'P0001', 'EPERM', undefined])('a failure with the code %s is ours', (code) => {
  expect(toProblem(Object.assign(new Error('secret'), { code }))).toMatchObject({ code: 'INTERNAL', status: 500 });
  expect(validationGaps.size).toBe(0);
});

describe('when only the database refuses', () => {
  const service = useService();

  /** A trigger that assigns the orderID to a variable of another type. */
  const assigning = (type: string) => `
    CREATE FUNCTION assign() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE variable ${type}; BEGIN variable := NEW.order_id; RETURN NEW; END $$;
    CREATE TRIGGER assign BEFORE INSERT ON moves FOR EACH ROW EXECUTE FUNCTION assign()`;
  const DROP_FUNCTION = 'DROP FUNCTION assign() CASCADE';

  test.each([
    [422, '22001', 'VALIDATION_FAILED', assigning('varchar(2)'), DROP_FUNCTION],
    [422, '22P02', 'VALIDATION_FAILED', assigning('integer'), DROP_FUNCTION],
    [
      422,
      '23514',
      'VALIDATION_FAILED',
      `ALTER TABLE moves ADD CONSTRAINT never CHECK (order_id <> 'A-1')`,
      'ALTER TABLE moves DROP CONSTRAINT never',
    ],
    [
      422,
      '23502',
      'VALIDATION_FAILED',
      `UPDATE moves SET remarks = ''; ALTER TABLE moves ALTER remarks SET NOT NULL`,
      'ALTER TABLE moves ALTER remarks DROP NOT NULL',
    ],
    [409, '23505', 'DUPLICATE', 'CREATE UNIQUE INDEX only_one ON moves ((1))', 'DROP INDEX only_one'],
  ])('%i and no change (%s)', async (status, state, code, change, undo) => {
    if (state === '23505') await createMove(service.api);
    await service.sql.query(change);
    const answer = await Api.beyondTheDocument(service.url).post('/v1/moves', { orderID: 'A-1' });
    await service.sql.query(undo);
    const { instance: _, requestID: __, ...said } = expectProblem(answer, status, code);
    expect(JSON.stringify(said)).not.toMatch(/order|remarks|never|moves|constraint|SQL|\d{5}/);
    expect([...validationGaps]).toEqual([[state, 1]]);
    const { rows } = await service.sql.query(`SELECT FROM moves WHERE order_id = 'A-1'`);
    expect(rows).toEqual([]);
  });
});

test('a service that had a gap does not stop as if nothing had been', async () => {
  const service = await startService();
  await service.sql.query(`ALTER TABLE moves ADD CONSTRAINT never CHECK (order_id <> 'A-1')`);
  await Api.beyondTheDocument(service.url).post('/v1/moves', { orderID: 'A-1' });
  await expect(service.stop()).rejects.toThrow('23514');
});
