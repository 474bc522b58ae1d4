import { applyDecorators } from '@nestjs/common';
import { OneOf, Required, RuleOfRecord, Text } from '../../fields/rules.js';
import { STATUSES, type ShipmentStatus } from '../shipment-status.js';
import { SHIPMENT_REMARKS_LENGTH } from '../shipment.entity.js';

function ReasonOfRejection(): PropertyDecorator {
  return applyDecorators(
    RuleOfRecord<StatusChange>('REQUIRED', 'is required with status REJECTED', ({ status }, reason) => {
      return status !== 'REJECTED' || reason !== null;
    }),
    RuleOfRecord<StatusChange>('NOT_ALLOWED', 'is only allowed with status REJECTED', ({ status }, reason) => {
      return status === 'REJECTED' || reason === null;
    }),
  );
}

/** The body of updateStatus. */
export class StatusChange {
  static readonly record = 'a status change';
  static readonly readOnly: readonly string[] = [];

  @Required()
  @OneOf(STATUSES)
  status!: ShipmentStatus;

  @ReasonOfRejection()
  @Text(SHIPMENT_REMARKS_LENGTH, { lines: true })
  rejectionReason!: string | null;
}
