import { type Agent, request } from 'node:http'

/**
 * One request on the agent's connection: the status that came back, or how it failed; `never accepted` when a new
 * connection was reset before anything came back on it.
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
