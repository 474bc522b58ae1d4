import type { Request } from 'express';
import { Reply } from '../http/reply.js';

/** Text that is safe to insert into HTML. */
class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** An HTML template that escapes every value that is not HTML. */
export function html(parts: TemplateStringsArray, ...values: (string | number | Html | readonly Html[])[]): Html {
  const written = values.map((value) => {
    if (value instanceof Html) return value.text;
    return Array.isArray(value) ? value.join('') : escape(String(value));
  });
  return new Html(String.raw({ raw: parts }, ...written));
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The relative path from a page to the root, so that links work behind a proxy that mounts the service under a path. */
export function upToRoot(path: string): string {
  return '../'.repeat(path.split('/').length - 2) || './';
}

interface Page {
  readonly title: string;
  readonly body: Html;
  readonly head?: Html;
  /** Additions to the content security policy. */
  readonly policy?: string;
}

const POLICY = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

/** An HTML page without external or inline resources, which other pages cannot frame. */
export function pageReply({ path }: Request, { title, body, head = new Html(''), policy = '' }: Page): Reply {
  const root = upToRoot(path);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${root}docs/assets/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${root}docs/assets/theme.css" />
        <link rel="stylesheet" href="${root}docs/assets/page.css" />
        ${head}
      </head>
      <body>
        <header>
          <a class="brand" href="${root}">Waybill</a>
          <nav>
            <a href="${root}console">Console</a> <a href="${root}docs">Documentation</a>
            <a href="${root}problems">Errors</a>
            <a href="${root}openapi.json">OpenAPI</a>
          </nav>
        </header>
        ${body}
      </body>
    </html> `;
  return new Reply(page.text, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `${POLICY}; frame-ancestors 'none'${policy}`,
    'Cache-Control': 'no-cache',
  });
}

/**
 * Whether the client prefers HTML to JSON. Without a preference, it gets JSON. So does a client that prefers HTML but accepts anything,
 * unless it lists XHTML as browsers do: Java's HttpURLConnection sends such an Accept by default.
 */
export function wantsPage(request: Request): boolean {
  request.res?.vary('Accept');
  const { accept } = request.headers;
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return false;
  if (accept.includes('*/*') && !accept.includes('application/xhtml+xml')) return false;
  const quality = qualities(accept);
  return quality('text/html') > Math.max(quality('application/json'), quality('application/problem+json'));
}

/** The quality of a media type in an Accept header, from 0 to 1, by the most specific matching range. */
export function qualities(accept: string): (type: string) => number {
  const ranges = new Map<string, number>();
  for (const element of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = element.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    ranges.set(range, Number(weight) || 0);
  }
  return (type) => ranges.get(type) ?? ranges.get(type.replace(/\/.*/, '/*')) ?? ranges.get('*/*') ?? 0;
}
