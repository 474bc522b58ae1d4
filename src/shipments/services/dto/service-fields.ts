import { Required, Text } from '../../../validation/rules.js';
import { SERVICE_LENGTHS } from '../../../model/service.entity.js';

export class ServiceFields {
  static readonly record = 'a service';
  static readonly readOnly = ['id', 'shipmentID', 'createdAt', 'updatedAt', 'eTag'];
  static readonly examples = {
    New: { code: 'PACK', description: 'Pack the china with care.' },
    Replacement: { code: 'CRATE', description: 'Crate the piano.' },
    Patch: { description: 'Two crates.' },
  };

  @Required()
  @Text(SERVICE_LENGTHS.code)
  code!: string;

  @Text(SERVICE_LENGTHS.description, { blank: true, lines: true })
  description!: string | null;
}
