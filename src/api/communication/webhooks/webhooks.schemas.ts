import { z } from 'zod'
import { webhookErrors } from '../../../shared/platform/adapters/webhooks/webhook-caller.port.ts'
import { publicEventKinds } from '../../../shared/platform/contracts/event-kinds.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { PasswordAgain } from '../../http/reauthentication.ts'
import { distinct, Id, Instant, name } from '../../http/schemas.ts'
import { openWindow } from '../../http/windows.ts'

const EventTypes = z.array(z.enum(publicEventKinds).meta({ choices: 'WebhookEvent' }))

export const WebhookBody = z.object({
  url: name(2_000).describe(
    'The https address to which events are sent, on port 443 or a port from 1024. An address in a private network ' +
      'is accepted, also with http, only when the operators of the service list it in `WEBHOOK_ALLOWED_NETWORKS`',
  ),
  events: EventTypes.min(1).max(100).transform(distinct),
  password: PasswordAgain,
})

export const WebhookPatch = WebhookBody.partial().extend({
  active: z.boolean().optional().describe('Whether events are sent; true also sets `disabledAt` to null'),
})

export const RotateBody = z.object({
  immediately: z.boolean().default(false).describe('Whether the old secret ends immediately, for example after a leak'),
  password: PasswordAgain,
})

const EventId = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, fieldErrors.eventId())

export const ReplayBody = z
  .object({
    ...openWindow,
    eventIds: z
      .array(EventId)
      .min(1)
      .max(1_000)
      .transform(distinct)
      .optional()
      .describe('The events to send again. Give either these or a window'),
  })
  .superRefine(({ startDate, endDate, eventIds }, context) => {
    const limit = startDate ?? endDate
    if (limit === undefined && eventIds === undefined)
      context.addIssue(fieldErrors.needs({ choices: 'startDate, endDate or eventIds' }))
    if (limit !== undefined && eventIds !== undefined) {
      const other = startDate === undefined ? 'endDate' : 'startDate'
      context.addIssue({ code: 'custom', path: ['eventIds'], message: fieldErrors.notBeside({ other }) })
    }
  })

/** A webhook without its secret. */
export const Webhook = z
  .object({
    id: Id,
    url: z.string().describe('The address, with the part after `?` masked'),
    events: EventTypes,
    active: z.boolean(),
    disabledAt: Instant.nullable().describe(
      'When the service turned the webhook off, because it could not deliver any event for five days; null: not ' +
        'turned off',
    ),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Webhook' })

/** A webhook with its secret, as it is returned when the secret is created or rotated. */
export const WebhookWithSecret = Webhook.extend({
  secret: z
    .string()
    .describe('The secret: `whsec_` and the base64 of the key. Only the creation and `rotate` return it'),
}).meta({ id: 'WebhookWithSecret' })

/** One event for one webhook, with the result of its last attempt. */
export const WebhookDelivery = z
  .object({
    id: Id,
    eventId: EventId.describe('The id of the event (`webhook-id`), the same in every attempt and replay'),
    type: z.string(),
    attempt: z.int().describe('The number of attempts so far'),
    status: z.enum(['pending', 'succeeded', 'failed']),
    responseStatus: z.int().nullable(),
    latencyMs: z
      .int()
      .nullable()
      .describe(
        'The milliseconds until the answer or the failure of the last attempt, in steps of 100; null before the ' +
          'first attempt',
      ),
    responseBody: z
      .string()
      .nullable()
      .describe('The first 2 kB of the answer; null when there is no answer, or when it comes from a private network'),
    error: z.enum(webhookErrors).nullable(),
    nextAttemptAt: Instant.nullable(),
    request: z.object({
      url: z.string(),
      body: z.string().nullable().describe('The exact text that is sent and signed; null until it is prepared'),
    }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'WebhookDelivery' })

export const TestSent = z.object({ eventId: EventId }).meta({ id: 'WebhookTest' })

export const Replayed = z.object({ replayed: z.int() }).meta({ id: 'WebhookReplay' })
