// Runs in a page, with the client as it was built.
import { ConflictError, isProblem, reapply, WaybillClient } from '/client/waybill.js';

export async function run(baseUrl) {
  const client = new WaybillClient({ baseUrl, token: () => 'any' });
  const { shipments } = client;

  const created = await shipments.create({ shipmentType: 'HHG', estimatedWeight: 10 });
  const updated = await shipments.update(created.id, ({ estimatedWeight }) => ({ actualWeight: estimatedWeight + 1 }));
  const stale = await shipments.patch(created.id, {}, { ifMatch: created.eTag }).catch((error) => error);
  const merged = await shipments.update(created, () => ({ customerRemarks: 'mine' }));
  const conflict = await shipments.update(created, () => ({ actualWeight: 99 })).catch((error) => error);
  const solved = await shipments.update(created, () => ({ actualWeight: 99 }), { onConflict: reapply });

  for (const code of ['A', 'B', 'C']) await client.services.create(created.id, { code });
  const listed = [];
  for await (const { code } of client.services.list(created.id, { limit: 1 })) listed.push(code);

  return {
    updated: updated.actualWeight,
    stale: isProblem(stale, 'PRECONDITION_FAILED') && stale.problem.currentETag === updated.eTag,
    merged: [merged.actualWeight, merged.customerRemarks],
    conflict: conflict instanceof ConflictError && conflict.changes.filter(({ conflicting }) => conflicting),
    solved: solved.actualWeight,
    listed,
  };
}
