import type { Answer, Json } from './api.js';

/** Asserts that a response is a problem, and returns it. */
export function expectProblem(answer: Answer<Json>, status: number, code: string): Json {
  const { body, headers } = answer;
  expect({ status: answer.status, body }).toMatchObject({ status, body: { code } });
  expect(headers.get('Content-Type')).toBe('application/problem+json');
  expect(body).toMatchObject({
    type: expect.stringMatching(new RegExp(`/problems/${code}$`)) as string,
    title: expect.stringMatching(/./) as string,
    status,
    detail: expect.stringMatching(/./) as string,
    instance: expect.not.stringContaining('?') as string,
    requestID: headers.get('X-Request-ID'),
  });
  return body;
}

/** Asserts a 422 and returns its field errors as "pointer CODE". */
export function expectInvalid(answer: Answer<Json>): string[] {
  return faultsOf(expectProblem(answer, 422, 'VALIDATION_FAILED'));
}

export function faultsOf(problem: Json): string[] {
  expect(problem.errorCount).toBe(problem.errors.length);
  for (const error of problem.errors) expect(error.message).toMatch(/./);
  return problem.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`);
}
