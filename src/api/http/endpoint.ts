import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { byRoleOrGrant, withDeskGrant } from '../../shared/platform/authz/desk-grant.queries.ts'
import { admins } from '../../shared/platform/authz/roles.ts'
import type { Origin } from '../../shared/platform/contracts/event-rows.ts'
import { inTransaction, type Tx } from '../../shared/platform/db/transaction.ts'
import { AppError } from '../../shared/platform/kernel/errors.ts'
import { networkOf, networkPrefixOf } from '../../shared/platform/kernel/networks.ts'
import { platformErrors } from '../../shared/platform/platform.errors.ts'
import { type Admission, createAdmission } from './admission.ts'
import type { Answer } from './answers.ts'
import { type AccessRule, authenticate, type Caller } from './authentication.ts'
import { readPage } from './cursors.ts'
import type { AnyCall, AnyDeclaration, AnyWriting, Method, On, Reading, Routes, Shape } from './declaration.ts'
import { type Edited, editedBy, underCondition } from './edit-conditions.ts'
import { sendError } from './error-handler.ts'
import { inFormat, withFormats } from './formats.ts'
import { type Claim, type IdempotentRequest, recordOutcome } from './idempotency.access.ts'
import { namedUnknown } from './ignored-fields.ts'
import type { LimitName } from './limits.ts'
import { listBytes } from './list-bytes.ts'
import { holdsMoments, withMoments } from './moments.ts'
import { READ_AFTER } from './read-places.ts'
import { assertIsRecentlyProved, withProofErrors } from './reauthentication.ts'
import { idempotencyOf, replayOrRun, type StoredAnswer } from './replay.ts'
import { runRead } from './run-read.ts'
import type { Services } from './services.ts'
import { sortCheckOf } from './sort-paths.ts'
import { attempt, countDone, countSpecial } from './special-limits.ts'
import { unfit } from './validation.ts'
import type { FieldProblem } from './wording.ts'

export type { Call, Routes } from './declaration.ts'

declare module 'fastify' {
  interface FastifyInstance {
    admission: Admission
  }
  interface FastifyRequest {
    /** The caller, after authentication. */
    caller: Caller | null
    /** The Idempotency-Key of the request, if it has one. */
    idempotent: IdempotentRequest | null
    /** The fields and parameters for which a strict request is refused. */
    unknownFields: FieldProblem[]
  }
}

/** Adds the request properties that `mount` sets, and the limiter of requests for a connection pool of this size. */
export function prepareRequests(app: FastifyInstance, poolSize: number): void {
  app.decorate('admission', createAdmission(poolSize))
  app.decorateRequest('caller', null)
  app.decorateRequest('idempotent', null)
  app.decorateRequest('unknownFields')
}

/** A declared endpoint, which can be mounted on any app. */
export interface Endpoint {
  method: Method
  url: string
  declaration: AnyDeclaration
  handle(services: Services, call: AnyCall, claim: Claim | null, edited?: Edited): Promise<Answer>
}

/** Returns the endpoints that a domain's routes declare. */
export function endpointsOf(routes: Routes): Endpoint[] {
  const endpoints: Endpoint[] = []
  const read = (method: Method) => (url: string, declared: Reading<AccessRule, Shape, Shape, Shape>) => {
    const declaration = withFormats(declared)
    const run = async (call: AnyCall) => {
      await countDone(declaration, call)
      return readPage(inFormat(declaration, call), (opened) => declaration.read(opened))
    }
    const handle: Endpoint['handle'] = (services, call) => runRead(services, declaration, call, run)
    endpoints.push({ method, url, declaration, handle })
  }
  const write = (method: Method) => (url: string, declared: AnyWriting) => {
    const declaration = withProofErrors(declared)
    endpoints.push({
      method,
      url,
      declaration,
      handle: (services, call, claim, edited) => perform(services, declaration, { call, claim, edited }),
    })
  }
  routes({
    get: read('GET'),
    getThatWrites: write('GET'),
    query: read('POST'),
    post: write('POST'),
    patch: write('PATCH'),
    put: write('PUT'),
    delete: write('DELETE'),
  } as unknown as On)
  return endpoints
}

