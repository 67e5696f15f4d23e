import type { ClientRequestArgs } from 'node:http'
import { Agent, type AgentOptions } from 'node:https'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * Returns the SDK's connection pool, which keeps connections open between pushes. With `apiBase`, connections go to that host
 * instead of Google's; the SDK has no setting for this.
 */
export function createFcmAgent(maxSockets: number, apiBase?: string): Agent {
  const options = { keepAlive: true, maxSockets }
  return apiBase ? new RedirectedAgent(options, new URL(apiBase)) : new Agent(options)
}

class RedirectedAgent extends Agent {
  readonly #base: URL

  constructor(options: AgentOptions, base: URL) {
    super(options)
    this.#base = base
  }

  override createConnection(
    options: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    const { protocol, hostname, port } = this.#base
    const host = hostname.replace(/^\[|\]$/g, '')
    if (protocol === 'http:') return connect({ host, port: Number(port || 80) })
    const target = { host, port: port || 443, servername: host }
    return super.createConnection({ ...options, ...target }, callback)
  }
}
