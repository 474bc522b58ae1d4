/** A shipment as people fill it in, for measurements that depend on its size. */
export const TYPICAL_SHIPMENT = {
  shipmentType: 'HHG',
  pickupDate: '2026-03-01',
  deliveryDate: '2026-03-05',
  pickupAddress: {
    streetAddress1: '1420 Beverley Road',
    streetAddress2: 'Apartment 3',
    city: 'McLean',
    state: 'VA',
    postalCode: '22101',
    country: 'US',
  },
  destinationAddress: {
    streetAddress1: '2500 East Second Street',
    city: 'Reno',
    state: 'NV',
    postalCode: '89595',
    country: 'US',
  },
  estimatedWeight: 4500,
  customerRemarks: 'Please call an hour before you arrive.',
};
