import { Ajv, type JSONSchemaType } from 'ajv';

/** The fields of a record that the naive baseline validates; it stores the others unchanged. */
export interface FindingRecord {
  class_uid: number;
  time: number;
  severity_id: number;
  status_code: string;
  status_detail?: string;
  message?: string;
  metadata: { event_code: string };
  finding_info: { uid: string; title?: string };
  cloud: { provider: string; account: { uid: string } };
  resources?: { uid: string; name?: string; type?: string; region?: string }[];
}

const text = { type: 'string' } as const;
const required = { type: 'string', minLength: 1 } as const;
const optional = { type: 'string', nullable: true } as const;

const SCHEMA: JSONSchemaType<FindingRecord> = {
  type: 'object',
  required: ['class_uid', 'time', 'severity_id', 'status_code', 'metadata', 'finding_info', 'cloud'],
  properties: {
    class_uid: { type: 'integer', const: 2004 },
    time: { type: 'integer' },
    severity_id: { type: 'integer', minimum: 0, maximum: 99 },
    status_code: { type: 'string', enum: ['PASS', 'FAIL', 'MANUAL', 'MUTED'] },
    status_detail: optional,
    message: optional,
    metadata: { type: 'object', required: ['event_code'], properties: { event_code: required } },
    finding_info: {
      type: 'object',
      required: ['uid'],
      properties: { uid: required, title: optional },
    },
    cloud: {
      type: 'object',
      required: ['provider', 'account'],
      properties: {
        provider: required,
        account: { type: 'object', required: ['uid'], properties: { uid: required } },
      },
    },
    resources: {
      type: 'array',
      nullable: true,
      items: {
        type: 'object',
        required: ['uid'],
        properties: { uid: text, name: optional, type: optional, region: optional },
      },
    },
  },
};

/** Checks whether a value is a record that can be inserted. */
export const isFindingRecord = new Ajv().compile(SCHEMA);
