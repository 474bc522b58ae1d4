import type { Request } from 'express';
import type { MakeReply } from '../http/waybill-adapter.js';
import { Reply } from '../http/reply.js';
import { descriptionOf, isProblemCode } from '../problem/catalogue.js';
import type { ProblemPage } from '../http/send-problem.js';
import { collectionName } from '../records/resource.js';
import { Page, Stored } from '../records/stored.js';
import { ALL_RESOURCES } from '../resources.js';
import { CHILDREN_OF_SHIPMENTS } from '../shipments/shipment-relations.js';
import { html, Html, pageReply, upToRoot, wantsPage } from './page.js';

type Json = Record<string, unknown>;

/** The command does not repeat the path: the author of a link chooses it, and commands are pasted into shells. */
const TOKEN_ADVICE = html`<p>
    A browser does not send a token by itself. Use a program that does, such as curl, or "Authorize" in the
    documentation:
  </p>
  <pre><code>curl -s "${'$'}URL" -H "Authorization: Bearer ${'$'}ACCESS_TOKEN"</code></pre>`;

/** Shows records, lists and histories as pages to clients that prefer HTML to JSON. A page has no version: no ETag, no 304. */
export function pagesForBrowsers(reply: MakeReply): MakeReply {
  return (request, value, status) => {
    const canBePage = isRead(request) && (value instanceof Stored || value instanceof Page);
    if (!canBePage || !wantsPage(request)) return reply(request, value, status);
    delete request.headers['if-none-match'];
    return Promise.resolve(reply(request, value, status)).then((made) => dataPage(request, made));
  };
}

/** Shows a problem as a page to clients that prefer HTML; undefined for all others. Only what a browser can open is shown. */
export const problemPage: ProblemPage = (message, payload) => {
  const request = message as Request;
  if (!isRead(request) || !wantsPage(request)) return undefined;
  const { code, title, status, detail, requestID, errors = [] } = payload as unknown as ShownProblem;
  const root = upToRoot(request.path);
  const faults = errors.map(({ pointer, message: text }) => html`<li><code>${pointer}</code> ${text}</li>`);
  const body = html`<main>
    <h1>${title}</h1>
    <p class="lead"><span class="status">${status}</span> <code>${code}</code></p>
    <p>${detail}</p>
    ${
      faults.length > 0
        ? html`<ul>
            ${faults}
          </ul>`
        : ''
    }
    <h2>What to do</h2>
    <p>${isProblemCode(code) ? descriptionOf(code).remedy : ''}</p>
    ${code === 'UNAUTHENTICATED' ? TOKEN_ADVICE : ''}
    <p>
      <a href="${root}problems/${code}">More about this error</a>, or go to the <a href="${root}docs">documentation</a>.
    </p>
    <h2>The answer that programs get</h2>
    <pre class="json"><code>${shown(payload, { root, collection: '' })}</code></pre>
    <p class="quiet">Quote <code>${requestID}</code> when you ask for help.</p>
  </main>`;
  return pageReply(request, { title: `${title} · Waybill`, body });
};

interface ShownProblem {
  readonly code: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly requestID: string;
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function dataPage(request: Request, { json = 'null', headers: { ETag: _, ...headers } }: Reply): Reply {
  const root = upToRoot(request.path);
  const data = JSON.parse(json) as Json | Json[];
  const heading = headingOf(request.path);
  const next = /\?([^>]*)>; rel="next"/.exec(headers['Link'] ?? '')?.[1];
  const body = html`<main>
    <h1>${heading}</h1>
    <p class="lead"><code>${request.path}</code></p>
    ${Array.isArray(data) ? html`<p>${countOf(data, next)}</p>` : versionOf(data)}
    <p class="links">${linksOf(request.path, root)}</p>
    <pre class="json"><code>${shown(data, { root, collection: collectionOf(request.path) })}</code></pre>
    ${next === undefined ? '' : html`<p><a href="?${next}" rel="next">Next page</a></p>`}
    <p class="quiet">This page is for people. Programs get the JSON: send <code>Accept: application/json</code>.</p>
  </main>`;
  const page = pageReply(request, { title: `${heading} · Waybill`, body });
  return new Reply(page.json, { ...headers, ...page.headers });
}

function countOf(records: readonly Json[], next: string | undefined): string {
  if (records.length === 0) return 'There is nothing in this list.';
  return `${records.length} ${records.length === 1 ? 'entry' : 'entries'}${next === undefined ? '' : ', and there are more'}.`;
}

function versionOf({ eTag }: Json): Html {
  return html`<p>
    eTag <code class="long">${String(eTag)}</code>, which a change of this version names in <code>If-Match</code>.
  </p>`;
}

/** Moves are shown under "moves", one of them is a "Move". */
const SINGULAR: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ALL_RESOURCES.map((resource) => [collectionName(resource), resource.entity.name])),
  address: 'Address',
};

