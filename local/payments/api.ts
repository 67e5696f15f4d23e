import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountEndpoints } from './accounts.ts'
import { authenticate } from './authenticate.ts'
import { cardEndpoints } from './cards.ts'
import { customerEndpoints } from './customers.ts'
import { disputeEndpoints } from './disputes.ts'
import type { Endpoint, Scope } from './endpoint.ts'
import { eventEndpoints } from './events.ts'
import type { Fault } from './faults.ts'
import { type FormTree, parseForm } from './form.ts'
import { type Answer, onceByKey } from './idempotency.ts'
import { invoiceItemEndpoints } from './invoice-items.ts'
import { invoiceEndpoints } from './invoices.ts'
import { paymentEndpoints } from './payment-endpoints.ts'
import { API_VERSION, type Simulator } from './simulator.ts'
import { emptyBook, newId, OWN_ACCOUNT } from './store.ts'
import { badParameter, broken, declined, StripeFault, tooMany } from './stripe-fault.ts'

const ENDPOINTS: Endpoint[] = [
  ...customerEndpoints,
  ...invoiceEndpoints,
  ...invoiceItemEndpoints,
  ...paymentEndpoints,
  ...disputeEndpoints,
  ...cardEndpoints,
  ...accountEndpoints,
  ...eventEndpoints,
]

/** Default seconds of a `hang` or `hang_after_work` fault. */
const HANG_SECONDS = 20

/** A received request to the API. */
interface Exchange {
  requestId: string
  method: string
  path: string
  objectId: string
  account: string | null
  idempotencyKey: string | null
  form: string
  authorization: string | undefined
  publicUrl: string
}

/** Serves the part of Stripe's API that the service uses, with Stripe's wire format. */
export function serveApi(app: FastifyInstance, simulator: Simulator, publicUrl: () => string): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body)
  })
  for (const endpoint of ENDPOINTS) {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      handler: (request, reply) => serve(simulator, endpoint, readRequest(request, publicUrl()), request, reply),
    })
  }
}

function readRequest(request: FastifyRequest, publicUrl: string): Exchange {
  const { method, headers, body } = request
  const [path = '', query = ''] = request.url.split('?', 2)
  const header = (name: string) => (typeof headers[name] === 'string' && headers[name] !== '' ? headers[name] : null)
  return {
    requestId: newId('req'),
    method,
    path,
    objectId: (request.params as { id?: string }).id ?? '',
    account: header('stripe-account'),
    idempotencyKey: method === 'POST' ? header('idempotency-key') : null,
    form: method === 'POST' ? String(body ?? '') : query,
    authorization: headers.authorization,
    publicUrl,
  }
}

async function serve(
  simulator: Simulator,
  endpoint: Endpoint,
  exchange: Exchange,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { requestId, method, path, account, idempotencyKey } = exchange
  const tree = parseForm(exchange.form)
  const fault = simulator.faults.meet(method, path, () => emailOf(simulator, exchange, tree))
  const answer = fault?.kind === 'cut_before_work' ? null : await answerTo(simulator, endpoint, exchange, tree, fault)
  const cut = answer === null || fault?.kind === 'cut_after_work'
  const replayed = answer?.headers['idempotent-replayed'] === 'true'
  const status = cut ? null : answer.status
  simulator.log({ id: requestId, method, path, account, idempotencyKey, status, replayed, fault: fault?.kind ?? null })
  if (method !== 'GET') simulator.save()
  if (fault?.kind === 'hang_after_work') await hang(simulator, fault)
  if (cut) {
    reply.hijack()
    request.raw.socket.destroy()
    return reply
  }
  return reply
    .code(answer.status)
    .headers({ 'request-id': requestId, 'stripe-version': API_VERSION, ...answer.headers })
    .type('application/json')
    .send(answer.body)
}

async function answerTo(
  simulator: Simulator,
  endpoint: Endpoint,
  exchange: Exchange,
  tree: FormTree,
  fault: Fault | null,
): Promise<Answer> {
  const { account, idempotencyKey: key, method, path, requestId } = exchange
  try {
    authenticate(exchange.authorization, simulator.secretKey)
    simulator.scope(account, exchange.publicUrl, null)
    if (fault?.kind === '429') throw tooMany(fault.retryAfterSeconds)
    const work = () => perform(simulator, endpoint, exchange, tree, fault)
    if (key === null) return (await work()).answer
    if (key.length > 255) throw badParameter('Idempotency keys can be at most 255 characters.', 'idempotency_key')
    const params = [...new URLSearchParams(exchange.form)]
      .map((pair) => pair.join('='))
      .sort()
      .join('&')
    const keyed = { key: `${account ?? OWN_ACCOUNT} ${key}`, path: `${method} ${path}`, params, now: simulator.now }
    const answer = await onceByKey(simulator.state.kept, keyed, work)
    return { ...answer, headers: { 'idempotency-key': key, 'original-request': requestId, ...answer.headers } }
  } catch (error) {
    if (error instanceof StripeFault) return faultAnswer(error)
    throw error
  }
}

async function perform(
  simulator: Simulator,
  endpoint: Endpoint,
  { account, objectId, publicUrl, requestId, idempotencyKey }: Exchange,
  tree: FormTree,
  fault: Fault | null,
): Promise<{ answer: Answer; begun: boolean }> {
  const headers: Record<string, string> = { 'original-request': requestId }
  try {
    if (fault?.kind === 'hang') await hang(simulator, fault)
    if (fault?.kind === '402') throw declined()
    if (fault?.kind === '500') throw broken()
    const scope: Scope = simulator.scope(account, publicUrl, { id: requestId, idempotency_key: idempotencyKey })
    const body = JSON.stringify(endpoint.run(scope, objectId, tree))
    if (fault?.kind === '500_after_work') throw broken()
    return { answer: { status: 200, body, headers }, begun: true }
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error
    const answer = faultAnswer(error)
    return { answer: { ...answer, headers: { ...headers, ...answer.headers } }, begun: error.begun }
  }
}

function hang({ closing, faults }: Simulator, { seconds = HANG_SECONDS }: Fault): Promise<null> {
  const signal = AbortSignal.any([closing.signal, faults.cleared])
  return pause(seconds * 1000, null, { signal }).catch(() => null)
}

function faultAnswer({ status, body, headers }: StripeFault): Answer {
  return { status, body: JSON.stringify({ error: body }), headers }
}

/** Returns the email address of the request's customer, or null, for faults that affect only one customer. */
function emailOf(simulator: Simulator, { account, objectId }: Exchange, tree: FormTree): string | null {
  const book = simulator.state.books.get(account ?? OWN_ACCOUNT) ?? emptyBook()
  const named = [tree.customer, tree.invoice, objectId].filter((id) => typeof id === 'string')
  const invoice = named.map((id) => book.invoices.get(id)).find((found) => found !== undefined)
  const customer = named.map((id) => book.customers.get(id)).find((found) => found !== undefined)
  const email = typeof tree.email === 'string' ? tree.email : null
  return email ?? invoice?.customer_email ?? customer?.email ?? null
}
