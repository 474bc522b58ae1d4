import type { FileKind } from '../../files/columns.js';
import { MOVES } from '../../model/move.entity.js';
import { NameOf } from '../../records/resource.js';
import { isCalendarDate } from '../../validation/dates.js';
import { CalendarDate, Part, Required, RuleOfRecord, Text, WholeNumber } from '../../validation/rules.js';
import { MAX_POUNDS, SHIPMENT_REMARKS_LENGTH, SHIPMENT_TYPE_LENGTH, SHIPMENTS } from '../../model/shipment.entity.js';
import { AddressFields, EXAMPLE_ADDRESS } from './address-fields.js';

const SET_BY_SERVER = ['id', 'shipmentCode', 'status', 'rejectionReason', 'createdAt', 'updatedAt', 'eTag'];

const UPDATE_STATUS = 'PATCH /{prefix}/v1/shipments/{shipmentID}/updateStatus';

/** Applies to two valid dates only: an invalid date has its own error. */
function InOrder(): PropertyDecorator {
  return RuleOfRecord<ShipmentFields>(
    'DATES_OUT_OF_ORDER',
    'is out of order: pickupDate must not be later than deliveryDate',
    ({ pickupDate, deliveryDate }) => {
      const days = [pickupDate, deliveryDate].filter((day) => typeof day === 'string' && isCalendarDate(day));
      return days.length < 2 || String(days[0]) <= String(days[1]);
    },
  );
}

export class ShipmentFields {
  static readonly record = 'a shipment';
  static readonly changedBy = { status: UPDATE_STATUS, rejectionReason: UPDATE_STATUS };
  static readonly readOnly: readonly string[] = [...SET_BY_SERVER, 'moveID'];
  static readonly codes = ['shipmentCode'];
  static readonly examples = {
    New: {
      shipmentType: 'HHG',
      pickupDate: '2026-04-01',
      deliveryDate: '2026-04-15',
      destinationAddress: { ...EXAMPLE_ADDRESS, country: 'US' },
      estimatedWeight: 4500,
    },
    Replacement: {
      shipmentType: 'HHG',
      deliveryDate: '2026-04-20',
      destinationAddress: EXAMPLE_ADDRESS,
      actualWeight: 4380,
    },
    Patch: { deliveryDate: '2026-04-18', customerRemarks: 'Please ring twice.' },
  };

  @Required()
  @Text(SHIPMENT_TYPE_LENGTH)
  shipmentType!: string;

  @CalendarDate()
  @InOrder()
  pickupDate!: string | null;

  @CalendarDate()
  @InOrder()
  deliveryDate!: string | null;

  @Part(() => AddressFields)
  pickupAddress!: AddressFields | null;

  @Part(() => AddressFields)
  destinationAddress!: AddressFields | null;

  @WholeNumber(1, MAX_POUNDS)
  estimatedWeight!: number | null;

  @WholeNumber(1, MAX_POUNDS)
  actualWeight!: number | null;

  @Text(SHIPMENT_REMARKS_LENGTH, { blank: true, lines: true })
  customerRemarks!: string | null;
}

/** The move is set at creation and cannot be changed. */
export class NewShipmentFields extends ShipmentFields {
  static override readonly readOnly: readonly string[] = SET_BY_SERVER;

  @NameOf(MOVES)
  moveID!: string | null;
}

export const SHIPMENT_FILES: FileKind = { resource: SHIPMENTS, fields: ShipmentFields };
