import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { OAuthServer } from './oauth-server.ts'

/** A request to a meeting interface, with its token. */
export interface SimulatedRequest {
  method: string
  path: string
  query: URLSearchParams
  body: Record<string, unknown>
  holder: string
}

export interface SimulatedAnswer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

/**
 * The result of one call: a replaced answer, a redirect, no answer, a connection that breaks after the work is done, or
 * an answer that is not valid.
 */
export type MeetingFault = { match: string } & (
  | ({ kind: 'answer' } & SimulatedAnswer)
  | { kind: 'hang' }
  | { kind: 'cut after the work' }
  | { kind: 'nonsense' }
  | { kind: 'redirect'; to: string }
)

export interface MeetingSimulator {
  url: string
  /** Method, path and status of each call, in order; the status is 0 when there was no answer. */
  calls: string[]
  /** Each fault affects the next call whose method and path begin with `match`: `POST /users`. */
  faults: MeetingFault[]
  /** How long a creation takes, in milliseconds. */
  slowness: { ms: number }
  close(): Promise<void>
}

interface Simulated {
  oauth: Pick<OAuthServer, 'holderOf'>
  unauthorized: unknown
  answer(request: SimulatedRequest): SimulatedAnswer
}

/** Serves an interface to the holders of the authorization server's tokens. */
export async function startMeetingSimulator({ oauth, unauthorized, answer }: Simulated): Promise<MeetingSimulator> {
  const calls: string[] = []
  const faults: MeetingFault[] = []
  const slowness = { ms: 0 }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://simulator')
      const method = request.method ?? ''
      const note = (status: number) => void calls.push(`${method} ${path} ${status}`)
      const at = faults.findIndex(({ match }) => `${method} ${path}`.startsWith(match))
      const [fault] = at < 0 ? [] : faults.splice(at, 1)
      const work = async () => {
        const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
        const holder = await oauth.holderOf(token)
        if (!holder) return { status: 401, body: unauthorized }
        const text = Buffer.concat(chunks).toString()
        if (text && request.headers['content-type'] !== 'application/json') return { status: 415, body: {} }
        return answer({ method, path, query, body: text ? JSON.parse(text) : {}, holder })
      }
      if (!fault) {
        await pause(method === 'POST' ? slowness.ms : 0)
        const done = await work()
        note(done.status)
        return send(response, done)
      }
      if (fault.kind === 'cut after the work') await work()
      note(fault.kind === 'answer' ? fault.status : 0)
      return fail(response, fault)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    faults,
    slowness,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function fail(response: ServerResponse, fault: MeetingFault): void {
  if (fault.kind === 'answer') send(response, fault)
  else if (fault.kind === 'cut after the work') response.socket?.destroy()
  else if (fault.kind === 'nonsense') response.writeHead(201, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
  else if (fault.kind === 'redirect') response.writeHead(307, { location: fault.to }).end()
}

function send(response: ServerResponse, { status, body, headers }: SimulatedAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
