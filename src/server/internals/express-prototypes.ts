import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import type { Express } from 'express';
import { UnreadResponses } from '../unread-responses.js';

type MessageClasses = Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>>;

const known = new WeakMap<Express, MessageClasses>();

/**
 * Request and response classes that have Express's prototypes from construction, shared by all servers of an application. Express
 * calls Object.setPrototypeOf on each request and response, which makes V8 deoptimize the object; here the call changes nothing.
 *
 * Relies on: Express sets the prototype of a request to `app.request` and that of a response to `app.response`.
 * Buys: on Node.js 20, 1.6 times the requests for GET of one record, 1.1 for a list, 1.05 for PATCH. On Node.js 24, whose V8 copes with
 * changed prototypes, no measurable gain: remove it together with support for Node.js 20.
 * Without it: let the server construct Node's own classes, and call `UnreadResponses.hold` where responses end.
 */
export function messageClassesOf(app: Express): MessageClasses {
  let classes = known.get(app);
  if (classes === undefined) {
    // Instances of classes have their final shape at once; Reflect.construct was a hundred times slower.
    class ExpressRequest extends IncomingMessage {}
    const unread = new UnreadResponses();
    class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
      override end(...written: unknown[]): this {
        (super.end as (...all: unknown[]) => this).apply(this, written);
        unread.hold(this);
        return this;
      }
    }
    app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request) as Express['request'];
    app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response) as Express['response'];
    classes = { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
    known.set(app, classes);
  }
  return classes;
}
