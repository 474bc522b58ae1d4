import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import { Public } from '../auth/access.js';
import type { Request } from 'express';
import { CONFIG, type Config } from '../config/config.js';
import { Produces } from '../http/accept.guard.js';
import type { Reply } from '../http/reply.js';
import { descriptionOf, type ProblemCode } from '../problem/catalogue.js';
import { Problem } from '../problem/problem.js';
import { Operation, Tag, type NamedSchema } from '../openapi/operation.js';
import { objectSchema } from '../validation/json-schema.js';
import { wantsPage } from './page.js';
import { CODES, problemListPage, problemPage } from './problem-pages.js';

const DESCRIPTION = objectSchema('The meaning of an error and how to recover.', {
  type: { type: 'string', format: 'uri-reference', description: 'The `type` of the problem.' },
  code: { type: 'string', description: 'The `code` of the problem.', examples: CODES.slice(0, 1) },
  status: { type: 'integer', minimum: 400, maximum: 599, description: 'HTTP status of the response.' },
  title: { type: 'string', description: 'Short summary of the problem.' },
  meaning: { type: 'string', description: 'When the problem occurs.' },
  remedy: { type: 'string', description: 'How to recover.' },
});

const PROBLEM_DESCRIPTION: NamedSchema = { name: 'ProblemDescription', schema: () => DESCRIPTION };

const PROBLEM_DESCRIPTIONS: NamedSchema = {
  name: 'ProblemDescriptions',
  schema: () => ({ type: 'array', description: 'All errors that the service can return.', items: DESCRIPTION }),
};

/** The pages that the `type` of each problem links to. */
@Controller('problems')
@Tag('About')
export class ProblemsController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get()
  @Public()
  @Produces('application/json', 'text/html')
  @Operation('listProblems', 'List all errors that the service can return', {
    other: PROBLEM_DESCRIPTIONS,
    html: true,
    description: 'HTML for browsers, JSON for other clients.',
  })
  list(@Req() request: Request): Reply | object[] {
    return wantsPage(request) ? problemListPage(request) : CODES.map((code) => this.data(code));
  }

  @Get(':code')
  @Public()
  @Produces('application/json', 'text/html')
  @Operation('readProblem', 'Read the meaning of an error and how to recover', {
    other: PROBLEM_DESCRIPTION,
    html: true,
    description: 'The `type` of every problem links here.',
  })
  read(@Req() request: Request, @Param('code') code: string): Reply | object {
    const known = CODES.find((each) => each === code);
    if (known === undefined)
      throw new Problem(
        'NOT_FOUND',
        'The service has no problem with this code. The list of all problems is at /problems.',
      );
    return wantsPage(request) ? problemPage(request, known) : this.data(known);
  }

  private data(code: ProblemCode): object {
    const { status, title, meaning, remedy } = descriptionOf(code);
    return { type: `${this.config.PUBLIC_URL ?? ''}/problems/${code}`, code, status, title, meaning, remedy };
  }
}
