import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

/** A request that a receiver got. */
export interface ReceivedWebhook {
  path: string
  headers: IncomingHttpHeaders
  /** The exact text of the body. */
  body: string
}

/** Answers one request. The request hangs when this function does not end the response. */
export type Answering = (response: ServerResponse, request: ReceivedWebhook) => void

/** A server on 127.0.0.1 that receives webhooks. */
export interface WebhookReceiver {
  port: number
  received: ReceivedWebhook[]
  /** Returns the number of connections so far, including those without a request. */
  connections(): number
  /** Returns the largest number of concurrent requests so far. */
  mostOpen(): number
  /** Sets the answer to the next requests; 204 until then. */
  answer(answering: Answering): void
  close(): Promise<void>
}

/** Starts a receiver: https with this certificate, http without one. */
export async function startWebhookReceiver(certificate?: { key: string; cert: string }): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = []
  const sockets = new Set<Socket>()
  let answering: Answering = (response) => response.writeHead(204).end()
  let count = 0
  let open = 0
  let most = 0
  const server = certificate ? createHttpsServer(certificate) : createHttpServer()
  server.on('connection', (socket: Socket) => {
    count += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  })
  server.on('tlsClientError', () => undefined)
  server.on('request', async (request, response) => {
    open += 1
    most = Math.max(most, open)
    response.on('close', () => {
      open -= 1
    })
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const webhook = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() }
    received.push(webhook)
    answering(response, webhook)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    received,
    connections: () => count,
    mostOpen: () => most,
    answer(next) {
      answering = next
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
