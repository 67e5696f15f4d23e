import type { FastifyInstance } from 'fastify'
import { isForeignHost } from '../servers/host-header-guard.ts'
import { FAULT_KINDS, type Fault } from './faults.ts'
import { showInvoice } from './invoice-view.ts'
import { serveMoneyControl } from './money-control.ts'
import type { Simulator } from './simulator.ts'
import { type Book, OWN_ACCOUNT } from './store.ts'

const FAULT_SCHEMA = {
  type: 'object',
  required: ['match', 'kind'],
  additionalProperties: false,
  properties: {
    match: { type: 'string', minLength: 1, maxLength: 200 },
    kind: { enum: FAULT_KINDS },
    times: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 },
    retryAfterSeconds: { type: 'integer', minimum: 0, maximum: 3600 },
    seconds: { type: 'number', minimum: 0, maximum: 3600 },
    customerEmail: { type: 'string', minLength: 1, maxLength: 512 },
  },
}

const URL_SCHEMA = {
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: { url: { type: ['string', 'null'], format: 'uri' } },
}

const RELEASE_SCHEMA = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { order: { enum: ['oldest_first', 'newest_first'], default: 'oldest_first' } },
}

interface Release {
  order: 'oldest_first' | 'newest_first'
}

/** Serves the controls that Stripe does not have: faults, the webhook's URL, and all stored objects. */
export function serveControl(
  app: FastifyInstance,
  simulator: Simulator,
  listening: string,
  publicUrl: () => string,
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (isForeignHost(listening, request.hostname)) {
      await reply.code(403).send({ message: 'The simulator is controlled from localhost only.' })
    }
  })

  app.get('/_simulator/state', () => ({
    ...collect(simulator, publicUrl()),
    accounts: [...simulator.state.accounts.values()],
    deliveries: simulator.webhooks.deliveries,
    requests: simulator.requests,
  }))

  serveMoneyControl(app, simulator, publicUrl)

  app.get('/_simulator/faults', () => simulator.faults.all())

  app.post<{ Body: Fault }>('/_simulator/faults', { schema: { body: FAULT_SCHEMA } }, (request, reply) => {
    simulator.faults.add(request.body)
    return reply.code(204).send()
  })

  app.delete('/_simulator/faults', (_request, reply) => {
    simulator.faults.clear()
    return reply.code(204).send()
  })

  app.put<{ Body: { url: string | null } }>(
    '/_simulator/webhooks',
    { schema: { body: URL_SCHEMA } },
    (request, reply) => {
      simulator.webhooks.url = request.body.url
      return reply.code(204).send()
    },
  )

  app.post('/_simulator/webhooks/hold', (_request, reply) => {
    simulator.webhooks.hold()
    return reply.code(204).send()
  })

  app.post<{ Body: Release | null }>(
    '/_simulator/webhooks/release',
    { schema: { body: RELEASE_SCHEMA } },
    async (request, reply) => {
      await simulator.webhooks.release(request.body?.order ?? 'oldest_first')
      return reply.code(204).send()
    },
  )

  app.post<{ Params: { id: string } }>('/_simulator/events/:id/resend', (request, reply) => {
    const event = simulator.findEvent(request.params.id)
    if (!event) return reply.code(404).send({ message: 'There is no such event.' })
    simulator.webhooks.send(event)
    return reply.code(204).send()
  })
}

/** Returns the customers, invoices, refunds and events of all accounts, each with its account (null: the account of the key). */
function collect(simulator: Simulator, publicUrl: string) {
  const books = [...simulator.state.books].map(([id, book]) => ({
    account: id === OWN_ACCOUNT ? null : id,
    book,
  }))
  const all = <T extends object>(pick: (book: Book, account: string | null) => T[]) =>
    books.flatMap(({ book, account }) => pick(book, account).map((row) => ({ account, ...row })))
  return {
    customers: all((book) => [...book.customers.values()]),
    invoices: all((book, account) =>
      [...book.invoices.values()].map((invoice) => showInvoice({ book, account, publicUrl }, invoice)),
    ),
    refunds: all((book) => [...book.refunds.values()]),
    events: all((book) =>
      [...book.events.values()].map(({ id, type, created, pending_webhooks }) => ({
        id,
        type,
        created,
        pending_webhooks,
      })),
    ),
  }
}
