import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { answerUnreadable } from './error-handler.ts'

/** The polling interval of connections during shutdown. */
const LOOK_EVERY_MS = 25

/** How long a shutdown waits for requests, in milliseconds. */
interface DrainLimits {
  /** Milliseconds for partial requests to arrive completely. */
  arrivingMs: number
  /** Milliseconds for responses to be sent: to slow readers, and by handlers that never respond. */
  answeringMs: number
}

const defaultLimits: DrainLimits = { arrivingMs: 5_000, answeringMs: 20_000 }

/**
 * The longest turn of the event loop, in milliseconds, that counts as quiet: by then all waiting connections are
 * accepted.
 */
const SHORT_TURN_MS = 1
/** How long the server waits for a quiet turn before it stops accepting connections, in milliseconds. */
const QUIET_WITHIN_MS = 1_000

/** How long clients are served during a shutdown, in milliseconds. */
export interface DrainTimes {
  /** For idle clients and those that are sending a request. */
  sendingMs: number
  /** For clients whose request is complete and being answered. */
  answeringMs: number
}

const ending = new WeakSet<Server>()

/** Returns whether the server accepts no new connections any more. */
export function isDraining({ server }: FastifyInstance): boolean {
  return ending.has(server)
}

/** The open connections of each server. */
const connectionsOf = new WeakMap<Server, Connections>()

/**
 * Makes responses during a shutdown close their connections. Otherwise a busy connection would stay open for the
 * client's next request, and the shutdown would wait for its idle time-out. No client can block the shutdown: partial
 * requests are refused after a while, and at the end every connection is closed.
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

/** The open connections, each with its latest request. */
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

/** Closes connections that have no request or a partial one. Connections with a response in progress stay open. */
function refuseArriving(connections: Connections): void {
  for (const [socket, exchange] of connections) {
    if (isAnswering(exchange)) continue
    connections.delete(socket)
    if (exchange?.response.headersSent && !exchange.request.complete) socket.destroy()
    else answerUnreadable(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  }
}

/**
 * Stops accepting connections, and serves the open ones for at most these times. A request that a client sends on an
 * open connection at the moment of the stop gets its response. An incomplete request does not delay the shutdown.
 */
export async function drain({ server }: FastifyInstance, { sendingMs, answeringMs }: DrainTimes): Promise<void> {
  ending.add(server)
  const readOn = await acceptWaiting(server)
  // `close` of the HTTP server would close idle connections immediately.
  Server.prototype.close.call(server)
  readOn()
  if (await allGone(server, sendingMs)) return
  // On a busy machine there can be unread requests. Closing their connections would reset them.
  for (let turns = 0; turns < 3; turns++) await turn()
  for (const [socket, exchange] of connectionsOf.get(server) ?? []) if (!isAnswering(exchange)) socket.destroy()
  if (await allGone(server, answeringMs - sendingMs)) return
  server.closeAllConnections()
}

/**
 * Accepts the connections that wait in the kernel's backlog, because closing the listening socket would reset them and
 * their requests. Meanwhile connections are not read, so that turns of the event loop are short. Returns after a short
 * turn in which no connection arrived; the first turn does not count, because it may have polled the socket too early.
 * The returned function resumes reading.
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
