import { type Agent, request } from 'node:http'

/**
 * Sends one request on the agent's connection. Returns the status or the error code, or `never accepted` when a new
 * connection was reset before any answer.
 */
export function ask(url: string, agent: Agent, token?: string): Promise<string> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => {
      const isNew = !sent.reusedSocket && !sent.socket?.bytesRead
      resolve(error.code === 'ECONNRESET' && isNew ? 'never accepted' : (error.code ?? error.message))
    }
    const sent = request(
      url,
      { agent, ...(token && { headers: { authorization: `Bearer ${token}` } }) },
      (response) => {
        response.resume()
        response.on('end', () => resolve(String(response.statusCode)))
        response.on('error', failed)
      },
    )
    sent.on('error', failed)
    sent.end()
  })
}
