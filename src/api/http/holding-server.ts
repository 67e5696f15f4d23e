import { once } from 'node:events'
import { createServer } from 'node:http'
import { version } from '../../shared/platform/config/version.ts'

/**
 * Answers on the API's port while the API cannot start yet: 200 for `GET /health/live`, 503 for everything else.
 * Returns the function that frees the port.
 */
export async function startHoldingServer(port: number, host: string): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const live = request.method === 'GET' && request.url === '/health/live'
    const isHealth = request.url?.startsWith('/health') ?? false
    const state = { status: live ? 'ok' : 'unavailable', version }
    response.writeHead(live ? 200 : 503, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
      ...(!live && { 'retry-after': '1' }),
    })
    response.end(
      JSON.stringify(isHealth ? state : { message: 'The service is starting. Please try again in a moment.' }),
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  return async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
}
