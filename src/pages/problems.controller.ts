import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import { Public } from '../auth/access.js';
import type { Request } from 'express';
import { problemExample, PROBLEM_TYPES } from '../api-texts/problem-types.js';
import { CONFIG, type Config } from '../config/config.js';
import { isRead, Produces } from '../http/accept.guard.js';
import type { Reply } from '../http/reply.js';
import { contextOf } from '../http/request-context.js';
import type { ProblemPage } from '../http/send-problem.js';
import type { ProblemType } from '../problem/catalogue.js';
import { Problem } from '../problem/problem.js';
import { Operation, PathParameter, Stability, Tag } from '../openapi/operation.js';
import { page, type NamedSchema } from '../openapi/response.js';
import { objectSchema } from '../validation/json-schema.js';
import { CONFLICT_GUIDE } from './conflict-guide.js';
import { html, pageReply, upToRoot, wantsPage } from './page.js';

const DESCRIPTION = objectSchema('The meaning of an error and how to recover.', {
  type: { type: 'string', format: 'uri-reference', description: 'The `type` of the problem.' },
  code: {
    type: 'string',
    description: 'The `code` of the problem.',
    examples: PROBLEM_TYPES.slice(0, 1).map(({ code }) => code),
  },
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
@Stability('core')
@PathParameter('code', {
  description: 'The `code` of a problem.',
  example: 'PRECONDITION_FAILED',
  schema: { type: 'string' },
})
export class ProblemsController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get()
  @Public()
  @Produces('application/json', 'text/html')
  @Operation('listProblems', 'List all errors that the service can return', {
    response: page(PROBLEM_DESCRIPTIONS),
    description: 'HTML for browsers, JSON for other clients.',
  })
  list(@Req() request: Request): Reply | object[] {
    return wantsPage(request) ? problemListPage(request) : PROBLEM_TYPES.map((type) => this.data(type));
  }

  @Get(':code')
  @Public()
  @Produces('application/json', 'text/html')
  @Operation('readProblem', 'Read the meaning of an error and how to recover', {
    response: page(PROBLEM_DESCRIPTION),
    description: 'The `type` of every problem links here.',
  })
  read(@Req() request: Request, @Param('code') code: string): Reply | object {
    const known = PROBLEM_TYPES.find((type) => type.code === code);
    if (known === undefined)
      throw new Problem(
        'NOT_FOUND',
        'The service has no problem with this code. The list of all problems is at /problems.',
      );
    return wantsPage(request) ? problemPage(request, known) : this.data(known);
  }

  private data({ code, status, title, meaning, remedy }: ProblemType): object {
    return { type: `${this.config.PUBLIC_URL ?? ''}/problems/${code}`, code, status, title, meaning, remedy };
  }
}

function problemListPage(request: Request): Reply {
  const root = upToRoot(request.path);
  const rows = PROBLEM_TYPES.map(({ code, status, title }) => {
    return html`<tr>
      <td>${status}</td>
      <td>
        <a href="${root}problems/${code}"><code>${code}</code></a>
      </td>
      <td>${title}</td>
    </tr>`;
  });
  const body = html`<main>
    <h1>Errors</h1>
    <p class="lead">
      Every error is an RFC 9457 problem. The meaning of its <code>code</code> never changes; its
      <code>type</code> links here.
    </p>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Status</th>
            <th>Code</th>
            <th>What happened</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
  </main>`;
  return pageReply(request, { title: 'Errors · Waybill', body });
}

function problemPage(request: Request, { code, status, title, meaning, remedy }: ProblemType): Reply {
  const body = html`<main>
    <p class="crumbs"><a href="${upToRoot(request.path)}problems">Errors</a></p>
    <h1>${title}</h1>
    <p class="lead"><span class="status">${status}</span> <code>${code}</code></p>
    <h2>What it means</h2>
    <p>${meaning}</p>
    <h2>What to do</h2>
    <p>${remedy}</p>
    <h2>An example</h2>
    <pre class="json"><code>${JSON.stringify(problemExample(code), null, 2)}</code></pre>
    ${code === 'PRECONDITION_FAILED' ? CONFLICT_GUIDE : ''}
  </main>`;
  return pageReply(request, { title: `${title} · Waybill`, body });
}

/** Renders a problem as HTML for browsers; undefined for other clients, and for writes. */
export const shownProblem: ProblemPage = (message, { code, title, status, detail }) => {
  const request = message as Request;
  if (!isRead(request) || !wantsPage(request)) return undefined;
  const root = upToRoot(request.path);
  const body = html`<main>
    <h1>${title}</h1>
    <p class="lead"><span class="status">${status}</span> <code>${code}</code></p>
    <p>${detail}</p>
    <p><a href="${root}problems/${code}">What to do about this error</a></p>
    <p class="quiet">Include <code>${contextOf(request).requestID}</code> when you ask for help.</p>
  </main>`;
  return pageReply(request, { title: `${title} · Waybill`, body });
};
