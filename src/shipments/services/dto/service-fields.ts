import { Required, Text } from '../../../fields/rules.js';
import { SERVICE_LENGTHS } from '../service.entity.js';

export class ServiceFields {
  static readonly record = 'a service';
  static readonly readOnly = ['id', 'shipmentID', 'createdAt', 'updatedAt', 'eTag'];

  @Required()
  @Text(SERVICE_LENGTHS.code)
  code!: string;

  @Text(SERVICE_LENGTHS.description, { blank: true, lines: true })
  description!: string | null;
}
