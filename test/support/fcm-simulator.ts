import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jwtVerify } from 'jose'
import { fcmAnswers, fcmFault } from './fcm-faults.ts'

/** A message that the service accepted. */
interface FcmMessage {
  token: string
  notification: { title: string; body: string }
  data: Record<string, string>
  android: { collapse_key: string; notification: { tag: string } }
  apns: { headers: Record<string, string> }
  webpush: { notification: { tag: string } }
}

/**
 * The result of the next pushes to a token: an error of the service, a broken connection, no answer, or the HTML page
 * of a gateway.
 */
export type FcmFault = keyof typeof fcmAnswers | 'cut' | 'hang' | 'gateway'

/**
 * A stand-in for Google's token endpoint and Firebase Cloud Messaging, HTTP v1. It makes the same checks and answers
 * with the same errors.
 */
export interface FcmSimulator {
  url: string
  /** The key file of a service account. */
  serviceAccount: Record<'type' | 'project_id' | 'private_key' | 'client_email' | 'token_uri', string>
  /** The accepted messages, in order. */
  taken: FcmMessage[]
  /** The tokens of all received pushes, accepted or refused, in order. */
  tries: string[]
  /** The number of issued access tokens. */
  tokensGiven: number
  answer(token: string, fault: FcmFault, times?: number): void
  /** `open` issues access tokens, `silent` does not answer. */
  signIn: 'open' | 'silent'
  /** Returns the notifications that a device shows: one per tag, the latest. */
  shownOn(token: string): string[]
  close(): Promise<void>
}

const LIMIT_BYTES = 4096
const FIELDS = ['token', 'notification', 'data', 'android', 'apns', 'webpush', 'fcmOptions']

export async function startFcmSimulator(): Promise<FcmSimulator> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const accessTokens = new Set<string>()
  const faults = new Map<string, { fault: FcmFault; times: number }>()
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const simulator: FcmSimulator = {
    url,
    serviceAccount: {
      type: 'service_account',
      project_id: 'flightline-test',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      client_email: 'pusher@flightline-test.iam.gserviceaccount.com',
      token_uri: `${url}/token`,
    },
    taken: [],
    tries: [],
    tokensGiven: 0,
    signIn: 'open',
    answer: (token, fault, times = 1) => faults.set(token, { fault, times }),
    shownOn(token) {
      const own = simulator.taken.filter((message) => message.token === token)
      return [
        ...new Map(own.map(({ android, notification }) => [android.notification.tag, notification.title])).values(),
      ]
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    const { host } = request.headers
    if (request.method === 'POST' && request.url === '/token') {
      return giveToken(body, response)
    }
    const path = `/v1/projects/${simulator.serviceAccount.project_id}/messages:send`
    if (request.method === 'POST' && host === 'fcm.googleapis.com' && request.url === path) {
      return takeMessage(request.headers.authorization, body, response)
    }
    reply(response, 404, fcmFault(404, 'NOT_FOUND', 'Requested entity was not found.'))
  }

  async function giveToken(body: string, response: ServerResponse): Promise<void> {
    if (simulator.signIn === 'silent') return
    const form = new URLSearchParams(body)
    const valid =
      form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
      (await jwtVerify(form.get('assertion') ?? '', publicKey, {
        algorithms: ['RS256'],
        issuer: simulator.serviceAccount.client_email,
        audience: simulator.serviceAccount.token_uri,
        maxTokenAge: '1 h',
      }).then(
        ({ payload }) =>
          String(payload.scope).split(' ').includes('https://www.googleapis.com/auth/firebase.messaging'),
        () => false,
      ))
    if (!valid) return reply(response, 400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' })
    simulator.tokensGiven += 1
    const token = `ya29.canary-access-token-${simulator.tokensGiven}`
    accessTokens.add(token)
    reply(response, 200, { access_token: token, expires_in: 3599, token_type: 'Bearer' })
  }

  function takeMessage(authorization: string | undefined, body: string, response: ServerResponse) {
    if (!accessTokens.has(authorization?.replace('Bearer ', '') ?? '')) {
      return reply(response, 401, fcmFault(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'))
    }
    const { message } = JSON.parse(body) as { message: FcmMessage }
    simulator.tries.push(message.token)
    const planned = faults.get(message.token)
    if (planned && planned.times > 0) {
      planned.times -= 1
      if (planned.fault === 'hang') return
      if (planned.fault === 'cut') {
        response.destroy()
        return
      }
      if (planned.fault === 'gateway') {
        response.writeHead(502, { 'content-type': 'text/html' }).end(`<h1>Bad gateway for ${message.token}</h1>`)
        return
      }
      const { status, headers, answer } = fcmAnswers[planned.fault]
      return reply(response, status, answer, headers)
    }
    const wrong = whatIsWrong(message)
    if (wrong) return reply(response, 400, fcmFault(400, 'INVALID_ARGUMENT', wrong, 'INVALID_ARGUMENT'))
    simulator.taken.push(message)
    reply(response, 200, { name: `projects/flightline-test/messages/${simulator.taken.length}` })
  }

  return simulator
}

/** Returns the first error of a message by the real service's checks; null when it has none. */
function whatIsWrong(message: FcmMessage): string | null {
  const unknown = Object.keys(message).find((field) => !FIELDS.includes(field))
  if (unknown) return `Invalid JSON payload received. Unknown name "${unknown}" at 'message': Cannot find field.`
  if (Object.values(message.data).some((value) => typeof value !== 'string')) return 'Invalid value at message.data'
  if (Buffer.byteLength(message.apns.headers['apns-collapse-id'] ?? '') > 64) return 'Invalid apns-collapse-id'
  const { notification, data } = message
  if (Buffer.byteLength(JSON.stringify({ notification, data })) > LIMIT_BYTES) return 'Message is too big'
  return null
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function reply(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers })
  response.end(JSON.stringify(body))
}
