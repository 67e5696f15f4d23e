import { z } from 'zod'
import { webhookErrors } from '../../../shared/platform/adapters/webhooks/webhook-caller.port.ts'
import { publicEventKinds } from '../../../shared/platform/events/event-kinds.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { PasswordAgain } from '../../http/reauthentication.ts'
import { distinct, Id, Instant, InstantInput, name } from '../../http/schemas.ts'

const EventTypes = z.array(z.enum(publicEventKinds))

export const WebhookBody = z.object({
  url: name(2_000)
    .describe('An https address of the organization, on port 443 or one from 1024; never a private one')
    .meta({ examples: ['https://hooks.example.com/flightline'] }),
  events: EventTypes.min(1)
    .max(100)
    .transform(distinct)
    .meta({ examples: [['reservation.created', 'reservation.cancelled']] }),
  password: PasswordAgain,
})

export const WebhookPatch = WebhookBody.partial().extend({
  active: z.boolean().optional().describe('False: nothing is sent; true also ends `disabledAt`'),
})

export const RotateBody = z.object({
  immediately: z.boolean().default(false).describe('The old secret ends at once, as after a leak'),
  password: PasswordAgain,
})

const EventId = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, fieldErrors.eventId())
  .meta({ examples: ['9b2f6d3e-6c0f-4a55-9d0b-1f6a3f3f7c11'] })

export const ReplayBody = z
  .object({
    since: InstantInput.optional().describe('The events since then to which the webhook subscribes now'),
    eventIds: z.array(EventId).min(1).max(1_000).transform(distinct).optional().describe('In place of `since`'),
  })
  .superRefine(({ since, eventIds }, context) => {
    if (since === undefined && eventIds === undefined)
      context.addIssue(fieldErrors.needs({ choices: 'since or eventIds' }))
    if (since !== undefined && eventIds !== undefined) {
      context.addIssue({ code: 'custom', path: ['eventIds'], message: fieldErrors.notBeside({ other: 'since' }) })
    }
  })
  .meta({ examples: [{ since: '2026-11-20T00:00:00Z' }] })

/** A webhook without its secret. */
export const Webhook = z
  .object({
    id: Id,
    url: z
      .string()
      .describe('The part after `?` is masked')
      .meta({ examples: ['https://hooks.example.com/flightline'] }),
    events: EventTypes,
    active: z.boolean(),
    disabledAt: Instant.nullable().describe('When the service switched it off: nothing got through for five days'),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Webhook' })

/** A webhook with its secret, answered when the secret is created or rotated. */
export const WebhookWithSecret = Webhook.extend({
  secret: z
    .string()
    .describe('`whsec_` and the base64 of the key. Answered here and at `rotate`, and nowhere else')
    .meta({ examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='] }),
}).meta({ id: 'WebhookWithSecret' })

/** One event for one webhook, with the result of its last attempt. */
export const WebhookDelivery = z
  .object({
    id: Id,
    eventId: EventId.describe('`webhook-id`, the same on every attempt and replay'),
    type: z.string().meta({ examples: ['reservation.created'] }),
    attempt: z.int().describe('How often it was tried so far'),
    status: z.enum(['pending', 'succeeded', 'failed']),
    responseStatus: z
      .int()
      .nullable()
      .meta({ examples: [204] }),
    latencyMs: z
      .int()
      .nullable()
      .describe('In steps of 100')
      .meta({ examples: [100] }),
    responseBody: z.string().nullable().describe('The first 2 kB; null from a private network'),
    error: z
      .enum(webhookErrors)
      .nullable()
      .meta({ examples: [null] }),
    nextAttemptAt: Instant.nullable().meta({ examples: [null] }),
    request: z.object({
      url: z.string().meta({ examples: ['https://hooks.example.com/flightline'] }),
      body: z.string().nullable().describe('The exact text that is sent and signed; null until it is rendered'),
    }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'WebhookDelivery' })

export const TestSent = z.object({ eventId: EventId }).meta({ id: 'WebhookTest' })

export const Replayed = z.object({ replayed: z.int().meta({ examples: [12] }) }).meta({ id: 'WebhookReplay' })
