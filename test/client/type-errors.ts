import { ConflictError, isProblem, ProblemError, WaybillClient, type Problem } from '../../client/src/waybill.js';

/** Never run: what must not compile is marked, and a mark without an error is an error itself. */
export async function typeErrors(client: WaybillClient): Promise<void> {
  const { shipments, moves, agents, addresses } = client;
  const shipment = await shipments.get('id');

  // A write that names no version.
  // @ts-expect-error If-Match is missing
  await shipments.patch('id', { actualWeight: 1 });
  // @ts-expect-error If-Match is missing
  await shipments.patch('id', { actualWeight: 1 }, {});
  // @ts-expect-error the eTag may be missing
  await shipments.patch('id', { actualWeight: 1 }, { ifMatch: undefined });
  // @ts-expect-error If-Match is missing
  await shipments.replace('id', { shipmentType: 'HHG' }, {});
  // @ts-expect-error If-Match is missing
  await shipments.patchStatus('id', { status: 'APPROVED' });
  // @ts-expect-error If-Match is missing
  await moves.patch('id', { remarks: '' }, { expand: ['shipments'] });
  // @ts-expect-error If-Match is missing
  await agents.replace('id', { agentType: 'RELEASING_AGENT', firstName: 'A' });
  // @ts-expect-error If-Match is missing
  await addresses.replace(
    { shipmentID: '', addressID: '' },
    { streetAddress1: '', city: '', state: '', postalCode: '' },
  );
  await shipments.patch('id', { actualWeight: 1 }, { ifMatch: shipment.eTag });

  // Fields and values that there are not.
  // @ts-expect-error no such field
  await shipments.update('id', () => ({ weight: 1 }));
  // @ts-expect-error a number is wanted
  await shipments.update('id', () => ({ actualWeight: '1' }));
  // @ts-expect-error shipmentType is required
  await shipments.create({});
  // @ts-expect-error no such status
  await shipments.updateStatus('id', () => ({ status: 'LOST' }));
  // @ts-expect-error no such filter
  shipments.list({ stauts: ['APPROVED'] });
  // @ts-expect-error no such relation
  await shipments.get('id', { expand: ['shipments'] });
  // @ts-expect-error agents have no versions to read
  await agents.get('id', { version: '' });
  // @ts-expect-error the resolution is a patch of the same kind
  await shipments.update('id', () => ({ actualWeight: 1 }), { onConflict: () => ({ weight: 1 }) });

  // A plain patch is checked like one that a function makes.
  await shipments.update('id', { actualWeight: 1 }, { idempotencyKey: 'x', headers: { 'X-A': 'b' } });
  await shipments.updateStatus('id', { status: 'APPROVED' });
  // @ts-expect-error no such field
  await shipments.update('id', { weight: 1 });
  // @ts-expect-error no such status
  await shipments.updateStatus('id', { status: 'LOST' });
  // @ts-expect-error after a 412 it is not known
  await shipments.update('id', ({ updatedAt }) => ({ customerRemarks: updatedAt }));
  // @ts-expect-error a read has no key
  await shipments.get('id', { idempotencyKey: 'x' });

  // Expansions that were not requested may be missing; requested ones are present.
  // @ts-expect-error agents may be undefined
  shipment.agents.map(({ phone }) => phone);
  (await shipments.get('id', { expand: ['agents', 'move'] })).agents.map(({ phone }) => phone);
  for await (const { move } of shipments.list({ expand: ['move'] })) move.moveCode.at(0);
  // @ts-expect-error services were not asked for
  (await shipments.get('id', { expand: ['agents', 'move'] })).services.map(({ code }) => code);
}

/** Codes tell problems apart. */
export function narrowing(error: unknown, problem: Problem): void {
  if (isProblem(error, 'STATUS_TRANSITION')) error.problem.allowedStatuses.at(0);
  // @ts-expect-error no such code
  if (isProblem(error, 'NOT_THERE')) return;
  // @ts-expect-error a NOT_FOUND has no such member
  if (isProblem(error, 'NOT_FOUND')) error.problem.allowedStatuses.at(0);
  if (problem.code === 'VALIDATION_FAILED') problem.errors.at(0);
  // @ts-expect-error not every problem has it
  if (problem.code !== 'VALIDATION_FAILED') problem.missingScope.at(0);
  if (error instanceof ProblemError && error.problem.code === 'FORBIDDEN') error.problem.missingScope.at(0);
  if (error instanceof ConflictError) error.changes.some(({ conflicting }) => conflicting);
}
