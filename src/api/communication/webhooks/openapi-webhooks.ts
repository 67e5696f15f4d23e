import { type PublicEventKind, publicEventKinds } from '../../../shared/platform/contracts/event-kinds.ts'
import { NAME } from '../../http/share-parts.ts'
import { eventMeanings } from './event-meanings.ts'

/** The schema of the record that a webhook sends, by kind of subject. */
const schemaOf = {
  reservation: 'Reservation',
  invoice: 'Invoice',
  booking_request: 'BookingRequest',
  offer: 'Offer',
  training_record: 'TrainingRecord',
  enrollment: 'Enrollment',
  resource: 'Resource',
  squawk: 'Squawk',
} as const satisfies Record<SubjectOfPublic, string>

type SubjectOfPublic = PublicEventKind extends `${infer Subject}.${string}` ? Subject : never

const header = (description: string) => ({ in: 'header', required: true, schema: { type: 'string' }, description })

const headers = [
  { [NAME]: 'WebhookId', name: 'webhook-id', ...header('The id of the event, the same in every attempt and replay') },
  {
    [NAME]: 'WebhookTimestamp',
    name: 'webhook-timestamp',
    ...header('The time of the attempt, in seconds since 1970'),
  },
  {
    [NAME]: 'WebhookSignature',
    name: 'webhook-signature',
    ...header('`v1,` and a base64 HMAC-SHA256, one for each secret, separated by spaces'),
  },
]

/** Returns the id of an operation, such as `tellReservationCreated`. */
function operationIdOf(type: PublicEventKind): string {
  const words = type.split(/[._]/).map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
  return `tell${words.join('')}`
}

/** Returns the section `webhooks` of the document: one request per event type. */
export function describeWebhooks(): Record<string, Record<string, object>> {
  return Object.fromEntries(publicEventKinds.map((type) => [type, { post: describe(type) }]))
}

function describe(type: PublicEventKind) {
  const [subject] = type.split('.') as [SubjectOfPublic]
  return {
    operationId: operationIdOf(type),
    tags: ['Webhooks'],
    summary: type,
    description: `${eventMeanings[type].sent}.`,
    security: [],
    parameters: headers,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['id', 'type', 'timestamp', 'data'],
            properties: {
              id: { type: 'string', format: 'uuid', description: 'The same as `webhook-id`' },
              type: { const: type },
              timestamp: { type: 'string', format: 'date-time' },
              data: { $ref: `#/components/schemas/${schemaOf[subject]}` },
            },
          },
        },
      },
    },
    responses: {
      '2XX': {
        [NAME]: 'WebhookTaken',
        description: 'Accepted. After any other answer the event is sent again, for up to a day',
      },
    },
  }
}