/** Mounts an endpoint. */
export function mount(
  app: FastifyInstance,
  services: Services,
  { method, url, declaration: endpoint, handle }: Endpoint,
  others: readonly Endpoint[] = [],
) {
  const edited = editedBy(endpoint, url, others)
  const sortProblems = sortCheckOf(endpoint)
  const moments = holdsMoments(endpoint.body)
  app.route({
    method,
    url,
    config: { endpoint },
    schema: {
      ...(endpoint.params && { params: endpoint.params }),
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.body && { body: endpoint.body }),
      response: Object.fromEntries(
        Object.entries(endpoint.answers).flatMap(([status, schema]) => (schema ? [[status, schema]] : [])),
      ),
    },
    // Authenticate before the body is read, so that an unknown caller gets no validation errors.
    onRequest: async (request, reply) => {
      request.caller = await app.admission.enter(() => authenticate(services, request, reply, endpoint))
    },
    attachValidation: true,
    preValidation: async (request, reply) => {
      if (method === 'POST') request.idempotent = idempotencyOf(services, request, request.caller)
      request.unknownFields = namedUnknown(endpoint, request, reply)
    },
    handler: async (request, reply) => {
      const { caller } = request
      if (!caller) throw platformErrors.signIn()
      const counted: [LimitName, string][] = []
      const asked = { wanted: admins, grant: endpoint.grant }
      const call: AnyCall = {
        ...caller,
        account: caller.account as null,
        actor: caller.actor as null,
        format: undefined,
        params: request.params as undefined,
        query: request.query as undefined,
        body: (moments ? withMoments(request.body, caller.actor) : request.body) as undefined,
        now: services.clock(),
        db: services.database.db,
        services,
        request,
        asAdmin: (refusal) => byRoleOrGrant(services.database.db, caller.actor!, asked, refusal),
        withGrant: () => withDeskGrant(services.database.db, caller.actor!, asked),
        elapsedMs: () => reply.elapsedTime,
        count: (limits) => {
          counted.push(...limits)
          return services.rateLimits.consume(reply, limits)
        },
        enqueued: [],
      }
      // An invalid body is refused here and not earlier, so that an Idempotency-Key stores this response too.
      const run = async (claim: Claim | null) => {
        const further = [...request.unknownFields, ...sortProblems(request.query)]
        if (request.validationError || further.length > 0) throw unfit(request.validationError, further)
        const work = async () => {
          try {
            return await attempt(services, endpoint, call, reply, () => handle(services, call, claim, edited))
          } catch (error) {
            if (error instanceof AppError && error.status < 500) await services.rateLimits.giveBack(reply, counted)
            throw error
          }
        }
        const { atOnce } = endpoint.rateLimit ?? {}
        if (!atOnce) return work()
        const most = Math.ceil(atOnce * services.config.RATE_LIMIT_FACTOR)
        const who = caller.account ? `account ${caller.account.accountId}` : `network ${networkOf(request.ip)}`
        return app.admission.takeTurn(`${endpoint.id} ${who}`, most, work)
      }
      const { idempotent } = request
      const replay = await app.admission.enter(async () => {
        if (!request.validationError && request.unknownFields.length === 0) await countSpecial(endpoint, call)
        return idempotent ? replayOrRun({ endpoint, call, reply, idempotent }, run) : { answer: await run(null) }
      })
      return 'stored' in replay ? sendStored(request, reply, replay.stored) : send(reply, replay.answer)
    },
  })
}

interface Performed {
  call: AnyCall
  claim: Claim | null
  edited: Edited | undefined
}

/**
 * Runs an endpoint that writes: checks the recent sign-in, counts the request against limits of completed work, runs
 * the preparation, commits the use case, publishes its jobs, and builds the response.
 */
async function perform(services: Services, endpoint: AnyWriting, { call, claim, edited }: Performed): Promise<Answer> {
  await assertIsRecentlyProved(endpoint, call)
  await countDone(endpoint, call)
  const prepared = await endpoint.prepare?.(call)
  const work = async (tx: Tx) => {
    const run = () => endpoint.write(tx, call, prepared)
    const outcome = edited ? await underCondition(tx, edited, call, run) : await run()
    if (claim) {
      await tx.em.flush()
      await recordOutcome(tx.db, claim, outcome)
    }
    return outcome
  }
  const transaction = () => inTransaction(services.database, services.clock, work, originOf(call.request))
  const record = recordOf(call)
  const { admission } = call.request.server
  const { result, enqueued } = await (record === null ? transaction() : admission.inTurn(record, transaction))
  call.enqueued = enqueued
  if (!endpoint.awaitsJobs) services.relay.publish(enqueued)
  let position: string | undefined
  let answer: Answer
  try {
    answer = await endpoint.answer(result, call)
  } finally {
    // Not before the answer, which may wait for what its jobs write.
    position = await services.readPlaces?.written(endpoint, call)
  }
  return position === undefined ? answer : { ...answer, headers: { ...answer.headers, [READ_AFTER]: position } }
}

/** Returns the name of the record that a request writes, by its path, such as `7 /invoices/12`; null for a path without one. */
function recordOf({ request, params, actor }: AnyCall): string | null {
  const [, collection = '', name = ''] = /^([^:]*):(\w+)/.exec(request.routeOptions.url ?? '') ?? []
  const id = (params as Record<string, unknown> | undefined)?.[name]
  return id === undefined ? null : `${actor?.organizationId} ${collection}${id}`
}

function send(reply: FastifyReply, { status, headers = {}, body, list }: Answer): FastifyReply {
  reply.code(status).headers(headers)
  if (!list) return reply.send(body)
  return reply.type('application/json; charset=utf-8').send(listBytes(reply, list, body))
}

function sendStored(request: FastifyRequest, reply: FastifyReply, { status, answer }: StoredAnswer): FastifyReply {
  if (status >= 400 && answer !== null) return sendError(request, reply, status, JSON.parse(answer))
  reply.code(status)
  return answer === null ? reply.send() : reply.type('application/json; charset=utf-8').send(Buffer.from(answer))
}

/** Returns the origin of a request for the event log: the network and the request id. */
export function originOf({ id, ip }: Pick<FastifyRequest, 'id' | 'ip'>): Origin {
  return { address: networkPrefixOf(ip), requestId: id }
}
