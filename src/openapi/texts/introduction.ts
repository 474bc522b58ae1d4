/** What a reader should know before the first request. */
export const INTRODUCTION = `Moves, their shipments, and what belongs to these, with updates that never overwrite each other.

## Changing a record

1. Read it. The answer has an \`eTag\`, which names this version.
2. Send your change by PATCH or PUT with the header \`If-Match: <eTag>\`. You get the record and its next eTag.
3. When somebody was faster you get 412, and nothing was written. The problem has the \`currentETag\` and, in \`changes\`, what
   changed since your version, by whom, and whether it collides with what you wanted to write.

Without \`If-Match\` the answer is 428. Every accepted write makes a new version, so an eTag can be spent once.

## Repeating a request

Send an \`Idempotency-Key\` of your own with any write. Repeat the request with the same key when an answer is lost: the first
answer comes again, with \`Idempotency-Replayed: true\`, and nothing is written twice. Keys are remembered for 24 hours.

## Many at once

\`POST /v1/shipments/bulk\` takes up to 200 writes in one request, each with the eTag that it was made for: all or none, or each for itself.

\`POST /v1/imports\` takes a file of shipments, up to 100,000 rows, and says what it would do; \`/v1/imports/{importID}/apply\` does it.

## Lists

Newest first. \`limit\` sets the size of a page; \`Link: <...>; rel="next"\` leads to the next one while there is more.

## Texts

A text is stored exactly as sent, or refused. What a field takes stands in its pattern, with two exceptions that a pattern cannot tell
to every tool: halves of surrogate pairs are refused everywhere, and invisible characters beyond the basic plane (such as U+E0041) in
texts of one line.

## Errors

Every error is an RFC 9457 problem (\`application/problem+json\`) with a constant \`code\`; its \`type\` leads to an explanation.
New codes may come: treat one you do not know by its status.

## In a browser

A browser that opens a move, a shipment, an import, a list or a history is redirected to the console (303), and an error is a page. A browser is a client
that prefers \`text/html\` to JSON in \`Accept\`. Every other client gets JSON, also without \`Accept\` or with \`*/*\`.

## Methods

HEAD works wherever GET does. OPTIONS answers 204 with \`Allow\`, and \`Accept-Patch\` where PATCH is taken. Any other method that a
path does not have is answered with 405 and \`Allow\`. A trailing slash is accepted.`;
