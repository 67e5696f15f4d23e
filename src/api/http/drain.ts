import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { answerUnreadable } from './error-handler.ts'

/** How often connections are looked at while the process ends. */
const LOOK_EVERY_MS = 25

/** How long a process that ends waits for requests, in milliseconds. */
interface DrainLimits {
  /** For the rest of those that were sent in part. */
  arrivingMs: number
  /** For clients that take their answers slowly or not at all, and for handlers that never answer. */
  answeringMs: number
}

const defaultLimits: DrainLimits = { arrivingMs: 5_000, answeringMs: 20_000 }

const ending = new WeakSet<Server>()

/**
 * Has answers given while the server ends close their connections. Without it, a connection that was busy at that moment
 * would be kept for the client's next request, and the end of the process would wait for its idle time-out. No client
 * keeps the server from ending: what was sent in part is refused after a while, and in the end every connection is cut.
 */
export function installDrain(app: FastifyInstance, limits = defaultLimits): void {
  const timers: NodeJS.Timeout[] = []
  const connections = watchConnections(app.server)
  app.addHook('onSend', (_request, reply, payload, next) => {
    if (ending.has(app.server)) reply.header('connection', 'close')
    next(null, payload)
  })
  app.addHook('preClose', async () => {
    ending.add(app.server)
    const started = performance.now()
    const look = () => {
      app.server.closeIdleConnections()
      const passed = performance.now() - started
      if (passed > limits.arrivingMs) refuseArriving(connections)
      if (passed > limits.answeringMs) app.server.closeAllConnections()
    }
    timers.push(setInterval(look, LOOK_EVERY_MS))
  })
  app.addHook('onClose', async () => timers.forEach(clearInterval))
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

/** The open connections, each with the last request that came on it. */
type Connections = Map<Socket, Exchange | null>

function watchConnections(server: FastifyInstance['server']): Connections {
  const connections: Connections = new Map()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, null)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', (request, response) => connections.set(request.socket, { request, response }))
  return connections
}

/** Ends the connections on which a request, or the rest of one, is awaited; those whose answer is under way stay. */
function refuseArriving(connections: Connections): void {
  for (const [socket, exchange] of connections) {
    if (exchange?.request.complete && !exchange.response.writableFinished) continue
    connections.delete(socket)
    if (exchange?.response.headersSent && !exchange.request.complete) socket.destroy()
    else answerUnreadable(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  }
}

/**
 * Stops accepting connections, and answers on those that are open until their clients are gone, at most this long. A
 * client that sends a request on a kept connection at the very moment of the stop gets its answer.
 */
export async function drain({ server }: FastifyInstance, graceMs: number): Promise<void> {
  ending.add(server)
  // The HTTP server's own close would at once cut the connections that look idle.
  Server.prototype.close.call(server)
  for (const started = performance.now(); performance.now() - started < graceMs; ) {
    if ((await openConnections(server)) === 0) return
    await pause(LOOK_EVERY_MS)
  }
}

function openConnections(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((_error, count) => resolve(count ?? 0))
  })
}
