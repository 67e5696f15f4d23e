import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isForeignHost } from '../servers/host-header-guard.ts'
import { nameTakenPort } from '../servers/ports.ts'

/** A server on the loopback address that receives webhooks and shows them. */
export interface WebhookReceiver {
  /** The URL to which webhooks are sent and at which they are shown. */
  url: string
  port: number
  close(): Promise<void>
}

const HOST = '127.0.0.1'
/** The most webhooks that are stored and shown. */
const SHOWN = 100
/** The most bytes of one request. */
const MOST_BYTES = 1_000_000

/**
 * Starts the receiver of the demo school's webhook. A POST is stored in memory and answered with 204. A GET answers the
 * last 100 webhooks as JSON, newest first: the time of arrival, the webhook headers and the body.
 * @throws PortTaken naming the port and WEBHOOK_RECEIVER_PORT.
 */
export async function startWebhookReceiver(port: number): Promise<WebhookReceiver> {
  const received: object[] = []

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [name = ''] = (request.headers.host ?? '').split(':')
    if (isForeignHost(HOST, name)) return end(response, 403)
    if (request.method === 'GET') return end(response, 200, { data: received })
    if (request.method !== 'POST') return end(response, 404)
    const text = await readText(request)
    if (text === null) return end(response, 413)
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers
    received.unshift({ at: new Date().toISOString(), id, timestamp, signature, body: text })
    received.length = Math.min(received.length, SHOWN)
    end(response, 204)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  try {
    server.listen(port, HOST)
    await once(server, 'listening')
  } catch (error) {
    throw nameTakenPort(error, port, 'WEBHOOK_RECEIVER_PORT')
  }
  const listening = (server.address() as AddressInfo).port
  return {
    url: `http://${HOST}:${listening}`,
    port: listening,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function readText(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MOST_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function end(response: ServerResponse, status: number, body?: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(body && JSON.stringify(body))
}
