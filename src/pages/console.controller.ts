import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../auth/access.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Produces } from '../http/accept.guard.js';
import { FileReply } from '../http/file-reply.js';
import { AnyQuery } from '../http/query.guard.js';
import { Reply } from '../http/reply.js';
import { Undocumented } from '../openapi/operation.js';
import { Problem } from '../problem/problem.js';
import { STATUS_STEPS } from '../shipments/shipment-status.js';
import { builtConsole } from './console-files.js';
import { html, upToRoot } from './page.js';

/** What a dispatcher works with: built files, and one page that tells them how this service is configured. */
@Controller('console')
@Undocumented()
export class ConsoleController {
  private readonly settings: object;
  private readonly policy: string;

  constructor(@Inject(CONFIG) config: Config) {
    const { API_PREFIX, AUTH_MODE, JWT_NAME_CLAIM, JWT_ISSUER, SHIPMENT_TYPES, CONSOLE_CLIENT_ID } = config;
    const signIn = CONSOLE_CLIENT_ID === undefined ? undefined : { issuer: JWT_ISSUER, clientID: CONSOLE_CLIENT_ID };
    this.settings = {
      prefix: API_PREFIX,
      needsToken: AUTH_MODE === 'jwt',
      nameClaim: JWT_NAME_CLAIM,
      signIn,
      shipmentTypes: SHIPMENT_TYPES,
      statusSteps: STATUS_STEPS,
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
  start(@Req() request: Request): Reply {
    return this.page(request);
  }

  @Get('assets/:name')
  @Public()
  @Produces('text/css', 'text/javascript')
  asset(@Param('name') name: string): Reply {
    const file = builtConsole()?.files.get(name);
    if (file === undefined) throw new Problem('NOT_FOUND', 'There is no such file. Load the console again.');
    return new FileReply(file);
  }

  /** Every other address is a view of the console, which finds it by itself. */
  @Get('*view')
  @Public()
  @AnyQuery()
  @Produces('text/html', 'application/json')
  view(@Req() request: Request): Reply {
    return this.page(request);
  }

  private page(request: Request): Reply {
    const index = builtConsole()?.index;
    if (index === undefined) {
      throw new Problem(
        'NOT_FOUND',
        'The console is not built. Run "npm run build:console" and start the service again.',
      );
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
