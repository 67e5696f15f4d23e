import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
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

/** A turn of the event loop that was this short left no time for a connection to come in unseen. */
const SHORT_TURN_MS = 1
/** A process that is never quiet stops accepting after this. */
const QUIET_WITHIN_MS = 1_000

/** How long the clients of an API that ends have. */
export interface DrainTimes {
  /** Those that lie idle, or send slowly, are let go after this. */
  sendingMs: number
  /** Those whose request arrived whole and is being answered, after this. */
  answeringMs: number
}

const ending = new WeakSet<Server>()
/** The open connections of each server. */
const connectionsOf = new WeakMap<Server, Connections>()

/**
 * Has answers given while the server ends close their connections. Without it, a connection that was busy at that moment
 * would be kept for the client's next request, and the end of the process would wait for its idle time-out. No client
 * keeps the server from ending: what was sent in part is refused after a while, and in the end every connection is cut.
 */
export function installDrain(app: FastifyInstance, limits = defaultLimits): void {
  const timers: NodeJS.Timeout[] = []
  const connections = watchConnections(app.server)
  connectionsOf.set(app.server, connections)
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

function isAnswering(exchange: Exchange | null): boolean {
  return exchange?.request.complete === true && !exchange.response.writableFinished
}

/** Ends the connections on which a request, or the rest of one, is awaited; those whose answer is under way stay. */
function refuseArriving(connections: Connections): void {
  for (const [socket, exchange] of connections) {
    if (isAnswering(exchange)) continue
    connections.delete(socket)
    if (exchange?.response.headersSent && !exchange.request.complete) socket.destroy()
    else answerUnreadable(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  }
}

/**
 * Stops accepting connections, and answers on those that are open until their clients are gone, within these times: a
 * client that sends a request on a kept connection at the very moment of the stop gets its answer, and one that never
 * ends its request holds nothing up.
 */
export async function drain({ server }: FastifyInstance, { sendingMs, answeringMs }: DrainTimes): Promise<void> {
  ending.add(server)
  const readOn = await acceptWaiting(server)
  // The HTTP server's own close would at once cut the connections that look idle.
  Server.prototype.close.call(server)
  readOn()
  if (await allGone(server, sendingMs)) return
  for (const [socket, exchange] of connectionsOf.get(server) ?? []) if (!isAnswering(exchange)) socket.destroy()
  if (await allGone(server, answeringMs - sendingMs)) return
  server.closeAllConnections()
}

/**
 * Accepts the connections that the kernel has made in our name and we have not heard of yet: closing would reset them,
 * with the requests that they bring. Meanwhile nothing is read from anybody, so that a turn of the event loop is short;
 * ends right after one that brought no connection. The turn that it begins in does not count: it may have looked for
 * them already. What it returns reads on.
 */
async function acceptWaiting(server: Server): Promise<() => void> {
  const held: Socket[] = []
  let accepted = 0
  const hold = (socket: Socket) => {
    if (!socket.isPaused()) held.push(socket.pause())
  }
  const take = (socket: Socket) => {
    accepted += 1
    hold(socket)
  }
  for (const socket of connectionsOf.get(server)?.keys() ?? []) hold(socket)
  server.on('connection', take)
  const started = performance.now()
  await turn()
  for (let now = performance.now(); now - started < QUIET_WITHIN_MS; ) {
    const before = { accepted, now }
    await turn()
    now = performance.now()
    if (accepted === before.accepted && now - before.now < SHORT_TURN_MS) break
  }
  server.off('connection', take)
  return () => {
    for (const socket of held) socket.resume()
  }
}

async function allGone(server: Server, withinMs: number): Promise<boolean> {
  for (const started = performance.now(); performance.now() - started < withinMs; ) {
    if ((await openConnections(server)) === 0) return true
    await pause(LOOK_EVERY_MS)
  }
  return false
}

function openConnections(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((_error, count) => resolve(count ?? 0))
  })
}
