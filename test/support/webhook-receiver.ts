import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

/** A request as a receiver got it. */
export interface ReceivedWebhook {
  path: string
  headers: IncomingHttpHeaders
  /** The exact text of the body. */
  body: string
}

/** How a receiver answers one request. It hangs when it does not end the response. */
export type Answering = (response: ServerResponse, request: ReceivedWebhook) => void

/** A server on 127.0.0.1 that webhooks are sent to. */
export interface WebhookReceiver {
  port: number
  received: ReceivedWebhook[]
  /** Connections so far, also those that sent nothing. */
  connections(): number
  /** The most requests that were open at once. */
  mostOpen(): number
  /** How the next requests are answered; 204 at first. */
  answer(answering: Answering): void
  close(): Promise<void>
}

/** Starts a receiver that speaks https with this certificate, or http without one. */
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
