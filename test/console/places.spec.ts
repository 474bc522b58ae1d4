import type { Shipment } from '@waybill/client';
import { placesOf } from '../../console/src/model/places.js';

const SHIPMENT = {
  shipmentCode: 'K7RM4W-02',
  shipmentType: 'HHG',
  customerRemarks: 'Grüße an Zoë',
  rejectionReason: null,
  pickupAddress: null,
  destinationAddress: { streetAddress1: '1 Main Street', city: 'Łódź', state: 'LD', postalCode: '90-001' },
  move: { orderID: 'ORD-2026-0042', remarks: null },
  agents: [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', phone: '555-0100' }],
  services: [{ code: 'PACK' }],
} as unknown as Shipment;

test.each([
  ['k7rm', ['Code']],
  ['0042', ['Order']],
  ['lodz', ['To']],
  ['GRUSSE', ['Remarks']],
  ['hop main', ['To', 'Agent']],
  ['5550100', ['Agent']],
  ['pac', ['Service']],
  ['nothing', []],
])('%s is found in %j', (searched, places) => {
  expect(placesOf(SHIPMENT, searched)).toEqual(places);
});
