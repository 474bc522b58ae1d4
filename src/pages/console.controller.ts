import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller, Get, Inject, Next, Req, Res } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Public } from '../auth/access.js';
import { CONFIG, type Config } from '../config/config.js';
import { believes } from '../config/cross-checks.js';
import { Produces } from '../http/accept.guard.js';
import { AnyQuery } from '../http/query.guard.js';
import { Reply } from '../http/reply.js';
import { Undocumented } from '../openapi/operation.js';
import { Problem } from '../problem/problem.js';
import { STATUS_STEPS } from '../model/shipment-status.js';
import { builtFilesAt, projectFolder } from './files.js';
import { html, upToRoot } from './page.js';

/** The console for dispatchers: built files, and a page with the configuration of this service. */
@Controller('console')
@Undocumented()
export class ConsoleController {
  private readonly settings: object;
  private readonly policy: string;
  private readonly folder = join(projectFolder(), 'console', 'dist');
  private readonly files = builtFilesAt('/console/assets', join(this.folder, 'assets'));

  constructor(@Inject(CONFIG) config: Config) {
    const { API_PREFIX, isOpen, DATABASE_URL, JWT_NAME_CLAIM, JWT_ISSUER, SHIPMENT_TYPES, CONSOLE_CLIENT_ID } = config;
    const signIn = CONSOLE_CLIENT_ID === undefined ? undefined : { issuer: JWT_ISSUER, clientID: CONSOLE_CLIENT_ID };
    this.settings = {
      prefix: API_PREFIX,
      needsToken: !isOpen && !believes(config, 'proxy'),
      nameClaim: JWT_NAME_CLAIM,
      signIn,
      shipmentTypes: SHIPMENT_TYPES,
      statusSteps: STATUS_STEPS,
      hasEmbeddedDatabase: DATABASE_URL === undefined,
    };
    const issuer = signIn === undefined ? '' : ` ${new URL(JWT_ISSUER ?? '').origin}`;
    this.policy = [
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'",
      `connect-src 'self'${issuer}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    ].join('; ');
  }

  @Get()
  @Public()
  @AnyQuery()
  @Produces('text/html', 'application/json')
  start(@Req() request: Request): Promise<Reply> {
    return this.page(request);
  }

  @Get('assets/:name')
  @Public()
  @Produces('text/css', 'text/javascript')
  asset(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): void {
    this.files(request, response, next);
  }

  /** Every other path is a view, which the console resolves itself. */
  @Get('*view')
  @Public()
  @AnyQuery()
  @Produces('text/html', 'application/json')
  view(@Req() request: Request): Promise<Reply> {
    return this.page(request);
  }

  private async page(request: Request): Promise<Reply> {
    const index = await readFile(join(this.folder, 'index.html'), 'utf8').catch(() => undefined);
    if (index === undefined) {
      throw new Problem('NOT_FOUND', 'The console is not built. Run "npm run build:console".');
    }
    const root = upToRoot(request.path);
    const settings = html`content="${JSON.stringify({ root, ...this.settings })}"`;
    const page = index
      .replace('content="{}"', () => settings.text)
      .replaceAll('"./assets/', `"${root}console/assets/`)
      .replace('</title>', `</title><link rel="icon" href="${root}docs/assets/favicon.svg" type="image/svg+xml" />`);
    return new Reply(page, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': this.policy,
      'Cache-Control': 'no-cache',
    });
  }
}
