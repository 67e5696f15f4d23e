import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A load balancer, as far as a drill needs one: each request goes to the next of its targets. */
export interface Balancer {
  url: string
  /** The addresses that it sends to, by their ports; may be changed while it runs. */
  targets: number[]
  close(): Promise<void>
}

/** Starts one on a free port. A target that does not answer is 502. */
export async function startBalancer(): Promise<Balancer> {
  let next = 0
  const balancer = { targets: [] as number[] }
  const server = createServer((incoming, outgoing) => {
    const port = balancer.targets[next++ % balancer.targets.length]
    const { method, url: path, headers } = incoming
    const forwarded = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(balancer, {
    url,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  })
}
