import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import { Public } from '../auth/access.js';
import type { Request } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Produces } from '../http/accept.guard.js';
import type { Reply } from '../http/reply.js';
import { descriptionOf, isProblemCode, type ProblemCode } from '../problem/catalogue.js';
import { Problem } from '../problem/problem.js';
import { Operation, Tag, type NamedSchema } from '../openapi/operation.js';
import type { Schema } from '../validation/json-schema.js';
import { wantsPage } from './page.js';
import { CODES, problemListPage, problemPage } from './problem-pages.js';

const DESCRIPTION: Schema = {
  type: 'object',
  description: 'What an error means and what to do about it.',
  required: ['type', 'code', 'status', 'title', 'meaning', 'remedy'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'The `type` of such problems.' },
    code: { type: 'string', description: 'The `code` of such problems.', examples: CODES.slice(0, 1) },
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'The status of the answer.' },
    title: { type: 'string', description: 'The problem in a few words.' },
    meaning: { type: 'string', description: 'When it is answered.' },
    remedy: { type: 'string', description: 'What to do about it.' },
  },
};

const PROBLEM_DESCRIPTION: NamedSchema = { name: 'ProblemDescription', schema: () => DESCRIPTION };

const PROBLEM_DESCRIPTIONS: NamedSchema = {
  name: 'ProblemDescriptions',
  schema: () => ({
    type: 'array',
    description: 'Every error that the service can answer with.',
    items: DESCRIPTION,
  }),
};

/** Where the `type` of every problem leads. */
@Controller('problems')
@Tag('About')
export class ProblemsController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get()
  @Public()
  @Produces('application/json', 'text/html')
  @Operation('listProblems', 'List every error that the service can answer with', {
    other: PROBLEM_DESCRIPTIONS,
    html: true,
    description: 'A page for browsers, JSON for programs.',
  })
  list(@Req() request: Request): Reply | object[] {
    return wantsPage(request) ? problemListPage(request) : CODES.map((code) => this.data(code));
  }

  @Get(':code')
  @Public()
  @Produces('application/json', 'text/html')
  @Operation('readProblem', 'Learn what an error means and what to do about it', {
    other: PROBLEM_DESCRIPTION,
    html: true,
    description: 'This is where the `type` of every problem leads.',
  })
  read(@Req() request: Request, @Param('code') code: string): Reply | object {
    if (!isProblemCode(code))
      throw new Problem(
        'NOT_FOUND',
        'The service has no problem with this code. The list of all problems is at /problems.',
      );
    return wantsPage(request) ? problemPage(request, code) : this.data(code);
  }

  private data(code: ProblemCode): object {
    const { status, title, meaning, remedy } = descriptionOf(code);
    return { type: `${this.config.PUBLIC_URL ?? ''}/problems/${code}`, code, status, title, meaning, remedy };
  }
}
