import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import { Public } from '../auth/access.js';
import type { Request } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Produces } from '../http/accept.guard.js';
import type { Reply } from '../http/reply.js';
import { descriptionOf, isProblemCode, PROBLEMS, type ProblemCode } from '../problem/catalogue.js';
import { Problem } from '../problem/problem.js';
import { Operation, Tag } from '../openapi/operation.js';
import { problemExample } from '../openapi/texts/problem-examples.js';
import { CONFLICT_GUIDE } from './conflict-guide.js';
import { dataReply, html, pageReply, upToRoot, wantsPage } from './page.js';

const CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** Where the `type` of every problem leads. */
@Controller('problems')
@Tag('About')
export class ProblemsController {
  private readonly baseUrl: string;

  constructor(@Inject(CONFIG) config: Config) {
    this.baseUrl = config.PUBLIC_URL ?? '';
  }

  @Get()
  @Public()
  @Produces('application/json', 'text/html')
  @Operation('listProblems', 'List every error that the service can answer with', {
    other: 'ProblemDescriptions',
    html: true,
    description: 'A page for browsers, JSON for programs.',
  })
  list(@Req() request: Request): Reply {
    return wantsPage(request) ? listPage(request) : dataReply(CODES.map((code) => this.data(code)));
  }

  @Get(':code')
  @Public()
  @Produces('application/json', 'text/html')
  @Operation('readProblem', 'Learn what an error means and what to do about it', {
    other: 'ProblemDescription',
    html: true,
    description: 'This is where the `type` of every problem leads.',
  })
  read(@Req() request: Request, @Param('code') code: string): Reply {
    if (!isProblemCode(code))
      throw new Problem(
        'NOT_FOUND',
        'The service has no problem with this code. The list of all problems is at /problems.',
      );
    return wantsPage(request) ? problemPage(request, code) : dataReply(this.data(code));
  }

  private data(code: ProblemCode): object {
    const { status, title, meaning, remedy } = descriptionOf(code);
    return { type: `${this.baseUrl}/problems/${code}`, code, status, title, meaning, remedy };
  }
}

function listPage(request: Request): Reply {
  const root = upToRoot(request.path);
  const rows = CODES.map((code) => {
    const { status, title } = descriptionOf(code);
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
      Every error is an RFC 9457 problem. Its <code>code</code> never changes its meaning; its <code>type</code> leads
      here.
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

function problemPage(request: Request, code: ProblemCode): Reply {
  const { status, title, meaning, remedy } = descriptionOf(code);
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