function headingOf(path: string): string {
  const [last = '', parent = '', beforeParent = ''] = segmentsOf(path).reverse();
  if (last === 'history') return `History of a ${(SINGULAR[beforeParent] ?? 'record').toLowerCase()}`;
  if (last in SINGULAR) return `${last.charAt(0).toUpperCase()}${last.slice(1)}`;
  return SINGULAR[parent] ?? 'Record';
}

/** Where to go on from a record. */
function linksOf(path: string, root: string): Html[] {
  const [version, collection, id, ...rest] = segmentsOf(path);
  if (id === undefined || rest.length > 0) return [];
  const children: Readonly<Record<string, readonly string[]>> = {
    moves: ['history'],
    imports: ['rows'],
    shipments: ['history', ...CHILDREN_OF_SHIPMENTS.map(collectionName)],
  };
  return (children[collection ?? ''] ?? []).map(
    (name) => html`<a href="${root}${version ?? ''}/${collection ?? ''}/${id}/${name}">${name}</a> `,
  );
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** Where the records of an answer live, so that their ids become links. */
function collectionOf(path: string): string {
  const segments = segmentsOf(path);
  if (segments.includes('mto-shipment')) return segments.slice(0, 4).join('/');
  const name = segments.findLast((segment) => segment in SINGULAR);
  return name === undefined ? '' : `v1/${name}`;
}

interface Place {
  readonly root: string;
  /** Where an `id` at this place leads, without the id. */
  readonly collection: string;
}

const INDENT = '  ';
const LINKED: Readonly<Record<string, string>> = {
  moveID: 'v1/moves',
  moveCode: 'v1/moves',
  shipmentID: 'v1/shipments',
};
const NESTED: Readonly<Record<string, string>> = {
  move: 'v1/moves',
  ...Object.fromEntries(ALL_RESOURCES.map((resource) => [collectionName(resource), resource.path.slice(1)])),
};

/** A value as indented JSON, in which ids are links to their records. */
function shown(value: unknown, place: Place, indent = ''): Html {
  if (typeof value !== 'object' || value === null) return html`${JSON.stringify(value)}`;
  const deeper = indent + INDENT;
  const lines = Array.isArray(value)
    ? value.map((item) => html`${deeper}${shown(item, place, deeper)}`)
    : Object.entries(value).map(([name, member]) => {
        const link = linkOf(value as Json, name, member, place);
        const text = shown(member, insideOf(value as Json, name, place), deeper);
        return html`${deeper}${JSON.stringify(name)}: ${link === undefined ? text : html`<a href="${link}">${text}</a>`}`;
      });
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (lines.length === 0) return html`${open}${close}`;
  return new Html([open, lines.join(',\n'), indent + close].join('\n'));
}

function linkOf(owner: Json, name: string, value: unknown, { root, collection }: Place): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (name === 'id' && collection !== '') return `${root}${collection}/${encodeURIComponent(value)}`;
  const target = name === 'resourceID' ? `v1/${String(owner['resource'])}s` : LINKED[name];
  return target === undefined ? undefined : `${root}${target}/${encodeURIComponent(value)}`;
}

function insideOf(owner: Json, name: string, place: Place): Place {
  const isAddress = name === 'pickupAddress' || name === 'destinationAddress';
  const collection = isAddress ? `v1/mto-shipment/${String(owner['id'])}/address` : NESTED[name];
  return { ...place, collection: collection ?? '' };
}
