import { html } from './page.js';

/** What a program does after a 412, for the example of its page. A spec runs both. */
const WITH_CURL = `# deliveryDate is conflicting: somebody else set it to 2026-04-18 while you wanted 2026-04-20.
# To keep yours all the same, repeat the request with currentETag. Nothing else of their change is lost.
curl -s -X PATCH "$URL/v1/shipments/$ID" -H "If-Match: $CURRENT_ETAG" \\
  -H 'Content-Type: application/json' -d '{"deliveryDate":"2026-04-20"}'`;

const WITH_CLIENT = `import { WaybillClient } from '@waybill/client';

const client = new WaybillClient({ baseUrl });
// While no change is conflicting, the client repeats the request by itself.
await client.shipments.update(shipment, { deliveryDate: '2026-04-20' }, {
  onConflict: ({ mine, changes }) => {
    for (const { field, yours, current, changedBy } of changes.filter(({ conflicting }) => conflicting)) {
      console.log(\`\${changedBy} set \${field} to \${current}, you wanted \${yours}\`);
    }
    return mine; // Keeps yours all the same. Return nothing to give up with a ConflictError.
  },
});`;

export const CONFLICT_GUIDE = html`<h2>How to go on</h2>
  <p>
    Each of "changes" is a field that differs between your version (<code>base</code>) and now (<code>current</code>);
    <code>yours</code> is what your request would have written. Where <code>conflicting</code> is false everywhere,
    repeat the request with <code>currentETag</code>. Where it is true, somebody has to decide. With curl:
  </p>
  <pre><code>${WITH_CURL}</code></pre>
  <p>With the client:</p>
  <pre><code>${WITH_CLIENT}</code></pre>`;
