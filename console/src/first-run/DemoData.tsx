import { useMutation } from '@tanstack/react-query';
import type { BulkItem } from '@waybill/client';
import { useState } from 'react';
import { client } from '../api.js';
import { isForgotten } from '../model/keys.js';
import { Fault } from '../components/Fault.js';
import { queryClient } from '../queries.js';
import { settings } from '../settings.js';
import { demoShipments, WAYS } from './demo-shipments.js';
import { t } from '../texts/texts.js';

/**
 * Creates invented shipments through the ordinary API. Repeating it after a fault creates none twice; it is not repeated once the service
 * has forgotten its key.
 */
export function DemoData() {
  const [key] = useState(() => crypto.randomUUID());
  const [begunAt, setBegunAt] = useState<number>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const now = Date.now();
      if (begunAt !== undefined && isForgotten(begunAt, now)) throw new Error(t.faults.forgotten);
      setBegunAt(begunAt ?? now);
      return load(key);
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['shipments'] }),
  });
  return (
    <>
      <button type="button" disabled={isPending} onClick={() => mutate()}>
        {isPending ? t.actions.loading : t.firstRun.load}
      </button>
      <Fault error={error} />
    </>
  );
}

async function load(key: string): Promise<void> {
  const creations = demoShipments(settings.shipmentTypes).map((values): BulkItem => ({ op: 'create', values }));
  const created = await client.shipments.bulk(creations, { idempotencyKey: `${key}-0` });
  let open = created.map((item, index) => ({ record: item.shipment, way: WAYS[index] ?? [] }));
  for (let step = 1; open.length > 0; step += 1) {
    open = open.filter(({ way }) => way.length >= step);
    const items = open.flatMap(({ record, way }): BulkItem[] => {
      const status = way[step - 1];
      if (record === undefined || status === undefined) return [];
      return [{ op: 'updateStatus', id: record.id, ifMatch: record.eTag, status }];
    });
    if (items.length === 0) return;
    const changed = await client.shipments.bulk(items, { idempotencyKey: `${key}-${step}` });
    open = open.map(({ way }, index) => ({ record: changed[index]?.shipment, way }));
  }
}
