import { applyDecorators } from '@nestjs/common';
import { JsonSchema } from '../../validation/json-schema.decorator.js';
import { OneOf, Required, RuleOfRecord, Text } from '../../validation/rules.js';
import { STATUSES, type ShipmentStatus } from '../../model/shipment-status.js';
import { SHIPMENT_REMARKS_LENGTH } from '../../model/shipment.entity.js';

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

@JsonSchema({ description: 'A status change.', examples: [{ status: 'APPROVED' }] })
export class StatusChange {
  static readonly record = 'a status change';
  static readonly readOnly: readonly string[] = [];

  @JsonSchema({ description: 'The new status.' })
  @Required()
  @OneOf(STATUSES)
  status!: ShipmentStatus;

  @JsonSchema({
    description: 'Why the shipment is rejected: required with REJECTED, not allowed with any other status.',
  })
  @ReasonOfRejection()
  @Text(SHIPMENT_REMARKS_LENGTH, { lines: true })
  rejectionReason!: string | null;
}
