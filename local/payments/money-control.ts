import type { FastifyInstance } from 'fastify'
import { closeDispute, openDispute } from './disputes.ts'
import type { Scope } from './endpoint.ts'
import { payPart } from './invoice-moves.ts'
import { createRefund } from './payment-endpoints.ts'
import type { Simulator } from './simulator.ts'
import { type Book, OWN_ACCOUNT, type StoredIntent, type StoredInvoice } from './store.ts'
import { StripeFault, wrongState } from './stripe-fault.ts'

const AMOUNT_SCHEMA = {
  type: 'object',
  required: ['amount'],
  additionalProperties: false,
  properties: { amount: { type: 'integer', minimum: 1 } },
}

/** `method`: a type of Stripe's payment methods; absent: a card. */
const PAY_SCHEMA = {
  ...AMOUNT_SCHEMA,
  properties: { ...AMOUNT_SCHEMA.properties, method: { type: 'string', minLength: 1 } },
}

const DISPUTE_SCHEMA = {
  ...AMOUNT_SCHEMA,
  properties: { ...AMOUNT_SCHEMA.properties, evidenceDueBy: { type: 'integer', minimum: 1, nullable: true } },
}

const OUTCOME_SCHEMA = {
  type: 'object',
  required: ['outcome'],
  additionalProperties: false,
  properties: { outcome: { enum: ['won', 'lost'] } },
}

interface WithAmount {
  Params: { id: string }
  Body: { amount: number }
}

interface WithPayment extends WithAmount {
  Body: { amount: number; method?: string }
}

/** `evidenceDueBy`: the deadline for evidence in seconds since 1970; null: no evidence is accepted; absent: in a week. */
interface WithDispute {
  Params: { id: string }
  Body: { amount: number; evidenceDueBy?: number | null }
}

interface WithOutcome {
  Params: { id: string }
  Body: { outcome: 'won' | 'lost' }
}

/** Serves controls for events that happen at the gateway: partial payments, refunds, and disputes. */
export function serveMoneyControl(app: FastifyInstance, simulator: Simulator, publicUrl: () => string): void {
  const inBookOf = <T>(holds: (book: Book) => boolean, work: (scope: Scope) => T): T => {
    const [account] = [...simulator.state.books].find(([, book]) => holds(book)) ?? []
    if (account === undefined) throw new StripeFault(404, { type: 'invalid_request_error', message: 'No such object.' })
    const done = work(simulator.scope(account === OWN_ACCOUNT ? null : account, publicUrl(), null))
    simulator.save()
    return done
  }
  const onInvoice = (id: string, work: (scope: Scope, invoice: StoredInvoice) => object) =>
    inBookOf(
      ({ invoices }) => invoices.has(id),
      (scope) => work(scope, scope.book.invoices.get(id) as StoredInvoice),
    )

  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof StripeFault) return reply.code(error.status).send({ error: error.body })
    return reply.send(error)
  })
  app.post<WithPayment>('/_simulator/invoices/:id/pay', { schema: { body: PAY_SCHEMA } }, ({ params, body }) =>
    onInvoice(params.id, (scope, invoice) => payPart(scope, invoice, body.amount, body.method)),
  )
  app.post<WithAmount>('/_simulator/invoices/:id/refund', { schema: { body: AMOUNT_SCHEMA } }, ({ params, body }) =>
    onInvoice(params.id, (scope, invoice) => createRefund(scope, paidOf(scope, invoice), { amount: body.amount })),
  )
  app.post<WithDispute>('/_simulator/invoices/:id/dispute', { schema: { body: DISPUTE_SCHEMA } }, ({ params, body }) =>
    onInvoice(params.id, (scope, invoice) =>
      openDispute(scope, paidOf(scope, invoice), body.amount, body.evidenceDueBy),
    ),
  )
  app.post<WithOutcome>('/_simulator/disputes/:id/close', { schema: { body: OUTCOME_SCHEMA } }, ({ params, body }) =>
    inBookOf(
      ({ disputes }) => disputes.has(params.id),
      (scope) => closeDispute(scope, params.id, body.outcome),
    ),
  )
}

/**
 * Returns the payment intent of the invoice's latest completed payment.
 * @throws StripeFault when the invoice has no payment
 */
function paidOf({ book }: Scope, invoice: StoredInvoice): StoredIntent {
  const paid = [...book.payments.values()].filter((row) => row.invoice === invoice.id && row.status === 'paid')
  const intent = book.intents.get(paid.at(-1)?.payment.payment_intent ?? '')
  if (!intent) throw wrongState('This invoice has no payment.')
  return intent
}
