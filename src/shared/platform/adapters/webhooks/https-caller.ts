import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import { limitRunningTime } from '../../kernel/running-time.ts'
import { retryAfterSeconds } from '../call-result.ts'
import { type OwnListeners, ownAddresses } from './own-listeners.ts'
import type { ResolveName } from './resolve-name.ts'
import { isPrivateTarget, problemOfTarget, readTarget, type Target, type TargetPolicy } from './target.ts'
import type { WebhookAnswer, WebhookCaller, WebhookError, WebhookRequest } from './webhook-caller.port.ts'

export interface WebhookCallerOptions {
  allowed: TargetPolicy['allowed']
  own: OwnListeners
  resolve: ResolveName
  /** An authority to trust in place of the default ones (PEM). */
  ca?: string
  timeoutMs?: number
}

/** The most milliseconds of one request, from the resolution of the name to the response. */
const LIMIT_MS = 10_000
/** The most bytes of a response that are read. */
const MOST_READ = 65_536
/** The most bytes of a response that are kept. */
const KEPT_BYTES = 2_048
const LATENCY_STEP_MS = 100

/** An attempt that failed before a response. */
class Failed extends Error {
  readonly reason: WebhookError

  constructor(reason: WebhookError) {
    super(reason)
    this.reason = reason
  }
}

/**
 * Creates the caller of webhooks. For each request it resolves the name once, checks the addresses, and connects to
 * these addresses, with the name in SNI and `Host`. Each request has its own connection, follows no redirect and uses
 * no proxy of the environment.
 * Implements docs/decisions/0018.
 */
export function createWebhookCaller(options: WebhookCallerOptions): WebhookCaller {
  const { allowed, own, resolve, ca, timeoutMs = LIMIT_MS } = options

  async function addressesOf(target: Target): Promise<string[]> {
    return target.isAddress ? [target.host] : resolve(target.host)
  }

  async function problem(target: Target, addresses: string[]): Promise<string | null> {
    const policy = { allowed, own, ownAddresses: await ownAddresses(own, target.port, resolve) }
    return problemOfTarget(target, addresses, policy)
  }

  async function checked(url: string): Promise<{ target: Target; addresses: string[] }> {
    const target = readTarget(url)
    if (typeof target === 'string') throw new Failed('refused_address')
    const addresses = await addressesOf(target).catch(() => [])
    if (addresses.length === 0) throw new Failed('dns')
    if ((await problem(target, addresses)) !== null) throw new Failed('refused_address')
    return { target, addresses }
  }

  async function send(request: WebhookRequest, signal: AbortSignal) {
    const { target, addresses } = await withSignal(checked(request.url), signal)
    const answer = await ask(target, addresses, { ...request, signal }, ca)
    return { answer, isPrivate: isPrivateTarget(addresses) }
  }

  return {
    async problemOf(url) {
      const target = readTarget(url)
      if (typeof target === 'string') return target
      const addresses = await addressesOf(target).catch(() => [])
      if (addresses.length === 0) return 'must name a host that DNS knows'
      return problem(target, addresses)
    },

    async post(request) {
      const started = performance.now()
      const limit = limitRunningTime(timeoutMs)
      const signal = request.signal ? AbortSignal.any([limit.signal, request.signal]) : limit.signal
      const latencyMs = () => Math.round((performance.now() - started) / LATENCY_STEP_MS) * LATENCY_STEP_MS
      try {
        const { answer, isPrivate } = await send(request, signal)
        return { ...answer, body: isPrivate ? null : answer.body, latencyMs: latencyMs() }
      } catch (error) {
        const reason = signal.aborted ? 'timeout' : reasonOf(error)
        return { error: reason, status: null, latencyMs: latencyMs(), body: null, retryAfterSeconds: null }
      } finally {
        limit.clear()
      }
    },
  }
}

/** Returns the result of `work`; rejects when the signal is aborted first, because a DNS lookup itself cannot be aborted. */
function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work, aborted])
}

type Answer = Omit<WebhookAnswer, 'latencyMs'>

function ask(
  { url, secure }: Target,
  addresses: string[],
  { headers, body, signal }: WebhookRequest,
  ca: string | undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const common = { method: 'POST', agent: false as const, lookup: pinned(addresses), signal }
    const sent = { ...headers, 'content-length': String(Buffer.byteLength(body)) }
    const request = secure
      ? httpsRequest(url, { ...common, headers: sent, ...(ca && { ca }) })
      : httpRequest(url, { ...common, headers: sent })
    request.on('error', reject)
    request.on('response', (response) => {
      readAnswer(response).then(resolve, reject)
    })
    request.end(body)
  })
}

/** Returns a lookup function for sockets that gives the checked addresses, without another DNS query. */
function pinned(addresses: string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_name, { all: wantsAll }, callback) => {
    if (wantsAll) callback(null, all)
    else callback(null, all[0]!.address, all[0]!.family)
  }
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const status = response.statusCode ?? 0
  const header = response.headers['retry-after']
  const asked = retryAfterSeconds(new Headers(header === undefined ? {} : { 'retry-after': header }))
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length - chunk.length < KEPT_BYTES) chunks.push(chunk)
    if (length > MOST_READ) break
  }
  const body = readable(Buffer.concat(chunks).subarray(0, KEPT_BYTES))
  const error = length > MOST_READ ? 'too_large' : status >= 200 && status < 300 ? null : 'status'
  return { error, status, body, retryAfterSeconds: asked }
}

/**
 * Decodes a response into text that the database can store: without NUL, and without an incomplete character at the
 * end.
 */
function readable(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '')
}

const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|EPROTO)/

function reasonOf(error: unknown): WebhookError {
  if (error instanceof Failed) return error.reason
  const { code = '' } = error as { code?: string }
  return tlsCode.test(code) ? 'tls' : 'connect'
}
