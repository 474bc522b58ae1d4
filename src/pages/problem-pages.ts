import type { Request } from 'express';
import type { Reply } from '../http/reply.js';
import type { ProblemPage } from '../http/send-problem.js';
import { problemExample } from '../openapi/texts/problem-examples.js';
import { descriptionOf, PROBLEMS, type ProblemCode } from '../problem/catalogue.js';
import { CONFLICT_GUIDE } from './conflict-guide.js';
import { html, isRead, pageReply, upToRoot, wantsPage } from './page.js';

export const CODES = Object.keys(PROBLEMS) as ProblemCode[];

export function problemListPage(request: Request): Reply {
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

export function problemPage(request: Request, code: ProblemCode): Reply {
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

/** Renders a problem as HTML for browsers; undefined for other clients. */
export const shownProblem: ProblemPage = (message, payload) => {
  const request = message as Request;
  if (!isRead(request) || !wantsPage(request)) return undefined;
  const { code, title, status, detail, requestID } = payload as Record<
    'code' | 'title' | 'status' | 'detail' | 'requestID',
    string
  >;
  const root = upToRoot(request.path);
  const body = html`<main>
    <h1>${title}</h1>
    <p class="lead"><span class="status">${status}</span> <code>${code}</code></p>
    <p>${detail}</p>
    <p><a href="${root}problems/${code}">What to do about this error</a></p>
    <p class="quiet">Include <code>${requestID}</code> when you ask for help.</p>
  </main>`;
  return pageReply(request, { title: `${title} · Waybill`, body });
};
