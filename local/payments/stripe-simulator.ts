import fastify, { type FastifyInstance } from 'fastify'
import { nameTakenPort } from '../servers/ports.ts'
import { serveApi } from './api.ts'
import { serveControl } from './control.ts'
import { servePages } from './pages.ts'
import { Simulator, type SimulatorOptions } from './simulator.ts'

/** The base URL while the app does not listen. */
const NOWHERE = 'http://stripe.localhost'

/**
 * Builds a stand-in for Stripe with Stripe's wire format: customers, invoices and their items, payments, refunds,
 * connected accounts, events and signed webhooks. It is as strict as Stripe, or stricter: parameters that it does not
 * model are refused. It also serves the payers' pages, and `/_simulator` to inspect the state and set faults.
 */
export function buildStripeSimulator(options: SimulatorOptions & { host?: string }): FastifyInstance {
  const simulator = new Simulator(options)
  const app = fastify({ forceCloseConnections: true, exposeHeadRoutes: false })
  const publicUrl = () => options.publicUrl ?? (app.server.listening ? app.listeningOrigin : NOWHERE)

  app.register(async (scope) => serveApi(scope, simulator, publicUrl))
  app.register(async (scope) => servePages(scope, simulator, publicUrl))
  app.register(async (scope) => serveControl(scope, simulator, options.host ?? '127.0.0.1', publicUrl))
  app.setNotFoundHandler((request, reply) => {
    const message = `Unrecognized request URL (${request.method}: ${request.url.split('?')[0]}).`
    return reply.code(404).send({ error: { type: 'invalid_request_error', message } })
  })
  app.addHook('onReady', async () => simulator.resume())
  app.addHook('preClose', async () => simulator.close())
  return app
}

export interface StripeSimulator {
  port: number
  /** The service's `STRIPE_API_BASE`, and the base URL of the pages. */
  url: string
  /** Sets the webhook's URL; null: events are not sent. */
  setWebhookUrl(url: string | null): Promise<void>
  close(): Promise<void>
}

/**
 * Starts the simulator; port 0: on a free port.
 * @throws PortTaken naming the port and STRIPE_SIMULATOR_PORT.
 */
export async function startStripeSimulator(
  options: SimulatorOptions & { port: number; host: string },
): Promise<StripeSimulator> {
  const app = buildStripeSimulator(options)
  try {
    await app.listen({ port: options.port, host: options.host })
  } catch (error) {
    await app.close()
    throw nameTakenPort(error, options.port, 'STRIPE_SIMULATOR_PORT')
  }
  const { port } = new URL(app.listeningOrigin)
  return {
    port: Number(port),
    url: app.listeningOrigin,
    setWebhookUrl: async (url) => {
      await app.inject({ method: 'PUT', url: '/_simulator/webhooks', payload: { url } })
    },
    close: async () => app.close(),
  }
}
