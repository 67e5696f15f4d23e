import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How often connections are looked at while the process ends. */
const LOOK_EVERY_MS = 25

const ending = new WeakSet<Server>()

/**
 * Has answers given while the server ends close their connections. Without it, a connection that was busy at that moment
 * would be kept for the client's next request, and the end of the process would wait for its idle time-out.
 */
export function installDrain(app: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined
  app.addHook('onSend', (_request, reply, payload, next) => {
    if (ending.has(app.server)) reply.header('connection', 'close')
    next(null, payload)
  })
  app.addHook('preClose', async () => {
    ending.add(app.server)
    timer = setInterval(() => app.server.closeIdleConnections(), LOOK_EVERY_MS)
  })
  app.addHook('onClose', async () => clearInterval(timer))
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
