export const INTRODUCTION = `Moves and their shipments, with updates that never overwrite each other.

## Changing a record

1. Read it. The response has an \`eTag\`, which identifies this version.
2. Send your change by PATCH or PUT with the header \`If-Match: <eTag>\`. The response has the record and its new eTag.
3. If someone else changed the record first, you get 412, and nothing was written. The problem has the \`currentETag\` and, in
   \`changes\`, each field that changed since your version, who changed it, and whether it conflicts with your request.

Without \`If-Match\` you get 428. Every accepted write creates a new version, so an eTag can be used once.

## Repeating a request

Send a unique \`Idempotency-Key\` with any write. If you get no response, repeat the request with the same key: you get the original
response with \`Idempotency-Replayed: true\`, and nothing is written twice. Keys are stored for 24 hours.

## Many at once

\`POST /v1/shipments/bulk\` accepts up to 200 writes in one request, each with its eTag, either all or nothing or independently.

\`POST /v1/imports\` accepts a file of up to 100,000 shipments and reports what it would change; \`/v1/imports/{importID}/apply\` applies it.

## Lists

Newest first. \`limit\` sets the page size; \`Link: <...>; rel="next"\` points to the next page, if any.

## Texts

A text is stored exactly as sent, or rejected. The pattern of a field describes the allowed characters, with two exceptions that patterns
cannot express for every tool: unpaired surrogates are rejected everywhere, and invisible characters above U+FFFF (such as U+E0041) are
rejected in single-line texts.

## Errors

Every error is an RFC 9457 problem (\`application/problem+json\`) with a constant \`code\`; its \`type\` links to an explanation.
New codes may be added: handle an unknown code by its status.

## In a browser

A browser that opens a move, a shipment, an import, a list or a history is redirected to the console (303), and errors are HTML pages.
A client counts as a browser if its \`Accept\` prefers \`text/html\` to JSON. All other clients get JSON, including those without \`Accept\` or with \`*/*\`.

## Methods

HEAD works wherever GET does. OPTIONS returns 204 with \`Allow\`, and \`Accept-Patch\` if the path supports PATCH. Other unsupported
methods return 405 with \`Allow\`. A trailing slash is accepted.`;
