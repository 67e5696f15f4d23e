import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { receiveGatewayWebhook } from '../../../shared/billing/payments/receive-gateway-webhook.ts'
import { BadSignature } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import { inTransaction } from '../../../shared/platform/db/transaction.ts'
import { readBody } from '../../http/read-body.ts'
import type { Services } from '../../http/services.ts'

const Received = z.object({ received: z.boolean() })

/** An event as the document shows it. The adapter of the gateway reads it. */
const ProcessorEvent = z.looseObject({
  id: z.string().max(255),
  type: z.string().max(255).describe('What happened, such as `invoice.paid`'),
  created: z.int().describe('Seconds since 1970'),
  data: z.looseObject({ object: z.looseObject({ id: z.string().max(255) }) }).describe('The record that it is about'),
})
const eventExample = {
  id: 'evt_1RkX2mFlightline',
  type: 'invoice.paid',
  created: 1_780_326_000,
  data: { object: { id: 'in_1RkX2mFlightline' } },
}

/**
 * `POST /webhooks/stripe`: events of the payment gateway. The signature covers the raw bytes, so JSON is not parsed
 * here before it is verified. Not rate limited, because the gateway sends bursts from few addresses.
 */
export function installStripeWebhook(parent: FastifyInstance, services: Services): void {
  parent.register(async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', (_request: FastifyRequest, payload: IncomingMessage) =>
      readBody(payload),
    )
    app.post(
      '/webhooks/stripe',
      {
        config: {
          endpoint: {
            id: 'receiveProcessorEvent',
            access: 'anyone',
            tag: 'Invoices',
            summary: 'Receive an event of the payment processor',
            description:
              'Called by Stripe. Refuses an event whose signature was made more than five minutes before or after ' +
              'the present time, or whose creation time is more than five minutes in the future. For other events ' +
              'a job reads the named records from Stripe; amounts in the event are ignored. A repeated event has ' +
              'no effect. An event that is unrelated or unreadable is logged and answered with 200.',
            rawBody: { media: 'application/json', schema: ProcessorEvent, example: eventExample },
            answers: { 200: Received },
            errors: [billingErrors.signatureMissing, billingErrors.signatureWrong],
          },
        },
        schema: { response: { 200: Received } },
      },
      async (request, reply) => {
        const event = verified(services, request.body, request.headers['stripe-signature'])
        if (event === null) {
          request.log.warn('a signed processor event cannot be read')
          return reply.send({ received: true })
        }
        const { result, enqueued } = await inTransaction(services.database, services.clock, (tx) =>
          receiveGatewayWebhook(tx, event),
        )
        services.relay.publish(enqueued)
        const about = { event: event.id, type: event.type, result }
        if (result !== 'followed') request.log.info(about, 'processor event')
        return reply.send({ received: true })
      },
    )
  })
}

function verified(services: Services, body: unknown, signature: string | string[] | undefined) {
  if (!Buffer.isBuffer(body) || typeof signature !== 'string') throw billingErrors.signatureMissing()
  try {
    return services.gateway.verifyEvent(body, signature)
  } catch (error) {
    if (error instanceof BadSignature) throw billingErrors.signatureWrong()
    throw error
  }
}
