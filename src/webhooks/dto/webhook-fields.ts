import { applyDecorators } from '@nestjs/common';
import { MOVES, REMARKS_LENGTH } from '../../model/move.entity.js';
import { SHIPMENTS } from '../../model/shipment.entity.js';
import { isNameOf, NameOf, nameSchema } from '../../records/resource.js';
import { JsonSchema } from '../../validation/json-schema.decorator.js';
import { OneOf, Required, rule, SetOf, Text, textRule } from '../../validation/rules.js';
import { EVENT_TYPES } from '../../model/resources.js';
import { MAX_TYPES, PAYLOADS, URL_LENGTH } from '../../model/webhook.entity.js';

const LIVE = ['state', 'lastDeliveryAt', 'failureRate'];
const SET_BY_SERVER = ['id', 'disabledReason', 'disabledAt', 'scopes', 'createdAt', 'updatedAt', 'eTag', ...LIVE];

function ReceiverUrl(): PropertyDecorator {
  const isUrl = (text: string) => /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text);
  return applyDecorators(
    Text(URL_LENGTH),
    JsonSchema({ format: 'uri' }),
    textRule('INVALID_URL', 'must be a URL that begins with https://', isUrl),
    textRule('CREDENTIAL_IN_URL', 'must not contain a user name or password', (text) => {
      return !isUrl(text) || (new URL(text).username === '' && new URL(text).password === '');
    }),
    textRule('INVALID_URL', 'must not have a fragment', (text) => !text.includes('#')),
  );
}

export class WebhookFields {
  static readonly record = 'a webhook';
  static readonly readOnly = SET_BY_SERVER;
  static readonly live = LIVE;
  static readonly examples = {
    New: { url: 'https://partner.example/waybill', types: ['shipment.created', 'shipment.statusChanged'] },
    Replacement: { url: 'https://partner.example/waybill', types: null, payload: 'full', enabled: true },
    Patch: { description: 'Billing of our partner' },
  };

  @Required()
  @ReceiverUrl()
  url!: string;

  @SetOf(EVENT_TYPES, { of: 'event types', max: MAX_TYPES, or: 'null for all' })
  types!: string[] | null;

  @JsonSchema(nameSchema(SHIPMENTS))
  @rule('WRONG_TYPE', 'must be a string', (value) => typeof value === 'string')
  @textRule('INVALID_ID', 'must be the id of a record or a shipmentCode', (text) => isNameOf(SHIPMENTS, text))
  resourceID!: string | null;

  @NameOf(MOVES)
  moveID!: string | null;

  /** Null means `thin`, so that PUT may omit it. */
  @OneOf(PAYLOADS)
  payload!: (typeof PAYLOADS)[number] | null;

  @Text(REMARKS_LENGTH, { blank: true, lines: true })
  description!: string | null;

  /** Null means enabled. */
  @JsonSchema({ type: 'boolean' })
  @rule('WRONG_TYPE', 'must be true or false', (value) => typeof value === 'boolean')
  enabled!: boolean | null;
}
