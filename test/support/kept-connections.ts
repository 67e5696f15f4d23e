import { type Agent, request } from 'node:http'

/** One request on the agent's connection: the status that came back, or how it failed. */
export function ask(url: string, agent: Agent, token?: string): Promise<string> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)
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
