import { html } from './page.js';

/** How a program recovers from a 412, for the problem's page. A spec runs both examples. */
const WITH_CURL = `# deliveryDate is conflicting: someone else set it to 2026-04-18 while you wanted 2026-04-20.
# To keep your value, repeat the request with currentETag. Their other changes are kept.
curl -s -X PATCH "$URL/v1/shipments/$ID" -H "If-Match: $CURRENT_ETAG" \\
  -H 'Content-Type: application/json' -d '{"deliveryDate":"2026-04-20"}'`;

const WITH_CLIENT = `import { WaybillClient } from '@waybill/client';

const client = new WaybillClient({ baseUrl });
// If no change is conflicting, the client repeats the request automatically.
await client.shipments.update(shipment, { deliveryDate: '2026-04-20' }, {
  onConflict: ({ mine, changes }) => {
    for (const { field, yours, current, changedBy } of changes.filter(({ conflicting }) => conflicting)) {
      console.log(\`\${changedBy} set \${field} to \${current}, you wanted \${yours}\`);
    }
    return mine; // Keeps your value. Return nothing to fail with a ConflictError.
  },
});`;

export const CONFLICT_GUIDE = html`<h2>How to continue</h2>
  <p>
    Each entry of "changes" is a field that differs between your version (<code>base</code>) and the current one
    (<code>current</code>); <code>yours</code> is the value that your request would have written. If no
    <code>conflicting</code> is true, repeat the request with <code>currentETag</code>. Otherwise resolve each conflict
    first. With curl:
  </p>
  <pre><code>${WITH_CURL}</code></pre>
  <p>With the client:</p>
  <pre><code>${WITH_CLIENT}</code></pre>`;
